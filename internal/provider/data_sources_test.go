package provider

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
)

// listedSeed has one record of every kind.
const listedSeed = salesSeed + `
permissions:
  - {resource: {type: TABLE, database: sales, table: orders}, access: SELECT, principal: "role:writer"}
  - {resource: {type: TABLE, database: sales, table: orders}, access: SELECT, principal: "role:analyst", expireTime: "2030-01-01T00:00:00Z"}
  - {resource: {type: TABLE, database: sales, table: orders}, access: UPDATE, principal: "role:writer"}
  - {resource: {type: COLUMN, database: sales, table: orders}, access: SELECT, principal: "role:analyst", columns: {columnNames: [region, order_id]}}
policies:
  - {resource: {type: TABLE, database: sales, table: customers}, principal: "role:analyst", columnMask: {onColumn: email, transform: '{"name":"UPPER","inputs":[{"index":1,"name":"email","type":"STRING"}]}'}}
  - {resource: {type: TABLE, database: sales, table: customers}, principal: "role:analyst", rowFilter: {predicate: '{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":3,"name":"age","type":"INT"}},"function":"GREATER_THAN","literals":[17]}'}}
`

func TestAccListingsShowWhatTheCatalogHas(t *testing.T) {
	now := &clock{}
	now.set("2030-06-01T00:00:00Z")
	c := startCatalog(t, listedSeed, at(now))
	text := `
data "paimon_permissions" "table" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "orders"
}

data "paimon_permissions" "writer" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "orders"
  principal     = "role:writer"
  access        = "UPDATE"
}

data "paimon_permissions" "columns" {
  resource_type = "COLUMN"
  database      = "sales"
  table         = "orders"
}

data "paimon_policies" "all" {
  database = "sales"
  table    = "customers"
}

data "paimon_policies" "masks" {
  database  = "sales"
  table     = "customers"
  on_column = "email"
}

data "paimon_policies" "none" {
  database = "sales"
  table    = "orders"
}

data "paimon_databases" "all" {}

data "paimon_tables" "sales" {
  database = "sales"
}

data "paimon_tables" "hr" {
  database = "hr"
}

data "paimon_table" "orders" {
  database = "sales"
  table    = "orders"
}
`
	text1 := func(s string) knownvalue.Check { return knownvalue.StringExact(s) }
	names := func(names ...string) knownvalue.Check {
		checks := make([]knownvalue.Check, len(names))
		for i, name := range names {
			checks[i] = text1(name)
		}
		return knownvalue.ListExact(checks)
	}
	permission := func(id, accessName, principal string, expiry knownvalue.Check, expired bool) knownvalue.Check {
		return knownvalue.ObjectExact(map[string]knownvalue.Check{
			"id": text1(id), "resource_type": text1("TABLE"), "database": text1("sales"), "table": text1("orders"), "view": knownvalue.Null(),
			"function": knownvalue.Null(), "access": text1(accessName), "principal": text1(principal), "column_names": knownvalue.Null(),
			"excluded_column_names": knownvalue.Null(), "expire_time": expiry, "expired": knownvalue.Bool(expired),
		})
	}
	expect := func(address, attribute string, check knownvalue.Check) statecheck.StateCheck {
		return statecheck.ExpectKnownValue("data."+address, tfjsonpath.New(attribute), check)
	}
	filter := `{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":3,"name":"age","type":"INT"}},"function":"GREATER_THAN","literals":[17]}`
	maskRow := knownvalue.ObjectExact(map[string]knownvalue.Check{
		"id": text1("TABLE/sales/customers/COLUMN_MASKING/email/role:analyst"), "type": text1("COLUMN_MASKING"), "database": text1("sales"),
		"table": text1("customers"), "principal": text1("role:analyst"), "on_column": text1("email"), "predicate": knownvalue.Null(),
		"predicate_sql": knownvalue.Null(), "transform_sql": text1("UPPER(email)"),
		"transform": text1(`{"name":"UPPER","inputs":[{"index":1,"name":"email","type":"STRING"}]}`),
	})
	filterRow := knownvalue.ObjectExact(map[string]knownvalue.Check{
		"id": text1("TABLE/sales/customers/ROW_FILTER/role:analyst"), "type": text1("ROW_FILTER"), "database": text1("sales"),
		"table": text1("customers"), "principal": text1("role:analyst"), "on_column": knownvalue.Null(), "predicate": text1(filter),
		"transform": knownvalue.Null(), "predicate_sql": text1("age > 17"), "transform_sql": knownvalue.Null(),
	})
	field := func(name, fieldType string, comment knownvalue.Check) knownvalue.Check {
		return knownvalue.ObjectExact(map[string]knownvalue.Check{"name": text1(name), "type": text1(fieldType), "comment": comment})
	}
	applySteps(t, []resource.TestStep{{
		Config: c.config(text),
		ConfigStateChecks: []statecheck.StateCheck{
			expect("paimon_permissions.table", "permissions", knownvalue.ListExact([]knownvalue.Check{
				permission("TABLE/sales/orders/SELECT/role:analyst", "SELECT", "role:analyst", text1("2030-01-01T00:00:00Z"), true),
				permission("TABLE/sales/orders/SELECT/role:writer", "SELECT", "role:writer", knownvalue.Null(), false),
				permission("TABLE/sales/orders/UPDATE/role:writer", "UPDATE", "role:writer", knownvalue.Null(), false),
			})),
			expect("paimon_permissions.writer", "permissions", knownvalue.ListExact([]knownvalue.Check{
				permission("TABLE/sales/orders/UPDATE/role:writer", "UPDATE", "role:writer", knownvalue.Null(), false),
			})),
			expect("paimon_permissions.columns", "permissions", knownvalue.ListExact([]knownvalue.Check{
				knownvalue.ObjectPartial(map[string]knownvalue.Check{
					"id": text1("COLUMN/sales/orders/SELECT/role:analyst"), "column_names": names("region", "order_id"), "excluded_column_names": knownvalue.Null(),
				}),
			})),
			expect("paimon_policies.all", "policies", knownvalue.ListExact([]knownvalue.Check{maskRow, filterRow})),
			expect("paimon_policies.masks", "policies", knownvalue.ListExact([]knownvalue.Check{maskRow})),
			expect("paimon_policies.none", "policies", knownvalue.ListExact(nil)),
			expect("paimon_databases.all", "names", names("hr", "sales")),
			expect("paimon_tables.sales", "names", names("customers", "orders", "plain")),
			expect("paimon_tables.hr", "names", names()),
			expect("paimon_table.orders", "fields", knownvalue.ListExact([]knownvalue.Check{
				field("order_id", "BIGINT NOT NULL", knownvalue.Null()),
				field("region", "STRING", text1("where it was sold")),
				field("amount", "DECIMAL(10, 2)", knownvalue.Null()),
				field("tags", `{"type":"ARRAY","element":"STRING"}`, knownvalue.Null()),
			})),
			expect("paimon_table.orders", "options", knownvalue.MapExact(map[string]knownvalue.Check{"query-auth.enabled": text1("true")})),
			expect("paimon_table.orders", "primary_keys", names("order_id")),
			expect("paimon_table.orders", "partition_keys", names()),
			expect("paimon_table.orders", "comment", knownvalue.Null()),
		},
	}})
}

