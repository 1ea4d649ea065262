package provider

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// life is one resource through its life: every resource passes the same standard set.
type life struct {
	address string
	id      string
	create  string
	// respelled means the same as create.
	respelled string
	// changed differs in what changes in place; empty for what has nothing of the kind.
	changed string
	// replaced differs in what forces replacement.
	replaced string
	// vanish removes the record past Terraform.
	vanish func(*catalog)
	// present counts the records of the principal.
	present func(*catalog) int
}

func regionIs(region string) string {
	return fmt.Sprintf(`jsonencode({ kind = "LEAF", function = "EQUAL", literals = [%q],
    transform = { name = "FIELD_REF", fieldRef = { index = 1, name = "region", type = "STRING" } } })`, region)
}

func lives() map[string]life {
	permission := func(content string) string {
		return `resource "paimon_permission" "test" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "orders"
  access        = "SELECT"
` + content + `
}`
	}
	onColumns := func(content string) string {
		return `resource "paimon_column_permission" "test" {
  database  = "sales"
  table     = "orders"
  principal = "role:analyst"
` + content + `
}`
	}
	filter := func(predicate string) string {
		return `resource "paimon_row_filter_policy" "test" {
  database  = "sales"
  table     = "orders"
  principal = "role:analyst"
  predicate = ` + predicate + `
}`
	}
	mask := func(transform string) string {
		return `resource "paimon_column_mask_policy" "test" {
  database  = "sales"
  table     = "customers"
  on_column = "email"
  principal = "role:analyst"
  transform = ` + transform + `
}`
	}
	permissions := func(resourceType string) func(*catalog) int {
		return func(c *catalog) int { return len(c.permissions(onOrders(resourceType))) }
	}
	revoke := func(resourceType string) func(*catalog) {
		return func(c *catalog) {
			c.post(wire.RevokePermission, nil, fmt.Sprintf(
				`{"resource":{"type":%q,"database":"sales","table":"orders"},"access":"SELECT","principal":"role:analyst"}`, resourceType))
		}
	}
	drop := func(table, body string) func(*catalog) {
		return func(c *catalog) { c.post(wire.DropPolicy, []string{"sales", table}, body) }
	}
	policies := func(table string) func(*catalog) int {
		return func(c *catalog) int { return len(c.policies(table)) }
	}
	return map[string]life{
		"permission": {
			address:   "paimon_permission.test",
			id:        "TABLE/sales/orders/SELECT/role:analyst",
			create:    permission("  principal = \"role:analyst\"\n  expire_time = \"2031-01-01T08:00:00+08:00\""),
			respelled: permission("  principal = \"role:analyst\"\n  expire_time = \"2031-01-01T00:00:00.000Z\""),
			changed:   permission("  principal = \"role:analyst\"\n  expire_time = \"2032-01-01T00:00:00Z\""),
			replaced:  permission(`  principal = "role:other"`),
			vanish:    revoke("TABLE"),
			present:   permissions("TABLE"),
		},
		"column permission": {
			address:   "paimon_column_permission.test",
			id:        "COLUMN/sales/orders/SELECT/role:analyst",
			create:    onColumns(`  column_names = ["region", "order_id"]`),
			respelled: onColumns(`  column_names = ["order_id", "region"]`),
			changed:   onColumns(`  excluded_column_names = ["amount"]`),
			replaced:  strings.Replace(onColumns(`  column_names = ["region"]`), "role:analyst", "role:other", 1),
			vanish:    revoke("COLUMN"),
			present:   permissions("COLUMN"),
		},
		"row filter": {
			address: "paimon_row_filter_policy.test",
			id:      "TABLE/sales/orders/ROW_FILTER/role:analyst",
			create:  filter(regionIs("EU")),
			respelled: filter(`<<-EOT
    {"function": "EQUAL", "kind":"LEAF", "literals":["EU"],
     "transform":{"fieldRef":{"type":"STRING","name":"region","index":7},"name":"FIELD_REF"}}
  EOT`),
			replaced: filter(regionIs("APAC")),
			vanish:   drop("orders", `{"type":"ROW_FILTER","principal":"role:analyst"}`),
			present:  policies("orders"),
		},
		"column mask": {
			address:   "paimon_column_mask_policy.test",
			id:        "TABLE/sales/customers/COLUMN_MASKING/email/role:analyst",
			create:    mask(`jsonencode({ name = "UPPER", inputs = [{ index = 1, name = "email", type = "STRING" }] })`),
			respelled: mask(`" {\"inputs\":[{\"name\":\"email\",\"type\":\"STRING\",\"index\":0}], \"name\":\"UPPER\"}"`),
			replaced:  mask(`jsonencode({ name = "CONCAT", inputs = ["***"] })`),
			vanish:    drop("customers", `{"type":"COLUMN_MASKING","principal":"role:analyst","column":"email"}`),
			present:   policies("customers"),
		},
	}
}

