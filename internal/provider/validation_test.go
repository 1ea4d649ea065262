package provider

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
)

// wrapped matches a message whatever Terraform's line breaks and margins do to it.
func wrapped(message string) *regexp.Regexp {
	words := strings.Fields(message)
	for i, word := range words {
		words[i] = regexp.QuoteMeta(word)
	}
	return regexp.MustCompile(strings.Join(words, `[\s│]+`))
}

func TestAccBadInputIsRefusedBeforeAnythingHappens(t *testing.T) {
	const table = "database = \"sales\"\n table = \"orders\"\n"
	permission := func(attributes string) string {
		return "resource \"paimon_permission\" \"bad\" {\n" + attributes + "\n}"
	}
	onColumns := func(attributes string) string {
		return "resource \"paimon_column_permission\" \"bad\" {\n" + table + attributes + "\n}"
	}
	filter := func(predicate string) string {
		return "resource \"paimon_row_filter_policy\" \"bad\" {\n" + table + "principal = \"p\"\npredicate = " + predicate + "\n}"
	}
	mask := func(attributes string) string {
		return "resource \"paimon_column_mask_policy\" \"bad\" {\n" + table + attributes + "\n}"
	}
	tests := map[string]struct {
		config  string
		message string
	}{
		"access of another type": {
			permission(`resource_type = "DATABASE"` + "\n" + `database = "sales"` + "\n" + `access = "SELECT"` + "\n" + `principal = "p"`),
			`"SELECT" is not an access of resource type DATABASE. Use one of ALL, DESCRIBE, ALTER, DROP, GRANT, CREATETABLE, CREATEVIEW, CREATEFUNCTION and LIST.`,
		},
		"access in lower case": {
			permission(`resource_type = "TABLE"` + "\n" + table + `access = "select"` + "\n" + `principal = "p"`),
			`"select" is not an access of resource type TABLE.`,
		},
		"unknown type": {
			permission(`resource_type = "TOPIC"` + "\n" + `access = "ALL"` + "\n" + `principal = "p"`),
			`"TOPIC" is not a resource type. Use one of CATALOG, CATALOG_ALL,`,
		},
		"type COLUMN": {
			permission(`resource_type = "COLUMN"` + "\n" + table + `access = "SELECT"` + "\n" + `principal = "p"`),
			`Columns have a resource of their own. Use paimon_column_permission,`,
		},
		"missing locator": {
			permission(`resource_type = "VIEW"` + "\n" + `database = "sales"` + "\n" + `access = "SELECT"` + "\n" + `principal = "p"`),
			`A resource of type VIEW needs a view name, and it must not be blank. Set view.`,
		},
		"locator too many": {
			permission(`resource_type = "CATALOG"` + "\n" + `database = "sales"` + "\n" + `access = "ALL"` + "\n" + `principal = "p"`),
			`A resource of type CATALOG has no database. Remove database`,
		},
		"empty locator": {
			permission(`resource_type = "CATALOG"` + "\n" + `database = ""` + "\n" + `access = "ALL"` + "\n" + `principal = "p"`),
			`string length must be at least 1`,
		},
		"system table": {
			permission(`resource_type = "TABLE"` + "\n" + `database = "sales"` + "\n" + `table = "orders$files"` + "\n" + `access = "ALL"` + "\n" + `principal = "p"`),
			`Use the table itself, "orders".`,
		},
		"blank principal": {
			permission(`resource_type = "CATALOG"` + "\n" + `access = "ALL"` + "\n" + `principal = " "`),
			`The principal must not be blank.`,
		},
		"principal of 129 characters": {
			permission(`resource_type = "CATALOG"` + "\n" + `access = "ALL"` + "\n" + `principal = "` + strings.Repeat("p", 129) + `"`),
			`The principal is 129 UTF-16 code units long; at most 128 are allowed.`,
		},
		"expiry finer than milliseconds": {
			permission(`resource_type = "CATALOG"` + "\n" + `access = "ALL"` + "\n" + `principal = "p"` + "\n" + `expire_time = "2031-01-01T00:00:00.1234567Z"`),
			`is finer than milliseconds.`,
		},
		"expiry without zone": {
			permission(`resource_type = "CATALOG"` + "\n" + `access = "ALL"` + "\n" + `principal = "p"` + "\n" + `expire_time = "2031-01-01T00:00:00"`),
			`Write an RFC 3339 time with a zone`,
		},
		"neither column list": {onColumns(`principal = "p"`), `needs exactly one of column_names and excluded_column_names`},
		"both column lists": {
			onColumns(`principal = "p"` + "\n" + `column_names = ["a"]` + "\n" + `excluded_column_names = ["b"]`),
			`needs exactly one of column_names and excluded_column_names`,
		},
		"empty column list":   {onColumns(`principal = "p"` + "\n" + `column_names = []`), `column_names must name at least one column.`},
		"blank column name":   {onColumns(`principal = "p"` + "\n" + `excluded_column_names = ["a", " "]`), `A column name must not be blank.`},
		"predicate not JSON":  {filter(`"{bad"`), `line 1, column`},
		"predicate empty":     {filter(`""`), `Invalid row filter policy`},
		"predicate null text": {filter(`"null"`), `Invalid row filter policy`},
		"predicate with an unknown function": {
			filter(`"{\n \"kind\":\"LEAF\",\"transform\":{\"name\":\"NULL\"},\n \"function\":\"EQUALS\",\"literals\":[]}"`),
			`line 3, column`,
		},
		"predicate without children": {filter(`"{\"kind\":\"COMPOUND\",\"function\":\"AND\",\"children\":[]}"`), `Invalid row filter policy`},
		"predicate of more than 60 KiB": {
			filter(`jsonencode({ kind = "LEAF", function = "EQUAL", literals = [join("", [for i in range(1024) : "` + strings.Repeat("x", 61) + `"])],
  transform = { name = "FIELD_REF", fieldRef = { index = 1, name = "region", type = "STRING" } } })`),
			`61440`,
		},
		"transform with an unknown name": {
			mask(`principal = "p"` + "\n" + `on_column = "region"` + "\n" + `transform = jsonencode({ name = "REDACT" })`),
			`Invalid column mask policy`,
		},
		"blank masked column": {
			mask(`principal = "p"` + "\n" + `on_column = " "` + "\n" + `transform = jsonencode({ name = "NULL" })`),
			`A column mask needs the column that it masks.`,
		},
		"listing with a locator too many": {
			"data \"paimon_permissions\" \"bad\" {\n resource_type = \"DATABASE\"\n" + table + "}",
			`A resource of type DATABASE has no table.`,
		},
		"listing with an impossible access": {
			"data \"paimon_permissions\" \"bad\" {\n resource_type = \"CATALOG\"\n access = \"SELECT\"\n}",
			`"SELECT" is not an access of resource type CATALOG.`,
		},
		"row filters of a column": {
			"data \"paimon_policies\" \"bad\" {\n" + table + "type = \"ROW_FILTER\"\n on_column = \"region\"\n}",
			`A row filter has no column.`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := startCatalog(t, salesSeed)
			applySteps(t, []resource.TestStep{{
				Config:      c.config(test.config),
				PlanOnly:    true,
				ExpectError: wrapped(test.message),
			}})
			if asked := c.record.take(); len(asked) > 0 {
				t.Errorf("the catalog was asked all the same: %v", asked)
			}
		})
	}
}

