package devcatalog_test

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
)

func listingCases() []conformanceCase {
	return []conformanceCase{
		{24, "a listing is of one exact resource", "", func(s *server) {
			below := []string{catalogAll, salesAll, orderColumns}
			s.grant(permission(catalogAll, "SELECT", "role:a")).succeeds()
			s.grant(permission(salesAll, "SELECT", "role:a")).succeeds()
			s.grant(columns("sales", "orders", "role:a", allow("id"))).succeeds()
			for i, empty := range []string{catalogRoot, sales, orders} {
				s.lists(empty)
				if answer := s.send(http.MethodGet, listing(below[i]), ""); strings.Count(answer.body, "role:a") != 1 {
					s.t.Errorf("got %s, want one row", answer.body)
				}
			}
		}},
		{25, "a listing without a resource type", "", func(s *server) {
			for _, query := range []string{"", "?database=sales", "?resourceType=", "?resourceType=SCHEMA", "?resourceType=TABLE&database=sales", "?resourceType=CATALOG&database=sales"} {
				s.send(http.MethodGet, "/permissions"+query, "").fails(400, "", "")
			}
		}},
		{26, "a listing for an unknown principal", "", func(s *server) {
			s.send(http.MethodGet, listing(orders, "principal", "role:gone"), "").fails(404, "PRINCIPAL", "role:gone")
			s.send(http.MethodGet, policiesPath("sales", "orders")+"?principal=role:gone", "").fails(404, "PRINCIPAL", "role:gone")
			s.send(http.MethodGet, listing(orders, "principal", " ", "access", ""), "").is(`{"permissions":[]}`)
			s.send(http.MethodGet, listing(orders, "access", "LIST"), "").fails(400, "", "")
		}},
		{27, "page sizes that are none", "refused, in every listing; nothing is clamped to the maximum", func(s *server) {
			for _, size := range []string{"0", "1001", "x", "-1", "+1", "1.0", " 1", "", "99999999999999999999"} {
				for _, path := range []string{listing(orders) + "&", policiesPath("sales", "orders") + "?", "/databases?", "/databases/sales/tables?"} {
					s.send(http.MethodGet, path+"maxResults="+url.QueryEscape(size), "").fails(400, "", "")
				}
			}
			s.send(http.MethodGet, listing(orders, "maxResults", "1000"), "").is(`{"permissions":[]}`)
		}},
		{28, "three rows on three pages", "tokens are the reference server's, and so is the order", func(s *server) {
			for _, access := range []string{"SELECT", "ALL", "DROP"} {
				s.grant(permission(orders, access, "role:a")).succeeds()
			}
			token := ""
			for page, access := range []string{"ALL", "DROP", "SELECT"} {
				answer := s.send(http.MethodGet, listing(orders, "maxResults", "1")+token, "")
				rows, next, more := strings.Cut(answer.body, `,"nextPageToken":"`)
				if rows = strings.TrimSuffix(rows, "}"); rows != `{"permissions":[`+permission(orders, access, "role:a")+"]" || more != (page < 2) {
					s.t.Errorf("page %d is %s", page, answer.body)
				}
				token = "&pageToken=" + strings.TrimSuffix(next, `"}`)
			}
		}},
		{31, "page tokens that are none", "", func(s *server) {
			for _, token := range []string{"", "!", "1", "djI", "djEANTpUQUJMRQ==", " "} {
				for _, path := range []string{listing(orders) + "&", policiesPath("sales", "orders") + "?", "/databases?"} {
					s.send(http.MethodGet, path+"pageToken="+url.QueryEscape(token), "").fails(400, "", "")
				}
			}
		}},
		{55, "a policy listing by column without the type", "refused, as is a type that is none", func(s *server) {
			for _, query := range []string{"?column=email", "?column=email&type=ROW_FILTER", "?type=bogus", "?type=row_filter"} {
				s.send(http.MethodGet, policiesPath("sales", "orders")+query, "").fails(400, "", "")
			}
			mask := columnMask("role:a", "email", stars)
			s.create("sales", "orders", mask).succeeds()
			s.create("sales", "orders", columnMask("role:a", "region", stars)).succeeds()
			s.create("sales", "orders", rowFilter("role:a", equal("1", "region", "EU"))).succeeds()
			s.send(http.MethodGet, policiesPath("sales", "orders")+"?type=COLUMN_MASKING&column=email&principal=role:a", "").
				is(object("policies", array(onTable("sales", "orders", mask))))
			s.send(http.MethodGet, policiesPath("sales", "orders")+"?column=%20&type=&principal=role:b", "").is(`{"policies":[]}`)
		}},
		{62, "a caller without rights on each of the six calls", "", func(s *server) {
			denied := s.as("nobody")
			for _, on := range []struct{ resource, access, name string }{
				{catalogRoot, "ALTER", "catalog"},
				{catalogAll, "SELECT", "catalog"},
				{sales, "LIST", "sales"},
				{salesAll, "SELECT", "sales"},
				{orders, "SELECT", "sales.orders"},
				{recent, "SELECT", "sales.recent"},
				{twice, "SELECT", "sales.twice"},
				{orderColumns, "SELECT", "sales.orders"},
			} {
				kind := strings.Split(on.resource, `"`)[3]
				var more []string
				if kind == "COLUMN" {
					more = []string{"columns", allow("id")}
				}
				denied.send(http.MethodGet, listing(on.resource), "").fails(403, kind, on.name)
				denied.grant(permission(on.resource, on.access, "role:a", more...)).fails(403, kind, on.name)
				denied.revoke(permission(on.resource, on.access, "role:a")).fails(403, kind, on.name)
			}
			denied.send(http.MethodGet, policiesPath("sales", "orders"), "").fails(403, "TABLE", "sales.orders")
			denied.create("sales", "orders", rowFilter("role:a", equal("1", "region", "EU"))).fails(403, "TABLE", "sales.orders")
			denied.drop("orders", `{"type":"ROW_FILTER","principal":"role:a"}`).fails(403, "TABLE", "sales.orders")
		}},
		{63, "a caller without rights on a missing table", "403 hides 404; but what is no request at all is 400 first, on permissions", func(s *server) {
			denied := s.as("nobody")
			denied.grant(permission(noTable, "SELECT", "role:gone")).fails(403, "TABLE", "sales.nope")
			denied.grant(permission(noTable, "LIST", "role:gone")).fails(400, "", "")
			denied.send(http.MethodGet, listing(noTable, "principal", "role:gone"), "").fails(403, "TABLE", "sales.nope")
			denied.send(http.MethodGet, policiesPath("sales", "nope")+"?maxResults=x", "").fails(403, "TABLE", "sales.nope")
			denied.create("sales", "nope", "{").fails(403, "TABLE", "sales.nope")
			s.send(http.MethodGet, policiesPath("sales", "nope")+"?maxResults=x", "").fails(404, "TABLE", "sales.nope")
		}},
		{64, "no token, or one that nobody has", "on every path but /healthz", func(s *server) {
			for _, token := range []string{"", "wrong"} {
				for _, path := range []string{"/v1/config", "/v1/demo/databases", "/v1/demo/nothing", "/elsewhere"} {
					s.as(token).sendTo(http.MethodGet, s.base+path, "").isBare(401)
				}
			}
			s.as("").sendTo(http.MethodGet, s.base+"/healthz", "").isBare(204)
		}},
		{65, "paths, methods and prefixes that are none", "404 with an empty body, never a redirect", func(s *server) {
			for _, path := range []string{"/v1/demo/nothing", "/v1/other/databases", "/", "//v1/config", "/v1/demo/databases/", "/v1/demo/databases/sales/../sales", "/v1/demo//databases"} {
				s.sendTo(http.MethodGet, s.base+path, "").isBare(404)
			}
			s.send(http.MethodPut, policiesPath("sales", "orders"), "{}").isBare(404)
			s.send(http.MethodDelete, policiesPath("sales", "orders"), "{}").isBare(404)
			s.send(http.MethodPost, "/permissions", "{}").isBare(404)
		}},
		{67, "503 with Retry-After", "FaultRate injects it, with an error body about the request", func(s *server) {
			s = start(s.t, conformanceSeed, func(c *devcatalog.Config) { c.FaultRate = 1 }).as("admin")
			for _, answer := range []reply{
				s.send(http.MethodGet, listing(orders), ""),
				s.grant(permission(orders, "SELECT", "role:a")),
				s.create("sales", "orders", rowFilter("role:a", equal("1", "region", "EU"))),
			} {
				answer.fails(503, "", "")
				if answer.header.Get("Retry-After") != "1" {
					s.t.Errorf("Retry-After is %q", answer.header.Get("Retry-After"))
				}
			}
		}},
		{69, "names of every kind on all six calls", "", checkNames},
	}
}

