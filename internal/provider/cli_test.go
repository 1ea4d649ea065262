package provider

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// These tests drive the CLI itself: the test framework knows one provider block, few commands, and no for_each in a state.

// newProject is a folder whose configuration is for a catalog.
func newProject(t *testing.T, c *catalog, text string) folder {
	t.Helper()
	f := newRoot(t, "")
	f.configure(c, text)
	return f
}

// configure replaces the configuration.
func (f folder) configure(c *catalog, text string) {
	f.t.Helper()
	f.write("main.tf", "terraform {\n  required_providers {\n    paimon = { source = \"paimon-iac/paimon\" }\n  }\n}\n\n"+c.config(text))
}

// applies runs an apply that must end well, after which the plan is empty.
func (f folder) applies(arguments ...string) string {
	f.t.Helper()
	printed := f.run(0, append([]string{"apply", "-auto-approve"}, arguments...)...)
	f.run(0, "plan", "-detailed-exitcode")
	return printed
}

// read returns a file of the folder.
func (f folder) read(name string) string {
	f.t.Helper()
	text, err := f.root.ReadFile(name)
	if err != nil {
		f.t.Fatal(err)
	}
	return string(text)
}

const grantText = `
resource "paimon_permission" %q {
  resource_type = "TABLE"
  database      = "sales"
  table         = "orders"
  access        = "SELECT"
  principal     = %q
%s}
`

func grantOf(name, principal, more string) string {
	return fmt.Sprintf(grantText, name, principal, more)
}

func TestAccCLITwoAddressesForOneRecord(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	one := grantOf("a", "role:analyst", "")
	f := newProject(t, c, one+grantOf("b", "role:analyst", ""))
	wantPrinted(t, f.run(1, "plan"), "Two resources for one permission", "with paimon_permission.")

	f.configure(c, one)
	f.run(0, "apply", "-auto-approve")
	f.configure(c, one+grantOf("b", "role:analyst", ""))
	wantPrinted(t, f.run(1, "plan"), "Two resources for one permission", "with paimon_permission.")

	// Importing by command plans nothing, so nobody can refuse it.
	f.run(0, "import", "paimon_permission.b", "TABLE/sales/orders/SELECT/role:analyst")
	wantPrinted(t, f.run(1, "plan", "-refresh=false"), "Two resources for one permission")
	f.configure(c, one)
	wantPrinted(t, f.run(1, "plan"), "Two resources for one permission", "terraform state rm")
	f.configure(c, one+removed("paimon_permission.b"))
	wantPrinted(t, f.applies(), "0 added, 0 changed, 0 destroyed")
	if n := len(c.permissions(onOrders("TABLE"))); n != 1 {
		t.Errorf("%d permissions are left", n)
	}
}