// refusals are configurations that only the catalog, or its schema, can refuse. Atplan is what the check of the plan
// says, empty where there is none, and atApply what the catalog's refusal becomes.
func refusals() map[string]struct{ config, atPlan, atApply string } {
	permission := func(attributes string) string {
		return "resource \"paimon_permission\" \"bad\" {\n  access = \"SELECT\"\n" + attributes + "\n}"
	}
	return map[string]struct{ config, atPlan, atApply string }{
		"missing table": {
			config:  permission("resource_type = \"TABLE\"\n database = \"sales\"\n table = \"nope\"\n principal = \"role:analyst\""),
			atApply: `Create it first, or correct the name; names are case-sensitive.`,
		},
		"missing view": {
			config:  permission("resource_type = \"VIEW\"\n database = \"sales\"\n view = \"nope\"\n principal = \"role:analyst\""),
			atApply: `about VIEW sales.nope`,
		},
		"missing principal": {
			config:  permission("resource_type = \"TABLE\"\n database = \"sales\"\n table = \"orders\"\n principal = \"role:nobody\""),
			atApply: `The catalog does not know this principal.`,
		},
		"missing column": {
			config:  "resource \"paimon_column_permission\" \"bad\" {\n database = \"sales\"\n table = \"orders\"\n principal = \"role:analyst\"\n column_names = [\"Region\"]\n}",
			atPlan:  `sales.orders has no column "Region". Did you mean "region"? Column names are case-sensitive.`,
			atApply: `The table has no such column. Column names are case-sensitive.`,
		},
		"query-auth off": {
			config:  "resource \"paimon_column_permission\" \"bad\" {\n database = \"sales\"\n table = \"plain\"\n principal = \"role:analyst\"\n column_names = [\"id\"]\n}",
			atPlan:  `The option query-auth.enabled of sales.plain is not "true".`,
			atApply: `Set it to "true" on the table, then apply again.`,
		},
		"unknown column in a predicate": {
			config: "resource \"paimon_row_filter_policy\" \"bad\" {\n database = \"sales\"\n table = \"orders\"\n principal = \"role:analyst\"\n predicate = " +
				strings.Replace(regionIs("EU"), `"region"`, `"regoin"`, 1) + "\n}",
			atPlan:  `region`,
			atApply: `Could not create the row filter policy`,
		},
		"mask of another type": {
			config:  "resource \"paimon_column_mask_policy\" \"bad\" {\n database = \"sales\"\n table = \"customers\"\n on_column = \"age\"\n principal = \"role:analyst\"\n transform = jsonencode({ name = \"CONCAT\", inputs = [\"x\"] })\n}",
			atPlan:  `INT`,
			atApply: `Could not create the column mask policy`,
		},
	}
}

