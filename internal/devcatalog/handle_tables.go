package devcatalog

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

func (c *Catalog) listTables(ctx context.Context, t *tx, call *call) (any, error) {
	names, token, err := c.listNames(ctx, t, call.query, databaseInPath(call), access.Table, "tableNamePattern")
	return wire.TablePage{Tables: names, NextPageToken: token}, err
}

func (c *Catalog) getTable(ctx context.Context, t *tx, call *call) (any, error) {
	found, err := t.table(ctx, tableInPath(call))
	if err != nil {
		return nil, err
	}
	fields, err := wireFields(found.columns)
	answer := wire.Table{
		ID:       found.id,
		Database: found.resource.Database,
		Name:     found.resource.Table,
		Path:     c.location(found.resource, found.id),
		SchemaID: found.SchemaID,
		Schema: wire.Schema{
			Fields:        fields,
			PartitionKeys: found.PartitionKeys,
			PrimaryKeys:   found.PrimaryKeys,
			Options:       notNull(found.Options),
			Comment:       found.Comment,
		},
	}
	c.broken.changeTable(call.caller, &answer)
	return answer, err
}

// createTable puts the table into the database of the path, where its clients put it too; the body's database says the
// same again.
func (c *Catalog) createTable(ctx context.Context, t *tx, call *call) (any, error) {
	var body wire.CreateTableBody
	if err := decode(call.body, &body); err != nil {
		return nil, err
	}
	created, err := newTable(access.TableResource(call.names[0], body.Identifier.Object), body.Schema)
	if err != nil {
		return nil, err
	}
	return nil, t.addTable(ctx, created)
}

func (c *Catalog) dropTable(ctx context.Context, t *tx, call *call) (any, error) {
	return nil, t.dropObject(ctx, tableInPath(call))
}

func (c *Catalog) renameTable(ctx context.Context, t *tx, call *call) (any, error) {
	return nil, t.rename(ctx, call.body, func(i wire.Identifier) access.Resource { return access.TableResource(i.Database, i.Object) })
}

// rename moves a table or view to another name, in another database too.
func (t *tx) rename(ctx context.Context, text []byte, resource func(wire.Identifier) access.Resource) error {
	var body wire.Rename
	if err := decode(text, &body); err != nil {
		return err
	}
	to := resource(body.Destination)
	if err := checkNewName(to); err != nil {
		return err
	}
	return t.moveObject(ctx, resource(body.Source), to)
}

// alterTable applies all changes or none. Each change is checked against the policies and column permissions as soon as
// it is made: a protected column that is renamed away is not made good by another that takes its name.
func (c *Catalog) alterTable(ctx context.Context, t *tx, call *call) (any, error) {
	var body wire.AlterTableBody
	if err := decode(call.body, &body); err != nil {
		return nil, err
	}
	altered, err := t.table(ctx, tableInPath(call))
	if err != nil || len(body.Changes) == 0 {
		return nil, err
	}
	protection, err := t.protection(ctx, altered)
	if err != nil {
		return nil, err
	}
	for _, change := range body.Changes {
		if err := altered.apply(change); err != nil {
			return nil, err
		}
		if err := protection.check(altered); err != nil {
			return nil, err
		}
	}
	altered.SchemaID++
	if err := t.saveTable(ctx, altered); err != nil {
		return nil, err
	}
	return nil, t.settleColumnRanges(ctx, altered.id)
}

// protection is what hangs on a table and must still fit after a schema change.
type protection struct {
	policies          []access.Policy
	columnPermissions bool
}

func (t *tx) protection(ctx context.Context, of *table) (p protection, err error) {
	if p.policies, err = t.allPolicies(ctx, of, nil); err != nil {
		return p, err
	}
	p.columnPermissions, err = t.hasColumnPermissions(ctx, of.id)
	return p, err
}

// check refuses a schema under which a policy or a column permission would no longer protect.
func (p protection) check(changed *table) error {
	if !changed.queryAuth() && (len(p.policies) > 0 || p.columnPermissions) {
		return invalid("%s has policies or column permissions: %s must stay true.", changed.resource, wire.OptionQueryAuth)
	}
	for _, policy := range p.policies {
		if _, err := canonicalDefinition(policy, changed.columns); err != nil {
			return invalid("The %s would no longer fit: %v.", policy.Identity, err)
		}
	}
	return nil
}

// newTable checks the schema of a table that is to be created, and numbers its columns.
func newTable(r access.Resource, s wire.Schema) (*table, error) {
	if err := checkNewName(r); err != nil {
		return nil, err
	}
	created := &table{resource: r, tableDefinition: tableDefinition{
		PartitionKeys: append([]string{}, s.PartitionKeys...),
		PrimaryKeys:   append([]string{}, s.PrimaryKeys...),
		Options:       notNull(s.Options),
		Comment:       s.Comment,
	}}
	for _, field := range s.Fields {
		column, err := columnOf(field)
		if err != nil {
			return nil, err
		}
		if created.columnIndex(column.Name) >= 0 {
			return nil, invalid("Column %q is there twice.", column.Name)
		}
		created.columns = append(created.columns, column)
	}
	for _, key := range slices.Concat(created.PrimaryKeys, created.PartitionKeys) {
		if created.columnIndex(key) < 0 {
			return nil, invalid("Key %q is not a column.", key)
		}
	}
	// Paimon does not wait to be told that a primary key is not null.
	for _, key := range created.PrimaryKeys {
		created.columns[created.columnIndex(key)].Type.NotNull = true
	}
	numberColumns(created.columns)
	created.HighestFieldID = highestID(created.columns)
	return created, nil
}

func columnOf(field wire.Field) (datatype.Field, error) {
	column := datatype.Field{ID: field.ID, Name: field.Name, Description: field.Description, DefaultValue: field.DefaultValue}
	if access.IsBlank(field.Name) {
		return datatype.Field{}, invalid("A column needs a name.")
	}
	if err := json.Unmarshal(field.Type, &column.Type); err != nil || column.Type.IsZero() {
		return datatype.Field{}, invalid("Column %q has no type that Paimon knows: %s.", field.Name, field.Type)
	}
	return column, nil
}

// numberColumns keeps the ids that the client chose, since its data files hold them, unless it chose none: then all are
// alike.
func numberColumns(columns []datatype.Field) {
	seen := make(map[int]bool, len(columns))
	for _, column := range columns {
		seen[column.ID] = true
	}
	if len(seen) == len(columns) {
		return
	}
	for i := range columns {
		columns[i].ID = i
	}
}

// highestID is the highest id of columns and of the fields inside them, -1 when there are none.
func highestID(fields []datatype.Field) int {
	highest := -1
	for _, field := range fields {
		highest = max(highest, field.ID, highestID(field.Type.Fields))
		for _, inner := range []*datatype.Type{field.Type.Key, field.Type.Element} {
			if inner != nil {
				highest = max(highest, highestID([]datatype.Field{{ID: -1, Type: *inner}}))
			}
		}
	}
	return highest
}

func wireFields(columns []datatype.Field) ([]wire.Field, error) {
	fields := make([]wire.Field, len(columns))
	for i, column := range columns {
		text, err := column.Type.MarshalJSON()
		if err != nil {
			return nil, err
		}
		fields[i] = wire.Field{ID: column.ID, Name: column.Name, Type: text, Description: column.Description, DefaultValue: column.DefaultValue}
	}
	return fields, nil
}
