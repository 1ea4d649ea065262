package devcatalog_test

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
)

// authorizationSeed has a caller for each way into a group: directly, through another group, in a circle.
const authorizationSeed = `
warehouse: demo
principals:
  - {name: "user:admin", token: admin, manages: true}
  - {name: "user:alice", token: alice, groups: ["group:analysts"]}
  - {name: "group:analysts", groups: ["role:reader", "group:circle"]}
  - {name: "group:circle", groups: ["group:analysts"]}
  - {name: "user:bob", token: bob}
  - {name: "user:boss", token: boss, groups: ["group:managers"]}
  - {name: "group:managers", manages: true}
databases:
  - name: sales
    tables:
      - name: orders
        options: {query-auth.enabled: "true"}
        columns: [{name: id, type: INT}, {name: region, type: STRING}, {name: email, type: STRING}]
      - name: plain
        columns: [{name: id, type: INT}]
    views: [{name: recent, query: SELECT 1}]
    functions: [{name: twice}]
  - name: hr
    tables: [{name: people, columns: [{name: id, type: INT}]}]
`

func TestManagingReachesWhatIsCovered(t *testing.T) {
	t.Parallel()
	people := resource("TABLE", "hr", "people")
	all := map[string]string{
		"CATALOG": catalogRoot, "CATALOG_ALL": catalogAll, "DATABASE": sales, "DATABASE_ALL": salesAll,
		"TABLE": orders, "COLUMN": orderColumns, "VIEW": recent, "FUNCTION": twice, "other table": people,
	}
	for _, c := range []struct {
		held    string
		reaches []string
	}{
		{"CATALOG", []string{"CATALOG"}},
		{"CATALOG_ALL", []string{"CATALOG_ALL", "DATABASE", "DATABASE_ALL", "TABLE", "COLUMN", "VIEW", "FUNCTION", "other table"}},
		{"DATABASE", []string{"DATABASE"}},
		{"DATABASE_ALL", []string{"DATABASE_ALL", "TABLE", "COLUMN", "VIEW", "FUNCTION"}},
		{"TABLE", []string{"TABLE", "COLUMN"}},
		{"VIEW", []string{"VIEW"}},
		{"FUNCTION", []string{"FUNCTION"}},
	} {
		for _, access := range []string{"GRANT", "ALL"} {
			t.Run(access+" on "+c.held, func(t *testing.T) {
				t.Parallel()
				s := start(t, authorizationSeed).as("admin")
				s.grant(permission(all[c.held], access, "user:bob")).succeeds()
				reached := map[string]bool{}
				for _, name := range c.reaches {
					reached[name] = true
				}
				for name, on := range all {
					if got := s.as("bob").send(http.MethodGet, listing(on), "").status == http.StatusOK; got != reached[name] {
						t.Errorf("reaches %s: %v", name, got)
					}
				}
				answer := s.as("bob").send(http.MethodGet, policiesPath("sales", "orders"), "")
				if got := answer.status == http.StatusOK; got != reached["TABLE"] {
					t.Errorf("reaches policies: %v", got)
				}
			})
		}
	}
}

func TestOtherAccessesDoNotManage(t *testing.T) {
	t.Parallel()
	s := start(t, authorizationSeed).as("admin")
	for _, access := range []string{"SELECT", "UPDATE", "ALTER", "DROP"} {
		s.grant(permission(orders, access, "user:bob")).succeeds()
	}
	s.as("bob").send(http.MethodGet, listing(orders), "").fails(403, "TABLE", "sales.orders")
}

func TestAnExpiredRightManagesNothing(t *testing.T) {
	t.Parallel()
	s, clock := startWithClock(t, authorizationSeed)
	s.as("admin").grant(permission(orders, "GRANT", "user:bob", "expireTime", `"2030-01-01T00:00:00.001Z"`)).succeeds()
	s.as("bob").send(http.MethodGet, listing(orders), "").is(object("permissions",
		array(permission(orders, "GRANT", "user:bob", "expireTime", `"2030-01-01T00:00:00.001Z"`))))
	clock.Store(time.Date(2030, 1, 1, 0, 0, 0, int(time.Millisecond), time.UTC).UnixNano())
	s.as("bob").send(http.MethodGet, listing(orders), "").fails(403, "TABLE", "sales.orders")
}

// startWithClock starts at the first instant of 2030, and lets the test move on.
func startWithClock(t *testing.T, seed string) (*server, *atomic.Int64) {
	t.Helper()
	var now atomic.Int64
	now.Store(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano())
	return start(t, seed, func(c *devcatalog.Config) {
		c.Clock = func() time.Time { return time.Unix(0, now.Load()) }
	}), &now
}