// drop drops a policy of a table in sales.
func (s *server) drop(table, body string) reply {
	s.t.Helper()
	return s.send(http.MethodPost, policiesPath("sales", table)+"/drop", body)
}

// checkNames sends each name through all calls, in a catalog whose prefix is such a name too.
func checkNames(s *server) {
	for _, name := range []string{"a b", "a/b", "a%b", "a+b", "é", "日本", "a&b=c", "a?b#c", "a:b", "a*~b", "a%2Fb", "🔑", `"`} {
		seed := &devcatalog.Seed{Warehouse: name, Databases: []devcatalog.SeedDatabase{{Name: name, Tables: []devcatalog.SeedTable{{
			Name: name, Options: map[string]string{"query-auth.enabled": "true"}, Columns: []devcatalog.SeedColumn{{Name: name, Type: "STRING"}},
		}}}}}
		s := serve(s.t, devcatalog.Config{Seed: seed})
		s.catalog = s.base + "/v1/" + url.QueryEscape(name)
		table, column := resource("TABLE", name, name), columns(name, name, name, allow(name))
		filter, mask := rowFilter(name, equal("0", name, name)), columnMask(name, name, stars)

		s.grant(permission(table, "SELECT", name)).succeeds()
		s.lists(table, permission(table, "SELECT", name))
		s.send(http.MethodGet, listing(table, "principal", name), "").is(object("permissions", array(permission(table, "SELECT", name))))
		s.revoke(permission(table, "SELECT", name)).succeeds()
		s.lists(table)
		s.grant(column).succeeds()
		s.lists(resource("COLUMN", name, name), column)
		s.create(name, name, filter).succeeds()
		s.create(name, name, mask).succeeds()
		s.policies(name, name, onTable(name, name, filter), onTable(name, name, mask))
		s.send(http.MethodPost, policiesPath(name, name)+"/drop",
			object("type", `"COLUMN_MASKING"`, "principal", quoted(name), "column", quoted(name))).succeeds()
		s.policies(name, name, onTable(name, name, filter))
		// A space may be %20 as well as +, in paths and in queries.
		spaced := strings.ReplaceAll(policiesPath(name, name), "+", "%20") + "?principal=" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
		s.send(http.MethodGet, spaced, "").is(object("policies", array(onTable(name, name, filter))))
	}
}
