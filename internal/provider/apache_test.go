package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// apacheName is the name under which the test binary serves the stand-in for the Apache provider.
const apacheName = pluginName + "_apache"

// apacheProvider stands in for the Apache provider, which tests that need no network cannot install. Its resources have
// the attributes of the real ones that matter here, and keep what they are given.
type apacheProvider struct{}

func (apacheProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "paimon"
}

func (apacheProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = providerschema.Schema{Attributes: map[string]providerschema.Attribute{"uri": providerschema.StringAttribute{Required: true}}}
}

func (apacheProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}

func (apacheProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (apacheProvider) Resources(context.Context) []func() resource.Resource {
	var factories []func() resource.Resource
	for name, s := range map[string]schema.Schema{
		"paimon_database":    stringsSchema("name"),
		"paimon_permission":  permissionSchemaV0(),
		"paimon_row_filter":  stringsSchema("database", "table", "principal", "predicate", "allow_non_atomic_update"),
		"paimon_column_mask": stringsSchema("database", "table", "principal", "column", "transform", "allow_non_atomic_update"),
	} {
		s.Attributes["id"] = schema.StringAttribute{Computed: true}
		factories = append(factories, func() resource.Resource { return apacheResource{name, s} })
	}
	return factories
}

type apacheResource struct {
	name   string
	schema schema.Schema
}

func (r apacheResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = r.name
}

func (r apacheResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.schema
}

func (r apacheResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = req.Plan.Raw
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), r.name)...)
}

func (apacheResource) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (apacheResource) Update(context.Context, resource.UpdateRequest, *resource.UpdateResponse) {}

func (apacheResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// installApache makes the stand-in available to the CLI, beside this provider.
func (f *folder) installApache() {
	f.t.Helper()
	self, err := os.Executable()
	if err != nil {
		f.t.Fatal(err)
	}
	plugins := openFolder(f.t, f.t.TempDir())
	var overrides strings.Builder
	for name, source := range map[string]string{pluginName: "paimon-iac/paimon", apacheName: "apache/paimon"} {
		folder := filepath.Join(plugins.path, name)
		if err := os.Mkdir(folder, 0o700); err != nil {
			f.t.Fatal(err)
		}
		if err := os.Symlink(self, filepath.Join(folder, name)); err != nil {
			f.t.Fatal(err)
		}
		fmt.Fprintf(&overrides, "    %q = %q\n", source, folder)
	}
	plugins.write("cli.tfrc", "provider_installation {\n  dev_overrides {\n"+overrides.String()+"  }\n  direct {}\n}\n")
	f.environment = append(f.environment, "TF_CLI_CONFIG_FILE="+filepath.Join(plugins.path, "cli.tfrc"))
}

// movedFromApache is for the resources in the stored states whose types have other names in the Apache provider.
const movedFromApache = `
moved {
  from = paimon_permission.listed
  to   = paimon_column_permission.listed
}

moved {
  from = paimon_permission.excluded
  to   = paimon_column_permission.excluded
}

moved {
  from = paimon_row_filter.region
  to   = paimon_row_filter_policy.region
}

moved {
  from = paimon_column_mask.email
  to   = paimon_column_mask_policy.email
}
`

// storedProject is a project whose records are all in the catalog, and whose state is one of the stored ones.
func storedProject(t *testing.T, state string) (*catalog, folder) {
	t.Helper()
	c := startCatalog(t, salesSeed)
	f := newProject(t, c, readStored(t, "main.tf"))
	f.run(0, "apply", "-auto-approve")
	f.write("terraform.tfstate", readStored(t, state))
	c.record.take()
	return c, f
}

// replaceProvider names the registry, since OpenTofu looks for its own otherwise.
func (f folder) replaceProvider() {
	f.t.Helper()
	f.run(0, "state", "replace-provider", "-auto-approve", "registry.terraform.io/apache/paimon", "registry.terraform.io/paimon-iac/paimon")
}

// wantSettled checks that nothing was written to the catalog, that the plan is empty, and that a resource of the state has
// the ID of this provider.
func wantSettled(t *testing.T, c *catalog, f folder) {
	t.Helper()
	f.run(0, "plan", "-detailed-exitcode")
	if n := writes(c.record.take()); n > 0 {
		t.Errorf("%d requests changed something", n)
	}
	for _, r := range readState(t, f.read("terraform.tfstate")) {
		var attributes struct{ ID string }
		if err := json.Unmarshal(r.Instances[0].Attributes, &attributes); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(r.address(), "/paimon-iac/paimon") && (r.Instances[0].SchemaVersion != schemaVersion || strings.Contains(attributes.ID, "=")) {
			t.Errorf("%s.%s has the ID %s in version %d", r.Type, r.Name, attributes.ID, r.Instances[0].SchemaVersion)
		}
	}
}

// A new version of the provider plans nothing for what an earlier one wrote (ClickHouse/terraform-provider-clickhousedbops#239).
func TestAccCLIStatesOfEarlierVersionsPlanEmpty(t *testing.T) {
	t.Parallel()
	for _, name := range storedStates(t) {
		if !strings.HasPrefix(name, "paimon-iac-") {
			continue
		}
		c, f := storedProject(t, name)
		f.run(0, "plan", "-detailed-exitcode", "-refresh=false")
		f.run(0, "plan", "-detailed-exitcode")
		wantPrinted(t, f.run(0, "apply", "-auto-approve"), "0 added, 0 changed, 0 destroyed.")
		if n := writes(c.record.take()); n > 0 {
			t.Errorf("%s: %d requests changed something", name, n)
		}
	}
}

// Moved blocks carry everything over (snowflakedb/terraform-provider-snowflake#2707, snowflakedb/terraform-provider-snowflake#3990).
func TestAccCLIApacheStateIsMoved(t *testing.T) {
	t.Parallel()
	const nothing = "0 to add, 0 to change, 0 to destroy."
	for name, prepare := range map[string]func(f *folder){
		"with the Apache provider installed":     (*folder).installApache,
		"without, after its address is replaced": func(f *folder) { f.replaceProvider() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, f := storedProject(t, "apache-v0.json")
			f.configure(c, readStored(t, "main.tf")+movedFromApache)
			prepare(&f)
			wantPrinted(t, f.run(2, "plan", "-detailed-exitcode", "-refresh=false"), nothing)
			wantPrinted(t, f.run(2, "plan", "-detailed-exitcode"), nothing, "paimon_row_filter.region has moved to paimon_row_filter_policy.region")
			wantPrinted(t, f.run(0, "apply", "-auto-approve"), "0 added, 0 changed, 0 destroyed.")
			wantSettled(t, c, f)
		})
	}
}