// inDemo is a provider block of a catalog with principals, which knows role:analyst only.
func inDemo(c *catalog, planChecks, text string) string {
	return fmt.Sprintf("provider \"paimon\" {\n  uri = %q\n  warehouse = \"demo\"\n  token = \"admin-token\"\n  plan_checks = %q\n}\n\n%s", c.url, planChecks, text)
}

const withPrincipals = salesSeed + "principals:\n  - {name: role:analyst}\n  - {name: user:admin, token: admin-token, manages: true}\n"

// What the schema decides is refused by the plan, at the attribute to blame, before anything happens.
func TestAccPlanIsCheckedAgainstTheSchema(t *testing.T) {
	for name, test := range refusals() {
		if test.atPlan == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			c := startCatalog(t, withPrincipals)
			applySteps(t, []resource.TestStep{{
				Config:      inDemo(c, "error", test.config),
				PlanOnly:    true,
				ExpectError: wrapped(test.atPlan),
			}})
			if n := writes(c.record.take()); n > 0 {
				t.Errorf("%d requests changed something", n)
			}
		})
	}
}

// Where the plan does not refuse, the catalog does, and its refusal names the attribute and the remedy.
func TestAccRefusalsOfTheCatalogNameTheRemedy(t *testing.T) {
	for name, test := range refusals() {
		for _, planChecks := range []string{"off", "warning"} {
			t.Run(name+", plan checks "+planChecks, func(t *testing.T) {
				c := startCatalog(t, withPrincipals)
				applySteps(t, []resource.TestStep{{
					Config:      inDemo(c, planChecks, test.config),
					ExpectError: wrapped(test.atApply),
				}})
			})
		}
	}
}

// The old definition of a replaced policy would be dropped before the catalog refuses the new one.
func TestAccReplacementIsCheckedWhateverTheSetting(t *testing.T) {
	c := startCatalog(t, withPrincipals)
	bad := strings.Replace(regionIs("APAC"), `"region"`, `"nowhere"`, 1)
	applySteps(t, []resource.TestStep{
		{Config: inDemo(c, "off", rowFilter("f", regionIs("EU"), ""))},
		{
			PreConfig:   func() { c.record.take() },
			Config:      inDemo(c, "off", rowFilter("f", bad, "")),
			ExpectError: wrapped("so this is an error whatever plan_checks says."),
		},
	})
}

