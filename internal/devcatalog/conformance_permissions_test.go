package devcatalog_test

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
)

func permissionCases() []conformanceCase {
	onOrders := permission(orders, "SELECT", "role:a")
	return []conformanceCase{
		{1, "a grant is listed without members that it does not have", "", func(s *server) {
			s.grant(onOrders).succeeds()
			answer := s.send(http.MethodGet, listing(orders), "")
			if want := `{"permissions":[` + onOrders + `]}`; answer.body != want {
				s.t.Errorf("got %s, want %s", answer.body, want)
			}
		}},
		{2, "a second grant of one identity replaces the expiry", "", func(s *server) {
			second := permission(orders, "SELECT", "role:a", "expireTime", `"2031-01-01T00:00:00Z"`)
			s.grant(permission(orders, "SELECT", "role:a", "expireTime", `"2030-01-01T00:00:00Z"`)).succeeds()
			s.grant(second).succeeds()
			s.lists(orders, second)
		}},
		{3, "a grant without expiry clears the expiry", "a null is no expiry either", func(s *server) {
			for _, clears := range []string{onOrders, permission(orders, "SELECT", "role:a", "expireTime", "null")} {
				s.grant(permission(orders, "SELECT", "role:a", "expireTime", `"2030-01-01T00:00:00Z"`)).succeeds()
				s.grant(clears).succeeds()
				s.lists(orders, onOrders)
			}
		}},
		{4, "revoking twice succeeds twice", "", func(s *server) {
			s.grant(onOrders).succeeds()
			s.revoke(onOrders).succeeds()
			s.revoke(onOrders).succeeds()
			s.lists(orders)
		}},
		{5, "a revoke on a dropped table", "", func(s *server) {
			s.grant(onOrders).succeeds()
			s.send(http.MethodDelete, "/databases/sales/tables/orders", "").succeeds()
			s.revoke(onOrders).fails(404, "TABLE", "sales.orders")
		}},
		{6, "a revoke for an unknown principal", "", func(s *server) {
			s.revoke(permission(orders, "SELECT", "role:gone")).fails(404, "PRINCIPAL", "role:gone")
		}},
		{7, "a grant for an unknown principal", "", func(s *server) {
			s.grant(permission(orders, "SELECT", "role:gone")).fails(404, "PRINCIPAL", "role:gone")
			s.lists(orders)
		}},
		{8, "a grant on a missing table", "a missing database is a missing table too", func(s *server) {
			s.grant(permission(noTable, "SELECT", "role:a")).fails(404, "TABLE", "sales.nope")
			s.grant(permission(resource("TABLE", "nope", "t"), "SELECT", "role:a")).fails(404, "TABLE", "nope.t")
			s.grant(permission(resource("VIEW", "sales", "nope"), "SELECT", "role:a")).fails(404, "VIEW", "sales.nope")
			s.grant(permission(resource("FUNCTION", "sales", "nope"), "SELECT", "role:a")).fails(404, "FUNCTION", "sales.nope")
			s.grant(permission(resource("DATABASE_ALL", "nope"), "SELECT", "role:a")).fails(404, "DATABASE_ALL", "nope")
			s.grant(permission(resource("DATABASE", "nope"), "LIST", "role:gone")).fails(404, "DATABASE", "nope")
		}},
		{9, "a COLUMN grant on a missing table", "", func(s *server) {
			s.grant(columns("sales", "nope", "role:a", allow("id"))).fails(404, "COLUMN", "sales.nope")
		}},
		{10, "a COLUMN grant on a missing column", "the first missing one is named", func(s *server) {
			s.grant(columns("sales", "orders", "role:a", allow("id", "nope", "nix"))).fails(404, "COLUMN", "nope")
			s.lists(orderColumns)
		}},
		{11, "a COLUMN grant with a column in the wrong case", "", func(s *server) {
			s.grant(columns("sales", "orders", "role:a", deny("ID"))).fails(404, "COLUMN", "ID")
		}},
		{12, "a COLUMN grant with query-auth off", "refused before the columns are looked at; the option is the table owner's to set", func(s *server) {
			s.grant(columns("sales", "plain", "role:a", allow("nope"))).fails(409, "TABLE", "sales.plain")
			s.lists(resource("COLUMN", "sales", "plain"))
		}},
		{13, "columns missing or misplaced", "", func(s *server) {
			s.grant(permission(orderColumns, "SELECT", "role:a")).fails(400, "", "")
			s.grant(permission(orders, "SELECT", "role:a", "columns", allow("id"))).fails(400, "", "")
		}},
		{14, "bad column lists", "blank is Java's: nothing above U+0020", func(s *server) {
			for _, bad := range []string{
				`{}`, `{"columnNames":[]}`, `{"columnNames":["id"],"excludedColumnNames":["note"]}`,
				allow(" "), allow("id", "id"), allow("\u0001"), `{"columnNames":[null]}`, `{"columnNames":[1]}`,
			} {
				s.grant(columns("sales", "orders", "role:a", bad)).fails(400, "", "")
			}
			s.grant(columns("sales", "orders", "role:a", allow("\u00a0"))).fails(404, "COLUMN", "\u00a0")
			s.lists(orderColumns)
		}},
		{15, "an allowlist becomes a denylist", "", func(s *server) {
			s.grant(columns("sales", "orders", "role:a", allow("id", "note"))).succeeds()
			denied := columns("sales", "orders", "role:a", deny("email"))
			s.grant(denied).succeeds()
			s.lists(orderColumns, denied)
		}},
		{16, "the order of columns", "kept as granted", func(s *server) {
			backwards := columns("sales", "orders", "role:a", allow("region", "id"))
			s.grant(backwards).succeeds()
			s.lists(orderColumns, backwards)
		}},
		{17, "accesses that the type does not have", "", func(s *server) {
			for _, bad := range []struct{ resource, access string }{
				{catalogRoot, "SELECT"},
				{sales, "SELECT"},
				{salesAll, "LIST"},
				{catalogAll, "CREATEDATABASE"},
				{twice, "UPDATE"},
				{recent, "UPDATE"},
				{orders, "USE_DATABASE"},
				{orders, "INSERT"},
				{orders, ""},
			} {
				s.grant(permission(bad.resource, bad.access, "role:a")).fails(400, "", "")
				s.revoke(permission(bad.resource, bad.access, "role:a")).fails(400, "", "")
			}
			s.grant(permission(orderColumns, "UPDATE", "role:a", "columns", allow("id"))).fails(400, "", "")
		}},
		{18, "an access in lower case", "stored in upper case, like a type", func(s *server) {
			lower := strings.Replace(permission(orders, "select", "role:a"), "TABLE", "table", 1)
			s.grant(lower).succeeds()
			s.lists(orders, onOrders)
			s.revoke(lower).succeeds()
			s.lists(orders)
		}},
		{19, "an access is not trimmed", "", func(s *server) {
			s.grant(permission(orders, " SELECT", "role:a")).fails(400, "", "")
		}},
		{20, "an access of 33 characters", "", func(s *server) {
			s.grant(permission(orders, strings.Repeat("S", 33), "role:a")).fails(400, "", "")
		}},
		{21, "the longest principal", "counted in UTF-16 code units", func(s *server) {
			for _, length := range []struct {
				unit      string
				fits, not int
			}{{"x", 128, 129}, {"🔑", 64, 65}} {
				fits, not := strings.Repeat(length.unit, length.fits), strings.Repeat(length.unit, length.not)
				// Long enough to be unknown, short enough to be a principal.
				s.grant(permission(orders, "SELECT", fits)).fails(404, "PRINCIPAL", fits)
				s.grant(permission(orders, "SELECT", not)).fails(400, "", "")
				open := start(s.t, "{warehouse: demo, databases: [{name: sales, tables: [{name: orders, columns: [{name: id, type: INT}]}]}]}")
				open.grant(permission(orders, "SELECT", fits)).succeeds()
				open.lists(orders, permission(orders, "SELECT", fits))
			}
		}},
		{22, "a blank principal", "", func(s *server) {
			for _, blank := range []string{"", "  ", "\t\n"} {
				s.grant(permission(orders, "SELECT", blank)).fails(400, "", "")
				s.revoke(permission(orders, "SELECT", blank)).fails(400, "", "")
			}
			s.grant(object("resource", orders, "access", `"SELECT"`)).fails(400, "", "")
		}},
		{23, "locators missing or superfluous", "a blank superfluous one is dropped", func(s *server) {
			for _, bad := range []string{
				`{"type":"CATALOG","database":"sales"}`,
				`{"type":"TABLE","database":"sales"}`,
				`{"type":"TABLE","database":" ","table":"orders"}`,
				`{"type":"VIEW","database":"sales","view":"recent","table":"orders"}`,
				`{"type":"SCHEMA","database":"sales"}`,
				`{"database":"sales"}`,
				`null`, `"TABLE"`,
			} {
				s.grant(permission(bad, "ALTER", "role:a")).fails(400, "", "")
			}
			s.grant(permission(`{"type":"CATALOG","database":" ","table":null}`, "ALTER", "role:a")).succeeds()
			s.lists(catalogRoot, permission(catalogRoot, "ALTER", "role:a"))
		}},
		{33, "an expiry finer than milliseconds", "", func(s *server) {
			for _, bad := range []string{
				"2030-01-01T00:00:00.123456Z", "2030-01-01T00:00Z", "2030-01-01", "2030-01-01 00:00:00Z", "", " ",
				"2030-02-29T00:00:00Z", "2030-01-01T22:59:60Z", "2030-01-01T00:00:00",
			} {
				s.grant(permission(orders, "SELECT", "role:a", "expireTime", quoted(bad))).fails(400, "", "")
			}
			s.grant(permission(orders, "SELECT", "role:a", "expireTime", "1893456000")).fails(400, "", "")
			s.lists(orders)
		}},
		{34, "the spelling of an expiry", "stored as it was written", func(s *server) {
			for _, text := range []string{
				"2030-01-01T00:00:00.100Z", "2030-01-01T00:00:00.1Z", "2030-01-01t00:00:00z", "2030-01-01T00:00:00.Z",
				"2030-01-01T24:00:00Z", "2030-01-01T23:59:60Z", "+1000000000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z",
			} {
				row := permission(orders, "SELECT", "role:a", "expireTime", quoted(text))
				s.grant(row).succeeds()
				s.lists(orders, row)
			}
		}},
		{35, "an expiry in the past", "", func(s *server) {
			over := permission(orders, "SELECT", "role:a", "expireTime", `"2001-01-01T00:00:00Z"`)
			s.grant(over).succeeds()
			s.lists(orders, over)
		}},
		{36, "an expiry with an offset", "refused: a client writes Z", func(s *server) {
			for _, zone := range []string{"+08:00", "+00:00", "-18:00"} {
				s.grant(permission(orders, "SELECT", "role:a", "expireTime", quoted("2030-01-01T00:00:00"+zone))).fails(400, "", "")
			}
		}},
		{37, "expired rows vanish from a catalog that cleans up", "only with PurgeExpired; the grant of what is over succeeds", func(s *server) {
			s = start(s.t, conformanceSeed, func(c *devcatalog.Config) { c.PurgeExpired = true }).as("admin")
			s.grant(permission(orders, "SELECT", "role:a", "expireTime", `"2001-01-01T00:00:00Z"`)).succeeds()
			s.grant(permission(orders, "SELECT", "role:b", "expireTime", `"2999-01-01T00:00:00Z"`)).succeeds()
			s.lists(orders, permission(orders, "SELECT", "role:b", "expireTime", `"2999-01-01T00:00:00Z"`))
		}},
		{72, "concurrent grants of one identity", "the last one stays", func(s *server) {
			concurrently(s.t, 16, func(i int) (reply, error) {
				expiry := fmt.Sprintf(`"20%d-01-01T00:00:00Z"`, 30+i)
				return s.try(s.t.Context(), http.MethodPost, s.catalog+"/permissions/grant", permission(orders, "SELECT", "role:a", "expireTime", expiry))
			}, func(answer reply) { answer.succeeds() })
			answer := s.send(http.MethodGet, listing(orders), "")
			if strings.Count(answer.body, "role:a") != 1 {
				s.t.Errorf("got %s, want one row", answer.body)
			}
		}},
	}
}
