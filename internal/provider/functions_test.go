package provider

import (
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
)

// outputs is a configuration of outputs only. Functions need no server: the provider block is not even configured.
func outputs(expressions map[string]string) string {
	var text strings.Builder
	text.WriteString("terraform {\n  required_providers {\n    paimon = {\n      source = \"hashicorp/paimon\"\n    }\n  }\n}\n")
	for name, expression := range expressions {
		text.WriteString("output \"" + name + "\" {\n  value = " + expression + "\n}\n")
	}
	return text.String()
}

const ordersFields = `[{ name = "order_id", type = "BIGINT NOT NULL" }, { name = "region", type = "STRING" }, { name = "amount", type = "DECIMAL(10, 2)" }]`

func TestAccFunctionsNeedNoServer(t *testing.T) {
	text := knownvalue.StringExact
	big19, _ := new(big.Float).SetPrec(512).SetString("9007199254740993")
	tests := map[string]struct {
		expression string
		want       knownvalue.Check
	}{
		"predicate_from_sql": {
			`provider::paimon::predicate_from_sql("region = 'EU'", ` + ordersFields + `)`, text(euFilter),
		},
		"predicate_from_sql_exact": {
			`provider::paimon::predicate_from_sql("order_id = 9007199254740993", ` + ordersFields + `)`,
			text(`{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":0,"name":"order_id","type":"BIGINT NOT NULL"}},"function":"EQUAL","literals":[9007199254740993]}`),
		},
		"predicate_from_sql_beside_a_foreign_type": {
			`provider::paimon::predicate_from_sql("b IS NULL", [{ name = "a", type = "HOLOGRAM(3)" }, { name = "b", type = "INT" }]) != ""`, knownvalue.Bool(true),
		},
		"predicate_to_sql":   {`provider::paimon::predicate_to_sql(` + hclString(euFilter) + `)`, text("region = 'EU'")},
		"transform_from_sql": {`provider::paimon::transform_from_sql("UPPER(region)", ` + ordersFields + `)`, text(`{"name":"UPPER","inputs":[{"index":1,"name":"region","type":"STRING"}]}`)},
		"transform_to_sql":   {`provider::paimon::transform_to_sql("{\"name\":\"NULL\"}")`, text("NULL")},
		"matches":            {`provider::paimon::predicate_matches(` + hclString(euFilter) + `, { region = "EU", other = 1 })`, knownvalue.Bool(true)},
		"matches_null":       {`provider::paimon::predicate_matches(` + hclString(euFilter) + `, { region = null })`, knownvalue.Bool(false)},
		"matches_exact": {
			`provider::paimon::predicate_matches(provider::paimon::predicate_from_sql("order_id = 9007199254740993", ` + ordersFields + `), { order_id = 9007199254740992 })`,
			knownvalue.Bool(false),
		},
		"apply":        {`provider::paimon::transform_apply(provider::paimon::transform_from_sql("UPPER(region)", ` + ordersFields + `), { region = "emea" })`, text("EMEA")},
		"apply_number": {`provider::paimon::transform_apply(provider::paimon::transform_from_sql("order_id", ` + ordersFields + `), { order_id = 9007199254740993 })`, knownvalue.NumberExact(big19)},
		"apply_null":   {`provider::paimon::transform_apply("{\"name\":\"NULL\"}", {}) == null`, knownvalue.Bool(true)},
	}
	expressions := map[string]string{}
	var checks []statecheck.StateCheck
	for name, test := range tests {
		expressions[name] = test.expression
		checks = append(checks, statecheck.ExpectKnownOutputValue(name, test.want))
	}
	resource.ParallelTest(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		ProtoV6ProviderFactories: factories(),
		Steps:                    []resource.TestStep{{Config: outputs(expressions), ConfigStateChecks: checks}},
	})
}

