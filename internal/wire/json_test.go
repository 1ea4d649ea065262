package wire_test

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

func TestBodiesOnTheWire(t *testing.T) {
	t.Parallel()
	table := wire.Resource{Type: "TABLE", Database: "sales", Table: "orders"}
	fields := []wire.Field{
		{ID: 0, Name: "id", Type: json.RawMessage(`"BIGINT NOT NULL"`)},
		{ID: 1, Name: "tags", Type: json.RawMessage(`{ "type": "ARRAY", "element": "STRING" }`), Description: new("a < b"), DefaultValue: new("")},
	}
	schema := wire.Schema{
		Fields:        fields,
		PartitionKeys: []string{},
		PrimaryKeys:   []string{"id"},
		Options:       map[string]string{"query-auth.enabled": "true", "bucket": "1"},
		Comment:       new("c"),
	}
	const fieldsJSON = `[{"id":0,"name":"id","type":"BIGINT NOT NULL"},` +
		`{"id":1,"name":"tags","type":{"type":"ARRAY","element":"STRING"},"description":"a < b","defaultValue":""}]`
	const schemaJSON = `{"fields":` + fieldsJSON + `,"partitionKeys":[],"primaryKeys":["id"],` +
		`"options":{"bucket":"1","query-auth.enabled":"true"},"comment":"c"}`

	tests := map[string]struct {
		body any
		want string
	}{
		"catalog":        {wire.Resource{Type: "CATALOG"}, `{"type":"CATALOG"}`},
		"database scope": {wire.Resource{Type: "DATABASE_ALL", Database: "d"}, `{"type":"DATABASE_ALL","database":"d"}`},
		"table":          {table, `{"type":"TABLE","database":"sales","table":"orders"}`},
		"function":       {wire.Resource{Type: "FUNCTION", Database: "d", Function: "f"}, `{"type":"FUNCTION","database":"d","function":"f"}`},
		"view":           {wire.Resource{Type: "VIEW", Database: "d", View: "v"}, `{"type":"VIEW","database":"d","view":"v"}`},
		"all locators":   {wire.Resource{"T", "d", "t", "f", "v"}, `{"type":"T","database":"d","table":"t","function":"f","view":"v"}`},

		"grant": {
			wire.Permission{Resource: table, Access: "SELECT", Principal: "role:x"},
			`{"resource":{"type":"TABLE","database":"sales","table":"orders"},"access":"SELECT","principal":"role:x"}`,
		},
		"grant with an expiry": {
			wire.Permission{Resource: wire.Resource{Type: "CATALOG"}, Access: "ALL", Principal: "p", ExpireTime: "2027-01-01T00:00:00Z"},
			`{"resource":{"type":"CATALOG"},"access":"ALL","principal":"p","expireTime":"2027-01-01T00:00:00Z"}`,
		},
		"grant of columns": {
			wire.Permission{
				Resource: wire.Resource{Type: "COLUMN", Database: "d", Table: "t"}, Access: "SELECT", Principal: "p",
				Columns: &wire.Columns{ColumnNames: []wire.Text{"b", "a"}}, ExpireTime: "2027-01-01T00:00:00.250Z",
			},
			`{"resource":{"type":"COLUMN","database":"d","table":"t"},"access":"SELECT","principal":"p",` +
				`"columns":{"columnNames":["b","a"]},"expireTime":"2027-01-01T00:00:00.250Z"}`,
		},
		"grant of all but columns": {
			wire.Permission{
				Resource: wire.Resource{Type: "COLUMN", Database: "d", Table: "t"}, Access: "SELECT", Principal: "p",
				Columns: &wire.Columns{ExcludedColumnNames: []wire.Text{"email"}},
			},
			`{"resource":{"type":"COLUMN","database":"d","table":"t"},"access":"SELECT","principal":"p","columns":{"excludedColumnNames":["email"]}}`,
		},
		"revoke": {
			wire.Revocation{Resource: table, Access: "SELECT", Principal: "role:x"},
			`{"resource":{"type":"TABLE","database":"sales","table":"orders"},"access":"SELECT","principal":"role:x"}`,
		},
		"page of permissions": {
			wire.PermissionPage{Permissions: []json.RawMessage{json.RawMessage(`{"access":"<&>"}`), json.RawMessage(`null`)}, NextPageToken: "a+b/c=="},
			`{"permissions":[{"access":"<&>"},null],"nextPageToken":"a+b/c=="}`,
		},
		"last page of permissions": {wire.PermissionPage{Permissions: []json.RawMessage{}}, `{"permissions":[]}`},

		"row filter create": {
			wire.Policy{RowFilter: &wire.RowFilter{Predicate: `{"kind":"LEAF","function":"LESS_THAN","literals":["<&>é🦀"]}`}, Principal: "p"},
			`{"rowFilter":{"predicate":"{\"kind\":\"LEAF\",\"function\":\"LESS_THAN\",\"literals\":[\"<&>é🦀\"]}"},"principal":"p"}`,
		},
		"mask create": {
			wire.Policy{ColumnMask: &wire.ColumnMask{OnColumn: "c", Transform: `{"name":"NULL"}`}, Principal: "p"},
			`{"columnMask":{"onColumn":"c","transform":"{\"name\":\"NULL\"}"},"principal":"p"}`,
		},
		"row filter row": {
			wire.Policy{Resource: &table, RowFilter: &wire.RowFilter{Predicate: "{}"}, Principal: "p"},
			`{"resource":{"type":"TABLE","database":"sales","table":"orders"},"rowFilter":{"predicate":"{}"},"principal":"p"}`,
		},
		"mask row": {
			wire.Policy{Resource: &table, ColumnMask: &wire.ColumnMask{OnColumn: "c", Transform: "{}"}, Principal: "p"},
			`{"resource":{"type":"TABLE","database":"sales","table":"orders"},"columnMask":{"onColumn":"c","transform":"{}"},"principal":"p"}`,
		},
		"row filter drop":       {wire.PolicyDrop{Type: "ROW_FILTER", Principal: "p"}, `{"type":"ROW_FILTER","principal":"p"}`},
		"mask drop":             {wire.PolicyDrop{Type: "COLUMN_MASKING", Principal: "p", Column: "c"}, `{"type":"COLUMN_MASKING","principal":"p","column":"c"}`},
		"page of policies":      {wire.PolicyPage{Policies: []json.RawMessage{json.RawMessage(`{}`)}, NextPageToken: "t"}, `{"policies":[{}],"nextPageToken":"t"}`},
		"last page of policies": {wire.PolicyPage{Policies: []json.RawMessage{}}, `{"policies":[]}`},

		"error about a thing": {
			wire.Error{ResourceType: new(wire.ErrorPolicy), ResourceName: new("ROW_FILTER:p"), Message: `no "p" <here>`, Code: 404},
			`{"resourceType":"POLICY","resourceName":"ROW_FILTER:p","message":"no \"p\" <here>","code":404}`,
		},
		"error about the request": {wire.Error{Message: "bad", Code: 400}, `{"resourceType":null,"resourceName":null,"message":"bad","code":400}`},

		"config": {
			wire.Config{Defaults: map[string]*wire.Text{"prefix": new(wire.Text("demo")), "gone": nil}, Overrides: map[string]*wire.Text{}},
			`{"defaults":{"gone":null,"prefix":"demo"},"overrides":{}}`,
		},

		"database answer":   {wire.Database{ID: "1", Name: "d", Location: "/d", Options: map[string]string{}}, `{"id":"1","name":"d","location":"/d","options":{}}`},
		"database create":   {wire.CreateDatabaseBody{Name: "d", Options: map[string]string{"owner": "x"}}, `{"name":"d","options":{"owner":"x"}}`},
		"database change":   {wire.AlterDatabaseBody{Removals: []string{"a"}, Updates: map[string]string{"b": "c"}}, `{"removals":["a"],"updates":{"b":"c"}}`},
		"database changed":  {wire.AlterDatabaseResult{Removed: []string{"a"}, Updated: []string{"b"}, Missing: []string{}}, `{"removed":["a"],"updated":["b"],"missing":[]}`},
		"page of databases": {wire.DatabasePage{Databases: []string{"a", "b"}, NextPageToken: new("t")}, `{"databases":["a","b"],"nextPageToken":"t"}`},
		"page of tables":    {wire.TablePage{Tables: []string{}}, `{"tables":[],"nextPageToken":null}`},
		"page of views":     {wire.ViewPage{Views: []string{"v"}}, `{"views":["v"],"nextPageToken":null}`},
		"page of functions": {wire.FunctionPage{Functions: []string{"f"}}, `{"functions":["f"],"nextPageToken":null}`},

		"table answer": {
			wire.Table{ID: "u", Database: "d", Name: "t", Path: "/d/t", SchemaID: math.MaxInt64, Schema: schema},
			`{"id":"u","database":"d","name":"t","path":"/d/t","isExternal":false,"schemaId":9223372036854775807,"schema":` + schemaJSON + `}`,
		},
		"table create": {
			wire.CreateTableBody{Identifier: wire.Identifier{Database: "d", Object: "t"}, Schema: schema},
			`{"identifier":{"database":"d","object":"t"},"schema":` + schemaJSON + `}`,
		},
		"table rename": {
			wire.Rename{Source: wire.Identifier{Database: "d", Object: "t"}, Destination: wire.Identifier{Database: "e", Object: "u"}},
			`{"source":{"database":"d","object":"t"},"destination":{"database":"e","object":"u"}}`,
		},
		"table changes": {
			wire.AlterTableBody{Changes: []wire.TableChange{
				{Action: "setOption", Key: "k", Value: "v"},
				{Action: "removeOption", Key: "k"},
				{Action: "updateComment", Comment: new("")},
				{
					Action: "addColumn", FieldNames: []string{"c"}, DataType: json.RawMessage(`"INT"`), Comment: new("x"),
					Move: &wire.Move{FieldName: "c", ReferenceFieldName: "a", Type: "AFTER"},
				},
				{Action: "renameColumn", FieldNames: []string{"c"}, NewName: "d"},
				{Action: "dropColumn", FieldNames: []string{"s", "c"}},
				{Action: "updateColumnType", FieldNames: []string{"c"}, NewDataType: json.RawMessage(`"BIGINT"`), KeepNullability: true},
				{Action: "updateColumnNullability", FieldNames: []string{"c"}, NewNullability: new(false)},
				{Action: "updateColumnComment", FieldNames: []string{"c"}, NewComment: new("n")},
				{Action: "updateColumnDefaultValue", FieldNames: []string{"c"}, NewDefaultValue: new("1")},
				{Action: "updateColumnPosition", Move: &wire.Move{FieldName: "c", Type: "FIRST"}},
				{Action: "dropPrimaryKey"},
			}},
			`{"changes":[` +
				`{"action":"setOption","key":"k","value":"v"},` +
				`{"action":"removeOption","key":"k"},` +
				`{"action":"updateComment","comment":""},` +
				`{"action":"addColumn","fieldNames":["c"],"comment":"x","dataType":"INT","move":{"fieldName":"c","referenceFieldName":"a","type":"AFTER"}},` +
				`{"action":"renameColumn","fieldNames":["c"],"newName":"d"},` +
				`{"action":"dropColumn","fieldNames":["s","c"]},` +
				`{"action":"updateColumnType","fieldNames":["c"],"newDataType":"BIGINT","keepNullability":true},` +
				`{"action":"updateColumnNullability","fieldNames":["c"],"newNullability":false},` +
				`{"action":"updateColumnComment","fieldNames":["c"],"newComment":"n"},` +
				`{"action":"updateColumnDefaultValue","fieldNames":["c"],"newDefaultValue":"1"},` +
				`{"action":"updateColumnPosition","move":{"fieldName":"c","type":"FIRST"}},` +
				`{"action":"dropPrimaryKey"}]}`,
		},

		"view answer": {
			wire.View{ID: "u", Name: "v", Schema: wire.ViewSchema{
				Fields: fields, Query: "SELECT 1 WHERE 1 < 2", Dialects: map[string]string{"spark": "SELECT 1"}, Options: map[string]string{},
			}},
			`{"id":"u","name":"v","schema":{"fields":` + fieldsJSON + `,"query":"SELECT 1 WHERE 1 < 2","dialects":{"spark":"SELECT 1"},"options":{}}}`,
		},
		"view create": {
			wire.CreateViewBody{Identifier: wire.Identifier{Database: "d", Object: "v"}, Schema: wire.ViewSchema{
				Fields: []wire.Field{}, Query: "q", Dialects: map[string]string{}, Comment: new("c"), Options: map[string]string{"o": "1"},
			}},
			`{"identifier":{"database":"d","object":"v"},"schema":{"fields":[],"query":"q","dialects":{},"comment":"c","options":{"o":"1"}}}`,
		},
		"function answer": {
			wire.Function{
				UUID: "u", Name: "f", InputParams: json.RawMessage(`[]`), ReturnParams: json.RawMessage(`[]`), Deterministic: true,
				Definitions: json.RawMessage(`{"spark":{"type":"sql"}}`), Comment: new("c"), Options: map[string]string{"o": "1"},
			},
			`{"uuid":"u","name":"f","inputParams":[],"returnParams":[],"deterministic":true,"definitions":{"spark":{"type":"sql"}},"comment":"c","options":{"o":"1"}}`,
		},
		"function create": {wire.Function{Name: "f"}, `{"name":"f","deterministic":false}`},

		"what a reader selects": {wire.AuthBody{Select: []string{"a"}}, `{"select":["a"]}`},
		"a reader of all":       {wire.AuthBody{}, `{"select":null}`},
		"what a reader may see": {
			wire.AuthResult{Filter: []string{`{"a":1}`}, ColumnMasking: map[string]string{"c": `{"name":"NULL"}`}},
			`{"filter":["{\"a\":1}"],"columnMasking":{"c":"{\"name\":\"NULL\"}"}}`,
		},
		"a reader of everything": {wire.AuthResult{}, `{}`},

		"commit":        {wire.CommitBody{TableID: "i", Snapshot: json.RawMessage(`{"id":1}`)}, `{"tableId":"i","snapshot":{"id":1}}`},
		"commit answer": {wire.CommitResult{Success: true}, `{"success":true}`},
		"snapshot answer": {
			wire.SnapshotResult{Snapshot: wire.TableSnapshot{Snapshot: json.RawMessage(`{"id":1}`), RecordCount: 2, FileSizeInBytes: 3, FileCount: 4, LastFileCreationTime: 5}},
			`{"snapshot":{"snapshot":{"id":1},"recordCount":2,"fileSizeInBytes":3,"fileCount":4,"lastFileCreationTime":5}}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := wire.Encode(test.body)
			if err != nil || string(got) != test.want {
				t.Fatalf("got  %s, %v\nwant %s", got, err, test.want)
			}
			// What one side writes the other one reads as the same value, up to blanks in raw JSON.
			back := reflect.New(reflect.TypeOf(test.body))
			if err := json.Unmarshal(got, back.Interface()); err != nil {
				t.Fatal(err)
			}
			again, err := wire.Encode(back.Elem().Interface())
			if err != nil || string(again) != test.want {
				t.Errorf("read and written again: %s, %v", again, err)
			}
		})
	}
}

func TestEncodeReportsWhatIsNoJSON(t *testing.T) {
	t.Parallel()
	if got, err := wire.Encode(wire.PermissionPage{Permissions: []json.RawMessage{json.RawMessage(`{`)}}); err == nil {
		t.Errorf("got %s, want an error", got)
	}
}

func TestTextsAreReadLeniently(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]wire.Text{
		`"SELECT"`:               "SELECT",
		`""`:                     "",
		`"\u00e9\ud83e\udd80\n"`: "é🦀\n",
		`"null"`:                 "null",
		`null`:                   "",
		`12`:                     "12",
		`1e400`:                  "1e400",
		`true`:                   "true",
		`{ "a" : [1] }`:          `{ "a" : [1] }`,
		`["x"]`:                  `["x"]`,
	} {
		row := wire.Permission{Access: "left over"}
		if err := json.Unmarshal([]byte(`{"access": `+given+` ,"principal":"p"}`), &row); err != nil || row.Access != want || row.Principal != "p" {
			t.Errorf("%s: got %q for %q, %v, want %q", given, row.Access, row.Principal, err, want)
		}
	}
}

func TestRowsAreReadLeniently(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		row  string
		want wire.Permission
	}{
		"null":         {`null`, wire.Permission{}},
		"empty":        {`{}`, wire.Permission{}},
		"null members": {`{"resource":null,"access":null,"principal":null,"columns":null,"expireTime":null}`, wire.Permission{}},
		"null locators": {
			`{"resource":{"type":"CATALOG","database":null,"table":null,"function":null,"view":null},"access":"ALL","principal":"p"}`,
			wire.Permission{Resource: wire.Resource{Type: "CATALOG"}, Access: "ALL", Principal: "p"},
		},
		"unknown keys everywhere": {
			`{"id":1,"resource":{"type":"TABLE","owner":{},"database":"d"},"columns":{"columnNames":["a"],"x":[]},"grantedAt":"now"}`,
			wire.Permission{Resource: wire.Resource{Type: "TABLE", Database: "d"}, Columns: &wire.Columns{ColumnNames: []wire.Text{"a"}}},
		},
		"texts that are not": {
			`{"resource":{"type":5},"access":{"x":1},"principal":[],"expireTime":1798761600000}`,
			wire.Permission{Resource: wire.Resource{Type: "5"}, Access: `{"x":1}`, Principal: "[]", ExpireTime: "1798761600000"},
		},
		"column names that are not": {
			`{"columns":{"columnNames":[null,1,"a"],"excludedColumnNames":null}}`,
			wire.Permission{Columns: &wire.Columns{ColumnNames: []wire.Text{"", "1", "a"}}},
		},
		"an access and an expiry that nobody knows": {
			`{"access":"TELEPORT","expireTime":"2027-01-01T00:00:00.123456Z"}`,
			wire.Permission{Access: "TELEPORT", ExpireTime: "2027-01-01T00:00:00.123456Z"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var page wire.PermissionPage
			if err := json.Unmarshal([]byte(`{"permissions":[`+test.row+`],"nextPageToken":null,"total":1}`), &page); err != nil {
				t.Fatal(err)
			}
			if len(page.Permissions) != 1 || page.NextPageToken != "" {
				t.Fatalf("got page %+v", page)
			}
			var got wire.Permission
			if err := json.Unmarshal(page.Permissions[0], &got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestOneMalformedRowDoesNotFailThePage(t *testing.T) {
	t.Parallel()
	var page wire.PermissionPage
	if err := json.Unmarshal([]byte(`{"permissions":[{"resource":"x"},{"access":"ALL"}],"nextPageToken":""}`), &page); err != nil {
		t.Fatal(err)
	}
	var row wire.Permission
	if err := json.Unmarshal(page.Permissions[0], &row); err == nil {
		t.Errorf("the malformed row was read as %+v", row)
	}
	if err := json.Unmarshal(page.Permissions[1], &row); err != nil || row.Access != "ALL" {
		t.Errorf("the good row: got %+v, %v", row, err)
	}
}

func TestPolicyRowsAreReadLeniently(t *testing.T) {
	t.Parallel()
	for row, want := range map[string]wire.Policy{
		`null`: {},
		`{"rowFilter":null,"columnMask":{"onColumn":"c","transform":null},"principal":"p","type":"COLUMN_MASKING"}`: {
			ColumnMask: &wire.ColumnMask{OnColumn: "c"}, Principal: "p",
		},
		`{"rowFilter":{"predicate":{"kind":"LEAF"}},"principal":7}`: {RowFilter: &wire.RowFilter{Predicate: `{"kind":"LEAF"}`}, Principal: "7"},
		`{"rowFilter":{},"columnMask":{},"resource":null}`:          {RowFilter: &wire.RowFilter{}, ColumnMask: &wire.ColumnMask{}},
	} {
		var got wire.Policy
		if err := json.Unmarshal([]byte(row), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v, want %+v", row, got, err, want)
		}
	}
}

func TestErrorsAndConfigsWithNullsAreRead(t *testing.T) {
	t.Parallel()
	var failure wire.Error
	if err := json.Unmarshal([]byte(`{"resourceType":null,"resourceName":null,"message":null,"code":null,"x":1}`), &failure); err != nil || failure != (wire.Error{}) {
		t.Errorf("error body: got %+v, %v", failure, err)
	}
	for body, want := range map[string]int{`{}`: 0, `{"defaults":null,"overrides":null}`: 0, `{"defaults":{"a":null,"b":"x"}}`: 2} {
		var config wire.Config
		if err := json.Unmarshal([]byte(body), &config); err != nil || len(config.Defaults) != want {
			t.Errorf("%s: got %+v, %v", body, config, err)
		}
	}
}
