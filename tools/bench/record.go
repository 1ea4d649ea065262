package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// The catalog's one database, and the name that the catalog is asked for.
const (
	warehouse = "demo"
	database  = "lake"
)

// record is one resource block, and the row that the catalog lists when it is applied: one of the two kinds.
type record struct {
	resource   string // the block's type
	name       string // and its name
	table      string
	attributes []attribute
	// change is the attribute that the changed configuration has besides or instead.
	change     attribute
	permission *wire.Permission
	policy     *wire.Policy
}

// attribute is an argument of a block with its value as HCL.
type attribute struct {
	name, value string
}

// changed is the record as the changed configuration has it.
func (r record) changed() record {
	r.attributes = slices.DeleteFunc(slices.Clone(r.attributes), func(a attribute) bool { return a.name == r.change.name })
	r.attributes = append(r.attributes, r.change)
	return r
}

// grantable are the accesses that each principal of a table has.
var grantable = []string{"SELECT", "UPDATE", "ALTER", "DROP", "GRANT"}

func grant(table string, number int) record {
	access, principal := grantable[number%len(grantable)], role(number/len(grantable))
	return record{
		resource: "paimon_permission",
		name:     blockName(table, number),
		table:    table,
		attributes: []attribute{
			{"resource_type", `"TABLE"`}, {"database", text(database)}, {"table", text(table)}, {"access", text(access)}, {"principal", text(principal)},
		},
		change:     attribute{"expire_time", `"2099-01-01T00:00:00Z"`},
		permission: &wire.Permission{Resource: tableOf(table), Access: wire.Text(access), Principal: wire.Text(principal)},
	}
}

// policy is a row filter and a column mask in turn.
func policy(table string, number int) record {
	if number%2 == 0 {
		return rowFilter(table, number)
	}
	return columnMask(table, number)
}

func rowFilter(table string, number int) record {
	predicate := func(region string) string {
		return `{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":1,"name":"c0001","type":"STRING"}},` +
			`"function":"EQUAL","literals":["` + region + `"]}`
	}
	principal, resource := role(number/2), tableOf(table)
	return record{
		resource: "paimon_row_filter_policy",
		name:     blockName(table, number),
		table:    table,
		attributes: []attribute{
			{"database", text(database)}, {"table", text(table)}, {"principal", text(principal)}, {"predicate", text(predicate("EU"))},
		},
		change: attribute{"predicate", text(predicate("UK"))},
		policy: &wire.Policy{Resource: &resource, RowFilter: &wire.RowFilter{Predicate: wire.Text(predicate("EU"))}, Principal: wire.Text(principal)},
	}
}

func columnMask(table string, number int) record {
	transform := func(shown string) string { return `{"name":"CONCAT","inputs":["` + shown + `"]}` }
	principal, resource := role(number/2), tableOf(table)
	const column = "c0002"
	return record{
		resource: "paimon_column_mask_policy",
		name:     blockName(table, number),
		table:    table,
		attributes: []attribute{
			{"database", text(database)},
			{"table", text(table)},
			{"on_column", text(column)},
			{"principal", text(principal)},
			{"transform", text(transform("***"))},
		},
		change: attribute{"transform", text(transform("---"))},
		policy: &wire.Policy{
			Resource: &resource, ColumnMask: &wire.ColumnMask{OnColumn: column, Transform: wire.Text(transform("***"))}, Principal: wire.Text(principal),
		},
	}
}

// columnRange gives all columns of a wide table one by one.
func columnRange(table string, number int) record {
	columns := make([]wire.Text, wide)
	for i := range columns {
		columns[i] = wire.Text(columnName(i))
	}
	resource := tableOf(table)
	resource.Type = "COLUMN"
	return record{
		resource: "paimon_column_permission",
		name:     blockName(table, number),
		table:    table,
		attributes: []attribute{
			{"database", text(database)}, {"table", text(table)}, {"principal", text(role(number))}, {"column_names", text(columns)},
		},
		change: attribute{"column_names", text(columns[1:])},
		permission: &wire.Permission{
			Resource: resource, Access: "SELECT", Principal: wire.Text(role(number)), Columns: &wire.Columns{ColumnNames: columns},
		},
	}
}

func tableOf(table string) wire.Resource {
	return wire.Resource{Type: "TABLE", Database: database, Table: wire.Text(table)}
}

func blockName(table string, number int) string {
	return fmt.Sprintf("%s_%02d", table, number)
}

func role(number int) string {
	return fmt.Sprintf("role:r%02d", number)
}

func columnName(number int) string {
	return fmt.Sprintf("c%04d", number)
}

// text is a value as HCL: texts and lists of them look there as in JSON, as long as nothing in them is a template.
func text(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err) // texts can always be written
	}
	return string(encoded)
}
