package devcatalog

import (
	"context"
	"fmt"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// load fills a new database from the seed, through the same checks that a request meets.
func (c *Catalog) load(ctx context.Context, t *tx, seed *Seed) error {
	if err := t.addRoot(ctx, seed.Warehouse); err != nil {
		return err
	}
	for i, database := range seed.Databases {
		if err := t.loadDatabase(ctx, database); err != nil {
			return fmt.Errorf("seed: databases[%d]: %w", i, err)
		}
	}
	for i, row := range seed.Permissions {
		if err := c.loadPermission(ctx, t, row); err != nil {
			return fmt.Errorf("seed: permissions[%d]: %w", i, err)
		}
	}
	for i, row := range seed.Policies {
		if err := c.loadPolicy(ctx, t, row); err != nil {
			return fmt.Errorf("seed: policies[%d]: %w", i, err)
		}
	}
	return nil
}

func (t *tx) loadDatabase(ctx context.Context, d SeedDatabase) error {
	if err := t.addDatabase(ctx, wire.CreateDatabaseBody{Name: d.Name, Options: d.Options}); err != nil {
		return err
	}
	for i, table := range d.Tables {
		if err := t.loadTable(ctx, d.Name, table); err != nil {
			return fmt.Errorf("tables[%d]: %w", i, err)
		}
	}
	for i, view := range d.Views {
		r := access.Resource{Type: access.View, Database: d.Name, View: view.Name}
		if err := t.addView(ctx, r, wire.ViewSchema{Query: view.Query}); err != nil {
			return fmt.Errorf("views[%d]: %w", i, err)
		}
	}
	for i, function := range d.Functions {
		if err := t.addFunction(ctx, d.Name, wire.Function{Name: function.Name}); err != nil {
			return fmt.Errorf("functions[%d]: %w", i, err)
		}
	}
	return nil
}

func (t *tx) loadTable(ctx context.Context, database string, s SeedTable) error {
	schema, err := s.schema()
	if err != nil {
		return err
	}
	created, err := newTable(access.TableResource(database, s.Name), schema)
	if err != nil {
		return err
	}
	return t.addTable(ctx, created)
}

// whoSeeds is the caller on whose behalf the seed is loaded.
func whoSeeds() caller {
	return caller{manages: true}
}

func (c *Catalog) loadPermission(ctx context.Context, t *tx, body PermissionBody) error {
	assignment, err := body.assignment()
	if err != nil {
		return err
	}
	return c.grant(ctx, t, whoSeeds(), assignment, c.clock())
}

func (c *Catalog) loadPolicy(ctx context.Context, t *tx, body PolicyBody) error {
	if body.Resource == nil {
		return invalid("The resource is missing.")
	}
	resource, err := canonicalResource(*body.Resource)
	if err != nil {
		return err
	}
	if resource.Type != access.Table {
		return invalid("A policy hangs on a TABLE.")
	}
	policy, err := body.policy(resource)
	if err != nil {
		return err
	}
	of, err := t.table(ctx, resource)
	if err != nil {
		return err
	}
	return c.protect(ctx, t, of, policy)
}
