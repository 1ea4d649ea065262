package devcatalog

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// addPolicy stores a policy and says whether there was none of its identity.
func (t *tx) addPolicy(ctx context.Context, tableID string, p access.Policy) (added bool, err error) {
	n, err := t.exec(ctx, "INSERT INTO policy (table_id, type, principal, on_column, definition) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
		tableID, string(p.Access), p.Principal, p.Column, p.Definition)
	if err != nil {
		return false, fmt.Errorf("store %s: %w", p.Identity, err)
	}
	return n > 0, nil
}

// removePolicy removes a policy and says whether there was one.
func (t *tx) removePolicy(ctx context.Context, tableID string, i access.Identity) (removed bool, err error) {
	n, err := t.exec(ctx, "DELETE FROM policy WHERE table_id = ? AND type = ? AND principal = ? AND on_column = ?",
		tableID, string(i.Access), i.Principal, i.Column)
	if err != nil {
		return false, fmt.Errorf("drop %s: %w", i, err)
	}
	return n > 0, nil
}

// policyFilter narrows a listing; empty members do not.
type policyFilter struct {
	kind      access.Access
	principal string
	column    string
}

// policies lists one page of the policies of a table.
func (t *tx) policies(ctx context.Context, of *table, filter policyFilter, page pageRequest) ([]keyed[access.Policy], error) {
	conditions, args := []string{policyQuery, "sort_key > ?"}, []any{of.id, page.after}
	for _, c := range []struct{ condition, value string }{
		{"type = ?", string(filter.kind)},
		{"principal = ?", filter.principal},
		{"on_column = ?", filter.column},
	} {
		if c.value != "" {
			conditions = append(conditions, c.condition)
			args = append(args, c.value)
		}
	}
	query := strings.Join(conditions, " AND ") + " ORDER BY sort_key LIMIT ?"
	rows, err := collect(ctx, t, scanPolicy(of.resource), query, append(args, page.limit+1)...)
	if err != nil {
		return nil, fmt.Errorf("list policies of %s: %w", of.resource, err)
	}
	return rows, nil
}

// allPolicies lists the policies of a table, of the given principals only unless there are none given.
func (t *tx) allPolicies(ctx context.Context, of *table, principals []string) ([]access.Policy, error) {
	query, args := policyQuery, []any{of.id}
	if principals != nil {
		list, err := jsonList(principals)
		if err != nil {
			return nil, err
		}
		query += " AND principal IN (SELECT value FROM json_each(?))"
		args = append(args, list)
	}
	rows, err := collect(ctx, t, scanPolicy(of.resource), query, args...)
	if err != nil {
		return nil, fmt.Errorf("read the policies of %s: %w", of.resource, err)
	}
	// Asked to sort, SQLite would walk the policies of all principals in their order.
	slices.SortFunc(rows, func(a, b keyed[access.Policy]) int { return strings.Compare(a.key, b.key) })
	policies := make([]access.Policy, len(rows))
	for i, row := range rows {
		policies[i] = row.value
	}
	return policies, nil
}

const policyQuery = "SELECT sort_key, type, principal, on_column, definition FROM policy WHERE table_id = ?"

func scanPolicy(on access.Resource) func(*sql.Rows) (keyed[access.Policy], error) {
	return func(rows *sql.Rows) (row keyed[access.Policy], err error) {
		p := &row.value
		p.Resource = on
		err = rows.Scan(&row.key, &p.Access, &p.Principal, &p.Column, &p.Definition)
		return row, err
	}
}