// cockroachdb/terraform-provider-cockroach#121, hashicorp/terraform-provider-aws#28535,
// goauthentik/terraform-provider-authentik#841.
func TestAccListingFollowsEveryPage(t *testing.T) {
	var seed strings.Builder
	seed.WriteString(salesSeed + "permissions:\n")
	for i := range 1001 {
		fmt.Fprintf(&seed, "  - {resource: {type: TABLE, database: sales, table: orders}, access: SELECT, principal: \"role:%d\"}\n", i)
	}
	c := startCatalog(t, seed.String(), func(config *devcatalog.Config) { config.MaxPageSize = 100 })
	applySteps(t, []resource.TestStep{{
		Config: c.config(`
data "paimon_permissions" "all" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "orders"
}
`),
		ConfigStateChecks: []statecheck.StateCheck{
			statecheck.ExpectKnownValue("data.paimon_permissions.all", tfjsonpath.New("permissions"), knownvalue.ListSizeExact(1001)),
		},
	}})
}

// A row that breaks the contract is shown as it is, with a warning, and never hides the others.
func TestAccListingShowsOddRows(t *testing.T) {
	c := startCatalog(t, salesSeed)
	answer := func(body string) func(*http.Request) http.HandlerFunc {
		return func(r *http.Request) http.HandlerFunc {
			if !strings.HasSuffix(r.URL.Path, "/permissions") && !strings.HasSuffix(r.URL.Path, "/policies") {
				return nil
			}
			return func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "/policies") {
					_, _ = fmt.Fprint(w, `{"policies":[{"rowFilter":{"predicate":"nonsense"},"principal":"p"}]}`)
					return
				}
				_, _ = fmt.Fprint(w, body)
			}
		}
	}
	c.record.intercept(answer(`{"permissions":[
  {"resource":{"type":"TABLE","database":"sales","table":"orders"},"access":"INSERT","principal":"a","expireTime":"2030-01-01T00:00:00.123456Z"},
  {"resource":{"type":"TABLE","database":"sales","table":"orders"},"access":"SELECT","principal":"b","expireTime":17},
  {"resource":{"type":"TABLE","database":"sales","table":"orders"},"access":"SELECT","principal":"c","expireTime":null,"new":true},
  {"resource":{"type":"TABLE","database":"sales","table":"orders"},"access":"SELECT","principal":"deleted:role:analyst"}],
  "nextPageToken":null}`))
	text := `
data "paimon_permissions" "odd" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "orders"
}

data "paimon_policies" "odd" {
  database = "sales"
  table    = "orders"
}
`
	row := func(accessName, principal string, expiry knownvalue.Check) knownvalue.Check {
		return knownvalue.ObjectPartial(map[string]knownvalue.Check{
			"access": knownvalue.StringExact(accessName), "principal": knownvalue.StringExact(principal), "expire_time": expiry, "expired": knownvalue.Bool(false),
		})
	}
	applySteps(t, []resource.TestStep{{
		Config: c.config(text),
		ConfigStateChecks: []statecheck.StateCheck{
			statecheck.ExpectKnownValue("data.paimon_permissions.odd", tfjsonpath.New("permissions"), knownvalue.ListExact([]knownvalue.Check{
				row("INSERT", "a", knownvalue.StringExact("2030-01-01T00:00:00.123456Z")),
				row("SELECT", "b", knownvalue.StringExact("17")),
				row("SELECT", "c", knownvalue.Null()),
				row("SELECT", "deleted:role:analyst", knownvalue.Null()),
			})),
			statecheck.ExpectKnownValue("data.paimon_policies.odd", tfjsonpath.New("policies"), knownvalue.ListExact([]knownvalue.Check{
				knownvalue.ObjectPartial(map[string]knownvalue.Check{"predicate": knownvalue.StringExact("nonsense")}),
			})),
		},
	}})
}

