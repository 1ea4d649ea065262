package devcatalog

import (
	"context"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

func (c *Catalog) listFunctions(ctx context.Context, t *tx, call *call) (any, error) {
	names, token, err := c.listNames(ctx, t, call.query, databaseInPath(call), access.Function, "functionNamePattern")
	return wire.FunctionPage{Functions: names, NextPageToken: token}, err
}

func (c *Catalog) createFunction(ctx context.Context, t *tx, call *call) (any, error) {
	var body wire.Function
	if err := decode(call.body, &body); err != nil {
		return nil, err
	}
	return nil, t.addFunction(ctx, call.names[0], body)
}

func (t *tx) addFunction(ctx context.Context, database string, function wire.Function) error {
	r := access.Resource{Type: access.Function, Database: database, Function: function.Name}
	if err := checkNewName(r); err != nil {
		return err
	}
	// The catalog gives the id.
	function.UUID = ""
	_, err := t.addObject(ctx, r, function)
	return err
}

func (c *Catalog) getFunction(ctx context.Context, t *tx, call *call) (any, error) {
	var function wire.Function
	var err error
	function.UUID, err = t.object(ctx, functionInPath(call), &function)
	return function, err
}

func (c *Catalog) dropFunction(ctx context.Context, t *tx, call *call) (any, error) {
	return nil, t.dropObject(ctx, functionInPath(call))
}
