package devcatalog_test

import (
	"encoding/json"
	"net/http"
	"testing"
)

// emptySeed is a catalog without principals and with nothing in it.
const emptySeed = `warehouse: demo`

func TestConfigGivesThePrefix(t *testing.T) {
	t.Parallel()
	s := start(t, emptySeed)
	const config = `{"defaults":{},"overrides":{"prefix":"demo"}}`
	s.sendTo(http.MethodGet, s.base+"/v1/config?warehouse=demo", "").is(config)
	s.sendTo(http.MethodGet, s.base+"/v1/config", "").is(config)
	s.sendTo(http.MethodGet, s.base+"/v1/config?warehouse=other", "").fails(404, "", "")
}

func TestDatabases(t *testing.T) {
	t.Parallel()
	s := start(t, emptySeed)
	s.send(http.MethodPost, "/databases", `{"name":"sales","options":{"a":"1","b":"2"}}`).succeeds()
	s.send(http.MethodPost, "/databases", `{"name":"sales","options":null}`).fails(409, "DATABASE", "sales")
	s.send(http.MethodPost, "/databases", `{"name":" "}`).fails(400, "", "")
	s.send(http.MethodPost, "/databases", `{"name":".."}`).fails(400, "", "")
	s.send(http.MethodPost, "/databases/sales", `{"removals":["a","x"],"updates":{"b":"3","c":"4"}}`).
		is(`{"removed":["a"],"updated":["b","c"],"missing":["x"]}`)
	var got struct {
		ID, Name, Location string
		Options            map[string]string
	}
	read(t, s.send(http.MethodGet, "/databases/sales", ""), &got)
	if got.ID == "" || got.Name != "sales" || got.Location == "" || len(got.Options) != 2 || got.Options["b"] != "3" || got.Options["c"] != "4" {
		t.Errorf("got %+v", got)
	}
	s.send(http.MethodDelete, "/databases/sales", "").succeeds()
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		s.send(method, "/databases/sales", "").fails(404, "DATABASE", "sales")
	}
	s.send(http.MethodPost, "/databases/sales", `{"removals":[],"updates":{}}`).fails(404, "DATABASE", "sales")
}

func read(tb testing.TB, answer reply, into any) {
	tb.Helper()
	if answer.status != http.StatusOK {
		tb.Fatalf("got %d %s", answer.status, answer.body)
	}
	if err := json.Unmarshal([]byte(answer.body), into); err != nil {
		tb.Fatalf("%s: %v", answer.body, err)
	}
}

// gotTable is what readers need of a table.
type gotTable struct {
	ID, Name, Path string
	IsExternal     *bool
	SchemaID       *int
	Schema         struct {
		Fields                     []json.RawMessage
		PartitionKeys, PrimaryKeys []string
		Options                    map[string]string
		Comment                    *string
	}
}

func (s *server) table(name string) (got gotTable) {
	s.t.Helper()
	read(s.t, s.send(http.MethodGet, "/databases/sales/tables/"+name, ""), &got)
	return got
}

// withTables has an empty database and one table.
const withTables = `
warehouse: demo
databases:
  - name: hr
  - name: sales
    tables:
      - name: orders
        columns:
          - {name: id, type: INT NOT NULL}
          - {name: day, type: DATE}
          - {name: region, type: STRING, comment: where}
        primary_keys: [id]
        partition_keys: [day]
`

func TestATableIsAnsweredWithEverythingThatReadersNeed(t *testing.T) {
	t.Parallel()
	s := start(t, withTables)
	s.send(http.MethodPost, "/databases/sales/tables", `{"identifier":{"database":"sales","object":"t"},"schema":{
		"fields":[{"id":4,"name":"k","type":"INTEGER"},{"id":7,"name":"tags","type":{"type":"ARRAY","element":"VARCHAR(2147483647)"},"description":"words"}],
		"partitionKeys":[],"primaryKeys":["k"],"options":{"bucket":"1"},"comment":"mine"}}`).succeeds()
	got := s.table("t")
	fields := object("f", array(string(got.Schema.Fields[0]), string(got.Schema.Fields[1])))
	if want := `{"f":[{"id":4,"name":"k","type":"INT NOT NULL"},{"id":7,"name":"tags","type":{"type":"ARRAY","element":"STRING"},"description":"words"}]}`; fields != want {
		t.Errorf("got %s, want %s", fields, want)
	}
	if got.ID == "" || got.Name != "t" || got.Path == "" || got.IsExternal == nil || *got.IsExternal || got.SchemaID == nil || *got.SchemaID != 0 ||
		got.Schema.PartitionKeys == nil || got.Schema.PrimaryKeys[0] != "k" || got.Schema.Options["bucket"] != "1" || *got.Schema.Comment != "mine" {
		t.Errorf("got %+v", got)
	}
}

