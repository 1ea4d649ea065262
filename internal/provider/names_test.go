package provider

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
)

// oddNames hold what names and IDs stumble over: separators, escapes, template markers, words with a meaning elsewhere, letters
// of other scripts, and an accent that combines. Terraform itself composes what can be composed, so no configuration can name
// "e\u0301".
var oddNames = []string{
	"a b", "a/b", "a%b", "a%2Fb", "a+b", "é", "x\u0301", "订单", "a:b", "a&b=c", "t[1]#?", `or"ders`, "a.b", "null", "%{x}", "😀", "a,b", "a-b", "a@b",
	"a|b",
}

// Names are what they are, through a real CLI: created, imported, destroyed, and no change in between.
//
// snowflakedb/terraform-provider-snowflake#649, snowflakedb/terraform-provider-snowflake#1893,
// snowflakedb/terraform-provider-snowflake#1425, snowflakedb/terraform-provider-snowflake#2620.
func TestAccOddNamesRoundTrip(t *testing.T) {
	for _, name := range []string{"a b", "a%2Fb", `or"ders`, "%{x}", "x\u0301", "订单"} { // what a CLI could spoil; imports_test.go has them all
		t.Run(name, func(t *testing.T) {
			quoted := hclString(name)
			seed := fmt.Sprintf(`
warehouse: demo
databases:
  - name: %[1]q
    tables:
      - name: %[1]q
        options: {query-auth.enabled: "true"}
        columns: [{name: %[1]q, type: STRING}]
    views: [{name: %[1]q, query: "SELECT 1"}]
    functions: [{name: f}]
`, name)
			c := startCatalog(t, seed)
			text := strings.ReplaceAll(`
resource "paimon_permission" "view" {
  resource_type = "VIEW"
  database      = NAME
  view          = NAME
  access        = "SELECT"
  principal     = NAME
}

resource "paimon_column_permission" "columns" {
  database     = NAME
  table        = NAME
  principal    = NAME
  column_names = [NAME]
}

resource "paimon_row_filter_policy" "filter" {
  database  = NAME
  table     = NAME
  principal = NAME
  predicate = jsonencode({ kind = "LEAF", function = "EQUAL", literals = [NAME],
    transform = { name = "FIELD_REF", fieldRef = { index = 0, name = NAME, type = "STRING" } } })
}

resource "paimon_column_mask_policy" "mask" {
  database  = NAME
  table     = NAME
  on_column = NAME
  principal = NAME
  transform = jsonencode({ name = "UPPER", inputs = [{ index = 0, name = NAME, type = "STRING" }] })
}
`, "NAME", quoted)
			steps := []resource.TestStep{{Config: c.config(text)}}
			for _, address := range []string{
				"paimon_permission.view", "paimon_column_permission.columns", "paimon_row_filter_policy.filter", "paimon_column_mask_policy.mask",
			} {
				steps = append(steps, resource.TestStep{
					ResourceName:            address,
					ImportState:             true,
					ImportStateVerify:       true,
					ImportStateVerifyIgnore: []string{"predicate", "transform"},
				})
			}
			resource.ParallelTest(t, resource.TestCase{ProtoV6ProviderFactories: factories(), Steps: steps})
		})
	}
}

// Permissions on wholes are found again like those on tables: the test framework plans twice after every step.
//
// snowflakedb/terraform-provider-snowflake#4593.
func TestAccEveryResourceTypeIsReadBack(t *testing.T) {
	c := startCatalog(t, salesSeed)
	grants := map[string]string{
		"CATALOG/CREATEDATABASE/role:analyst":          `resource_type = "CATALOG"`,
		"CATALOG_ALL/SELECT/role:analyst":              `resource_type = "CATALOG_ALL"`,
		"DATABASE/sales/LIST/role:analyst":             `resource_type = "DATABASE", database = "sales"`,
		"DATABASE_ALL/sales/UPDATE/role:analyst":       `resource_type = "DATABASE_ALL", database = "sales"`,
		"TABLE/sales/orders/ALL/role:analyst":          `resource_type = "TABLE", database = "sales", table = "orders"`,
		"VIEW/sales/recent/SELECT/role:analyst":        `resource_type = "VIEW", database = "sales", view = "recent"`,
		"FUNCTION/sales/mask_email/GRANT/role:analyst": `resource_type = "FUNCTION", database = "sales", function = "mask_email"`,
	}
	var text strings.Builder
	var checks []statecheck.StateCheck
	var imports []resource.TestStep
	for id, locators := range grants {
		parts := strings.Split(id, "/")
		name := strings.ToLower(parts[0])
		fmt.Fprintf(&text, "resource \"paimon_permission\" %q {\n%s\naccess = %q\nprincipal = \"role:analyst\"\n}\n",
			name, strings.ReplaceAll(locators, ", ", "\n"), parts[len(parts)-2])
		address := "paimon_permission." + name
		checks = append(checks, statecheck.ExpectKnownValue(address, tfjsonpath.New("id"), knownvalue.StringExact(id)))
		imports = append(imports, resource.TestStep{ResourceName: address, ImportState: true, ImportStateVerify: true})
	}
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: factories(),
		Steps:                    append([]resource.TestStep{{Config: c.config(text.String()), ConfigStateChecks: checks}}, imports...),
	})
}