// Twenty resources on one table cost one reading of its schema in each walk.
func TestAccOneTableIsReadOnceForAPlan(t *testing.T) {
	c := startCatalog(t, salesSeed)
	text := "resource \"paimon_column_permission\" \"p\" {\n count = 20\n database = \"sales\"\n table = \"orders\"\n principal = \"role:${count.index}\"\n column_names = [\"region\"]\n}\n"
	reads, walks := 0, 0
	applySteps(t, []resource.TestStep{{Config: c.config(text), PlanOnly: true, ExpectNonEmptyPlan: true}})
	for _, request := range c.record.take() {
		switch {
		case strings.HasSuffix(request, "/tables/orders"):
			reads++
		case strings.HasSuffix(request, "/v1/config"):
			walks++
		}
	}
	if reads == 0 || reads != walks {
		t.Errorf("the table was read %d times in %d walks", reads, walks)
	}
}

// A table that is not there yet, or may not be read, is no reason to refuse a plan, nor to say anything.
func TestAccUnreadableTableIsNotChecked(t *testing.T) {
	c := startCatalog(t, salesSeed)
	c.record.intercept(func(r *http.Request) http.HandlerFunc {
		if !strings.HasSuffix(r.URL.Path, "/tables/orders") {
			return nil
		}
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }
	})
	applySteps(t, []resource.TestStep{{Config: c.config(rowFilter("f", regionIs("EU"), ""))}})
}

// A value that is known only after apply is neither missing nor empty.
func TestAccUnknownValuesAreNotTakenForMissing(t *testing.T) {
	c := startCatalog(t, salesSeed)
	text := `
resource "terraform_data" "name" {
  input = { for key in ["TABLE", "sales", "orders", "SELECT", "role:analyst", "region", "2031-01-01T00:00:00Z"] : key => key }
}

resource "paimon_permission" "p" {
  resource_type = terraform_data.name.output["TABLE"]
  database      = terraform_data.name.output["sales"]
  table         = terraform_data.name.output["orders"]
  access        = terraform_data.name.output["SELECT"]
  principal     = terraform_data.name.output["role:analyst"]
  expire_time   = terraform_data.name.output["2031-01-01T00:00:00Z"]
}

resource "paimon_column_permission" "c" {
  database              = terraform_data.name.output["sales"]
  table                 = terraform_data.name.output["orders"]
  principal             = terraform_data.name.output["role:analyst"]
  column_names          = terraform_data.name.id == "" ? [terraform_data.name.output["region"]] : null
  excluded_column_names = [terraform_data.name.output["region"]]
}

resource "paimon_row_filter_policy" "f" {
  database  = terraform_data.name.output["sales"]
  table     = terraform_data.name.output["orders"]
  principal = terraform_data.name.output["role:analyst"]
  predicate = replace(` + regionIs("EU") + `, "region", terraform_data.name.output["region"])
}

resource "paimon_column_mask_policy" "m" {
  database  = terraform_data.name.output["sales"]
  table     = terraform_data.name.output["orders"]
  on_column = terraform_data.name.output["region"]
  principal = terraform_data.name.output["role:analyst"]
  transform = jsonencode({ name = "CONCAT", inputs = [terraform_data.name.output["region"]] })
}
`
	applySteps(t, []resource.TestStep{{Config: c.config(text)}})
}

// A required variable is unknown while Terraform validates.
func TestAccVariablesAreUnknownWhileValidating(t *testing.T) {
	c := startCatalog(t, salesSeed)
	text := `
variable "grants" {
  type = list(object({ table = string, access = string, principal = string }))
}

resource "paimon_permission" "p" {
  count         = length(var.grants)
  resource_type = "TABLE"
  database      = "sales"
  table         = var.grants[count.index].table
  access        = var.grants[count.index].access
  principal     = var.grants[count.index].principal
}
`
	grant := func(table, access string) config.Variable {
		return config.ObjectVariable(map[string]config.Variable{
			"table": config.StringVariable(table), "access": config.StringVariable(access), "principal": config.StringVariable("role:analyst"),
		})
	}
	applySteps(t, []resource.TestStep{
		{
			Config:          c.config(text),
			ConfigVariables: config.Variables{"grants": config.ListVariable(grant("orders", "SELECT"), grant("customers", "UPDATE"))},
		},
		{
			Config:          c.config(text),
			ConfigVariables: config.Variables{"grants": config.ListVariable(grant("orders", "READ"))},
			ExpectError:     wrapped(`"READ" is not an access of resource type TABLE.`),
		},
	})
}