func TestTablesThatCannotBe(t *testing.T) {
	t.Parallel()
	s := start(t, withTables)
	create := func(database, name, schema string) reply {
		return s.send(http.MethodPost, "/databases/"+database+"/tables", object("identifier", object("database", quoted(database), "object", quoted(name)), "schema", schema))
	}
	create("nope", "t", `{"fields":[]}`).fails(404, "DATABASE", "nope")
	create("sales", "orders", `{"fields":[{"name":"id","type":"INT"}]}`).fails(409, "TABLE", "sales.orders")
	for name, schema := range map[string]string{
		"t":            `{"fields":[{"name":"id","type":"NUMBER"}]}`,
		"u":            `{"fields":[{"name":"id"}]}`,
		"v":            `{"fields":[{"name":"id","type":"INT"},{"name":"id","type":"INT"}]}`,
		"w":            `{"fields":[{"name":" ","type":"INT"}]}`,
		"x":            `{"fields":[{"name":"id","type":"INT"}],"primaryKeys":["key"]}`,
		"y":            `{"fields":[{"name":"id","type":"INT"}],"partitionKeys":["day"]}`,
		"z":            `[]`,
		"t$snapshots":  `{"fields":[{"name":"id","type":"INT"}]}`,
		"":             `{"fields":[{"name":"id","type":"INT"}]}`,
		"t$branch_b1":  `{"fields":[{"name":"id","type":"INT"}]}`,
		"not a schema": `7`,
	} {
		create("sales", name, schema).fails(400, "", "")
	}
	s.send(http.MethodGet, "/databases/sales/tables", "").is(`{"tables":["orders"],"nextPageToken":null}`)
	s.send(http.MethodGet, "/databases/sales/tables/nope", "").fails(404, "TABLE", "sales.nope")
	s.send(http.MethodDelete, "/databases/sales/tables/nope", "").fails(404, "TABLE", "sales.nope")
	s.send(http.MethodGet, "/databases/nope/tables", "").fails(404, "DATABASE", "nope")
}

func TestARenamedTableKeepsItsID(t *testing.T) {
	t.Parallel()
	s := start(t, withTables)
	rename := func(fromDatabase, from, toDatabase, to string) reply {
		return s.send(http.MethodPost, "/tables/rename", object(
			"source", object("database", quoted(fromDatabase), "object", quoted(from)),
			"destination", object("database", quoted(toDatabase), "object", quoted(to))))
	}
	before := s.table("orders").ID
	rename("sales", "nope", "sales", "x").fails(404, "TABLE", "sales.nope")
	rename("sales", "orders", "nope", "x").fails(404, "DATABASE", "nope")
	rename("sales", "orders", "sales", "orders").fails(409, "TABLE", "sales.orders")
	rename("sales", "orders", "sales", " ").fails(400, "", "")
	rename("sales", "orders", "hr", "orders").succeeds()
	rename("hr", "orders", "sales", "bills").succeeds()
	if after := s.table("bills").ID; after != before {
		t.Errorf("the id was %s and is %s", before, after)
	}
}

