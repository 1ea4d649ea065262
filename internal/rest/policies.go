package rest

import (
	"context"
	"encoding/json"
	"iter"
	"net/url"
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

// matches says whether a policy passes the filter.
func (f PolicyFilter) matches(p access.Policy) bool {
	return matches(p.Access, f.Type) && matches(p.Principal, f.Principal) && matches(p.Column, f.Column)
}

// Policies lists the policies on one table, all pages. A listing that is not narrowed is shared
// with the look-ups of Policy.
func (c *Client) Policies(ctx context.Context, database, table string, filter PolicyFilter) (Listing[access.Policy], error) {
	on := access.TableResource(database, table)
	if filter != (PolicyFilter{}) && !c.policies.has(on) {
		return c.listPolicies(ctx, on, filter)
	}
	listing, err := c.policies.all(ctx, on, false)
	return listing.keep(filter.matches), err
}

// KnownPolicies are the policies on one table, as Policies lists them, but those that this client wrote as it wrote them: it
// asks again only for what it has not read yet.
func (c *Client) KnownPolicies(ctx context.Context, database, table string) ([]access.Policy, error) {
	listing, err := c.policies.all(ctx, access.TableResource(database, table), true)
	return listing.Rows, err
}

// listPolicies asks the server. A filter by a principal that it no longer knows works as in listPermissions.
func (c *Client) listPolicies(ctx context.Context, on access.Resource, filter PolicyFilter) (Listing[access.Policy], error) {
	listing, err := collect(c.policyPages(ctx, on, filter))
	if filter.Principal != "" && IsMissing(err, wire.ErrorPrincipal) {
		unfiltered := filter
		unfiltered.Principal = ""
		listing, err = collect(c.policyPages(ctx, on, unfiltered))
		return listing.keep(filter.matches), err
	}
	return listing, err
}

// policyPages asks for page after page.
func (c *Client) policyPages(ctx context.Context, on access.Resource, filter PolicyFilter) iter.Seq2[part[access.Policy], error] {
	query := url.Values{}
	setUnlessEmpty(query, wire.ParamType, string(filter.Type))
	setUnlessEmpty(query, wire.ParamPrincipal, filter.Principal)
	setUnlessEmpty(query, wire.ParamColumn, filter.Column)
	return decoded(c, pages[json.RawMessage](ctx, c, wire.ListPolicies, "policies", on.Names(), query), func(row wire.Policy) (access.Policy, bool) {
		return policyOf(row, on)
	})
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
	listing, err := c.listPolicies(ctx, id.Resource, filter)
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
	return remove(ctx, c, id, c.policies, func() error {
		return c.call(ctx, wire.DropPolicy, id.Resource.Names(), nil, body, nil)
	})
}

// policyOf reads a row. The type of a policy is implied by the one definition that it has.
func policyOf(row wire.Policy, on access.Resource) (access.Policy, bool) {
	p := access.Policy{Identity: access.Identity{Resource: on, Principal: string(row.Principal)}}
	switch {
	case (row.RowFilter == nil) == (row.ColumnMask == nil):
		return access.Policy{}, false
	case row.RowFilter != nil:
		p.Access, p.Definition = access.RowFilter, string(row.RowFilter.Predicate)
	default:
		p.Access, p.Column, p.Definition = access.ColumnMasking, string(row.ColumnMask.OnColumn), string(row.ColumnMask.Transform)
	}
	return p, true
}
