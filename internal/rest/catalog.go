package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/url"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// Table is what the catalog says of a table, as far as access control needs it.
type Table struct {
	Columns       []Column
	PrimaryKeys   []string
	PartitionKeys []string
	Options       map[string]string
	Comment       string
}

// Column is one column of a table.
type Column struct {
	datatype.Field
	// TypeText is the type in Paimon's canonical spelling, or in the server's where this client does not know the
	// type; Field.Type is zero then.
	TypeText string
}

// Table reads one table.
func (c *Client) Table(ctx context.Context, database, table string) (Table, error) {
	var got tableAnswer
	if err := c.call(ctx, wire.GetTable, []string{database, table}, nil, nil, &got); err != nil {
		return Table{}, err
	}
	t := Table{
		PrimaryKeys:   got.Schema.PrimaryKeys,
		PartitionKeys: got.Schema.PartitionKeys,
		Options:       got.Schema.Options,
	}
	if got.Schema.Comment != nil {
		t.Comment = *got.Schema.Comment
	}
	for _, field := range got.Schema.Fields {
		t.Columns = append(t.Columns, columnOf(field))
	}
	return t, nil
}

// tableAnswer is the answer of GetTable. Without fields it is none: read as a table that has no columns, it would make
// every column of a policy look missing.
type tableAnswer struct{ wire.Table }

// UnmarshalJSON refuses an object without fields.
func (t *tableAnswer) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, &t.Table); err != nil {
		return err
	}
	if t.Schema.Fields == nil {
		return errors.New("no schema.fields")
	}
	return nil
}

// SharedTable reads a table once and gives every later caller the same answer, until DropSharedTable. It is for the checks
// of a plan, in which many resources hang on one table.
func (c *Client) SharedTable(ctx context.Context, database, table string) (Table, error) {
	return c.tables.get(ctx, wire.GetTable.URLPath("", database, table), func(ctx context.Context) (Table, error) {
		return c.Table(ctx, database, table)
	})
}

// DropSharedTable makes the next SharedTable read the table anew.
func (c *Client) DropSharedTable(database, table string) {
	c.tables.drop(wire.GetTable.URLPath("", database, table))
}

func columnOf(field wire.Field) Column {
	column := Column{Field: datatype.Field{
		ID:           field.ID,
		Name:         field.Name,
		Description:  field.Description,
		DefaultValue: field.DefaultValue,
	}}
	parsed, err := datatype.ParseJSON(field.Type)
	if err != nil {
		column.TypeText = foreignTypeText(field.Type)
		return column
	}
	column.Type = parsed
	column.TypeText = parsed.String()
	return column
}

// foreignTypeText is the text of a type of a newer server: the string itself, or the JSON object without blanks.
func foreignTypeText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return string(raw)
	}
	return compact.String()
}

// Databases lists the names of the databases, all pages, in the server's order.
func (c *Client) Databases(ctx context.Context) ([]string, error) {
	return list[string](ctx, c, wire.ListDatabases, "databases", nil, url.Values{})
}

// Tables lists the names of the tables of a database, all pages, in the server's order.
func (c *Client) Tables(ctx context.Context, database string) ([]string, error) {
	return list[string](ctx, c, wire.ListTables, "tables", []string{database}, url.Values{})
}
