package provider

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
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

// An offset is sent as UTC, and taking the attribute away takes the end away.
//
// CrowdStrike/terraform-provider-crowdstrike#395, CrowdStrike/terraform-provider-crowdstrike#328,
// cloudflare/terraform-provider-cloudflare#7131, Kong/terraform-provider-konnect#190,
// BetterStackHQ/terraform-provider-better-uptime#122, ably/terraform-provider-ably#149.
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

// An expired grant is the normal end of its life: no diff, no new grant that is dead on arrival, and no error. What the plan
// says of it is in warnings_test.go.
//
// grafana/terraform-provider-grafana#2734, grafana/terraform-provider-grafana#1678, gravitational/teleport#42434.
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

// Whatever is done to a record with an end, and whenever: a plan is empty afterwards, nothing is refused because a time has
// passed, and what has passed is warned of. A catalog that cleans up makes no difference.
//
// hashicorp/terraform-provider-azurerm#23432, gravitational/teleport#42434, grafana/terraform-provider-grafana#2734,
// grafana/terraform-provider-grafana#1678.
func TestExpiryOverTime(t *testing.T) {
	t.Parallel()
	const end, past, later = "2031-01-01T00:00:00Z", "2030-06-01T00:00:00Z", "2032-01-01T00:00:00Z"
	moments := []struct {
		name, now string
		isOver    bool
	}{
		{"before", "2030-12-31T23:59:59Z", false},
		{"at", end, true},
		{"after", "2031-06-01T00:00:00Z", true},
	}
	deeds := []struct {
		name   string
		expiry any // of the configuration then
		action action
		isOver func(before bool) bool
	}{
		{"nothing", end, noOp, func(before bool) bool { return before }},
		{"spelled otherwise", "2030-12-31T18:00:00.000-06:00", noOp, func(before bool) bool { return before }},
		{"prolonged", later, update, func(bool) bool { return false }},
		{"cleared", nil, update, func(bool) bool { return false }},
		{"set in the past", past, update, func(bool) bool { return true }},
	}
	for _, name := range []string{"permission", "column permission"} {
		until := func(expiry any) map[string]block {
			config := standard("role:analyst")[name]
			config.config["expire_time"] = expiry
			return under(config, "a")
		}
		for _, purge := range []bool{false, true} {
			begin := func(t *testing.T, now string) (*catalog, *stack) {
				t.Helper()
				clock := &clock{}
				clock.set("2030-01-01T00:00:00Z")
				c := startCatalog(t, salesSeed, at(clock), func(config *devcatalog.Config) { config.PurgeExpired = purge })
				s := newStack(t, c, 1)
				if !s.apply(until(end)) || len(s.warnings) > 0 {
					t.Fatal(texts(s))
				}
				clock.set(now)
				return c, s
			}
			for _, moment := range moments {
				for _, deed := range deeds {
					t.Run(fmt.Sprintf("%s/purged %t/%s/%s", name, purge, moment.name, deed.name), func(t *testing.T) {
						t.Parallel()
						c, s := begin(t, moment.now)
						config := until(deed.expiry)
						if diags := startWalk(t, c).validate(config["a"].typeName, config["a"].config); len(diags) > 0 {
							t.Errorf("not valid any more: %s", diags[0].Detail)
						}
						if changes, ok := s.plan(config); !ok || changes["a"].action != deed.action {
							t.Errorf("planned as %s: %s", changes["a"].action, texts(s))
						}
						if !s.apply(config) || !s.settled(config) {
							t.Fatal(texts(s))
						}
						isOver := deed.isOver(moment.isOver)
						if warned := strings.Contains(texts(s), "gives nothing any more"); warned != isOver || len(s.warnings) > 1 {
							t.Errorf("over %t, but: %s", isOver, texts(s))
						}
						listed := string(c.do(wire.ListPermissions, nil, subjects()[name].query, ""))
						if is := strings.Contains(listed, "role:analyst"); is == (isOver && purge) {
							t.Errorf("over %t, but listed: %s", isOver, listed)
						}
						if has := strings.Contains(listed, "expireTime"); has && deed.expiry == nil {
							t.Errorf("the end is there still: %s", listed)
						}
					})
				}
				for _, noRefresh := range []bool{false, true} {
					t.Run(fmt.Sprintf("%s/purged %t/%s/destroyed, refresh %t", name, purge, moment.name, !noRefresh), func(t *testing.T) {
						t.Parallel()
						c, s := begin(t, moment.now)
						s.noRefresh = noRefresh
						if !s.apply(nil) || len(s.state) > 0 {
							t.Error(texts(s))
						}
						if left := c.do(wire.ListPermissions, nil, subjects()[name].query, ""); strings.Contains(string(left), "role:analyst") {
							t.Errorf("there still: %s", left)
						}
					})
				}
			}
			t.Run(fmt.Sprintf("%s/purged %t/created when it is over", name, purge), func(t *testing.T) {
				t.Parallel()
				_, s := begin(t, "2031-06-01T00:00:00Z")
				fresh := newStack(t, s.catalog, 1)
				config := under(standard("role:late")[name], "a")
				config["a"].config["expire_time"] = past
				if !fresh.apply(config) || !strings.Contains(texts(fresh), "gives nothing any more") || !fresh.settled(config) || !fresh.apply(nil) {
					t.Error(texts(fresh))
				}
			})
		}
	}
}