func TestAccResourceIsCreatedAndSettles(t *testing.T) {
	for name, l := range lives() {
		t.Run(name, func(t *testing.T) {
			c := startCatalog(t, salesSeed)
			resource.ParallelTest(t, resource.TestCase{
				ProtoV6ProviderFactories: factories(),
				CheckDestroy:             isAbsent(c, l),
				Steps: []resource.TestStep{
					{
						Config: c.config(l.create),
						ConfigPlanChecks: resource.ConfigPlanChecks{
							PreApply: []plancheck.PlanCheck{
								plancheck.ExpectResourceAction(l.address, plancheck.ResourceActionCreate),
								plancheck.ExpectKnownValue(l.address, tfjsonpath.New("id"), knownvalue.StringExact(l.id)),
							},
							PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
						},
						ConfigStateChecks: []statecheck.StateCheck{
							statecheck.ExpectKnownValue(l.address, tfjsonpath.New("id"), knownvalue.StringExact(l.id)),
						},
						Check: isPresent(c, l),
					},
					{
						Config:           c.config(l.create),
						ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
					},
				},
			})
		})
	}
}

func TestAccAnotherSpellingIsNoChange(t *testing.T) {
	for name, l := range lives() {
		t.Run(name, func(t *testing.T) {
			c := startCatalog(t, salesSeed)
			applySteps(t, []resource.TestStep{
				{Config: c.config(l.create)},
				{
					PreConfig:        func() { c.record.take() },
					Config:           c.config(l.respelled),
					ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
					Check: func(*terraform.State) error {
						if n := writes(c.record.take()); n != 0 {
							return fmt.Errorf("%d requests changed something", n)
						}
						return nil
					},
				},
			})
		})
	}
}

func TestAccContentChangesInPlace(t *testing.T) {
	for name, l := range lives() {
		if l.changed == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			c := startCatalog(t, salesSeed)
			applySteps(t, []resource.TestStep{
				{Config: c.config(l.create)},
				{
					PreConfig: func() { c.record.take() },
					Config:    c.config(l.changed),
					ConfigPlanChecks: resource.ConfigPlanChecks{
						PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(l.address, plancheck.ResourceActionUpdate)},
						PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
					},
					Check: func(*terraform.State) error {
						if n := writes(c.record.take()); n != 1 {
							return fmt.Errorf("%d requests changed something, not one", n)
						}
						return nil
					},
				},
				{
					Config: c.config(l.create),
					ConfigPlanChecks: resource.ConfigPlanChecks{
						PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(l.address, plancheck.ResourceActionUpdate)},
					},
				},
			})
		})
	}
}

func TestAccIdentityOrDefinitionForcesReplacement(t *testing.T) {
	for name, l := range lives() {
		t.Run(name, func(t *testing.T) {
			c := startCatalog(t, salesSeed)
			resource.ParallelTest(t, resource.TestCase{
				ProtoV6ProviderFactories: factories(),
				CheckDestroy:             isAbsent(c, l),
				Steps: []resource.TestStep{
					{Config: c.config(l.create)},
					{
						Config: c.config(l.replaced),
						ConfigPlanChecks: resource.ConfigPlanChecks{
							PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction(l.address, plancheck.ResourceActionDestroyBeforeCreate)},
							PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
						},
						Check: isPresent(c, l),
					},
				},
			})
		})
	}
}

func TestAccImportRoundTrips(t *testing.T) {
	for name, l := range lives() {
		t.Run(name, func(t *testing.T) {
			c := startCatalog(t, salesSeed)
			applySteps(t, []resource.TestStep{
				{Config: c.config(l.create)},
				{
					ResourceName:      l.address,
					ImportState:       true,
					ImportStateVerify: true,
					// The catalog's own spelling is imported; that it means the same is the next step's matter.
					ImportStateVerifyIgnore: []string{"expire_time", "predicate", "transform"},
				},
				{
					Config:          c.config(l.create),
					ResourceName:    l.address,
					ImportState:     true,
					ImportStateKind: resource.ImportBlockWithID,
				},
			})
		})
	}
}

