package provider

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

const euFilter = `{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":1,"name":"region","type":"STRING"}},"function":"EQUAL","literals":["EU"]}`

func filterObject(predicate string) object {
	return object{"database": "sales", "table": "orders", "principal": "role:analyst", "predicate": predicate}
}

func grantObject(expiry any) object {
	return object{
		"resource_type": "TABLE", "database": "sales", "table": "orders", "access": "SELECT", "principal": "role:analyst", "expire_time": expiry,
	}
}

func TestDestroyOfAPolicyWarnsOfWhatItUncovers(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	w := startWalk(t, c)
	filter := w.create("paimon_row_filter_policy", filterObject(euFilter))
	plan := startWalk(t, c).plan("paimon_row_filter_policy", filter, nil, nil)
	wantDiagnostic(t, plan.diags, tfprotov6.DiagnosticSeverityWarning, "role:analyst will see all rows of sales.orders; now: region = 'EU'.")

	mask := w.create("paimon_column_mask_policy", object{
		"database": "sales", "table": "customers", "on_column": "email", "principal": "role:support",
		"transform": `{"name":"UPPER","inputs":[{"index":1,"name":"email","type":"STRING"}]}`,
	})
	plan = startWalk(t, c).plan("paimon_column_mask_policy", mask, nil, nil)
	wantDiagnostic(t, plan.diags, tfprotov6.DiagnosticSeverityWarning,
		"role:support will see the raw values of column email of sales.customers; now: UPPER(email).")

	grant := w.create("paimon_permission", grantObject(nil))
	if plan := startWalk(t, c).plan("paimon_permission", grant, nil, nil); len(plan.diags) > 0 {
		t.Errorf("revoking uncovers nothing: %s", plan.diags[0].Detail)
	}
}

func TestReplacementOfAPolicyDoesNotWarnOfADestroy(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	state := startWalk(t, c).create("paimon_row_filter_policy", filterObject(euFilter))
	w := startWalk(t, c)
	config := filterObject(strings.Replace(euFilter, "EU", "APAC", 1))
	first := w.plan("paimon_row_filter_policy", state, config, nil)
	if !first.replaces {
		t.Error("not a replacement")
	}
	second := w.plan("paimon_row_filter_policy", nil, config, first.private)
	if len(first.diags)+len(second.diags) > 0 {
		t.Errorf("got %v and %v", first.diags, second.diags)
	}
}

// A policy that moves on to another principal leaves the first one without.
func TestPolicyThatChangesItsIdentityWarnsOfWhatItUncovers(t *testing.T) {
	t.Parallel()
	const warning = "role:analyst will see all rows of sales.orders; now: region = 'EU'."
	for _, principal := range []string{"role:science", unknown} {
		c := startCatalog(t, salesSeed)
		state := startWalk(t, c).create("paimon_row_filter_policy", filterObject(euFilter))
		config := filterObject(euFilter)
		config["principal"] = principal
		plan := startWalk(t, c).plan("paimon_row_filter_policy", state, config, nil)
		wantDiagnostic(t, plan.diags, tfprotov6.DiagnosticSeverityWarning, warning)

		// Where another address takes the policy over, nothing is uncovered.
		w := startWalk(t, c)
		w.plan("paimon_row_filter_policy", nil, filterObject(euFilter), nil)
		for _, d := range w.plan("paimon_row_filter_policy", state, config, nil).diags {
			if strings.Contains(d.Summary, "uncovers") {
				t.Errorf("%s: %s", principal, d.Detail)
			}
		}
		for _, d := range w.plan("paimon_row_filter_policy", state, nil, nil).diags {
			if strings.Contains(d.Summary, "uncovers") {
				t.Errorf("%s, destroyed here: %s", principal, d.Detail)
			}
		}
	}
}

func TestSQLIsKnownAtPlan(t *testing.T) {
	t.Parallel()
	w := startWalk(t, startCatalog(t, salesSeed))
	if got := w.plan("paimon_row_filter_policy", nil, filterObject(euFilter), nil).state["predicate_sql"]; got != "region = 'EU'" {
		t.Errorf("got %q", got)
	}
	if got := w.plan("paimon_row_filter_policy", nil, filterObject(unknown), nil).state["predicate_sql"]; got != unknown {
		t.Errorf("got %q for an unknown predicate", got)
	}
}