func TestViewsAndFunctions(t *testing.T) {
	t.Parallel()
	s := start(t, withTables)
	s.send(http.MethodPost, "/databases/sales/views", `{"identifier":{"database":"sales","object":"v"},"schema":{"fields":[{"id":0,"name":"id","type":"INT"}],"query":"SELECT 1","dialects":{"spark":"SELECT 2"},"comment":"c","options":{"o":"1"}}}`).succeeds()
	s.send(http.MethodPost, "/databases/sales/functions", `{"name":"f","inputParams":[{"id":0,"name":"x","type":"INT"}],"returnParams":null,"deterministic":true,"definitions":{"spark":{"type":"sql","definition":"x"}},"comment":"c","options":{"o":"1"}}`).succeeds()
	for _, c := range []struct{ path, kind, body string }{
		{"/databases/sales/views", "VIEW", `{"identifier":{"database":"sales","object":"v"},"schema":{"query":"SELECT 1"}}`},
		{"/databases/sales/functions", "FUNCTION", `{"name":"f"}`},
	} {
		s.send(http.MethodPost, c.path, c.body).fails(409, c.kind, "sales."+map[string]string{"VIEW": "v", "FUNCTION": "f"}[c.kind])
		s.send(http.MethodGet, c.path+"/nope", "").fails(404, c.kind, "sales.nope")
		s.send(http.MethodDelete, c.path+"/nope", "").fails(404, c.kind, "sales.nope")
		s.send(http.MethodPost, c.path, `{}`).fails(400, "", "")
	}
	var view struct {
		ID, Name string
		Schema   json.RawMessage
	}
	read(t, s.send(http.MethodGet, "/databases/sales/views/v", ""), &view)
	if want := `{"fields":[{"id":0,"name":"id","type":"INT"}],"query":"SELECT 1","dialects":{"spark":"SELECT 2"},"comment":"c","options":{"o":"1"}}`; view.ID == "" || view.Name != "v" || string(view.Schema) != want {
		t.Errorf("got %+v %s", view, view.Schema)
	}
	var function map[string]any
	read(t, s.send(http.MethodGet, "/databases/sales/functions/f", ""), &function)
	if function["uuid"] == "" || function["name"] != "f" || function["deterministic"] != true || function["definitions"] == nil || function["inputParams"] == nil {
		t.Errorf("got %v", function)
	}
	s.send(http.MethodGet, "/databases/sales/functions", "").is(`{"functions":["f"],"nextPageToken":null}`)

	v, w := resource("VIEW", "sales", "v"), resource("VIEW", "hr", "w")
	s.grant(permission(v, "SELECT", "role:a")).succeeds()
	s.send(http.MethodPost, "/views/rename", `{"source":{"database":"sales","object":"v"},"destination":{"database":"hr","object":"w"}}`).succeeds()
	s.lists(w, permission(w, "SELECT", "role:a"))
	s.send(http.MethodGet, listing(v), "").fails(404, "VIEW", "sales.v")
	s.send(http.MethodGet, "/databases/hr/views", "").is(`{"views":["w"],"nextPageToken":null}`)

	f := resource("FUNCTION", "sales", "f")
	s.grant(permission(f, "SELECT", "role:a")).succeeds()
	s.send(http.MethodDelete, "/databases/sales/functions/f", "").succeeds()
	s.send(http.MethodPost, "/databases/sales/functions", `{"name":"f"}`).succeeds()
	s.lists(f)
	s.send(http.MethodDelete, "/databases/hr/views/w", "").succeeds()
}

func TestATableAViewAndAFunctionMayShareAName(t *testing.T) {
	t.Parallel()
	s := start(t, withTables)
	s.send(http.MethodPost, "/databases/sales/views", `{"identifier":{"database":"sales","object":"orders"},"schema":{"query":"SELECT 1"}}`).succeeds()
	s.send(http.MethodPost, "/databases/sales/functions", `{"name":"orders"}`).succeeds()
	s.grant(permission(resource("VIEW", "sales", "orders"), "SELECT", "role:a")).succeeds()
	s.lists(orders)
	s.lists(resource("FUNCTION", "sales", "orders"))
}

func TestNamesAreListedInPagesAndByPattern(t *testing.T) {
	t.Parallel()
	s := start(t, emptySeed)
	for _, name := range []string{"a", "a_1", "ab", "B", "a%", "a*"} {
		s.send(http.MethodPost, "/databases", object("name", quoted(name))).succeeds()
	}
	s.send(http.MethodGet, "/databases", "").is(`{"databases":["B","a","a%","a*","a_1","ab"],"nextPageToken":null}`)
	for pattern, want := range map[string]string{
		"a%25":       `["a","a%","a*","a_1","ab"]`,
		"a":          `["a"]`,
		"a_":         `["a%","a*","ab"]`,
		"a%5C_%25":   `["a_1"]`,
		"a%5C%25":    `["a%"]`,
		"a*":         `["a*"]`,
		"b%25":       `[]`,
		"%25":        `["B","a","a%","a*","a_1","ab"]`,
		"&x=nothing": `["B","a","a%","a*","a_1","ab"]`,
	} {
		s.send(http.MethodGet, "/databases?databaseNamePattern="+pattern, "").is(object("databases", want, "nextPageToken", "null"))
	}
	for _, pattern := range []string{"%25a", "a%25b", "a%5C"} {
		s.send(http.MethodGet, "/databases?databaseNamePattern="+pattern, "").fails(400, "", "")
	}
	var all []string
	for token := ""; ; {
		var page struct {
			Databases     []string
			NextPageToken *string
		}
		read(t, s.send(http.MethodGet, "/databases?maxResults=4"+token, ""), &page)
		all = append(all, page.Databases...)
		if page.NextPageToken == nil {
			break
		}
		token = "&pageToken=" + *page.NextPageToken
	}
	if len(all) != 6 {
		t.Errorf("two pages hold %v", all)
	}
}

func TestAQueryThatIsNotFormEncodedIsRefused(t *testing.T) {
	t.Parallel()
	start(t, emptySeed).send(http.MethodGet, "/databases?a=%zz", "").fails(400, "", "")
}
