package devcatalog

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// table is a table with its current schema.
type table struct {
	id       string
	resource access.Resource
	columns  []datatype.Field
	tableDefinition
}

// tableDefinition is what is kept of a table beside its columns.
type tableDefinition struct {
	SchemaID int64 `json:"schemaId"`
	// HighestFieldID is the highest field id ever given out, dropped columns included.
	HighestFieldID int               `json:"highestFieldId"`
	PartitionKeys  []string          `json:"partitionKeys"`
	PrimaryKeys    []string          `json:"primaryKeys"`
	Options        map[string]string `json:"options"`
	Comment        *string           `json:"comment,omitempty"`
}

// queryAuth says whether readers of the table must ask what they may see.
func (d tableDefinition) queryAuth() bool {
	return strings.EqualFold(d.Options[wire.OptionQueryAuth], "true")
}

// columnIndex finds a column by its name, which is case-sensitive; -1 when there is none.
func (t *table) columnIndex(name string) int {
	return slices.IndexFunc(t.columns, func(c datatype.Field) bool { return c.Name == name })
}

// table loads the table that a TABLE or COLUMN resource stands on; when it is missing, the error names the resource.
func (t *tx) table(ctx context.Context, r access.Resource) (*table, error) {
	found := &table{resource: access.TableResource(r.Database, r.Table)}
	var err error
	if found.id, err = t.object(ctx, r, &found.tableDefinition); err != nil {
		return nil, err
	}
	found.columns, err = collect(ctx, t, scanColumn,
		"SELECT field_id, name, type, description, default_value FROM table_column WHERE table_id = ? ORDER BY position", found.id)
	if err != nil {
		return nil, fmt.Errorf("read the columns of %s: %w", found.resource, err)
	}
	return found, nil
}

func scanColumn(rows *sql.Rows) (column datatype.Field, err error) {
	var text string
	if err := rows.Scan(&column.ID, &column.Name, &text, &column.Description, &column.DefaultValue); err != nil {
		return datatype.Field{}, err
	}
	column.Type, err = datatype.Parse(text)
	return column, err
}

// addTable creates the table and sets its id.
func (t *tx) addTable(ctx context.Context, created *table) error {
	var err error
	if created.id, err = t.addObject(ctx, created.resource, created.tableDefinition); err != nil {
		return err
	}
	return t.saveColumns(ctx, created)
}

// saveTable stores a changed schema.
func (t *tx) saveTable(ctx context.Context, changed *table) error {
	if err := t.saveDefinition(ctx, changed.id, changed.tableDefinition); err != nil {
		return err
	}
	return t.saveColumns(ctx, changed)
}

// saveColumns makes the stored columns those of the table. Columns that stay are updated and never deleted, since a
// deletion takes the column out of the column permissions.
func (t *tx) saveColumns(ctx context.Context, of *table) error {
	kept := make([]int, len(of.columns))
	for i, column := range of.columns {
		kept[i] = column.ID
		_, err := t.exec(ctx, `
			INSERT INTO table_column (table_id, field_id, position, name, type, description, default_value) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (table_id, field_id) DO UPDATE SET position = excluded.position, name = excluded.name,
				type = excluded.type, description = excluded.description, default_value = excluded.default_value`,
			of.id, column.ID, i, column.Name, column.Type.String(), column.Description, column.DefaultValue)
		if err != nil {
			return fmt.Errorf("save column %q: %w", column.Name, err)
		}
	}
	list, err := jsonList(kept)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, "DELETE FROM table_column WHERE table_id = ? AND field_id NOT IN (SELECT value FROM json_each(?))", of.id, list)
	if err != nil {
		return fmt.Errorf("remove dropped columns: %w", err)
	}
	return nil
}
