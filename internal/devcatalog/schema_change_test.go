package devcatalog_test

import (
	"fmt"
	"net/http"
	"testing"
)

func change(action string, members ...string) string {
	return object(append([]string{"action", quoted(action)}, members...)...)
}

// onColumn is a change of one column.
func onColumn(action, name string, members ...string) string {
	return change(action, append([]string{"fieldNames", array(quoted(name))}, members...)...)
}

func TestSchemaChanges(t *testing.T) {
	t.Parallel()
	const (
		id     = `{"id":0,"name":"id","type":"INT NOT NULL"}`
		day    = `{"id":1,"name":"day","type":"DATE"}`
		region = `{"id":2,"name":"region","type":"STRING","description":"where"}`
	)
	for name, c := range map[string]struct {
		changes []string
		fields  []string
	}{
		"add":                    {[]string{onColumn("addColumn", "n", "dataType", `"DECIMAL(10,2)"`, "comment", `"c"`)}, []string{id, day, region, `{"id":3,"name":"n","type":"DECIMAL(10, 2)","description":"c"}`}},
		"add first":              {[]string{onColumn("addColumn", "n", "dataType", `"INT"`, "move", `{"fieldName":"n","type":"FIRST"}`)}, []string{`{"id":3,"name":"n","type":"INT"}`, id, day, region}},
		"add after":              {[]string{onColumn("addColumn", "n", "dataType", `"INT"`, "move", `{"fieldName":"n","referenceFieldName":"id","type":"AFTER"}`)}, []string{id, `{"id":3,"name":"n","type":"INT"}`, day, region}},
		"rename":                 {[]string{onColumn("renameColumn", "region", "newName", `"area"`)}, []string{id, day, `{"id":2,"name":"area","type":"STRING","description":"where"}`}},
		"rename in a circle":     {[]string{onColumn("renameColumn", "region", "newName", `"x"`), onColumn("renameColumn", "id", "newName", `"region"`), onColumn("renameColumn", "x", "newName", `"id"`)}, []string{`{"id":0,"name":"region","type":"INT NOT NULL"}`, day, `{"id":2,"name":"id","type":"STRING","description":"where"}`}},
		"drop":                   {[]string{onColumn("dropColumn", "region")}, []string{id, day}},
		"drop and add":           {[]string{onColumn("dropColumn", "region"), onColumn("addColumn", "region", "dataType", `"STRING"`)}, []string{id, day, `{"id":3,"name":"region","type":"STRING"}`}},
		"retype":                 {[]string{onColumn("updateColumnType", "region", "newDataType", `"VARCHAR(9)"`)}, []string{id, day, `{"id":2,"name":"region","type":"VARCHAR(9)","description":"where"}`}},
		"retype to itself":       {[]string{onColumn("updateColumnType", "id", "newDataType", `"INT"`, "keepNullability", "true")}, []string{id, day, region}},
		"comment":                {[]string{onColumn("updateColumnComment", "region", "newComment", `"there"`)}, []string{id, day, `{"id":2,"name":"region","type":"STRING","description":"there"}`}},
		"no comment":             {[]string{onColumn("updateColumnComment", "region", "newComment", "null")}, []string{id, day, `{"id":2,"name":"region","type":"STRING"}`}},
		"default":                {[]string{onColumn("updateColumnDefaultValue", "region", "newDefaultValue", `"EU"`)}, []string{id, day, `{"id":2,"name":"region","type":"STRING","description":"where","defaultValue":"EU"}`}},
		"move last":              {[]string{change("updateColumnPosition", "move", `{"fieldName":"id","type":"LAST"}`)}, []string{day, region, id}},
		"move before":            {[]string{change("updateColumnPosition", "move", `{"fieldName":"region","referenceFieldName":"id","type":"BEFORE"}`)}, []string{region, id, day}},
		"nullable without a key": {[]string{change("dropPrimaryKey"), onColumn("updateColumnNullability", "id", "newNullability", "true")}, []string{`{"id":0,"name":"id","type":"INT"}`, day, region}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, withTables)
			s.alter("orders", c.changes...).succeeds()
			got := s.table("orders")
			if fmt.Sprintf("%s", got.Schema.Fields) != fmt.Sprintf("%s", c.fields) || *got.SchemaID != 1 {
				t.Errorf("schema %d is %s\nwant %s", *got.SchemaID, got.Schema.Fields, c.fields)
			}
		})
	}
}

func TestChangesOfATablesOptionsAndComment(t *testing.T) {
	t.Parallel()
	s := start(t, withTables)
	s.alter("orders", change("setOption", "key", `"a"`, "value", `"1"`), change("setOption", "key", `"b"`, "value", `"2"`)).succeeds()
	s.alter("orders", change("removeOption", "key", `"a"`), change("updateComment", "comment", `"mine"`)).succeeds()
	s.alter("orders").succeeds()
	got := s.table("orders")
	if len(got.Schema.Options) != 1 || got.Schema.Options["b"] != "2" || *got.Schema.Comment != "mine" || *got.SchemaID != 2 {
		t.Errorf("got %+v", got)
	}
	s.alter("orders", onColumn("renameColumn", "id", "newName", `"key"`)).succeeds()
	if got := s.table("orders"); got.Schema.PrimaryKeys[0] != "key" {
		t.Errorf("the primary key is %v", got.Schema.PrimaryKeys)
	}
}