// Every shape of a changed address in one apply, of every resource, with the content as it was and with some of it changed.
//
// On renamed keys: snowflakedb/terraform-provider-snowflake#3826, cyrilgdn/terraform-provider-rabbitmq#1,
// hashicorp/terraform#24704; on shifted ones: Mongey/terraform-provider-kafka#404,
// terraform-google-modules/terraform-google-cloud-storage#446.
func TestAccCLIRenamedAddressesLoseNothing(t *testing.T) {
	t.Parallel()
	blocks := func(keys, principal, name, region string) string {
		return fmt.Sprintf(`
resource "paimon_permission" %[3]q {
  for_each      = %[1]s
  resource_type = "TABLE"
  database      = "sales"
  table         = "orders"
  access        = "SELECT"
  principal     = "${%[2]s}-%[3]s"
}

resource "paimon_row_filter_policy" %[3]q {
  for_each  = %[1]s
  database  = "sales"
  table     = "orders"
  principal = "${%[2]s}-%[3]s"
  predicate = %[4]s
}
`, keys, principal, name, regionIs(region))
	}
	counted := func(principals string) string {
		return fmt.Sprintf(`
resource "paimon_permission" "counted" {
  count         = length(local.counted)
  resource_type = "TABLE"
  database      = "sales"
  table         = "orders"
  access        = "SELECT"
  principal     = local.counted[count.index]
}

locals {
  counted = %s
}
`, principals)
	}
	expiring := func(name, year string) string {
		return grantOf(name, "role:renamed", "  expire_time   = \""+year+"-01-01T00:00:00Z\"\n")
	}
	before := blocks(`{ a = "role:1", b = "role:2" }`, "each.value", "keyed", "EU") + blocks(`{ a = "role:1", b = "role:2" }`, "each.value", "rotated", "EU") +
		expiring("before", "2131") + grantOf("inside", "role:module", "") + counted(`["role:0", "role:1", "role:2", "role:3", "role:4"]`)
	after := func(region, year string) string {
		return blocks(`{ c = "role:1", d = "role:2" }`, "each.value", "keyed", region) + blocks(`{ b = "role:1", a = "role:2" }`, "each.value", "rotated", region) +
			expiring("after", year) + "\nmodule \"m\" {\n  source = \"./m\"\n}\n" + counted(`["role:1", "role:2", "role:3", "role:4"]`)
	}
	round := func(region, year, parallelism string) {
		c := startCatalog(t, salesSeed)
		f := newProject(t, c, before)
		f.run(0, "apply", "-auto-approve")
		f.configure(c, after(region, year))
		if err := f.root.Mkdir("m", 0o700); err != nil {
			t.Fatal(err)
		}
		f.write(filepath.Join("m", "main.tf"), "terraform {\n  required_providers {\n    paimon = { source = \"paimon-iac/paimon\" }\n  }\n}\n"+grantOf("inside", "role:module", ""))
		f.run(0, "get")
		if parallelism == "1" && region != "EU" {
			// A create that waits for a destroy holds the only place to run in.
			if status, printed := f.try("apply", "-auto-approve", "-parallelism=1"); status != 0 {
				wantPrinted(t, strings.Join(strings.Fields(printed), " "), "moved block")
				parallelism = "10"
			}
		}
		f.applies("-parallelism=" + parallelism)
		grants, filters := c.permissions(onOrders("TABLE")), c.policies("orders")
		if len(grants) != 10 || len(filters) != 4 || strings.Count(strings.Join(filters, ""), region) != 4 || !strings.Contains(strings.Join(grants, ""), year) {
			t.Errorf("parallelism %s: %v and %v are left", parallelism, grants, filters)
		}
	}
	for _, parallelism := range []string{"1", "10", "32"} {
		if parallelism != "10" && !stressed() {
			continue
		}
		for range min(rounds(1), 3) {
			round("EU", "2131", parallelism)
			round("APAC", "2132", parallelism)
		}
	}
}

// What the life cycle of a resource can ask for.
func TestAccCLILifeCycle(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	text := func(trigger, lifecycle string) string {
		return fmt.Sprintf("resource \"terraform_data\" \"t\" {\n  input = %q\n}\n", trigger) +
			grantOf("p", "role:analyst", lifecycle) + rowFilter("f", regionIs("EU"), lifecycle)
	}
	const triggered = "  lifecycle {\n    replace_triggered_by = [terraform_data.t]\n  }\n"
	f := newProject(t, c, text("1", triggered))
	f.run(0, "apply", "-auto-approve")
	undisturbed := func(arguments ...string) {
		t.Helper()
		c.record.take()
		wantPrinted(t, f.run(0, append([]string{"apply", "-auto-approve"}, arguments...)...), "2 destroyed.")
		for _, request := range c.record.take() {
			if strings.HasSuffix(request, "/revoke") || strings.HasSuffix(request, "/drop") {
				t.Errorf("%v: %s removed a record", arguments, request)
			}
		}
	}
	undisturbed("-replace=paimon_permission.p", "-replace=paimon_row_filter_policy.f")
	f.configure(c, text("2", triggered))
	undisturbed()
	f.configure(c, text("2", "  lifecycle {\n    prevent_destroy = true\n  }\n"))
	wantPrinted(t, f.run(1, "plan", "-replace=paimon_row_filter_policy.f"), "nstance cannot be destroyed")
	f.run(0, "plan", "-detailed-exitcode")
}

