package rest

import (
	"context"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// QueryAuth is what the server lets the caller of this client read of a table: the predicates that rows must match, all
// of them, and the transforms that columns are shown through, as JSON texts.
type QueryAuth struct {
	Filters []string
	Masks   map[string]string // by column
}

// QueryAuth asks what the caller may read of these columns of a table; nil is all columns. A 403 is the server's refusal.
func (c *Client) QueryAuth(ctx context.Context, database, table string, columns []string) (QueryAuth, error) {
	var answer wire.AuthResult
	err := c.call(ctx, wire.AuthTableQuery, []string{database, table}, nil, wire.AuthBody{Select: columns}, &answer)
	return QueryAuth{Filters: answer.Filter, Masks: answer.ColumnMasking}, err
}