func TestAccImportByIdentity(t *testing.T) {
	for name, l := range lives() {
		t.Run(name, func(t *testing.T) {
			c := startCatalog(t, salesSeed)
			resource.ParallelTest(t, resource.TestCase{
				TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_12_0)},
				ProtoV6ProviderFactories: factories(),
				Steps: []resource.TestStep{
					{Config: c.config(l.create)},
					{
						Config:          c.config(l.create),
						ResourceName:    l.address,
						ImportState:     true,
						ImportStateKind: resource.ImportBlockWithResourceIdentity,
					},
				},
			})
		})
	}
}

func TestAccGeneratedConfigurationPlansEmpty(t *testing.T) {
	for name, l := range lives() {
		t.Run(name, func(t *testing.T) {
			c := startCatalog(t, salesSeed)
			applySteps(t, []resource.TestStep{
				{Config: c.config(l.create)},
				{
					// The record has two addresses here, the generated one and the first step's, which is let go.
					Config:          c.config(removed(l.address)),
					ResourceName:    l.address,
					ImportState:     true,
					ImportStateKind: resource.ImportBlockWithID,
					GenerateConfig:  true,
				},
			})
		})
	}
}

func TestAccRemovalPastTerraformPlansACreate(t *testing.T) {
	for name, l := range lives() {
		t.Run(name, func(t *testing.T) {
			c := startCatalog(t, salesSeed)
			applySteps(t, []resource.TestStep{
				{Config: c.config(l.create)},
				{
					PreConfig:          func() { l.vanish(c) },
					RefreshState:       true,
					ExpectNonEmptyPlan: true,
				},
				{
					Config: c.config(l.create),
					Check:  isPresent(c, l),
				},
			})
		})
	}
}

func TestAccDestroyAfterTheTableIsGone(t *testing.T) {
	for name, l := range lives() {
		t.Run(name, func(t *testing.T) {
			c := startCatalog(t, salesSeed)
			applySteps(t, []resource.TestStep{
				{Config: c.config(l.create)},
				{
					PreConfig: func() {
						c.do(wire.DropTable, []string{"sales", "orders"}, nil, "")
						c.do(wire.DropTable, []string{"sales", "customers"}, nil, "")
					},
					Config:  c.config(l.create),
					Destroy: true,
				},
			})
		})
	}
}

// hashicorp/terraform-provider-azurerm#28557, hashicorp/terraform-provider-azurerm#17421.
func TestAccCreateAdoptsWhatIsEqualAndRefusesWhatDiffers(t *testing.T) {
	for name, l := range lives() {
		t.Run(name, func(t *testing.T) {
			c := startCatalog(t, salesSeed)
			other := l.changed
			if other == "" {
				other = l.replaced
			}
			twin := strings.ReplaceAll(other, `"test"`, `"twin"`)
			applySteps(t, []resource.TestStep{
				{Config: c.config(l.create)},
				{
					Config:      c.config(removed(l.address) + twin),
					ExpectError: regexp.MustCompile(`(?s)exists already with other content.*import \{.*to = paimon_\w+\.NAME.*` + regexp.QuoteMeta(l.id)),
				},
				{
					// The same content under another address is adopted.
					Config: c.config(removed(l.address) + strings.ReplaceAll(l.create, `"test"`, `"twin"`)),
					ConfigPlanChecks: resource.ConfigPlanChecks{
						PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
					},
					Check: isPresent(c, l),
				},
			})
		})
	}
}

// A renamed address without a moved block is a create here and a destroy there, in any order; nothing may be lost.
func TestAccRenamedAddressLosesNothing(t *testing.T) {
	for name, l := range lives() {
		t.Run(name, func(t *testing.T) {
			c := startCatalog(t, salesSeed)
			applySteps(t, []resource.TestStep{
				{Config: c.config(l.create)},
				{
					Config: c.config(strings.ReplaceAll(l.create, `"test"`, `"renamed"`)),
					ConfigPlanChecks: resource.ConfigPlanChecks{
						PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
					},
					Check: isPresent(c, l),
				},
			})
		})
	}
}

// removed forgets an address without touching the record.
func removed(address string) string {
	return "removed {\n  from = " + address + "\n  lifecycle {\n    destroy = false\n  }\n}\n\n"
}

func isPresent(c *catalog, l life) resource.TestCheckFunc {
	return func(*terraform.State) error {
		if n := l.present(c); n != 1 {
			return fmt.Errorf("the catalog has %d records, not one", n)
		}
		return nil
	}
}

func isAbsent(c *catalog, l life) resource.TestCheckFunc {
	return func(*terraform.State) error {
		if n := l.present(c); n != 0 {
			return fmt.Errorf("the catalog still has %d records", n)
		}
		return nil
	}
}