func TestAManagingGroupMakesItsMembersManage(t *testing.T) {
	t.Parallel()
	s := start(t, authorizationSeed)
	s.as("boss").grant(permission(orders, "SELECT", "user:bob")).succeeds()
}

func TestManagingGivesNoRightToRead(t *testing.T) {
	t.Parallel()
	start(t, authorizationSeed).as("admin").auth("orders", `{}`).fails(403, "TABLE", "sales.orders")
}

func TestCatalogEndpointsAreOpenToEveryKnownToken(t *testing.T) {
	t.Parallel()
	s := start(t, authorizationSeed).as("bob")
	s.send(http.MethodGet, "/databases", "").is(`{"databases":["hr","sales"],"nextPageToken":null}`)
	s.send(http.MethodDelete, "/databases/hr", "").succeeds()
}

func TestReadingTakesARightOnTheTableOrAroundIt(t *testing.T) {
	t.Parallel()
	for name, granted := range map[string]string{
		"SELECT on the table":     permission(orders, "SELECT", "user:alice"),
		"ALL on the table":        permission(orders, "ALL", "user:alice"),
		"SELECT on the database":  permission(salesAll, "SELECT", "user:alice"),
		"SELECT on the catalog":   permission(catalogAll, "SELECT", "user:alice"),
		"a group":                 permission(orders, "SELECT", "group:analysts"),
		"a group of a group":      permission(orders, "SELECT", "role:reader"),
		"a group in a circle":     permission(orders, "SELECT", "group:circle"),
		"SELECT on every column":  columns("sales", "orders", "user:alice", allow("id", "region", "email")),
		"SELECT on other columns": columns("sales", "orders", "role:reader", deny("email")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, authorizationSeed)
			s.as("admin").grant(granted).succeeds()
			s.as("alice").auth("orders", `{"select":["id","region"]}`).is(`{}`)
			s.as("bob").auth("orders", `{"select":["id"]}`).fails(403, "TABLE", "sales.orders")
		})
	}
	for name, granted := range map[string]string{
		"UPDATE":                permission(orders, "UPDATE", "user:alice"),
		"GRANT":                 permission(orders, "GRANT", "user:alice"),
		"ALL on the database":   permission(sales, "ALL", "user:alice"),
		"an expired right":      permission(orders, "SELECT", "user:alice", "expireTime", `"2001-01-01T00:00:00Z"`),
		"another table":         permission(resource("TABLE", "sales", "plain"), "SELECT", "user:alice"),
		"another principal":     permission(orders, "SELECT", "user:bob"),
		"an expired column set": permission(orderColumns, "SELECT", "user:alice", "columns", allow("id"), "expireTime", `"2001-01-01T00:00:00Z"`),
	} {
		t.Run("not "+name, func(t *testing.T) {
			t.Parallel()
			s := start(t, authorizationSeed)
			s.as("admin").grant(granted).succeeds()
			s.as("alice").auth("orders", `{"select":["id"]}`).fails(403, "TABLE", "sales.orders")
		})
	}
}

func TestReadingAMissingTableIsNotFoundEvenWithoutRights(t *testing.T) {
	t.Parallel()
	start(t, authorizationSeed).as("bob").auth("nope", `{}`).fails(404, "TABLE", "sales.nope")
}

func TestColumnRangesOfAllPrincipalsIntersect(t *testing.T) {
	t.Parallel()
	s := start(t, authorizationSeed)
	admin, alice := s.as("admin"), s.as("alice")
	selects := func(body string) reply { return alice.auth("orders", body) }

	admin.grant(permission(orders, "SELECT", "user:alice")).succeeds()
	selects(`{"select":null}`).is(`{}`)
	admin.grant(columns("sales", "orders", "group:analysts", allow("id", "region"))).succeeds()
	selects(`{"select":["id","region"]}`).is(`{}`)
	selects(`{"select":["email"]}`).fails(403, "TABLE", "sales.orders")
	// No selection is every column, one of which is not allowed.
	for _, everything := range []string{`{}`, `{"select":null}`} {
		selects(everything).fails(403, "TABLE", "sales.orders")
	}
	admin.grant(columns("sales", "orders", "role:reader", deny("region"))).succeeds()
	selects(`{"select":["id"]}`).is(`{}`)
	selects(`{"select":["region"]}`).fails(403, "TABLE", "sales.orders")
	selects(`{"select":[]}`).is(`{}`)
	selects(`{"select":["nope"]}`).fails(403, "TABLE", "sales.orders")
	selects(`{"select":["ID"]}`).fails(403, "TABLE", "sales.orders")
}

