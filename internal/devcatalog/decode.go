package devcatalog

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// The bodies of the management calls as a server reads them, from JSON or from a seed. The wire package reads the same
// members leniently, for clients; here a number is no text, and an absent text is not an empty one.
type (
	// ResourceBody is a resource; which locators belong to it follows from the type.
	ResourceBody struct {
		Type     string `json:"type"     yaml:"type"`
		Database string `json:"database" yaml:"database"`
		Table    string `json:"table"    yaml:"table"`
		Function string `json:"function" yaml:"function"`
		View     string `json:"view"     yaml:"view"`
	}
	// ColumnsBody is a column range.
	ColumnsBody struct {
		ColumnNames         []string `json:"columnNames"         yaml:"columnNames"`
		ExcludedColumnNames []string `json:"excludedColumnNames" yaml:"excludedColumnNames"`
	}
	// PermissionBody is a grant and, as far as it goes, a revoke.
	PermissionBody struct {
		Resource   *ResourceBody `json:"resource"   yaml:"resource"`
		Access     string        `json:"access"     yaml:"access"`
		Principal  string        `json:"principal"  yaml:"principal"`
		Columns    *ColumnsBody  `json:"columns"    yaml:"columns"`
		ExpireTime *string       `json:"expireTime" yaml:"expireTime"`
	}
	// RowFilterBody is the definition of a row filter.
	RowFilterBody struct {
		Predicate string `json:"predicate" yaml:"predicate"`
	}
	// ColumnMaskBody is the definition of a column mask.
	ColumnMaskBody struct {
		OnColumn  string `json:"onColumn"  yaml:"onColumn"`
		Transform string `json:"transform" yaml:"transform"`
	}
	// PolicyBody is a new policy. In a request the path says the table, in a seed the resource does.
	PolicyBody struct {
		Resource   *ResourceBody   `json:"-"          yaml:"resource"`
		RowFilter  *RowFilterBody  `json:"rowFilter"  yaml:"rowFilter"`
		ColumnMask *ColumnMaskBody `json:"columnMask" yaml:"columnMask"`
		Principal  string          `json:"principal"  yaml:"principal"`
	}
	dropBody struct {
		Type      string `json:"type"`
		Principal string `json:"principal"`
		Column    string `json:"column"`
	}
)

// decode reads a JSON body. Members that nobody asked for are ignored, as the reference server does.
func decode(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return invalid("The body is not what this call takes: %v.", err)
	}
	return nil
}

// assignment checks the shape of a grant and brings it to its canonical form.
func (b PermissionBody) assignment() (access.Assignment, error) {
	identity, err := b.identity()
	if err != nil {
		return access.Assignment{}, err
	}
	a := access.Assignment{Identity: identity}
	if a.Columns, err = b.columns(identity.Resource.Type); err != nil {
		return access.Assignment{}, err
	}
	if b.ExpireTime != nil {
		if err := checkExpiry(*b.ExpireTime); err != nil {
			return access.Assignment{}, err
		}
		a.ExpireTime = *b.ExpireTime
	}
	return a, nil
}

// identity checks the part of the body that a revoke has too.
func (b PermissionBody) identity() (access.Identity, error) {
	if b.Resource == nil {
		return access.Identity{}, invalid("The resource is missing.")
	}
	resource, err := canonicalResource(*b.Resource)
	if err != nil {
		return access.Identity{}, err
	}
	right, err := canonicalAccess(resource.Type, b.Access)
	if err != nil {
		return access.Identity{}, err
	}
	return access.Identity{Resource: resource, Access: right, Principal: b.Principal}, refuse(access.CheckPrincipal(b.Principal))
}

func (b PermissionBody) columns(of access.ResourceType) (access.Columns, error) {
	switch {
	case of != access.Column && b.Columns != nil:
		return access.Columns{}, invalid("Only a permission of type COLUMN takes columns.")
	case of != access.Column:
		return access.Columns{}, nil
	case b.Columns == nil:
		return access.Columns{}, invalid("A permission of type COLUMN needs columns.")
	}
	columns := access.Columns{Names: b.Columns.ColumnNames, Excluded: b.Columns.ExcludedColumnNames}
	return columns, refuse(columns.Check())
}

// canonicalResource spells the type in upper case and drops blank locators that the type does not have; then the
// resource must have the right shape.
func canonicalResource(b ResourceBody) (access.Resource, error) {
	r := access.Resource{
		Type:     access.ResourceType(strings.ToUpper(b.Type)),
		Database: b.Database, Table: b.Table, View: b.View, Function: b.Function,
	}
	// Blank locators that the type has are refused by the shape check either way.
	for _, name := range []*string{&r.Database, &r.Table, &r.View, &r.Function} {
		if access.IsBlank(*name) {
			*name = ""
		}
	}
	return r, refuse(r.CheckShape())
}

func canonicalAccess(of access.ResourceType, text string) (access.Access, error) {
	right := access.Access(strings.ToUpper(text))
	return right, refuse(access.CheckAccess(of, right))
}

// checkExpiry takes what the contract does: any spelling of an instant in UTC, in whole milliseconds. An instant that
// has passed is none of its business.
func checkExpiry(text string) error {
	if _, err := access.ParseListedExpiry(text); err != nil {
		return invalid("expireTime %q is %v.", text, err)
	}
	if !strings.HasSuffix(strings.ToUpper(text), "Z") {
		return invalid("expireTime %q has an offset: write it in UTC, with Z.", text)
	}
	return nil
}

// refuse turns what a check found into the error about the request.
func refuse(problems access.Problems) error {
	if err := problems.Err(); err != nil {
		return invalid("%v", err)
	}
	return nil
}

// policy checks the shape of a new policy of a table.
func (b PolicyBody) policy(on access.Resource) (access.Policy, error) {
	p := access.Policy{Identity: access.Identity{Resource: on, Principal: b.Principal}}
	switch {
	case (b.RowFilter == nil) == (b.ColumnMask == nil):
		return access.Policy{}, invalid("A policy has exactly one of rowFilter and columnMask.")
	case b.RowFilter != nil:
		p.Access, p.Definition = access.RowFilter, b.RowFilter.Predicate
	default:
		p.Access, p.Column, p.Definition = access.ColumnMasking, b.ColumnMask.OnColumn, b.ColumnMask.Transform
		if access.IsBlank(p.Column) {
			return access.Policy{}, invalid("A column mask needs onColumn.")
		}
	}
	return p, errors.Join(refuse(access.CheckPrincipal(b.Principal)), checkPolicyText(p.Definition))
}

// identity checks the shape of a drop. The type is matched in exact case: it is an enum of the body, not a name.
func (b dropBody) identity(on access.Resource) (access.Identity, error) {
	i := access.Identity{Resource: on, Access: access.Access(b.Type), Column: b.Column, Principal: b.Principal}
	blank := access.IsBlank(b.Column)
	switch {
	case !i.Access.IsPolicy():
		return access.Identity{}, invalid("type must be %s or %s.", access.RowFilter, access.ColumnMasking)
	case i.Access == access.ColumnMasking && blank:
		return access.Identity{}, invalid("Dropping a mask needs the column.")
	case i.Access == access.RowFilter && !blank:
		return access.Identity{}, invalid("A row filter has no column.")
	}
	if blank {
		i.Column = ""
	}
	return i, refuse(access.CheckPrincipal(b.Principal))
}
