package devcatalog_test

import (
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
)

// wholeSeed has every key that a seed can have.
const wholeSeed = `
warehouse: demo
principals:
  - {name: "user:alice", token: alice-token, groups: ["group:analysts", "role:reader"]}
  - {name: "user:admin", token: admin-token, manages: true}
  - {name: "user:carol", dlf: {access_key_id: carol-key, access_key_secret: carol-secret, security_token: carol-sts}}
  - {name: "role:reader"}
databases:
  - name: sales
    options: {owner: data}
    tables:
      - name: orders
        options: {query-auth.enabled: "true"}
        columns:
          - {name: id, type: BIGINT NOT NULL}
          - {name: region, type: STRING, comment: where}
          - {name: tags, type: {type: ARRAY, element: INTEGER}}
        primary_keys: [id]
        partition_keys: []
    views: [{name: recent_orders, query: "SELECT * FROM orders"}]
    functions: [{name: mask_email}]
permissions:
  - {resource: {type: TABLE, database: sales, table: orders}, access: SELECT, principal: "role:reader", expireTime: 2030-01-01T00:00:00.100Z}
  - {resource: {type: COLUMN, database: sales, table: orders}, access: SELECT, principal: "group:analysts", columns: {columnNames: [region, id]}}
policies:
  - resource: {type: TABLE, database: sales, table: orders}
    principal: role:reader
    rowFilter: {predicate: '{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":0,"name":"region","type":"STRING"}},"function":"EQUAL","literals":["EU"]}'}
  - {resource: {type: TABLE, database: sales, table: orders}, principal: "role:reader", columnMask: {onColumn: region, transform: '{"name":"CONCAT","inputs":["***"]}'}}
`

func TestASeedIsLoadedAsIfItHadBeenSent(t *testing.T) {
	t.Parallel()
	s := start(t, wholeSeed).as("admin-token")
	s.lists(orders, permission(orders, "SELECT", "role:reader", "expireTime", `"2030-01-01T00:00:00.100Z"`))
	s.lists(orderColumns, columns("sales", "orders", "group:analysts", allow("region", "id")))
	s.policies("sales", "orders",
		onTable("sales", "orders", rowFilter("role:reader", equal("1", "region", "EU"))),
		onTable("sales", "orders", columnMask("role:reader", "region", stars)))
	got := s.table("orders")
	if fields := string(got.Schema.Fields[2]); fields != `{"id":2,"name":"tags","type":{"type":"ARRAY","element":"INT"}}` {
		t.Errorf("got %s", fields)
	}
	s.as("alice-token").auth("orders", `{"select":["id"]}`).is(object(
		"filter", array(quoted(equal("1", "region", "EU"))), "columnMasking", object("region", quoted(stars))))
}

func TestSeedsThatAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ seed, complaint string }{
		"empty":                {"", "warehouse is missing"},
		"blank warehouse":      {"warehouse: ' '", "warehouse is missing"},
		"not YAML":             {"warehouse: [", "line 1"},
		"unknown key":          {"warehouse: demo\ndatabse: []", "line 2: unknown key databse"},
		"unknown nested key":   {"warehouse: demo\nprincipals: [{name: a, tokens: secret}]", "unknown key tokens"},
		"unknown key of a row": {"warehouse: demo\npermissions: [{access: SELECT, expires: 1}]", "line 2: unknown key expires"},
		"number for a list":    {"warehouse: demo\nprincipals: [{name: a, groups: secret}]", "line 2: a value of type str does not belong here"},
		"key twice":            {"warehouse: demo\nwarehouse: other", "line 2"},
		"wrong type":           {"warehouse: demo\ndatabases: 7", "line 2"},
		"blank principal":      {"warehouse: demo\nprincipals: [{name: ''}]", "principals[0]"},
		"blank group":          {"warehouse: demo\nprincipals: [{name: a, groups: [' ']}]", "principals[0].groups"},
		"principal twice":      {"warehouse: demo\nprincipals: [{name: a}, {name: a}]", `principals[1]: "a" is listed twice`},
		"token twice":          {"warehouse: demo\nprincipals: [{name: a, token: secret}, {name: b, token: secret}]", `principals[1]: "b" has the token of another`},
		"no secret of a key":   {"warehouse: demo\nprincipals: [{name: a, dlf: {access_key_id: x}}]", `principals[0]: "a": half of the access key in dlf is missing`},
		"key without an ID":    {"warehouse: demo\nprincipals: [{name: a, dlf: {access_key_secret: secret}}]", `principals[0]: "a": half of the access key in dlf is missing`},
		"key twice by ID":      {"warehouse: demo\nprincipals: [{name: a, dlf: &k {access_key_id: x, access_key_secret: secret}}, {name: b, dlf: *k}]", `principals[1]: "b" has the access key ID of another`},
		"unknown key of dlf":   {"warehouse: demo\nprincipals: [{name: a, dlf: {id: secret}}]", "unknown key id"},
		"long principal":       {"warehouse: demo\nprincipals: [{name: " + strings.Repeat("x", 129) + "}]", "principals[0]"},
		"second document lost": {"warehouse: demo\n---\nwarehouse: other", "one document"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := devcatalog.ParseSeed([]byte(c.seed))
			checkComplaint(t, err, c.complaint)
		})
	}
}