func TestAccListingOfWhatIsMissingIsAnError(t *testing.T) {
	c := startCatalog(t, salesSeed)
	tests := map[string]struct{ config, message string }{
		"permissions": {"data \"paimon_permissions\" \"x\" {\n resource_type = \"TABLE\"\n database = \"sales\"\n table = \"nope\"\n}", `Could not read the permissions on TABLE sales.nope`},
		"policies":    {"data \"paimon_policies\" \"x\" {\n database = \"sales\"\n table = \"nope\"\n}", `Could not read the policies on TABLE sales.nope`},
		"tables":      {"data \"paimon_tables\" \"x\" {\n database = \"nope\"\n}", `Could not read the tables of database nope`},
		"table":       {"data \"paimon_table\" \"x\" {\n database = \"sales\"\n table = \"nope\"\n}", `Could not read table sales.nope`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			applySteps(t, []resource.TestStep{{Config: c.config(test.config), ExpectError: wrapped(test.message)}})
		})
	}
}

// Rows feed import blocks: what was granted by hand is taken over in one apply, without a change to the catalog.
func TestAccListedRowsFeedImports(t *testing.T) {
	c := startCatalog(t, listedSeed)
	text := `
resource "paimon_permission" "reader" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "orders"
  access        = "SELECT"
  principal     = "role:writer"
}

data "paimon_permissions" "table" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "orders"
  principal     = "role:writer"
  access        = "SELECT"
}

import {
  to = paimon_permission.reader
  id = data.paimon_permissions.table.permissions[0].id
}
`
	applySteps(t, []resource.TestStep{{Config: c.config(text)}})
	if n := writes(c.record.take()); n != 1 {
		t.Errorf("%d requests changed something; only the revoke at the end should", n)
	}
}
