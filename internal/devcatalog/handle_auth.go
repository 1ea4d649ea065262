package devcatalog

import (
	"context"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// authTableQuery tells readers what of a table the caller may see. Everything that is not certain is refused: the answer
// is all that stands between a reader and the data.
func (c *Catalog) authTableQuery(ctx context.Context, t *tx, call *call) (any, error) {
	of, err := t.table(ctx, tableInPath(call))
	if err != nil {
		return nil, err
	}
	var body wire.AuthBody
	// Readers of everything send no select, an explicit null, or every name; some say that the body is plain text.
	if err := decode(call.body, &body); err != nil {
		return nil, err
	}
	if c.directory.open {
		return wire.AuthResult{}, nil
	}
	visible, err := t.visibleColumns(ctx, call.caller, of, call.now)
	if err != nil {
		return nil, err
	}
	if !of.queryAuth() {
		return wire.AuthResult{}, nil
	}
	selected := body.Select
	if selected == nil {
		selected = columnNames(of.columns)
	}
	for _, name := range selected {
		if !visible(name) {
			return nil, forbidden(of.resource, "You may not read column %q of %s.", name, of.resource)
		}
	}
	policies, err := t.allPolicies(ctx, of, call.caller.effective)
	if err != nil {
		return nil, err
	}
	result, err := restrictions(of, policies)
	c.broken.changeAuth(&result)
	return result, err
}

// restrictions gives all filters, which readers join with AND, and all masks, whatever is selected. Stored texts are
// brought to the current columns; one that no longer fits, or a second mask on a column, leaves no safe answer. Nor does
// an empty rule, which does not fit any table: there are readers that take it for none.
func restrictions(of *table, policies []access.Policy) (wire.AuthResult, error) {
	result := wire.AuthResult{ColumnMasking: map[string]string{}}
	for _, policy := range policies {
		text, err := canonicalDefinition(policy, of.columns)
		if err != nil {
			return wire.AuthResult{}, forbidden(of.resource, "The %s does not fit the table any more.", policy.Identity)
		}
		if policy.Access == access.RowFilter {
			result.Filter = append(result.Filter, text)
			continue
		}
		if _, twice := result.ColumnMasking[policy.Column]; twice {
			return wire.AuthResult{}, forbidden(of.resource, "More than one mask applies to column %q of %s.", policy.Column, of.resource)
		}
		result.ColumnMasking[policy.Column] = text
	}
	return result, nil
}