func TestEqualRecordIsAdoptedWithAWarning(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, listedSeed)
	w := startWalk(t, c)
	config := grantObject("2030-01-01T00:00:00.000Z")
	const adopted = "Nothing is written; it is managed here from now on."
	plan := w.plan("paimon_permission", nil, config, nil)
	wantDiagnostic(t, plan.diags, tfprotov6.DiagnosticSeverityWarning, adopted)

	w = startWalk(t, c)
	plan = w.plan("paimon_permission", nil, config, nil)
	wantDiagnostic(t, plan.diags, tfprotov6.DiagnosticSeverityWarning, adopted)
	c.record.take()
	state, _, diags := w.apply("paimon_permission", nil, config, plan)
	if len(diags) > 0 {
		t.Errorf("told twice in one walk: %s", diags[0].Detail)
	}
	if state["expire_time"] != "2030-01-01T00:00:00.000Z" {
		t.Errorf("the configured spelling is lost: %v", state)
	}
	if n := writes(c.record.take()); n > 0 {
		t.Errorf("%d requests changed something", n)
	}
}

func TestPlanWarnsOfARecordWithOtherContent(t *testing.T) {
	t.Parallel()
	w := startWalk(t, startCatalog(t, listedSeed))
	plan := w.plan("paimon_permission", nil, grantObject(nil), nil)
	wantDiagnostic(t, plan.diags, tfprotov6.DiagnosticSeverityWarning, "The apply will refuse to take it over")
}

// What the state has is no surprise: neither a replacement nor a tainted record is announced.
func TestPlanAnnouncesNothingThatIsInState(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	config := grantObject(nil)
	state := startWalk(t, c).create("paimon_permission", config)
	w := startWalk(t, c)
	kept, diags := w.read("paimon_permission", state)
	wantNoErrors(t, diags)
	tainted := w.plan("paimon_permission", nil, config, nil)
	first := startWalk(t, c)
	replaced := first.plan("paimon_permission", nil, config, first.plan("paimon_permission", kept, config, nil).private)
	if len(tainted.diags)+len(replaced.diags) > 0 {
		t.Errorf("got %v and %v", tainted.diags, replaced.diags)
	}
}

// A plan that could not work for want of credentials says so, instead of promising a create.
func TestPlanOfACreateNeedsTheCatalog(t *testing.T) {
	t.Parallel()
	for typeName, config := range map[string]object{"paimon_permission": grantObject(nil), "paimon_row_filter_policy": filterObject(euFilter)} {
		c := startCatalog(t, salesSeed)
		c.record.intercept(func(*http.Request) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }
		})
		plan := startWalk(t, c).plan(typeName, nil, config, nil)
		wantDiagnostic(t, plan.diags, tfprotov6.DiagnosticSeverityError, "neither a token nor a signature was sent")
	}
}

// A plan that could not look says so, and one that could not even connect fails.
func TestPlanThatMayNotLookSaysSo(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]struct {
		severity tfprotov6.DiagnosticSeverity
		text     string
	}{
		"/permissions": {tfprotov6.DiagnosticSeverityWarning, "the caller may not list the permissions and policies of TABLE sales.orders"},
		"/v1/config":   {tfprotov6.DiagnosticSeverityError, "The caller may not use this catalog."},
	} {
		c := startCatalog(t, salesSeed)
		c.record.intercept(func(r *http.Request) http.HandlerFunc {
			if !strings.HasSuffix(r.URL.Path, path) {
				return nil
			}
			return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }
		})
		wantDiagnostic(t, startWalk(t, c).plan("paimon_permission", nil, grantObject(nil), nil).diags, want.severity, want.text)
	}
}

// Why the catalog cannot be reached is told once, however many resources there are.
func TestReasonOfAnUnreachableCatalogIsToldOnce(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	c.record.intercept(func(*http.Request) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }
	})
	w := startWalk(t, c)
	told := 0
	for i := range 10 {
		grant := grantObject(nil)
		grant["principal"] = fmt.Sprintf("role:%d", i)
		diags := w.plan("paimon_permission", nil, grant, nil).diags
		if len(diags) != 1 || !isError(diags[0]) || !strings.Contains(diags[0].Detail, fmt.Sprintf("role:%d", i)) {
			t.Fatalf("got %v", diags)
		}
		if strings.Contains(diags[0].Detail, "401") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}