// Users have more than plan and apply.
func TestAccCLIBesidePlanAndApply(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	const ignoring = "  lifecycle {\n    ignore_changes = [%s]\n  }\n"
	columns := func(names, more string) string {
		return fmt.Sprintf("resource \"paimon_column_permission\" \"c\" {\n  database = \"sales\"\n  table = \"orders\"\n  principal = \"role:analyst\"\n  column_names = %s\n%s}\n", names, more)
	}
	expiry := func(year int) string { return fmt.Sprintf("  expire_time = \"%d-01-01T00:00:00Z\"\n", year) }
	text := grantOf("p", "role:analyst", expiry(2131)) + rowFilter("f", regionIs("EU"), "") + columns(`["region"]`, "")
	f := newProject(t, c, text)
	f.run(0, "apply", "-auto-approve")

	// Ignored attributes are no change, wherever they change.
	f.configure(c, grantOf("p", "role:analyst", expiry(2132)+fmt.Sprintf(ignoring, "expire_time"))+
		rowFilter("f", regionIs("APAC"), fmt.Sprintf(ignoring, "predicate"))+columns(`["amount"]`, fmt.Sprintf(ignoring, "column_names")))
	f.run(0, "plan", "-detailed-exitcode")
	for _, name := range []string{"permission", "row filter", "column permission"} {
		subjects()[name].makeSo(c, subjects()[name].third(), "role:analyst")
	}
	f.run(0, "plan", "-detailed-exitcode")
	for _, name := range []string{"permission", "row filter", "column permission"} {
		subjects()[name].makeSo(c, subjects()[name].first, "role:analyst")
	}

	// A target leaves the others alone.
	f.configure(c, strings.Replace(text, "2131", "2132", 1)+grantOf("q", "role:other", ""))
	wantPrinted(t, f.run(0, "apply", "-auto-approve", "-target=paimon_permission.q"), "1 added, 0 changed, 0 destroyed.")

	// A saved plan is applied after the server changed: the create looks again.
	f.configure(c, text+grantOf("q", "role:other", "")+grantOf("r", "role:late", ""))
	f.run(0, "plan", "-out=saved")
	c.post(wire.GrantPermission, nil, `{"resource":{"type":"TABLE","database":"sales","table":"orders"},"access":"SELECT","principal":"role:late","expireTime":"2140-01-01T00:00:00Z"}`)
	wantPrinted(t, f.run(1, "apply", "saved"), "exists already with other content", "import {")
	c.post(wire.RevokePermission, nil, `{"resource":{"type":"TABLE","database":"sales","table":"orders"},"access":"SELECT","principal":"role:late"}`)

	// Without a refresh the plan believes the state, and a change brings the record back.
	c.post(wire.RevokePermission, nil, `{"resource":{"type":"TABLE","database":"sales","table":"orders"},"access":"SELECT","principal":"role:analyst"}`)
	f.configure(c, strings.Replace(text, "2131", "2133", 1)+grantOf("q", "role:other", ""))
	wantPrinted(t, f.run(0, "apply", "-auto-approve", "-refresh=false"), "0 added, 1 changed, 0 destroyed.")
	f.run(0, "plan", "-detailed-exitcode")

	// Forgetting asks nothing of anybody; OpenTofu reads what it is about to forget.
	f.configure(c, removed("paimon_permission.p")+removed("paimon_permission.q")+removed("paimon_row_filter_policy.f")+removed("paimon_column_permission.c"))
	c.record.take()
	f.run(0, "apply", "-auto-approve")
	isTofu := strings.Contains(f.run(0, "version"), "OpenTofu")
	if requests := c.record.take(); writes(requests) > 0 || len(requests) > 0 && !isTofu {
		t.Errorf("the catalog was asked: %v", requests)
	}
	if n := len(c.permissions(onOrders("TABLE"))); n != 2 {
		t.Errorf("%d permissions are left", n)
	}
}