// However a catalog spells the instant, it is the same one.
//
// CrowdStrike/terraform-provider-crowdstrike#395, CrowdStrike/terraform-provider-crowdstrike#328.
func TestExpiryIsTheSameHoweverItIsListed(t *testing.T) {
	t.Parallel()
	for _, listed := range []string{
		"2031-01-01T00:00:00Z", "2031-01-01T00:00:00.000Z", "2031-01-01T00:00:00.000000000Z", "2031-01-01T08:00:00+08:00",
		"2030-12-31T20:30:00.0-03:30", "2030-12-31T24:00:00Z", "2031-01-01t00:00:00z",
	} {
		t.Run(listed, func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, salesSeed)
			s := newStack(t, c, 1)
			b := grantBlock("orders", "SELECT", "role:analyst")
			b.config["expire_time"] = "2031-01-01T08:00:00+08:00"
			if !s.apply(under(b, "a")) {
				t.Fatal(texts(s))
			}
			c.record.intercept(func(r *http.Request) http.HandlerFunc {
				if r.URL.Path != wire.ListPermissions.URLPath("demo") {
					return nil
				}
				return func(w http.ResponseWriter, _ *http.Request) {
					_, _ = fmt.Fprintf(w, `{"permissions":[{"resource":{%s},"access":"SELECT","principal":"role:analyst","expireTime":%q}]}`, ordersResource, listed)
				}
			})
			if !s.settled(under(b, "a")) || s.state["a"].values["expire_time"] != b.config["expire_time"] {
				t.Errorf("the state has %v: %s", s.state["a"].values["expire_time"], texts(s))
			}
		})
	}
}

// What no catalog could keep is refused before anything happens, at the attribute.
//
// CrowdStrike/terraform-provider-crowdstrike#395, CrowdStrike/terraform-provider-crowdstrike#328.
func TestExpiryThatCannotBeKeptIsRefusedAtTheAttribute(t *testing.T) {
	t.Parallel()
	w := startWalk(t, startCatalog(t, salesSeed))
	for expiry, text := range map[string]string{
		"2031-01-01T00:00:00.0001Z": "is finer than milliseconds.",
		"2031-01-01T00:00:00":       "Write an RFC 3339 time with a zone",
		"2031-01-01":                "Write an RFC 3339 time with a zone",
		"2031-02-29T00:00:00Z":      "does not exist",
		"2031-01-01T00:00:00+18:01": "does not exist",
	} {
		diags := w.validate("paimon_permission", grantObject(expiry))
		wantDiagnostic(t, diags, tfprotov6.DiagnosticSeverityError, text)
		if at := diags[0].Attribute.String(); at != `AttributeName("expire_time")` {
			t.Errorf("%s is refused at %s", expiry, at)
		}
	}
}

// A state from a time when there was no such attribute means a record without an end.
//
// hashicorp/terraform-provider-azurerm#26023, hashicorp/terraform-provider-azurerm#26029.
func TestStateWithoutAnEndIsNoChange(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"permission", "column permission"} {
		c := startCatalog(t, salesSeed)
		s := newStack(t, c, 1)
		config := under(standard("role:analyst")[name], "a")
		delete(config["a"].config, "expire_time")
		if !s.apply(config) {
			t.Fatal(texts(s))
		}
		stored := maps.Clone(s.state["a"].values)
		maps.DeleteFunc(stored, func(_ string, value any) bool { return value == nil })
		if _, has := stored["expire_time"]; has {
			t.Fatalf("%s: the state has an end: %v", name, stored)
		}
		encoded, err := json.Marshal(stored)
		if err != nil {
			t.Fatal(err)
		}
		upgraded, diags := startWalk(t, c).upgrade(config["a"].typeName, storedInstance{SchemaVersion: schemaVersion, Attributes: encoded})
		wantNoErrors(t, diags)
		s.state["a"] = instance{typeName: config["a"].typeName, values: upgraded}
		if !s.settled(config) {
			t.Errorf("%s: %s", name, texts(s))
		}
	}
}

// An end that is computed is changed in place, never by a replacement: with a time that is kept in the state, as
// time_rotating does, when that rotates; with timestamp() in every apply, since that is what it says.
//
// hashicorp/terraform-provider-tfe#844.
func TestAccCLIComputedExpiry(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	rotating := func(hours int) string {
		return fmt.Sprintf(`
resource "terraform_data" "rotation" {
  input = timeadd(timestamp(), "%dh")
  lifecycle {
    ignore_changes = [input]
  }
}
`, hours) + grantOf("rotating", "role:rotating", "  expire_time   = terraform_data.rotation.output\n")
	}
	moving := func(hours int) string {
		return grantOf("moving", "role:moving", fmt.Sprintf("  expire_time   = timeadd(timestamp(), \"%dh\")\n", hours))
	}
	f := newProject(t, c, rotating(700))
	f.applies()
	c.record.take()
	f.configure(c, rotating(701))
	f.run(0, "plan", "-detailed-exitcode")
	wantPrinted(t, f.run(0, "apply", "-auto-approve", "-replace=terraform_data.rotation"), "1 added, 1 changed, 1 destroyed.")
	for hours, summary := range []string{"1 added, 0 changed, 0 destroyed.", "0 added, 1 changed, 0 destroyed.", "0 added, 1 changed, 0 destroyed."} {
		f.configure(c, rotating(701)+moving(700+hours))
		wantPrinted(t, f.run(0, "apply", "-auto-approve"), summary)
	}
	for _, request := range c.record.take() {
		if strings.HasSuffix(request, "/revoke") {
			t.Errorf("%s: replaced", request)
		}
	}
}