func TestExpiredPermissionWarnsInThePlan(t *testing.T) {
	t.Parallel()
	now := &clock{}
	now.set("2030-12-31T23:59:59Z")
	for name, purge := range map[string]bool{"still listed": false, "cleaned up": true} {
		c := startCatalog(t, salesSeed, at(now), func(config *devcatalog.Config) { config.PurgeExpired = purge })
		now.set("2030-12-31T23:59:59Z")
		config := grantObject("2031-01-01T00:00:00Z")
		state := startWalk(t, c).create("paimon_permission", config)
		if plan := startWalk(t, c).plan("paimon_permission", state, config, nil); len(plan.diags) > 0 {
			t.Errorf("%s: warns before the time: %s", name, plan.diags[0].Detail)
		}
		now.set("2031-01-01T00:00:00Z")
		w := startWalk(t, c)
		kept, diags := w.read("paimon_permission", state)
		wantNoErrors(t, diags)
		if kept["id"] != state["id"] {
			t.Fatalf("%s: dropped from state", name)
		}
		wantDiagnostic(t, w.plan("paimon_permission", kept, config, nil).diags, tfprotov6.DiagnosticSeverityWarning,
			"expired at 2031-01-01T00:00:00Z and gives nothing any more")
	}
}

// Only a definite absence removes a state: the catalog's own word, not a proxy's.
func TestStateIsKeptWhileAbsenceIsNotCertain(t *testing.T) {
	t.Parallel()
	answers := map[string]struct {
		status int
		body   string
	}{
		"401":                       {http.StatusUnauthorized, ""},
		"403":                       {http.StatusForbidden, `{"resourceType":"TABLE","resourceName":"sales.orders","message":"no","code":403}`},
		"404 without body":          {http.StatusNotFound, ""},
		"404 page":                  {http.StatusNotFound, "<html><body>Not Found</body></html>"},
		"404 of a foreign shape":    {http.StatusNotFound, `{"error":"not found"}`},
		"404 about a principal":     {http.StatusNotFound, `{"resourceType":"PRINCIPAL","resourceName":"p","message":"no","code":404}`},
		"404 with code 501":         {http.StatusNotFound, `{"resourceType":"TABLE","resourceName":"sales.orders","message":"no","code":501}`},
		"500":                       {http.StatusInternalServerError, `{"resourceType":null,"resourceName":null,"message":"no","code":500}`},
		"200 page":                  {http.StatusOK, "<html>login</html>"},
		"200 with something else":   {http.StatusOK, `{"status":"ok"}`},
		"a listing of unclear rows": {http.StatusOK, `{"permissions":[7],"policies":[7]}`},
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, salesSeed)
			w := startWalk(t, c)
			states := map[string]object{
				"paimon_permission":        w.create("paimon_permission", grantObject(nil)),
				"paimon_row_filter_policy": w.create("paimon_row_filter_policy", filterObject(euFilter)),
			}
			c.record.intercept(func(r *http.Request) http.HandlerFunc {
				if r.URL.Path == "/v1/config" {
					return nil
				}
				return func(w http.ResponseWriter, _ *http.Request) {
					w.WriteHeader(answer.status)
					_, _ = w.Write([]byte(answer.body))
				}
			})
			for typeName, state := range states {
				kept, diags := startWalk(t, c).read(typeName, state)
				if kept == nil || len(diags) != 1 || diags[0].Severity != tfprotov6.DiagnosticSeverityError {
					t.Errorf("%s: state %v, diagnostics %v", typeName, kept, diags)
				}
			}
		})
	}
}

// A state that was written without an identity gets one when the record turns out to be gone, too.
func TestReadSetsTheIdentityBeforeItFindsTheRecordGone(t *testing.T) {
	t.Parallel()
	w := startWalk(t, startCatalog(t, salesSeed))
	state := grantObject(nil)
	state["id"] = "TABLE/sales/orders/SELECT/role:analyst"
	gone, diags := w.read("paimon_permission", state)
	if gone != nil || len(diags) > 0 {
		t.Errorf("state %v, diagnostics %v", gone, diags)
	}
}

// The definition that a plan hands to the destroy of a replacement is not kept in the state.
func TestPrivateDataIsEmptyAfterApply(t *testing.T) {
	t.Parallel()
	w := startWalk(t, startCatalog(t, salesSeed))
	config := filterObject(euFilter)
	plan := w.plan("paimon_row_filter_policy", nil, config, nil)
	if !strings.Contains(string(plan.private), "successor") {
		t.Errorf("the plan hands on nothing: %s", plan.private)
	}
	_, private, diags := w.apply("paimon_row_filter_policy", nil, config, plan)
	wantNoErrors(t, diags)
	if strings.Contains(string(private), "successor") {
		t.Errorf("kept: %s", private)
	}
}

