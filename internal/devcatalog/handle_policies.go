package devcatalog

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// policyTable is how every call on policies begins: rights before existence, and a missing database is a missing table.
func (t *tx) policyTable(ctx context.Context, who caller, r access.Resource, now time.Time) (*table, error) {
	if err := t.mayManage(ctx, who, r, now); err != nil {
		return nil, err
	}
	return t.table(ctx, r)
}

// listPolicies looks for the table before it looks at the parameters.
func (c *Catalog) listPolicies(ctx context.Context, t *tx, call *call) (any, error) {
	of, err := t.policyTable(ctx, call.caller, tableInPath(call), call.now)
	if err != nil {
		return nil, err
	}
	filter, err := listedPolicies(call.query)
	if err != nil {
		return nil, err
	}
	page, err := c.pageRequest(call.query)
	if err != nil {
		return nil, err
	}
	if filter.principal != "" {
		if err := c.directory.check(filter.principal); err != nil {
			return nil, err
		}
	}
	// The id and not the name, so that paging goes on over a rename.
	keyPrefix := fmt.Sprintf("%d:%s", len(of.id), of.id)
	page, ok := page.within(keyPrefix)
	if !ok {
		return wire.PolicyPage{Policies: []json.RawMessage{}}, nil
	}
	rows, err := t.policies(ctx, of, filter, page)
	if err != nil {
		return nil, err
	}
	policies, token := takePage(page, keyPrefix, rows)
	encodedRows, err := encodeRows(policies, policyRow)
	return wire.PolicyPage{Policies: encodedRows, NextPageToken: token}, err
}

// listedPolicies reads what of the policies is listed. Blank filters do not count.
func listedPolicies(query url.Values) (policyFilter, error) {
	filter := policyFilter{
		kind:      access.Access(unlessBlank(query.Get(wire.ParamType))),
		principal: unlessBlank(query.Get(wire.ParamPrincipal)),
		column:    unlessBlank(query.Get(wire.ParamColumn)),
	}
	switch {
	case filter.kind != "" && !filter.kind.IsPolicy():
		return policyFilter{}, invalid("type must be %s or %s.", access.RowFilter, access.ColumnMasking)
	case filter.column != "" && filter.kind != access.ColumnMasking:
		return policyFilter{}, invalid("column takes type=%s beside it.", access.ColumnMasking)
	}
	return filter, nil
}

func policyRow(p access.Policy) any {
	row := wire.Policy{
		Resource: &wire.Resource{
			Type:     wire.Text(p.Resource.Type),
			Database: wire.Text(p.Resource.Database),
			Table:    wire.Text(p.Resource.Table),
		},
		Principal: wire.Text(p.Principal),
	}
	if p.Access == access.ColumnMasking {
		row.ColumnMask = &wire.ColumnMask{OnColumn: wire.Text(p.Column), Transform: wire.Text(p.Definition)}
	} else {
		row.RowFilter = &wire.RowFilter{Predicate: wire.Text(p.Definition)}
	}
	return row
}

func (c *Catalog) createPolicy(ctx context.Context, t *tx, call *call) (any, error) {
	of, err := t.policyTable(ctx, call.caller, tableInPath(call), call.now)
	if err != nil {
		return nil, err
	}
	var body PolicyBody
	if err := decode(call.body, &body); err != nil {
		return nil, err
	}
	policy, err := body.policy(of.resource)
	if err != nil {
		return nil, err
	}
	return nil, c.protect(ctx, t, of, policy)
}

// protect adds a policy whose shape is good. A definition that does not fit the table is refused before a duplicate is,
// and a missing masked column is a bad policy, not a missing column.
func (c *Catalog) protect(ctx context.Context, t *tx, of *table, p access.Policy) error {
	if !of.queryAuth() {
		return queryAuthOff(of.resource)
	}
	if err := c.directory.check(p.Principal); err != nil {
		return err
	}
	canonical, err := canonicalDefinition(p, of.columns)
	if err != nil {
		return aboutPolicy(http.StatusBadRequest, p.Identity, "The %s is refused: %v.", p.Identity, err)
	}
	// The canonical form can be the longer one: it spells out each column's type.
	if err := checkPolicyText(canonical); err != nil {
		return err
	}
	p.Definition = canonical
	added, err := t.addPolicy(ctx, of.id, p)
	if err == nil && !added {
		return aboutPolicy(http.StatusConflict, p.Identity, "The %s exists already.", p.Identity)
	}
	return err
}

// dropPolicy checks neither principal nor column nor query-auth: whatever is stored can be dropped.
func (c *Catalog) dropPolicy(ctx context.Context, t *tx, call *call) (any, error) {
	of, err := t.policyTable(ctx, call.caller, tableInPath(call), call.now)
	if err != nil {
		return nil, err
	}
	var body dropBody
	if err := decode(call.body, &body); err != nil {
		return nil, err
	}
	identity, err := body.identity(of.resource)
	if err != nil {
		return nil, err
	}
	if c.broken.keepsPolicies {
		return nil, nil
	}
	removed, err := t.removePolicy(ctx, of.id, identity)
	if err == nil && !removed {
		return nil, aboutPolicy(http.StatusNotFound, identity, "The %s does not exist.", identity)
	}
	return nil, err
}

// aboutPolicy is an error whose name is TYPE:principal, and for a mask :column.
func aboutPolicy(status int, i access.Identity, format string, args ...any) *failure {
	name := string(i.Access) + ":" + i.Principal
	if i.Access == access.ColumnMasking {
		name += ":" + i.Column
	}
	return &failure{status, wire.ErrorPolicy, name, fmt.Sprintf(format, args...)}
}
