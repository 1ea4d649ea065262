package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
)

func expiring(expiry string) string {
	text := `resource "paimon_permission" "p" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "orders"
  access        = "SELECT"
  principal     = "role:analyst"
`
	if expiry != "" {
		text += fmt.Sprintf("  expire_time = %q\n", expiry)
	}
	return text + "}\n"
}

// sends checks the text of the expiry in the catalog, which is the one that was sent.
func sends(c *catalog, expiry string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		rows := c.permissions(onOrders("TABLE"))
		if len(rows) != 1 {
			return fmt.Errorf("the catalog has %d rows", len(rows))
		}
		want := fmt.Sprintf(`"expireTime":%q`, expiry)
		if expiry == "" {
			want = `"principal":"role:analyst"}`
		}
		if !strings.Contains(rows[0], want) {
			return fmt.Errorf("%s does not have %s", rows[0], want)
		}
		return nil
	}
}

func TestAccExpiryIsSentInUTCAndCleared(t *testing.T) {
	c := startCatalog(t, salesSeed)
	empty := resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}
	applySteps(t, []resource.TestStep{
		{Config: c.config(expiring("2031-01-01T08:00:00+08:00")), Check: sends(c, "2031-01-01T00:00:00Z"), ConfigPlanChecks: empty},
		{Config: c.config(expiring("2031-01-01T00:00:00.5Z")), Check: sends(c, "2031-01-01T00:00:00.500Z"), ConfigPlanChecks: empty},
		{
			Config: c.config(expiring("")),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction("paimon_permission.p", plancheck.ResourceActionUpdate)},
				PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
			Check: sends(c, ""),
		},
	})
}

// An expired grant is the normal end of its life: no diff, no new grant that is dead on arrival, and no error.
func TestAccExpiredPermissionStaysInState(t *testing.T) {
	for name, purge := range map[string]bool{"still listed": false, "cleaned up by the catalog": true} {
		t.Run(name, func(t *testing.T) {
			now := &clock{}
			now.set("2030-12-31T23:59:59Z")
			c := startCatalog(t, salesSeed, at(now), func(config *devcatalog.Config) { config.PurgeExpired = purge })
			applySteps(t, []resource.TestStep{
				{Config: c.config(expiring("2031-01-01T00:00:00Z"))},
				{
					PreConfig: func() { now.set("2031-01-01T00:00:00Z") },
					Config:    c.config(expiring("2031-01-01T00:00:00Z")),
					ConfigPlanChecks: resource.ConfigPlanChecks{
						PreApply:             []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
						PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
					},
					ConfigStateChecks: []statecheck.StateCheck{
						statecheck.ExpectKnownValue("paimon_permission.p", tfjsonpath.New("expire_time"), knownvalue.StringExact("2031-01-01T00:00:00Z")),
					},
				},
				{
					// A changed configuration gives it a new life.
					Config: c.config(expiring("2032-01-01T00:00:00Z")),
					ConfigPlanChecks: resource.ConfigPlanChecks{
						PreApply:             []plancheck.PlanCheck{plancheck.ExpectResourceAction("paimon_permission.p", plancheck.ResourceActionUpdate)},
						PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
					},
					Check: sends(c, "2032-01-01T00:00:00Z"),
				},
			})
		})
	}
}
