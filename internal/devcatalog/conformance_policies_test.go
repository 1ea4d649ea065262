package devcatalog_test

import (
	"net/http"
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
)

func policyCases() []conformanceCase {
	inEurope := rowFilter("role:a", equal("1", "region", "EU"))
	hidden := columnMask("role:a", "email", stars)
	const filterName, maskName = "ROW_FILTER:role:a", "COLUMN_MASKING:role:a:email"
	return []conformanceCase{
		{38, "a row filter is listed in canonical form", "", func(s *server) {
			s.create("sales", "orders", inEurope).succeeds()
			s.policies("sales", "orders", onTable("sales", "orders", inEurope))
		}},
		{39, "a policy with query-auth off", "", func(s *server) {
			answer := s.create("sales", "plain", rowFilter("role:gone", "{bad"))
			answer.fails(409, "TABLE", "sales.plain")
			if !strings.Contains(answer.body, "query-auth.enabled=true") {
				s.t.Errorf("got %s, want the option named", answer.body)
			}
		}},
		{40, "a policy twice", "what is invalid is refused before what exists", func(s *server) {
			s.create("sales", "orders", inEurope).succeeds()
			s.create("sales", "orders", rowFilter("role:a", equal("1", "region", "US"))).fails(409, "POLICY", filterName)
			s.create("sales", "orders", rowFilter("role:a", "{bad")).fails(400, "POLICY", filterName)
			s.create("sales", "orders", hidden).succeeds()
			s.create("sales", "orders", hidden).fails(409, "POLICY", maskName)
			s.policies("sales", "orders", onTable("sales", "orders", inEurope), onTable("sales", "orders", hidden))
		}},
		{41, "a policy for an unknown principal", "looked for before the definition is read", func(s *server) {
			s.create("sales", "orders", rowFilter("role:gone", "{bad")).fails(404, "PRINCIPAL", "role:gone")
		}},
		{42, "a policy on a missing table or database", "", func(s *server) {
			s.create("sales", "nope", inEurope).fails(404, "TABLE", "sales.nope")
			s.create("nope", "orders", inEurope).fails(404, "TABLE", "nope.orders")
		}},
		{43, "predicates that are none", "", func(s *server) {
			for _, bad := range []string{
				`{bad`, `null`, `5`, `[]`,
				strings.Replace(equal("1", "region", "EU"), "EQUAL", "RESEMBLES", 1),
				strings.Replace(equal("1", "region", "EU"), "LEAF", "TWIG", 1),
				equal("1", "nope", "EU"),
				equal("1", "Region", "EU"),
				`{"kind":"COMPOUND","function":"AND","children":[]}`,
			} {
				s.create("sales", "orders", rowFilter("role:a", bad)).fails(400, "POLICY", filterName)
			}
			s.policies("sales", "orders")
		}},
		{44, "a predicate in another spelling", "stored in canonical form; duplicate members, where the last counts, and text behind the value too", func(s *server) {
			canonical := onTable("sales", "orders", inEurope)
			for _, spelled := range []string{
				`{ "literals" : [ "EU" ], "function" : "EQUAL", "kind":"LEAF",
				   "transform":{"fieldRef":{"type":"VARCHAR(10) NOT NULL","name":"region","index":77},"name":"FIELD_REF"}, "more":1 }`,
				strings.Replace(equal("1", "region", "EU"), `"kind"`, `"function":"NOT_EQUAL","kind"`, 1),
				equal("1", "region", "EU") + " trailing",
			} {
				s.create("sales", "orders", rowFilter("role:a", spelled)).succeeds()
				s.policies("sales", "orders", canonical)
				s.drop("orders", `{"type":"ROW_FILTER","principal":"role:a"}`).succeeds()
			}
		}},
		{45, "an AND with one child", "", func(s *server) {
			nested := `{"kind":"COMPOUND","function":"AND","children":[{"kind":"COMPOUND","function":"OR","children":[` + equal("1", "region", "EU") + `]}]}`
			s.create("sales", "orders", rowFilter("role:a", nested)).succeeds()
			s.policies("sales", "orders", onTable("sales", "orders", inEurope))
		}},
		{46, "the largest predicate", "bytes of UTF-8, without the text being read; blank is refused likewise", func(s *server) {
			const limit = 61440
			fits := sized(limit)
			s.create("sales", "orders", rowFilter("role:a", fits+"x")).fails(400, "", "")
			s.create("sales", "orders", rowFilter("role:a", strings.Repeat("{", limit+1))).fails(400, "", "")
			s.create("sales", "orders", rowFilter("role:a", " \t")).fails(400, "", "")
			s.create("sales", "orders", rowFilter("role:a", fits)).succeeds()
			s.policies("sales", "orders", onTable("sales", "orders", rowFilter("role:a", fits)))
		}},
		{47, "a mask on a missing column", "a bad policy, not a missing column", func(s *server) {
			s.create("sales", "orders", columnMask("role:a", "nope", stars)).fails(400, "POLICY", "COLUMN_MASKING:role:a:nope")
			s.create("sales", "orders", columnMask("role:a", "Email", stars)).fails(400, "POLICY", "COLUMN_MASKING:role:a:Email")
			s.create("sales", "orders", columnMask("role:a", " ", stars)).fails(400, "", "")
		}},
		{48, "masks of another type than their column", "", func(s *server) {
			for _, bad := range []struct{ column, transform string }{
				{"id", stars}, {"note", stars}, {"email", `{"name":"NULL"}`},
			} {
				s.create("sales", "orders", columnMask("role:a", bad.column, bad.transform)).fails(400, "POLICY", "COLUMN_MASKING:role:a:"+bad.column)
			}
			s.create("sales", "orders", columnMask("role:a", "active", `{"name":"NULL"}`)).succeeds()
		}},
		{49, "masks on two columns, one dropped", "", func(s *server) {
			s.create("sales", "orders", hidden).succeeds()
			s.create("sales", "orders", columnMask("role:a", "region", stars)).succeeds()
			s.drop("orders", `{"type":"COLUMN_MASKING","principal":"role:a","column":"region"}`).succeeds()
			s.policies("sales", "orders", onTable("sales", "orders", hidden))
		}},
		{50, "a row filter and a mask for one principal", "", func(s *server) {
			s.create("sales", "orders", inEurope).succeeds()
			s.create("sales", "orders", hidden).succeeds()
			s.policies("sales", "orders", onTable("sales", "orders", inEurope), onTable("sales", "orders", hidden))
			s.drop("orders", `{"type":"ROW_FILTER","principal":"role:a","column":" "}`).succeeds()
			s.policies("sales", "orders", onTable("sales", "orders", hidden))
		}},
		{51, "dropping an absent policy", "the principal may be unknown", func(s *server) {
			s.drop("orders", `{"type":"ROW_FILTER","principal":"role:gone"}`).fails(404, "POLICY", "ROW_FILTER:role:gone")
			s.drop("plain", `{"type":"COLUMN_MASKING","principal":"role:a","column":"nope"}`).fails(404, "POLICY", "COLUMN_MASKING:role:a:nope")
		}},
		{52, "dropping a policy of a missing table", "", func(s *server) {
			s.drop("nope", `{"type":"ROW_FILTER","principal":"role:a"}`).fails(404, "TABLE", "sales.nope")
			s.drop("nope", `{`).fails(404, "TABLE", "sales.nope")
		}},
		{53, "drops of a bad shape", "so is one for a blank principal", func(s *server) {
			for _, bad := range []string{
				`{"type":"COLUMN_MASKING","principal":"role:a"}`,
				`{"type":"COLUMN_MASKING","principal":"role:a","column":" "}`,
				`{"type":"ROW_FILTER","principal":"role:a","column":"email"}`,
				`{"type":"row_filter","principal":"role:a"}`,
				`{"type":"ROW_FILTER","principal":" "}`,
				`{"principal":"role:a"}`, `{`, ``, `[]`,
			} {
				s.drop("orders", bad).fails(400, "", "")
			}
		}},
		{54, "a drop is a POST to /drop", "members that the contract does not know are ignored", func(s *server) {
			s.create("sales", "orders", inEurope).succeeds()
			s.send(http.MethodDelete, policiesPath("sales", "orders")+"/drop", "").isBare(404)
			s.drop("orders", `{"type":"ROW_FILTER","principal":"role:a","reason":1}`).succeeds()
			s.policies("sales", "orders")
		}},
		{68, "a create whose answer is lost", "FaultRate acts before half of its answers", func(s *server) {
			s = start(s.t, conformanceSeed, func(c *devcatalog.Config) { c.FaultRate = 0.9 }).as("admin")
			path := s.catalog + policiesPath("sales", "orders")
			for range 1000 {
				answer := s.sendTo(http.MethodPost, path, inEurope)
				if answer.status == http.StatusConflict {
					return // An earlier one was stored although it was answered 503.
				}
				if answer.status == http.StatusOK {
					s.sendTo(http.MethodPost, path+"/drop", `{"type":"ROW_FILTER","principal":"role:a"}`)
				}
			}
			s.t.Error("no create was stored behind a 503")
		}},
		{74, "a predicate with characters that JSON writers escape", "stored and listed as they are", func(s *server) {
			// Go escapes U+2028 in JSON, Paimon does not.
			odd := rowFilter("role:a", strings.Replace(equal("1", "region", "<a href='é'> & 🔑 LINE"), "LINE", "\u2028", 1))
			s.create("sales", "orders", odd).succeeds()
			answer := s.send(http.MethodGet, policiesPath("sales", "orders"), "")
			answer.is(object("policies", array(onTable("sales", "orders", odd))))
			if !strings.Contains(answer.body, "<a href='é'> & 🔑") {
				s.t.Errorf("got %s, want the text unescaped", answer.body)
			}
		}},
		{75, "two masks on one column for one caller", "no answer is safe", func(s *server) {
			s.grant(permission(orders, "SELECT", "role:a")).succeeds()
			s.create("sales", "orders", hidden).succeeds()
			s.as("carol").auth("orders", `{"select":["id"]}`).is(object("columnMasking", object("email", quoted(stars))))
			s.create("sales", "orders", columnMask("role:b", "email", stars)).succeeds()
			s.as("carol").auth("orders", `{"select":["id"]}`).fails(403, "TABLE", "sales.orders")
		}},
	}
}

// sized is a predicate of exactly so many bytes, most of them of characters with three.
func sized(bytes int) string {
	room := bytes - len(equal("1", "region", ""))
	return equal("1", "region", strings.Repeat("日", room/3)+strings.Repeat("x", room%3))
}
