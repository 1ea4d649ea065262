package devcatalog

import (
	"context"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

func (c *Catalog) listViews(ctx context.Context, t *tx, call *call) (any, error) {
	names, token, err := c.listNames(ctx, t, call.query, databaseInPath(call), access.View, "viewNamePattern")
	return wire.ViewPage{Views: names, NextPageToken: token}, err
}

func (c *Catalog) createView(ctx context.Context, t *tx, call *call) (any, error) {
	var body wire.CreateViewBody
	if err := decode(call.body, &body); err != nil {
		return nil, err
	}
	return nil, t.addView(ctx, access.Resource{Type: access.View, Database: call.names[0], View: body.Identifier.Object}, body.Schema)
}

func (t *tx) addView(ctx context.Context, r access.Resource, schema wire.ViewSchema) error {
	if err := checkNewName(r); err != nil {
		return err
	}
	if schema.Fields == nil {
		schema.Fields = []wire.Field{}
	}
	schema.Dialects, schema.Options = notNull(schema.Dialects), notNull(schema.Options)
	_, err := t.addObject(ctx, r, schema)
	return err
}

func (c *Catalog) getView(ctx context.Context, t *tx, call *call) (any, error) {
	view := wire.View{Name: call.names[1]}
	var err error
	view.ID, err = t.object(ctx, viewInPath(call), &view.Schema)
	return view, err
}

func (c *Catalog) dropView(ctx context.Context, t *tx, call *call) (any, error) {
	return nil, t.dropObject(ctx, viewInPath(call))
}

func (c *Catalog) renameView(ctx context.Context, t *tx, call *call) (any, error) {
	return nil, t.rename(ctx, call.body, func(i wire.Identifier) access.Resource {
		return access.Resource{Type: access.View, Database: i.Database, View: i.Object}
	})
}
