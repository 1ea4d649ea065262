package devcatalog

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// No statement that a request for permissions or policies runs may read a whole table, or sort what it has read: ten
// thousand records on one table must cost a request no more than ten.
func TestEveryStatementGoesByAnIndex(t *testing.T) {
	t.Parallel()
	seed, err := ParseSeed([]byte(`
warehouse: demo
principals:
  - {name: "user:owner", token: owner, groups: ["role:owners"]}
  - {name: "user:reader", token: reader}
databases:
  - name: sales
    tables:
      - {name: orders, options: {query-auth.enabled: "true"}, columns: [{name: id, type: INT}, {name: region, type: STRING}]}
permissions:
  - {resource: {type: TABLE, database: sales, table: orders}, access: GRANT, principal: "role:owners"}
  - {resource: {type: CATALOG_ALL}, access: SELECT, principal: "role:owners"}
`))
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(t.Context(), Config{Seed: seed, PurgeExpired: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	const (
		table  = `"resource":{"type":"TABLE","database":"sales","table":"orders"},"access":"SELECT","principal":"user:reader"`
		column = `"resource":{"type":"COLUMN","database":"sales","table":"orders"},"access":"SELECT","principal":"user:reader"`
		filter = `"rowFilter":{"predicate":"{\"kind\":\"LEAF\",\"transform\":{\"name\":\"FIELD_REF\",\"fieldRef\":{\"index\":0,\"name\":\"id\",\"type\":\"INT\"}},\"function\":\"IS_NOT_NULL\",\"literals\":[]}"}`
		mask   = `"columnMask":{"onColumn":"region","transform":"{\"name\":\"UPPER\",\"inputs\":[{\"index\":1,\"name\":\"region\",\"type\":\"STRING\"}]}"}`

		permissions = "/permissions?resourceType=TABLE&database=sales&table=orders"
		policies    = "/databases/sales/tables/orders/policies"
	)
	for _, request := range []struct{ method, path, body string }{
		{"POST", "/permissions/grant", "{" + table + "}"},
		{"POST", "/permissions/grant", "{" + column + `,"columns":{"columnNames":["id"]}}`},
		{"GET", permissions, ""},
		{"GET", permissions + "&maxResults=1&principal=user:reader", ""},
		{"GET", permissions + "&access=SELECT", ""},
		{"GET", permissions + "&access=SELECT&principal=user:reader", ""},
		{"GET", strings.Replace(permissions, "TABLE", "COLUMN", 1), ""},
		{"POST", policies, `{"principal":"user:reader",` + filter + "}"},
		{"POST", policies, `{"principal":"user:reader",` + mask + "}"},
		{"GET", policies, ""},
		{"GET", policies + "?principal=user:reader", ""},
		{"GET", policies + "?type=ROW_FILTER", ""},
		{"GET", policies + "?type=ROW_FILTER&principal=user:reader", ""},
		{"GET", policies + "?type=COLUMN_MASKING&column=region", ""},
		{"GET", policies + "?type=COLUMN_MASKING&column=region&principal=user:reader", ""},
		{"POST", "/databases/sales/tables/orders/auth", "{}"},
		{"POST", policies + "/drop", `{"type":"ROW_FILTER","principal":"user:reader"}`},
		{"POST", "/permissions/revoke", "{" + table + "}"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), request.method, "/v1/demo"+request.path, strings.NewReader(request.body))
		r.Header.Set("Authorization", "Bearer owner")
		answer := httptest.NewRecorder()
		c.Handler().ServeHTTP(answer, r)
		if answer.Code != http.StatusOK {
			t.Errorf("%s %s: %d %s", request.method, request.path, answer.Code, answer.Body)
		}
	}
	statements := slices.Sorted(maps.Keys(c.store.statements.all()))
	for _, text := range statements {
		// The columns of one table, and those of one permission, are few enough to be sorted.
		sortsColumns := strings.Contains(text, "FROM table_column")
		for _, step := range explain(t, c.store, text) {
			scans := strings.HasPrefix(step, "SCAN ") && !strings.HasPrefix(step, "SCAN json_each VIRTUAL TABLE") && step != "SCAN CONSTANT ROW"
			sorts := strings.Contains(step, "TEMP B-TREE") && !sortsColumns && step != "USE TEMP B-TREE FOR json_group_array(ORDER BY)"
			// Some principals' policies are found by principal, not among those of all.
			walks := strings.Contains(text, "principal IN") && strings.Contains(step, "policy_page")
			if scans || sorts || walks {
				t.Errorf("%s: %s", step, text)
			}
		}
	}
	if len(statements) < 20 {
		t.Errorf("only %d statements", len(statements))
	}
}

// explain tells how SQLite runs a statement.
func explain(t *testing.T, s *store, text string) []string {
	t.Helper()
	rows, err := s.db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+text, make([]any, strings.Count(text, "?"))...)
	if err != nil {
		t.Fatal(err, text)
	}
	defer rows.Close()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s\n    %s", strings.Join(strings.Fields(text), " "), strings.Join(steps, "\n    "))
	return steps
}