// Two provider blocks are two processes that know nothing of each other.
func TestAccCLITwoWarehousesWithEqualIdentities(t *testing.T) {
	t.Parallel()
	here, there := startCatalog(t, salesSeed), startCatalog(t, salesSeed)
	text := fmt.Sprintf("provider \"paimon\" {\n  alias     = \"there\"\n  uri       = %q\n  warehouse = \"demo\"\n}\n", there.url) +
		grantOf("here", "role:analyst", "") + grantOf("there", "role:analyst", "  provider      = paimon.there\n")
	f := newProject(t, here, text)
	wantPrinted(t, f.applies(), "2 added, 0 changed, 0 destroyed.")
	for _, c := range []*catalog{here, there} {
		if n := len(c.permissions(onOrders("TABLE"))); n != 1 {
			t.Errorf("%d permissions are in a catalog", n)
		}
	}
	f.run(0, "apply", "-destroy", "-auto-approve")
}

// A principal that is known only after apply forces a replacement that may turn out to be none. A revoke comes first then.
//
// hashicorp/terraform-provider-azurerm#15557, hashicorp/terraform-provider-azurerm#25479.
func TestAccCLIPrincipalThatIsKnownAfterApply(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	text := func(input string) string {
		return fmt.Sprintf("resource \"terraform_data\" \"t\" {\n  input = { n = %q, principal = \"role:analyst\" }\n}\n", input) +
			strings.Replace(grantOf("p", "P", ""), `"P"`, "terraform_data.t.output.principal", 1)
	}
	f := newProject(t, c, text("1"))
	f.run(0, "apply", "-auto-approve")
	f.configure(c, text("2"))
	c.record.take()
	f.applies()
	var last string
	for _, request := range c.record.take() {
		if strings.HasPrefix(request, http.MethodPost) {
			last = request
		}
	}
	if !strings.HasSuffix(last, "/grant") {
		t.Errorf("ends with %q and not with a grant", last)
	}
	if n := len(c.permissions(onOrders("TABLE"))); n != 1 {
		t.Errorf("%d permissions are there", n)
	}
}

// A grant changes in place, so create_before_destroy is nothing to it; replaced by command, the new one adopts the old.
//
// hashicorp/terraform#34083, hashicorp/terraform#19631.
func TestAccCLICreateBeforeDestroyOfAGrant(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	text := func(year int) string {
		return grantOf("p", "role:analyst", fmt.Sprintf("  expire_time   = \"%d-01-01T00:00:00Z\"\n  lifecycle {\n    create_before_destroy = true\n  }\n", year))
	}
	f := newProject(t, c, text(2131))
	f.run(0, "apply", "-auto-approve")
	f.configure(c, text(2132))
	wantPrinted(t, f.applies(), "0 added, 1 changed, 0 destroyed.")
	wantPrinted(t, f.applies("-replace=paimon_permission.p"), "1 added, 0 changed, 1 destroyed.")
	if n := len(c.permissions(onOrders("TABLE"))); n != 1 {
		t.Errorf("%d permissions are there", n)
	}
}

// Validation says nothing about values that nobody knows yet.
//
// semaphoreui/terraform-provider-semaphore#23, CruGlobal/terraform-provider-semaphoreui#97, dbt-labs/terraform-provider-dbtcloud#636,
// deploymenttheory/terraform-provider-jamfpro#1110, elastic/terraform-provider-elasticstack#2992,
// CrowdStrike/terraform-provider-crowdstrike#347, grafana/terraform-provider-grafana#1942.
func TestAccCLIUnknownValuesAreValid(t *testing.T) {
	t.Parallel()
	f := newProject(t, &catalog{t: t, url: "http://127.0.0.1:1"}, `
variable "access" {
  type = map(any)
}

resource "paimon_permission" "p" {
  for_each      = var.access
  resource_type = each.value.type
  database      = each.value.database
  table         = each.value.table
  view          = each.value.view
  function      = each.value.function
  access        = each.value.access
  principal     = each.value.principal
  expire_time   = each.value.expire_time
}

resource "paimon_column_permission" "c" {
  for_each              = var.access
  database              = each.value.database
  table                 = each.value.table
  principal             = each.value.principal
  column_names          = each.value.columns
  excluded_column_names = each.value.excluded
  expire_time           = each.value.expire_time
}

resource "paimon_row_filter_policy" "f" {
  for_each  = var.access
  database  = each.value.database
  table     = each.value.table
  principal = each.value.principal
  predicate = each.value.predicate
}

resource "paimon_column_mask_policy" "m" {
  for_each  = var.access
  database  = each.value.database
  table     = each.value.table
  on_column = each.value.column
  principal = each.value.principal
  transform = each.value.transform
}
`)
	f.run(0, "validate")
	f.run(0, "plan", "-var=access={}", "-detailed-exitcode")
}

