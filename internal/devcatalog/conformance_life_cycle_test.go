package devcatalog_test

import (
	"net/http"
	"time"
)

func lifeCycleCases() []conformanceCase {
	inEurope := rowFilter("role:a", equal("1", "region", "EU"))
	const (
		orderPath   = "/databases/sales/tables/orders"
		createTable = `{"identifier":{"database":"sales","object":"orders"},"schema":{"fields":[{"id":0,"name":"id","type":"INT"},{"id":1,"name":"region","type":"STRING"}],"options":{"query-auth.enabled":"true"}}}`
	)
	rename := func(from, to string) string {
		return `{"action":"renameColumn","fieldNames":["` + from + `"],"newName":"` + to + `"}`
	}
	dropColumn := func(name string) string { return `{"action":"dropColumn","fieldNames":["` + name + `"]}` }
	everything := func(s *server) {
		s.t.Helper()
		s.grant(permission(orders, "SELECT", "role:a")).succeeds()
		s.grant(columns("sales", "orders", "role:a", allow("id"))).succeeds()
		s.create("sales", "orders", inEurope).succeeds()
	}
	return []conformanceCase{
		{56, "a renamed table keeps what hangs on it", "in another database too", func(s *server) {
			everything(s)
			s.send(http.MethodPost, "/tables/rename", `{"source":{"database":"sales","object":"orders"},"destination":{"database":"hr","object":"bills"}}`).succeeds()
			bills := resource("TABLE", "hr", "bills")
			s.lists(bills, permission(bills, "SELECT", "role:a"))
			s.lists(resource("COLUMN", "hr", "bills"), columns("hr", "bills", "role:a", allow("id")))
			s.policies("hr", "bills", onTable("hr", "bills", inEurope))
			s.send(http.MethodGet, listing(orders), "").fails(404, "TABLE", "sales.orders")
			s.send(http.MethodGet, listing(orderColumns), "").fails(404, "COLUMN", "sales.orders")
			s.send(http.MethodGet, policiesPath("sales", "orders"), "").fails(404, "TABLE", "sales.orders")
		}},
		{57, "a table that is created again starts empty", "", func(s *server) {
			everything(s)
			s.send(http.MethodDelete, orderPath, "").succeeds()
			s.send(http.MethodPost, "/databases/sales/tables", createTable).succeeds()
			s.lists(orders)
			s.lists(orderColumns)
			s.policies("sales", "orders")
		}},
		{58, "query-auth stays on while something relies on it", "400 of null type, by setting and by removing the option", func(s *server) {
			off := []string{
				`{"action":"setOption","key":"query-auth.enabled","value":"false"}`,
				`{"action":"removeOption","key":"query-auth.enabled"}`,
			}
			refused := func() {
				s.t.Helper()
				for _, change := range off {
					s.alter("orders", change).fails(400, "", "")
				}
			}
			s.create("sales", "orders", inEurope).succeeds()
			refused()
			s.drop("orders", `{"type":"ROW_FILTER","principal":"role:a"}`).succeeds()
			s.grant(columns("sales", "orders", "role:a", allow("id"))).succeeds()
			refused()
			s.revoke(permission(orderColumns, "SELECT", "role:a")).succeeds()
			s.alter("orders", off[0]).succeeds()
		}},
		{59, "renaming columns that something refers to", "a column that takes the name in the same change does not help", func(s *server) {
			s.create("sales", "orders", inEurope).succeeds()
			s.create("sales", "orders", columnMask("role:a", "email", stars)).succeeds()
			s.alter("orders", rename("region", "area")).fails(400, "", "")
			s.alter("orders", rename("email", "mail")).fails(400, "", "")
			s.alter("orders", rename("region", "area"), rename("note", "region")).fails(400, "", "")
			s.alter("orders", dropColumn("region")).fails(400, "", "")
			s.alter("orders", `{"action":"updateColumnType","fieldNames":["email"],"newDataType":"VARCHAR(10)"}`).fails(400, "", "")
			s.grant(columns("sales", "orders", "role:a", allow("note", "id"))).succeeds()
			s.alter("orders", rename("id", "key")).succeeds()
			s.lists(orderColumns, columns("sales", "orders", "role:a", allow("note", "key")))
		}},
		{60, "dropping the last listed column", "an allowlist is kept from being emptied even when it has expired", func(s *server) {
			s.grant(columns("sales", "orders", "role:b", deny("note", "active"))).succeeds()
			s.alter("orders", dropColumn("active")).succeeds()
			s.lists(orderColumns, columns("sales", "orders", "role:b", deny("note")))
			s.grant(permission(orderColumns, "SELECT", "role:a", "columns", allow("note"), "expireTime", `"2001-01-01T00:00:00Z"`)).succeeds()
			s.alter("orders", dropColumn("note")).fails(400, "", "")
			s.revoke(permission(orderColumns, "SELECT", "role:a")).succeeds()
			s.alter("orders", dropColumn("note")).succeeds()
			s.lists(orderColumns)
		}},
		{61, "a dropped database takes everything inside with it", "", func(s *server) {
			everything(s)
			for _, on := range []string{sales, salesAll, recent, twice, catalogRoot, catalogAll} {
				s.grant(permission(on, "ALTER", "role:a")).succeeds()
			}
			s.send(http.MethodDelete, "/databases/sales", "").succeeds()
			s.send(http.MethodGet, listing(sales), "").fails(404, "DATABASE", "sales")
			s.send(http.MethodGet, listing(salesAll), "").fails(404, "DATABASE_ALL", "sales")
			s.lists(catalogRoot, permission(catalogRoot, "ALTER", "role:a"))
			s.lists(catalogAll, permission(catalogAll, "ALTER", "role:a"))
			s.send(http.MethodPost, "/databases", `{"name":"sales","options":null}`).succeeds()
			s.send(http.MethodPost, "/databases/sales/tables", createTable).succeeds()
			for _, empty := range []string{sales, salesAll, orders, orderColumns} {
				s.lists(empty)
			}
		}},
		{73, "a policy created while its table is dropped and created again", "404, or a policy that went with its table", func(s *server) {
			stop := time.Now().Add(200 * time.Millisecond)
			concurrently(s.t, 4, func(i int) (last reply, err error) {
				for time.Now().Before(stop) && err == nil {
					if i == 0 {
						_, err = s.try(s.t.Context(), http.MethodDelete, s.catalog+orderPath, "")
						if err == nil {
							last, err = s.try(s.t.Context(), http.MethodPost, s.catalog+"/databases/sales/tables", createTable)
						}
						continue
					}
					last, err = s.try(s.t.Context(), http.MethodPost, s.catalog+policiesPath("sales", "orders"), inEurope)
					switch {
					case err != nil:
					case last.status == http.StatusNotFound:
						last.fails(404, "TABLE", "sales.orders")
					case last.status == http.StatusConflict:
						last.fails(409, "POLICY", "ROW_FILTER:role:a")
					default:
						last.succeeds()
					}
				}
				return last, err
			}, func(answer reply) {
				if answer.status >= 500 {
					s.t.Errorf("got %d %s", answer.status, answer.body)
				}
			})
			s.send(http.MethodDelete, orderPath, "").succeeds()
			s.send(http.MethodPost, "/databases/sales/tables", createTable).succeeds()
			s.policies("sales", "orders")
		}},
	}
}
