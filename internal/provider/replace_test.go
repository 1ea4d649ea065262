package provider

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// rowFilter is a row filter on sales.orders under an address, with more attributes.
func rowFilter(name, predicate, more string) string {
	return fmt.Sprintf(`resource "paimon_row_filter_policy" %q {
  database  = "sales"
  table     = "orders"
  principal = "role:analyst"
  predicate = %s
%s}
`, name, predicate, more)
}

// inForce checks the one row filter of the catalog.
func inForce(c *catalog, literal string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		rows := c.policies("orders")
		if len(rows) != 1 || !strings.Contains(rows[0], literal) {
			return fmt.Errorf("the catalog has %v, not one filter with %s", rows, literal)
		}
		return nil
	}
}

const (
	policiesPath = " /v1/demo/databases/sales/tables/orders/policies"
	createPolicy = http.MethodPost + policiesPath
	dropPolicy   = http.MethodPost + policiesPath + "/drop"
)

// refuseAPAC answers a create of a filter on APAC as a catalog does whose rules the plan's checks do not know.
func refuseAPAC(r *http.Request) http.HandlerFunc {
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	if err != nil || !bytes.Contains(body, []byte("APAC")) {
		return nil
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"resourceType":"POLICY","resourceName":"ROW_FILTER:role:analyst","message":"no filters on APAC","code":400}`)
	}
}

// A changed definition is dropped and created back to back.
//
// snowflakedb/terraform-provider-snowflake#571, snowflakedb/terraform-provider-snowflake#588,
// snowflakedb/terraform-provider-snowflake#2186.
func TestAccReplacedDefinitionIsOpenForOneRoundTrip(t *testing.T) {
	c := startCatalog(t, salesSeed)
	applySteps(t, []resource.TestStep{
		{Config: c.config(rowFilter("f", regionIs("EU"), ""))},
		{
			PreConfig: func() { c.record.take() },
			Config:    c.config(rowFilter("f", regionIs("APAC"), "")),
			Check: func(state *terraform.State) error {
				requests := strings.Join(c.record.take(), "\n")
				if !strings.Contains(requests, dropPolicy+"\n"+createPolicy) || strings.Count(requests, createPolicy+"\n") != 1 {
					return fmt.Errorf("not dropped and created back to back:\n%s", requests)
				}
				return inForce(c, "APAC")(state)
			},
		},
	})
}

// A refused definition leaves the old one in force and in state, and the next plan offers the replacement again.
//
// snowflakedb/terraform-provider-snowflake#571, snowflakedb/terraform-provider-snowflake#588.
func TestAccRefusedDefinitionLeavesTheOldOneInForce(t *testing.T) {
	c := startCatalog(t, salesSeed)
	applySteps(t, []resource.TestStep{
		{Config: c.config(rowFilter("f", regionIs("EU"), ""))},
		{
			PreConfig:   func() { c.record.intercept(refuseAPAC) },
			Config:      c.config(rowFilter("f", regionIs("APAC"), "")),
			ExpectError: wrapped("The old definition was put back and is in force"),
		},
		{
			PreConfig: func() {
				c.record.intercept(nil)
				if err := inForce(c, "EU")(nil); err != nil {
					t.Error(err)
				}
			},
			Config: c.config(rowFilter("f", regionIs("APAC"), "")),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction("paimon_row_filter_policy.f", plancheck.ResourceActionDestroyBeforeCreate),
				},
				PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
			Check: inForce(c, "APAC"),
		},
	})
}

// A definition that is unknown at plan is left to the create as a whole.
func TestAccUnknownDefinitionIsReplacedByTheCreate(t *testing.T) {
	c := startCatalog(t, salesSeed)
	text := func(region string) string {
		return fmt.Sprintf("resource \"terraform_data\" \"region\" {\n  input = %q\n}\n", region) +
			rowFilter("f", strings.Replace(regionIs("EU"), `"EU"`, `terraform_data.region.output`, 1), "")
	}
	applySteps(t, []resource.TestStep{
		{Config: c.config(text("EU")), Check: inForce(c, "EU")},
		{
			PreConfig: func() { c.record.take() },
			Config:    c.config(text("APAC")),
			Check: func(state *terraform.State) error {
				if requests := strings.Join(c.record.take(), "\n"); !strings.Contains(requests, dropPolicy+"\n"+createPolicy) {
					return fmt.Errorf("not dropped and created back to back:\n%s", requests)
				}
				return inForce(c, "APAC")(state)
			},
		},
	})
}

// Replacing by command leaves no moment without the record.
func TestAccTaintedRecordIsNeverAbsent(t *testing.T) {
	for name, l := range lives() {
		t.Run(name, func(t *testing.T) {
			c := startCatalog(t, salesSeed)
			applySteps(t, []resource.TestStep{
				{Config: c.config(l.create)},
				{
					PreConfig: func() { c.record.take() },
					Taint:     []string{l.address},
					Config:    c.config(l.create),
					Check: func(state *terraform.State) error {
						for _, request := range c.record.take() {
							if strings.HasSuffix(request, "/revoke") || strings.HasSuffix(request, "/drop") {
								return fmt.Errorf("%s removed the record", request)
							}
						}
						return isPresent(c, l)(state)
					},
				},
			})
		})
	}
}

// Two policies of one identity cannot be there at once: the new one is refused, and the old one stays in the catalog and in
// the state.
//
// hashicorp/terraform#34083, hashicorp/terraform#19631, hashicorp/terraform-provider-google#14738,
// hashicorp/terraform-provider-google#26816.
func TestAccCreateBeforeDestroyIsRefusedByName(t *testing.T) {
	c := startCatalog(t, salesSeed)
	const lifecycle = "  lifecycle {\n    create_before_destroy = true\n  }\n"
	applySteps(t, []resource.TestStep{
		{Config: c.config(rowFilter("f", regionIs("EU"), lifecycle))},
		{
			Config:      c.config(rowFilter("f", regionIs("APAC"), lifecycle)),
			ExpectError: wrapped("If the resource has the lifecycle setting create_before_destroy, remove it"),
		},
		{
			PreConfig: func() {
				if err := inForce(c, "EU")(nil); err != nil {
					t.Error(err)
				}
			},
			Config: c.config(rowFilter("f", regionIs("APAC"), "")),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction("paimon_row_filter_policy.f", plancheck.ResourceActionDestroyBeforeCreate),
				},
			},
			Check: inForce(c, "APAC"),
		},
	})
}

// A renamed address with changed content: the create waits for the destroy of the old address.
func TestAccRenamedAddressWithChangedContent(t *testing.T) {
	c := startCatalog(t, salesSeed)
	applySteps(t, []resource.TestStep{
		{Config: c.config(rowFilter("before", regionIs("EU"), ""))},
		{
			Config: c.config(rowFilter("after", regionIs("APAC"), "")),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
			Check: inForce(c, "APAC"),
		},
	})
}