func TestColumnsAddedLaterAreDeniedByAllowlistsOnly(t *testing.T) {
	t.Parallel()
	s := start(t, authorizationSeed)
	s.as("admin").grant(columns("sales", "orders", "user:alice", allow("id"))).succeeds()
	s.as("admin").grant(columns("sales", "orders", "user:bob", deny("id"))).succeeds()
	s.as("admin").alter("orders", `{"action":"addColumn","fieldNames":["late"],"dataType":"INT"}`).succeeds()
	s.as("alice").auth("orders", `{"select":["late"]}`).fails(403, "TABLE", "sales.orders")
	s.as("bob").auth("orders", `{"select":["late"]}`).is(`{}`)
}

func TestReadersGetAllFiltersAndAllMasksOfTheirPrincipals(t *testing.T) {
	t.Parallel()
	s := start(t, authorizationSeed)
	admin := s.as("admin")
	admin.grant(permission(orders, "SELECT", "user:alice")).succeeds()
	for _, policy := range []string{
		rowFilter("user:alice", equal("1", "region", "EU")),
		rowFilter("role:reader", equal("2", "email", "x")),
		rowFilter("user:bob", equal("1", "region", "US")),
		columnMask("group:circle", "email", stars),
		columnMask("user:bob", "email", stars),
	} {
		admin.create("sales", "orders", policy).succeeds()
	}
	// The mask comes although the column is not selected.
	s.as("alice").auth("orders", `{"select":["id"]}`).is(object(
		"filter", array(quoted(equal("1", "region", "EU")), quoted(equal("2", "email", "x"))),
		"columnMasking", object("email", quoted(stars))))
}

func TestReadersGetPoliciesAgainstTheCurrentColumns(t *testing.T) {
	t.Parallel()
	s := start(t, authorizationSeed)
	admin := s.as("admin")
	admin.grant(permission(orders, "SELECT", "user:alice")).succeeds()
	filter := rowFilter("user:alice", equal("1", "region", "EU"))
	admin.create("sales", "orders", filter).succeeds()
	admin.alter("orders", `{"action":"updateColumnPosition","move":{"fieldName":"region","type":"FIRST"}}`).succeeds()
	s.as("alice").auth("orders", `{}`).is(object("filter", array(quoted(equal("0", "region", "EU")))))
	// The stored text stays what it was at creation.
	admin.policies("sales", "orders", onTable("sales", "orders", filter))
}

func TestATableWithoutQueryAuthRestrictsNobodyWhoMayRead(t *testing.T) {
	t.Parallel()
	s := start(t, authorizationSeed)
	s.as("admin").grant(permission(resource("TABLE", "sales", "plain"), "SELECT", "user:alice")).succeeds()
	s.as("alice").auth("plain", `{"select":["id"]}`).is(`{}`)
	s.as("bob").auth("plain", `{}`).fails(403, "TABLE", "sales.plain")
}

func TestWithoutPrincipalsEverythingIsOpen(t *testing.T) {
	t.Parallel()
	s := start(t, `
warehouse: demo
databases:
  - name: sales
    tables: [{name: orders, options: {query-auth.enabled: "TRUE"}, columns: [{name: id, type: INT}, {name: region, type: STRING}]}]
`)
	s.grant(columns("sales", "orders", "anyone at all", allow("id"))).succeeds()
	s.create("sales", "orders", rowFilter("anyone at all", equal("1", "region", "EU"))).succeeds()
	s.auth("orders", `{"select":["id","region"]}`).is(`{}`)
	s.auth("nope", `{}`).fails(404, "TABLE", "sales.nope")
	// A token that nobody asked for does no harm.
	s.as("whatever").lists(orderColumns, columns("sales", "orders", "anyone at all", allow("id")))
}

func TestTokensAreTakenFromTheBearerHeaderOnly(t *testing.T) {
	t.Parallel()
	s := start(t, authorizationSeed)
	for header, status := range map[string]int{
		"Bearer bob": 200, "bearer bob": 200, "Basic bob": 401, "bob": 401, "Bearer": 401, "Bearer  bob": 401, "Bearer bob ": 200, "Bearer user:bob": 401,
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.catalog+"/databases", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", header)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		if err := response.Body.Close(); err != nil {
			t.Error(err)
		}
		if response.StatusCode != status {
			t.Errorf("Authorization %q: %d, want %d", header, response.StatusCode, status)
		}
	}
}