func TestAccImportIsRefusedWithTheExpectedForm(t *testing.T) {
	c := startCatalog(t, salesSeed)
	tests := map[string]struct{ address, id, message string }{
		"malformed":          {"paimon_permission.p", "sales.orders", `"sales.orders" is not a resource type`},
		"empty part":         {"paimon_permission.p", "TABLE/sales//SELECT/role:analyst", `The import ID of paimon_permission has the form`},
		"of another kind":    {"paimon_permission.p", "COLUMN/sales/orders/SELECT/role:analyst", `is not managed by paimon_permission but by paimon_column_permission.`},
		"policy":             {"paimon_permission.p", "TABLE/sales/orders/ROW_FILTER/role:analyst", `but by paimon_row_filter_policy.`},
		"unescaped":          {"paimon_permission.p", "TABLE/sales/50%/SELECT/role:analyst", `write it as "50%25"`},
		"absent":             {"paimon_permission.p", "TABLE/sales/orders/SELECT/role:analyst", `SELECT on TABLE sales.orders for role:analyst is not in the catalog at`},
		"query form, absent": {"paimon_permission.p", "resource_type=TABLE&database=sales&table=orders&access=SELECT&principal=role%3Aanalyst", `SELECT on TABLE sales.orders for role:analyst is not in the catalog at`},
	}
	text := `
resource "paimon_permission" "p" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "orders"
  access        = "UPDATE"
  principal     = "role:analyst"
}
`
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			applySteps(t, []resource.TestStep{{
				Config:        c.config(text),
				ResourceName:  test.address,
				ImportState:   true,
				ImportStateId: test.id,
				ExpectError:   wrapped(test.message),
			}})
		})
	}
}

// A principal is an opaque text: what differs in case, in a blank at an end or in how an accent is put together is somebody
// else, and reaches the catalog as it was written.
//
// databricks/terraform-provider-databricks#3705, databricks/terraform-provider-databricks#3708,
// databricks/terraform-provider-databricks#3654, databricks/terraform-provider-databricks#2700,
// hashicorp/terraform-provider-google#1957, hashicorp/terraform-provider-google#2168,
// hashicorp/terraform-provider-google#4276.
func TestPrincipalsAreSentByteForByte(t *testing.T) {
	t.Parallel()
	principals := []string{"Role:Finance", "role:finance", "ROLE:FINANCE", " role:finance", "role:finance ", "\trole:finance", "role:\u00e9", "role:x\u0301", "İ", "i̇"}
	for name, subject := range subjects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, salesSeed)
			s := newStack(t, c, 10)
			config := make(map[string]block)
			for _, principal := range principals {
				config[principal] = subject.of(subject.first, principal)["a"]
			}
			if !s.apply(config) || !s.settled(config) {
				t.Fatal(texts(s))
			}
			wantPrincipals(t, c, subject, principals)
			for _, principal := range principals {
				i, diags := startWalk(t, c).importBy(subject.typeName, s.state[principal].values["id"].(string), nil) //nolint:forcetypeassert // an ID is a text
				if len(diags) > 0 || i.values["principal"] != principal {
					t.Errorf("%q is imported as %v: %v", principal, i.values, diags)
				}
			}
			// Each goes alone.
			for i, principal := range principals {
				delete(config, principal)
				if !s.apply(config) || !s.settled(config) {
					t.Fatal(texts(s))
				}
				wantPrincipals(t, c, subject, principals[i+1:])
			}
		})
	}
}

// wantPrincipals checks for whom the catalog has records.
func wantPrincipals(t *testing.T, c *catalog, s subject, want []string) {
	t.Helper()
	var page struct{ Permissions, Policies []struct{ Principal string } }
	c.get(s.list, s.names, s.query, &page)
	var got []string
	for _, row := range slices.Concat(page.Permissions, page.Policies) {
		got = append(got, row.Principal)
	}
	if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("records for %q, not for %q", got, want)
	}
}

// A name is one segment of a path, encoded once, in every call.
//
// speakeasy-api/speakeasy#1369, hashicorp/terraform-provider-azurerm#6053, splunk/terraform-provider-splunk#26.
func TestNamesAreOneSegmentOfThePath(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, `
warehouse: demo
databases:
  - name: a/b
    tables:
      - name: "t[1]%20#?"
        options: {query-auth.enabled: "true"}
        columns: [{name: region, type: STRING}]
`)
	names := object{"database": "a/b", "table": "t[1]%20#?", "principal": "role:analyst"}
	with := func(more object) object {
		more = maps.Clone(more)
		maps.Copy(more, names)
		return more
	}
	filter := func(region string) block {
		return block{"paimon_row_filter_policy", with(object{"predicate": strings.Replace(euFilter, "EU", region, 1)})}
	}
	config := map[string]block{
		"filter": filter("EU"),
		"mask":   {"paimon_column_mask_policy", with(object{"on_column": "region", "transform": `{"name":"CONCAT","inputs":["***"]}`})},
		"grant":  {"paimon_permission", with(object{"resource_type": "TABLE", "access": "SELECT"})},
	}
	s := newStack(t, c, 1)
	if !s.apply(config) || !s.settled(config) {
		t.Fatal(texts(s))
	}
	config["filter"] = filter("APAC")
	if !s.apply(config) || !s.settled(config) || !s.apply(nil) {
		t.Fatal(texts(s))
	}
	const table = "/v1/demo/databases/a%2Fb/tables/t%5B1%5D%2520%23%3F"
	want := []string{
		"GET /v1/config", "GET " + table, "GET " + table + "/policies", "GET /v1/demo/permissions", "POST " + table + "/policies",
		"POST " + table + "/policies/drop", "POST /v1/demo/permissions/grant", "POST /v1/demo/permissions/revoke",
	}
	if got := slices.Compact(slices.Sorted(slices.Values(c.record.take()))); !slices.Equal(got, want) {
		t.Errorf("the requests were\n%s\nand should be\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