func checkComplaint(t *testing.T, err error, complaint string) {
	t.Helper()
	if err == nil {
		t.Fatal("the seed is accepted")
	}
	if text := err.Error(); !strings.Contains(text, complaint) || strings.Contains(text, "\n") || strings.Contains(text, "secret") {
		t.Errorf("got %q, want one line with %q and without the token", text, complaint)
	}
}

func TestSeedsThatCannotBeLoaded(t *testing.T) {
	t.Parallel()
	const sales = "warehouse: demo\nprincipals: [{name: a}]\ndatabases: [{name: sales, tables: [{name: t, options: {query-auth.enabled: 'true'}, columns: [{name: id, type: INT}]}, {name: u, columns: [{name: id, type: INT}]}]}]\n"
	const onT = "{resource: {type: TABLE, database: sales, table: t}, "
	for name, c := range map[string]struct{ seed, complaint string }{
		"database twice":      {"warehouse: demo\ndatabases: [{name: x}, {name: x}]", "databases[1]"},
		"no type":             {"warehouse: demo\ndatabases: [{name: x, tables: [{name: t, columns: [{name: id}]}]}]", `databases[0]: tables[0]: Column "id"`},
		"view without a name": {"warehouse: demo\ndatabases: [{name: x, views: [{query: q}]}]", "databases[0]: views[0]"},
		"function twice":      {"warehouse: demo\ndatabases: [{name: x, functions: [{name: f}, {name: f}]}]", "databases[0]: functions[1]"},
		"unknown principal":   {sales + "permissions: [" + onT + "access: SELECT, principal: b}]", `permissions[0]: Principal "b"`},
		"bad access":          {sales + "permissions: [" + onT + "access: LIST, principal: a}]", "permissions[0]: access"},
		"missing table":       {sales + "permissions: [{resource: {type: TABLE, database: sales, table: x}, access: SELECT, principal: a}]", "permissions[0]: TABLE sales.x does not exist"},
		"columns of u":        {sales + "permissions: [{resource: {type: COLUMN, database: sales, table: u}, access: SELECT, principal: a, columns: {columnNames: [id]}}]", "query-auth.enabled=true"},
		"policy of nothing":   {sales + "policies: [{principal: a, rowFilter: {predicate: x}}]", "policies[0]: The resource is missing"},
		"policy of a view":    {sales + "policies: [{resource: {type: VIEW, database: sales, view: v}, principal: a, rowFilter: {predicate: x}}]", "policies[0]: A policy hangs on a TABLE"},
		"empty policy":        {sales + "policies: [" + onT + "principal: a}]", "policies[0]: A policy has exactly one"},
		"bad policy":          {sales + "policies: [" + onT + "principal: a, rowFilter: {predicate: x}}]", "policies[0]: The row filter"},
		"policy twice":        {sales + "policies: [" + onT + "principal: a, columnMask: {onColumn: id, transform: '{\"name\":\"FIELD_REF\",\"fieldRef\":{\"name\":\"id\",\"type\":\"INT\"}}'}}, " + onT + "principal: a, columnMask: {onColumn: id, transform: '{\"name\":\"FIELD_REF\",\"fieldRef\":{\"name\":\"id\",\"type\":\"INT\"}}'}}]", "policies[1]: The mask"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := devcatalog.New(t.Context(), devcatalog.Config{Seed: parseSeed(t, c.seed)})
			checkComplaint(t, err, c.complaint)
		})
	}
}

// FuzzParseSeed looks for text that the parser does not survive, and for seeds that it should have refused.
func FuzzParseSeed(f *testing.F) {
	for _, seed := range []string{wholeSeed, conformanceSeed, authorizationSeed, emptySeed, "", "warehouse: [", "a: &a [*a]", "warehouse: !!binary eA=="} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		seed, err := devcatalog.ParseSeed(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the complaint has more than one line: %q", err)
			}
			return
		}
		if strings.TrimSpace(seed.Warehouse) == "" {
			t.Errorf("%q has no warehouse", text)
		}
		for _, p := range seed.Principals {
			if p.Name == "" {
				t.Errorf("%q has a principal without a name", text)
			}
		}
	})
}
