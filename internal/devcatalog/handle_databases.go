package devcatalog

import (
	"context"
	"maps"
	"slices"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

func (c *Catalog) listDatabases(ctx context.Context, t *tx, call *call) (any, error) {
	names, token, err := c.listNames(ctx, t, call.query, access.Resource{Type: access.Catalog}, access.Database, "databaseNamePattern")
	return wire.DatabasePage{Databases: names, NextPageToken: token}, err
}

func (c *Catalog) createDatabase(ctx context.Context, t *tx, call *call) (any, error) {
	var body wire.CreateDatabaseBody
	if err := decode(call.body, &body); err != nil {
		return nil, err
	}
	return nil, t.addDatabase(ctx, body)
}

func (t *tx) addDatabase(ctx context.Context, body wire.CreateDatabaseBody) error {
	r := access.Resource{Type: access.Database, Database: body.Name}
	if err := checkNewName(r); err != nil {
		return err
	}
	_, err := t.addObject(ctx, r, databaseDefinition{body.Options})
	return err
}

func (c *Catalog) getDatabase(ctx context.Context, t *tx, call *call) (any, error) {
	var definition databaseDefinition
	r := databaseInPath(call)
	id, err := t.object(ctx, r, &definition)
	return wire.Database{ID: id, Name: r.Database, Location: c.location(r, id), Options: notNull(definition.Options)}, err
}

// alterDatabase changes options: removals first, then updates. Removing what is not there is reported, not refused.
func (c *Catalog) alterDatabase(ctx context.Context, t *tx, call *call) (any, error) {
	var body wire.AlterDatabaseBody
	if err := decode(call.body, &body); err != nil {
		return nil, err
	}
	var definition databaseDefinition
	id, err := t.object(ctx, databaseInPath(call), &definition)
	if err != nil {
		return nil, err
	}
	options := notNull(definition.Options)
	result := wire.AlterDatabaseResult{Removed: []string{}, Missing: []string{}}
	for _, key := range body.Removals {
		if _, there := options[key]; !there {
			result.Missing = append(result.Missing, key)
			continue
		}
		delete(options, key)
		result.Removed = append(result.Removed, key)
	}
	maps.Copy(options, body.Updates)
	result.Updated = slices.Sorted(maps.Keys(body.Updates))
	return result, t.saveDefinition(ctx, id, databaseDefinition{options})
}

// dropDatabase takes everything inside with it.
func (c *Catalog) dropDatabase(ctx context.Context, t *tx, call *call) (any, error) {
	return nil, t.dropObject(ctx, databaseInPath(call))
}

// location is where the files of a database or table are. Below a table root that is the id, which a rename keeps and a
// table that is created again does not inherit. Without one there are no files, but readers insist on a place.
func (c *Catalog) location(r access.Resource, id string) string {
	if c.tableRoot != "" {
		return "file://" + c.tableRoot + "/" + id
	}
	location := "/" + c.warehouse + "/" + r.Database + ".db"
	if r.Table != "" {
		location += "/" + r.Table
	}
	return location
}

// notNull gives an empty map for none: clients expect an object.
func notNull(options map[string]string) map[string]string {
	if options == nil {
		return map[string]string{}
	}
	return options
}