// A definition that is known only in the apply, and does not fit then: the old one stays in force and in the state.
func TestAccCLIUnknownDefinitionThatDoesNotFit(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	text := func(column string) string {
		return fmt.Sprintf("resource \"terraform_data\" \"column\" {\n  input = %q\n}\n", column) +
			rowFilter("f", strings.Replace(regionIs("EU"), `name = "region"`, "name = terraform_data.column.output", 1), "")
	}
	f := newProject(t, c, text("region"))
	f.run(0, "apply", "-auto-approve")
	f.configure(c, text("nowhere"))
	c.record.take()
	wantPrinted(t, f.run(1, "apply", "-auto-approve"), "does not fit the table", "nowhere")
	if n := writes(c.record.take()); n > 0 {
		t.Errorf("%d requests changed something", n)
	}
	f.configure(c, text("region"))
	f.applies()
	if err := inForce(c, "EU")(nil); err != nil {
		t.Error(err)
	}
}

// No secret gets into a log, a plan, a state or a message, whatever happens.
func TestAccCLISecretsStayOut(t *testing.T) {
	t.Parallel()
	const header = "s3cr3t-header-of-the-tests"
	c := startCatalog(t, salesSeed+"principals: [{name: user:admin, token: "+secret+", manages: true}, {name: role:analyst}]\n")
	f := newProject(t, c, "")
	f.replace("main.tf", "  warehouse", "  headers   = { X-Gateway-Key = var.key }\n  warehouse")
	f.write("access.tf", "variable \"key\" {\n  sensitive = true\n}\n"+grantOf("p", "role:analyst", "")+rowFilter("f", regionIs("EU"), ""))
	f.environment = append(f.environment, "PAIMON_TOKEN="+secret, "TF_VAR_key="+header, "TF_LOG=TRACE", "TF_LOG_PATH="+filepath.Join(f.path, "trace.log"))
	printed := f.run(0, "plan", "-out=saved") + f.run(0, "apply", "saved")
	var saved struct {
		Changes json.RawMessage `json:"resource_changes"`
		Prior   json.RawMessage `json:"prior_state"`
		Planned json.RawMessage `json:"planned_values"`
	}
	if err := json.Unmarshal([]byte(f.run(0, "show", "-json", "saved")), &saved); err != nil {
		t.Fatal(err)
	}
	echo := func(status int) {
		c.record.intercept(func(*http.Request) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(status)
				_, _ = io.WriteString(w, r.Header.Get("Authorization")+" "+r.Header.Get("X-Gateway-Key")) //nolint:gosec // no browser reads it
			}
		})
	}
	echo(http.StatusUnauthorized)
	printed += f.run(1, "plan")
	echo(http.StatusInternalServerError)
	printed += f.run(1, "apply", "-destroy", "-auto-approve", "-refresh=false")
	trace := f.read("trace.log")
	if !strings.Contains(trace, "Paimon REST call") {
		t.Error("the log has no request")
	}
	plan := string(slices.Concat(saved.Changes, saved.Prior, saved.Planned))
	for name, text := range map[string]string{"output": printed, "log": trace, "plan": plan, "state": f.read("terraform.tfstate")} {
		if i := strings.Index(text, "s3cr3t-"); i >= 0 {
			t.Errorf("a secret is in the %s: …%s…", name, text[max(0, i-300):min(len(text), i+60)])
		}
	}
}