func TestAccFunctionErrorsPointAtTheArgument(t *testing.T) {
	tests := map[string]struct{ expression, message string }{
		"syntax":          {`provider::paimon::predicate_from_sql("region = ", ` + ordersFields + `)`, `Invalid value for "sql" parameter`},
		"unknown column":  {`provider::paimon::predicate_from_sql("regoin = 'EU'", ` + ordersFields + `)`, `region`},
		"equal to null":   {`provider::paimon::predicate_from_sql("region = NULL", ` + ordersFields + `)`, `IS NULL`},
		"bad type":        {`provider::paimon::predicate_from_sql("x = 1", [{ name = "x", type = "TEXT" }])`, `These columns cannot be used: x of type "TEXT"`},
		"bad json":        {`provider::paimon::predicate_to_sql("{")`, `Invalid value for "json" parameter`},
		"row lacks":       {`provider::paimon::predicate_matches(` + hclString(euFilter) + `, { country = "DE" })`, `Invalid value for "row" parameter`},
		"row is no row":   {`provider::paimon::predicate_matches(` + hclString(euFilter) + `, "EU")`, `the row must be an object`},
		"rule is invalid": {`provider::paimon::predicate_matches("{}", {})`, `Invalid value for "json" parameter`},
		"reader throws": {
			`provider::paimon::transform_apply(provider::paimon::transform_from_sql("CAST(order_id AS STRING)", ` + ordersFields + `), { order_id = null })`,
			`readers fail on this row`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			resource.ParallelTest(t, resource.TestCase{
				TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
				ProtoV6ProviderFactories: factories(),
				Steps:                    []resource.TestStep{{Config: outputs(map[string]string{"x": test.expression}), ExpectError: wrapped(test.message)}},
			})
		})
	}
}

// The whole way: SQL in the configuration, the live columns, JSON in the catalog, SQL in the plan.
func TestAccPoliciesAreWrittenAsSQL(t *testing.T) {
	c := startCatalog(t, salesSeed)
	text := func(condition string) string {
		return `
data "paimon_table" "orders" {
  database = "sales"
  table    = "orders"
}
` + rowFilter("f", `provider::paimon::predicate_from_sql("`+condition+`", data.paimon_table.orders.fields)`, "")
	}
	resource.ParallelTest(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		ProtoV6ProviderFactories: factories(),
		Steps: []resource.TestStep{
			{Config: c.config(text("region IN ('EU', 'EMEA')")), Check: inForce(c, `\"literals\":[\"EU\",\"EMEA\"]`)},
			{
				Config:           c.config(text("region   in ('EU','EMEA')")),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
			},
		},
	})
}

func TestAccQueryAuthShowsWhatTheCallerMayRead(t *testing.T) {
	seed := listedSeed + `
principals:
  - {name: "role:analyst"}
  - {name: "role:writer"}
  - {name: "user:alice", token: alice-token, groups: ["role:analyst"]}
  - {name: "user:bob", token: bob-token-2}
`
	seed = strings.Replace(seed, "permissions:\n", "permissions:\n  - {resource: {type: TABLE, database: sales, table: customers}, access: SELECT, principal: \"role:analyst\"}\n", 1)
	c := startCatalog(t, seed)
	login := func(token string) string {
		return "provider \"paimon\" {\n  uri = \"" + c.url + "\"\n  warehouse = \"demo\"\n  token = \"" + token + "\"\n}\n"
	}
	const customers = "data \"paimon_query_auth\" \"c\" {\n  database = \"sales\"\n  table = \"customers\"\n}\n"
	const check = `
check "masked" {
  assert {
    condition     = { for m in data.paimon_query_auth.c.masks : m.on_column => m.transform_sql }["email"] == "UPPER(email)"
    error_message = "The email is not masked."
  }
}

output "filter" {
  value = data.paimon_query_auth.c.filters[0].predicate_sql
}
`
	applySteps(t, []resource.TestStep{
		{
			Config:            login("alice-token") + customers + check,
			ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("filter", knownvalue.StringExact("age > 17"))},
		},
		{
			Config:      login("bob-token-2") + customers,
			ExpectError: wrapped("Could not read what may be read of table sales.customers"),
		},
	})
}
