package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
)

// oddNames hold what names and IDs stumble over: separators, escapes, template markers, and letters of other scripts.
var oddNames = []string{"a b", "a/b", "a%b", "a%2Fb", "a+b", "é", "日本", "a:b", "a&b=c", "t[1]#?", `or"ders`, "a.b", "null", "%{x}", "😀"}

func TestAccOddNamesRoundTrip(t *testing.T) {
	for _, name := range oddNames {
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
		"absent":             {"paimon_permission.p", "TABLE/sales/orders/SELECT/role:analyst", `Cannot import non-existent remote object`},
		"query form, absent": {"paimon_permission.p", "resource_type=TABLE&database=sales&table=orders&access=SELECT&principal=role%3Aanalyst", `Cannot import non-existent remote object`},
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