// Permissions have the same type in both providers, so they need no moved block.
func TestAccCLIApachePermissionsKeepTheirAddresses(t *testing.T) {
	t.Parallel()
	c, f := storedProject(t, "apache-v0.json")
	permissions, _, _ := strings.Cut(readStored(t, "main.tf"), `resource "paimon_column_permission"`)
	f.configure(c, permissions)
	f.run(0, "state", "rm", "paimon_permission.listed", "paimon_permission.excluded", "paimon_row_filter.region", "paimon_column_mask.email")
	f.replaceProvider()
	f.run(0, "plan", "-detailed-exitcode", "-refresh=false")
	wantPrinted(t, f.run(0, "plan", "-detailed-exitcode"), "Refreshing state... [id=TABLE/sales/orders/SELECT/role:analyst]")
	wantPrinted(t, f.run(0, "apply", "-auto-approve"), "0 added, 0 changed, 0 destroyed.")
	wantSettled(t, c, f)
}

// What was forgotten is imported by the ID that the Apache provider printed.
func TestAccCLIApacheIDsImport(t *testing.T) {
	t.Parallel()
	c, f := storedProject(t, "apache-v0.json")
	var text strings.Builder
	text.WriteString(readStored(t, "main.tf"))
	for address, id := range map[string]string{
		"paimon_column_permission.listed":   "access=SELECT&database=sales&principal=role%3Aanalyst&resource_type=COLUMN&table=orders",
		"paimon_row_filter_policy.region":   "database=sales&principal=role%3Aanalyst&table=orders",
		"paimon_column_mask_policy.email":   "column=email&database=sales&principal=role%3Asupport&table=customers",
		"paimon_permission.table":           "access=SELECT&database=sales&principal=role%3Aanalyst&resource_type=TABLE&table=orders",
		"paimon_column_permission.excluded": "access=SELECT&database=sales&principal=role%3Asupport&resource_type=COLUMN&table=customers",
	} {
		fmt.Fprintf(&text, "\nimport {\n  to = %s\n  id = %q\n}\n", address, id)
	}
	f.configure(c, text.String())
	f.run(0, "state", "rm", "paimon_permission.listed", "paimon_permission.excluded", "paimon_permission.table", "paimon_row_filter.region", "paimon_column_mask.email")
	f.replaceProvider()
	wantPrinted(t, f.run(0, "apply", "-auto-approve"), "5 imported, 0 added, 0 changed, 0 destroyed.")
	wantSettled(t, c, f)
}

// Databases and tables stay with the Apache provider, in the same configuration and state.
func TestAccCLIApacheProviderBesideThisOne(t *testing.T) {
	t.Parallel()
	c, f := storedProject(t, "apache-v0.json")
	f.installApache()
	f.configure(c, readStored(t, "main.tf")+movedFromApache+`
provider "apache" {
  uri = "http://127.0.0.1:1"
}

resource "paimon_database" "sales" {
  provider = apache
  name     = "sales"
}
`)
	f.replace("main.tf", `    paimon = { source = "paimon-iac/paimon" }`, "    paimon = { source = \"paimon-iac/paimon\" }\n    apache = { source = \"apache/paimon\" }")
	wantPrinted(t, f.run(0, "apply", "-auto-approve"), "1 added, 0 changed, 0 destroyed.")
	wantSettled(t, c, f)
}

// A moved block to the wrong type is refused with what to do, and nothing is lost.
func TestAccCLIWrongMoveIsRefused(t *testing.T) {
	t.Parallel()
	c, f := storedProject(t, "apache-v0.json")
	f.replaceProvider()
	text := strings.Replace(readStored(t, "main.tf")+movedFromApache, `"paimon_permission" "table"`, `"paimon_permission" "other"`, 1)
	wrong := "\nmoved {\n  from = paimon_permission.table\n  to   = paimon_column_permission.wrong\n}\n"
	target := `
resource "paimon_column_permission" "wrong" {
  database     = "sales"
  table        = "customers"
  principal    = "role:analyst"
  column_names = ["id"]
}
`
	f.configure(c, text+wrong+target)
	wantPrinted(t, f.run(1, "plan"), "SELECT on TABLE sales.orders for role:analyst stays a paimon_permission")
	// Without a block at the target nothing tells the provider that the state was of another type.
	f.configure(c, text+wrong)
	f.run(1, "apply", "-auto-approve")
	if n := writes(c.record.take()); n > 0 {
		t.Errorf("%d requests changed something", n)
	}
	// And without moved blocks the state tells which type it would have to be.
	f.configure(c, readStored(t, "main.tf"))
	wantPrinted(t, f.run(1, "plan"), "is not managed by paimon_permission here but by paimon_column_permission")
}