// Java before 2.1 shows the raw value of a masked column through the mask of another one that reads it.
func TestPlanWarnsOfAMaskThatReadsAMaskedColumn(t *testing.T) {
	t.Parallel()
	w := startWalk(t, startCatalog(t, salesSeed))
	mask := func(on, reads string) object {
		return object{
			"database": "sales", "table": "customers", "on_column": on, "principal": "role:support",
			"transform": `{"name":"UPPER","inputs":[{"index":1,"name":"` + reads + `","type":"STRING"}]}`,
		}
	}
	w.create("paimon_column_mask_policy", mask("email", "email"))
	plan := w.plan("paimon_column_mask_policy", nil, mask("phone", "email"), nil)
	wantDiagnostic(t, plan.diags, tfprotov6.DiagnosticSeverityWarning, "the mask of phone reads email, which has a mask itself")
}

// Readers that are not in use are no reason to warn, and plan_checks does not silence those that are.
func TestEngineWarningsFollowTheEnginesInUse(t *testing.T) {
	t.Parallel()
	filter := filterObject(`{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":2,"name":"amount","type":"DECIMAL(10, 2)"}},"function":"LESS_THAN","literals":["100"]}`)
	for name, test := range map[string]struct {
		provider object
		warns    string
	}{
		"default":                  {object{}, "java-2.0 refuses the read"},
		"only readers that can":    {object{"engines": []string{"pypaimon-2.1"}}, ""},
		"none":                     {object{"engines": []string{}}, ""},
		"several":                  {object{"engines": []string{"java-1.4", "java-2.0", "rust-0.4"}}, "java-1.4 and java-2.0 refuse the read"},
		"without checks of tables": {object{"plan_checks": "off"}, "java-2.0 refuses the read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := startWalkWith(t, startCatalog(t, salesSeed), test.provider)
			plan := w.plan("paimon_row_filter_policy", nil, filter, nil)
			if test.warns == "" {
				if len(plan.diags) > 0 {
					t.Errorf("got %s", plan.diags[0].Detail)
				}
				return
			}
			wantDiagnostic(t, plan.diags, tfprotov6.DiagnosticSeverityWarning, test.warns)
		})
	}
}

// With an address that is known only after apply nothing can be imported, written or destroyed; that is an error, and no
// crash, and never an import of nothing that the apply would take for the record.
func TestUnknownAddressRefusesWhatNeedsTheCatalog(t *testing.T) {
	t.Parallel()
	w := startWalkWith(t, startCatalog(t, salesSeed), object{"uri": unknown})
	const text = "the provider configuration depends on values that are known only after apply: uri"
	config := filterObject(euFilter)
	plan := w.plan("paimon_row_filter_policy", nil, config, nil)
	wantNoErrors(t, plan.diags)
	_, _, diags := w.apply("paimon_row_filter_policy", nil, config, plan)
	wantDiagnostic(t, diags, tfprotov6.DiagnosticSeverityError, text)

	state := plan.state
	_, _, diags = w.apply("paimon_row_filter_policy", state, nil, planned{})
	wantDiagnostic(t, diags, tfprotov6.DiagnosticSeverityError, text)

	imported, err := w.server.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{
		TypeName: "paimon_row_filter_policy", ID: "TABLE/sales/orders/ROW_FILTER/role:analyst",
	})
	if err != nil {
		t.Fatal(err)
	}
	wantDiagnostic(t, imported.Diagnostics, tfprotov6.DiagnosticSeverityError, text)
}

// What was listed a moment ago may be gone: nothing is adopted that the catalog does not confirm.
func TestAdoptionIsConfirmedByTheCatalog(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, listedSeed)
	w := startWalk(t, c)
	grantTo := func(principal, access string) object {
		o := grantObject(nil)
		o["principal"], o["access"] = principal, access
		return o
	}
	for _, access := range []string{"SELECT", "UPDATE"} { // the second look-up keeps the whole listing
		state := grantTo("role:writer", access)
		state["id"] = "TABLE/sales/orders/" + access + "/role:writer"
		if _, diags := w.read("paimon_permission", state); len(diags) > 0 {
			t.Fatal(diags[0].Detail)
		}
	}
	c.post(wire.RevokePermission, nil, `{"resource":{"type":"TABLE","database":"sales","table":"orders"},"access":"SELECT","principal":"role:writer"}`)
	w.create("paimon_permission", grantTo("role:writer", "SELECT"))
	for _, row := range c.permissions(onOrders("TABLE")) {
		if strings.Contains(row, `"access":"SELECT","principal":"role:writer"`) {
			return
		}
	}
	t.Error("a permission was adopted that is not there")
}