func TestRefusedSchemaChangesChangeNothing(t *testing.T) {
	t.Parallel()
	for name, refused := range map[string]string{
		"no action":            `{}`,
		"unknown action":       change("replace"),
		"option without a key": change("setOption", "value", `"1"`),
		"no column":            change("dropColumn"),
		"nested column":        change("dropColumn", "fieldNames", `["region","x"]`),
		"add NOT NULL":         onColumn("addColumn", "n", "dataType", `"INT NOT NULL"`),
		"add without type":     onColumn("addColumn", "n"),
		"add of no type":       onColumn("addColumn", "n", "dataType", `"NUMBER"`),
		"rename to nothing":    onColumn("renameColumn", "region", "newName", `" "`),
		"rename a partition":   onColumn("renameColumn", "day", "newName", `"d"`),
		"drop a primary key":   onColumn("dropColumn", "id"),
		"drop a partition key": onColumn("dropColumn", "day"),
		"retype a key":         onColumn("updateColumnType", "id", "newDataType", `"BIGINT NOT NULL"`),
		"retype to no type":    onColumn("updateColumnType", "region", "newDataType", `"NUMBER"`),
		"retype without type":  onColumn("updateColumnType", "region"),
		"retype without cast":  onColumn("updateColumnType", "region", "newDataType", `"BLOB"`),
		"retype to NOT NULL":   onColumn("updateColumnType", "region", "newDataType", `"VARCHAR(9) NOT NULL"`),
		"nullable key":         onColumn("updateColumnNullability", "id", "newNullability", "true"),
		"not null":             onColumn("updateColumnNullability", "region", "newNullability", "false"),
		"no nullability":       onColumn("updateColumnNullability", "region"),
		"no move":              change("updateColumnPosition"),
		"odd move":             change("updateColumnPosition", "move", `{"fieldName":"id","type":"UP"}`),
		"not JSON":             `7`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, withTables)
			before := s.send(http.MethodGet, "/databases/sales/tables/orders", "").body
			// The good change before the bad one must not stay.
			s.alter("orders", change("updateComment", "comment", `"lost"`), refused).fails(400, "", "")
			s.send(http.MethodGet, "/databases/sales/tables/orders", "").is(before)
		})
	}
}

func TestSchemaChangesOfMissingAndExistingColumns(t *testing.T) {
	t.Parallel()
	for name, missing := range map[string]string{
		"drop":   onColumn("dropColumn", "nope"),
		"retype": onColumn("updateColumnType", "nope", "newDataType", `"INT"`),
		"move":   change("updateColumnPosition", "move", `{"fieldName":"nope","type":"FIRST"}`),
		"after":  change("updateColumnPosition", "move", `{"fieldName":"id","referenceFieldName":"nope","type":"AFTER"}`),
	} {
		t.Run(name+" of a missing column", func(t *testing.T) {
			t.Parallel()
			start(t, withTables).alter("orders", missing).fails(404, "COLUMN", "nope")
		})
	}
	s := start(t, withTables)
	s.alter("orders", onColumn("addColumn", "id", "dataType", `"INT"`)).fails(409, "COLUMN", "id")
	s.alter("orders", onColumn("renameColumn", "region", "newName", `"id"`)).fails(409, "COLUMN", "id")
	s.alter("nope", change("dropPrimaryKey")).fails(404, "TABLE", "sales.nope")
}

func TestKeysAndTheLastColumnStay(t *testing.T) {
	t.Parallel()
	s := start(t, withTables)
	s.alter("orders", change("dropPrimaryKey")).succeeds()
	s.alter("orders", change("dropPrimaryKey")).fails(400, "", "")
	s.alter("orders", onColumn("dropColumn", "region"), onColumn("dropColumn", "id")).succeeds()
	s.alter("orders", onColumn("dropColumn", "day")).fails(400, "", "")
}

func TestAColumnOfAnOldNameIsNotInAnOldRange(t *testing.T) {
	t.Parallel()
	s := start(t, authorizationSeed)
	admin := s.as("admin")
	admin.grant(columns("sales", "orders", "user:alice", allow("id", "region"))).succeeds()
	admin.alter("orders", onColumn("dropColumn", "region"), onColumn("addColumn", "region", "dataType", `"STRING"`)).succeeds()
	admin.lists(orderColumns, columns("sales", "orders", "user:alice", allow("id")))
	s.as("alice").auth("orders", `{"select":["region"]}`).fails(403, "TABLE", "sales.orders")
}

func TestATypeChangeThatAFilterSurvivesIsAllowed(t *testing.T) {
	t.Parallel()
	s := start(t, authorizationSeed)
	admin := s.as("admin")
	admin.create("sales", "orders", rowFilter("user:alice", equal("1", "region", "EU"))).succeeds()
	admin.alter("orders", onColumn("updateColumnType", "region", "newDataType", `"VARCHAR(9)"`)).succeeds()
	admin.alter("orders", onColumn("updateColumnType", "region", "newDataType", `"TIMESTAMP(3)"`)).fails(400, "", "")
}
