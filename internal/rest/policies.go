package rest

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// PolicyFilter narrows a policy listing; empty members do not count. Column needs Type COLUMN_MASKING.
type PolicyFilter struct {
	Type      access.Access
	Principal string
	Column    string
}

// Policies lists the policies on one table, all pages. A listing that is not narrowed is shared
// with the look-ups of Policy.
func (c *Client) Policies(ctx context.Context, database, table string, filter PolicyFilter) (Listing[access.Policy], error) {
	if filter == (PolicyFilter{}) {
		return c.policies.all(ctx, access.TableResource(database, table))
	}
	return c.listPolicies(ctx, database, table, filter)
}

// listPolicies asks the server. A filter by a principal that it no longer knows works as in listPermissions.
func (c *Client) listPolicies(ctx context.Context, database, table string, filter PolicyFilter) (Listing[access.Policy], error) {
	query := url.Values{}
	setUnlessEmpty(query, wire.ParamType, string(filter.Type))
	setUnlessEmpty(query, wire.ParamPrincipal, filter.Principal)
	setUnlessEmpty(query, wire.ParamColumn, filter.Column)
	raw, err := list[json.RawMessage](ctx, c, wire.ListPolicies, "policies", []string{database, table}, query)
	if filter.Principal != "" && IsMissing(err, wire.ErrorPrincipal) {
		principal := filter.Principal
		filter.Principal = ""
		listing, err := c.listPolicies(ctx, database, table, filter)
		listing.Rows = slices.DeleteFunc(listing.Rows, func(p access.Policy) bool { return p.Principal != principal })
		return listing, err
	}
	if err != nil {
		return Listing[access.Policy]{}, err
	}
	return decodeRows(c, raw, func(row wire.Policy) (access.Policy, bool) { return policyOf(row, database, table) }), nil
}

// Policy looks up one policy, as Assignment does a permission.
func (c *Client) Policy(ctx context.Context, id access.Identity, atMost time.Duration) (access.Policy, bool, error) {
	p, found, err := c.policies.find(ctx, id, atMost)
	if isGone(err, id.Resource) {
		err = nil
	}
	return p, found, err
}

// lookForPolicy asks the server for one policy.
func (c *Client) lookForPolicy(ctx context.Context, id access.Identity) (access.Policy, bool, error) {
	filter := PolicyFilter{Type: id.Access, Principal: id.Principal, Column: id.Column}
	listing, err := c.listPolicies(ctx, id.Resource.Database, id.Resource.Table, filter)
	if err != nil {
		return access.Policy{}, false, err
	}
	return find(listing, id, func(p access.Policy) access.Identity { return p.Identity })
}

// CreatePolicy creates a policy. It is sent once, whatever happens: the server refuses a second one of the same
// identity, so a repetition could not tell its own first attempt from somebody else's policy.
func (c *Client) CreatePolicy(ctx context.Context, p access.Policy) error {
	body := wire.Policy{Principal: wire.Text(p.Principal)}
	if p.Access == access.RowFilter {
		body.RowFilter = &wire.RowFilter{Predicate: wire.Text(p.Definition)}
	} else {
		body.ColumnMask = &wire.ColumnMask{OnColumn: wire.Text(p.Column), Transform: wire.Text(p.Definition)}
	}
	err := c.call(ctx, wire.CreatePolicy, p.Resource.Names(), nil, body, nil)
	c.policies.wrote(p.Identity, &p, err)
	return err
}

// DropPolicy makes a policy absent. A policy or table that is gone already is success.
func (c *Client) DropPolicy(ctx context.Context, id access.Identity) error {
	body := wire.PolicyDrop{Type: wire.Text(id.Access), Principal: wire.Text(id.Principal), Column: wire.Text(id.Column)}
	return remove(ctx, c, id, &c.policies, func() error {
		return c.call(ctx, wire.DropPolicy, id.Resource.Names(), nil, body, nil)
	})
}

// policyOf reads a row. The type of a policy is implied by the one definition that it has.
func policyOf(row wire.Policy, database, table string) (access.Policy, bool) {
	switch principal := string(row.Principal); {
	case (row.RowFilter == nil) == (row.ColumnMask == nil):
		return access.Policy{}, false
	case row.RowFilter != nil:
		return access.Policy{
			Identity:   access.RowFilterIdentity(database, table, principal),
			Definition: string(row.RowFilter.Predicate),
		}, true
	default:
		return access.Policy{
			Identity:   access.ColumnMaskIdentity(database, table, string(row.ColumnMask.OnColumn), principal),
			Definition: string(row.ColumnMask.Transform),
		}, true
	}
}
