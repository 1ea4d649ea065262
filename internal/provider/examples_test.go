package provider

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
)

// The tests of the documentation: every example is applied to the catalog of the demo, every other block is checked
// against the schemas.

const (
	repository = "../.."
	examples   = repository + "/examples"
)

// readExample reads a file below examples/.
func readExample(t *testing.T, parts ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{examples}, parts...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// exampleFiles lists the files that match a pattern below examples/, of which there must be some.
func exampleFiles(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(examples, pattern))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no example matches %s", pattern)
	}
	return files
}

// joinExamples is one configuration of several files.
func joinExamples(t *testing.T, patterns ...string) string {
	t.Helper()
	var texts []string
	for _, pattern := range patterns {
		for _, file := range exampleFiles(t, pattern) {
			name, err := filepath.Rel(examples, file)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, readExample(t, name))
		}
	}
	return strings.Join(texts, "\n")
}

// startDemo starts the catalog of the demo and returns it with a function that puts the provider block in front.
func startDemo(t *testing.T) (c *catalog, config func(text string) string) {
	t.Helper()
	c = startCatalog(t, readExample(t, "demo", "seed.yaml"))
	return c, func(text string) string {
		return fmt.Sprintf("provider \"paimon\" {\n  uri       = %q\n  warehouse = \"demo\"\n  token     = \"admin-token\"\n}\n\n%s", c.url, text)
	}
}

// nothing destroys what the steps before have made. The test framework would do so, too, but not where there is a
// for_each, whose state it cannot read.
const nothing = "# Nothing.\n"

// settled expects that a second plan is empty.
var settled = resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}

func TestAccEveryExampleIsApplied(t *testing.T) {
	files := slices.Concat(exampleFiles(t, "resources/*/resource*.tf"), exampleFiles(t, "data-sources/*/data-source*.tf"))
	for _, file := range files {
		name := filepath.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file))
		t.Run(name, func(t *testing.T) {
			_, config := startDemo(t)
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			resource.ParallelTest(t, resource.TestCase{
				ProtoV6ProviderFactories: factories(),
				Steps: []resource.TestStep{
					{Config: config(string(text)), ConfigPlanChecks: settled},
					{Config: config(nothing)},
				},
			})
		})
	}
}

// TestAccTheDemo does what examples/demo/run.sh does: all examples in one configuration, then the listings and the
// import, then nothing is left.
func TestAccTheDemo(t *testing.T) {
	_, config := startDemo(t)
	resources := joinExamples(t, "resources/*/resource*.tf")
	listings := joinExamples(t, "data-sources/*/data-source*.tf")
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: factories(),
		Steps: []resource.TestStep{
			{Config: config(resources), ConfigPlanChecks: settled},
			{
				Config:           config(resources + "\n" + listings + readExample(t, "demo", "import.tf")),
				ConfigPlanChecks: settled,
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownOutputValue("who_may_do_what_on_employees", knownvalue.ListExact([]knownvalue.Check{
						knownvalue.StringExact("COLUMN/hr/employees/SELECT/role:finance"),
						knownvalue.StringExact("TABLE/hr/employees/ALL/user:carol"),
					})),
				},
			},
			// Here the listings are read while everything is there still.
			{Config: config(listings), ExpectNonEmptyPlan: true},
			{
				Config: config(listings),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownOutputValue("customer_policies", knownvalue.ListSizeExact(0)),
					statecheck.ExpectKnownOutputValue("who_may_do_what_on_employees", knownvalue.ListSizeExact(0)),
				},
			},
			{Config: config(nothing)},
		},
	})
}

// TestAccPoliciesComeFirst proves what the examples say of their depends_on.
func TestAccPoliciesComeFirst(t *testing.T) {
	c, config := startDemo(t)
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: factories(),
		Steps:                    []resource.TestStep{{Config: config(readExample(t, "resources", "paimon_permission", "resource_after_policies.tf"))}},
	})
	const policies = "POST /v1/demo/databases/sales/tables/orders/policies"
	writes := slices.DeleteFunc(c.record.take(), func(request string) bool { return !strings.HasPrefix(request, "POST ") })
	want := []string{
		policies, policies, "POST /v1/demo/permissions/grant",
		"POST /v1/demo/permissions/revoke", policies + "/drop", policies + "/drop",
	}
	if !slices.Equal(writes, want) {
		t.Errorf("the writes were\n%s\nand should be\n%s", strings.Join(writes, "\n"), strings.Join(want, "\n"))
	}
}

func TestAccExampleOfTheProvider(t *testing.T) {
	// The test serves the provider under another address, so the block that names it is cut out.
	text := readExample(t, "provider", "provider.tf")
	for _, block := range parse(t, "provider.tf", text).Blocks {
		if block.Type == "terraform" {
			text = text[:block.Range().Start.Byte] + text[block.CloseBraceRange.End.Byte:]
		}
	}
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: factories(),
		Steps:                    []resource.TestStep{{Config: text, PlanOnly: true}},
	})
}

var importCommand = regexp.MustCompile(`^terraform import (\S+) '([^']+)'\n$`)

// TestAccExampleImports applies the first example of each resource and imports it by the ID that its page shows, which
// must plan no change. The other ways on the page must name the same record.
func TestAccExampleImports(t *testing.T) {
	for typeName := range schemas(t).ResourceSchemas {
		t.Run(typeName, func(t *testing.T) {
			code := readExample(t, "resources", typeName, "import-by-string-id.tf")
			block := onlyBlock(t, code)
			address, id := addressOf(code, block), value(t, block, "id")["id"]

			command := importCommand.FindStringSubmatch(readExample(t, "resources", typeName, "import.sh"))
			if len(command) == 0 || command[1] != address || command[2] != id {
				t.Errorf("import.sh does not import %s as %s", id, address)
			}
			code = readExample(t, "resources", typeName, "import-by-identity.tf")
			byIdentity := onlyBlock(t, code)
			if got := addressOf(code, byIdentity); got != address {
				t.Errorf("import-by-identity.tf imports to %s, not to %s", got, address)
			}
			if got := importedID(t, typeName, value(t, byIdentity, "identity")); got != id {
				t.Errorf("import-by-identity.tf imports %s, not %s", got, id)
			}

			_, config := startDemo(t)
			resource.ParallelTest(t, resource.TestCase{
				ProtoV6ProviderFactories: factories(),
				Steps: []resource.TestStep{
					{Config: config(readExample(t, "resources", typeName, "resource.tf"))},
					{ResourceName: address, ImportState: true, ImportStateId: id, ImportStateKind: resource.ImportBlockWithID},
				},
			})
		})
	}
}

func TestEverythingHasAnExample(t *testing.T) {
	all := schemas(t)
	for _, kind := range []struct {
		folder string
		names  []string
		files  []string
	}{
		{"resources", slices.Sorted(maps.Keys(all.ResourceSchemas)), []string{"resource.tf", "import.sh", "import-by-string-id.tf", "import-by-identity.tf"}},
		{"data-sources", slices.Sorted(maps.Keys(all.DataSourceSchemas)), []string{"data-source.tf"}},
	} {
		for _, name := range kind.names {
			for _, file := range kind.files {
				readExample(t, kind.folder, name, file)
			}
		}
		for _, folder := range exampleFiles(t, kind.folder+"/*") {
			if !slices.Contains(kind.names, filepath.Base(folder)) {
				t.Errorf("%s is an example of nothing", folder)
			}
		}
	}
}

var fence = regexp.MustCompile("(?ms)^ *```(terraform|hcl|yaml)\n(.*?)^ *```$")

// TestBlocksOfTheGuides checks the configurations and seed files in the hand-written pages.
func TestBlocksOfTheGuides(t *testing.T) {
	pages, err := filepath.Glob(repository + "/templates/guides/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, repository+"/README.md", repository+"/templates/index.md.tmpl") {
		t.Run(filepath.Base(page), func(t *testing.T) {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			for _, block := range fence.FindAllStringSubmatch(string(text), -1) {
				switch language, code := block[1], block[2]; {
				case language != "yaml":
					checkConfiguration(t, code)
				case strings.Contains(code, "warehouse:"):
					checkSeed(t, code)
				}
			}
		})
	}
}

// metaArguments are arguments that every resource and data source has.
var metaArguments = []string{"count", "depends_on", "for_each"}

// checkConfiguration parses a configuration, and looks up every attribute of ours in the schemas.
func checkConfiguration(t *testing.T, code string) {
	t.Helper()
	all := schemas(t)
	for _, block := range parse(t, "block.tf", code).Blocks {
		if block.Body.Attributes["provider"] != nil {
			continue // another one's
		}
		schema := all.Provider
		switch block.Type {
		case "resource":
			schema = all.ResourceSchemas[block.Labels[0]]
		case "data":
			schema = all.DataSourceSchemas[block.Labels[0]]
		case "provider":
		default:
			continue
		}
		if schema == nil {
			if strings.HasPrefix(block.Labels[0], "paimon_") {
				t.Errorf("there is no %s %s", block.Type, block.Labels[0])
			}
			continue
		}
		for name := range block.Body.Attributes {
			known := slices.Contains(metaArguments, name) || (block.Type == "provider" && name == "alias") ||
				slices.ContainsFunc(schema.Block.Attributes, func(a *tfprotov6.SchemaAttribute) bool { return a.Name == name && (a.Required || a.Optional) })
			if !known {
				t.Errorf("%s %s has no argument %s, in:\n%s", block.Type, block.Labels[0], name, code)
			}
		}
		for _, a := range schema.Block.Attributes {
			if a.Required && block.Body.Attributes[a.Name] == nil {
				t.Errorf("%s %s lacks the argument %s, in:\n%s", block.Type, block.Labels[0], a.Name, code)
			}
		}
	}
}

func checkSeed(t *testing.T, code string) {
	t.Helper()
	seed, err := devcatalog.ParseSeed([]byte(code))
	if err != nil {
		t.Fatalf("%v, in:\n%s", err, code)
	}
	dev, err := devcatalog.New(t.Context(), devcatalog.Config{Seed: seed})
	if err != nil {
		t.Fatalf("%v, in:\n%s", err, code)
	}
	if err := dev.Close(); err != nil {
		t.Error(err)
	}
}

// schemas asks the provider for its schemas over the protocol.
func schemas(t *testing.T) *tfprotov6.GetProviderSchemaResponse {
	t.Helper()
	all, err := providerserver.NewProtocol6(New("test"))().GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// importedID imports by identity over the protocol, since Terraform before 1.12 cannot, and returns the id of the state.
func importedID(t *testing.T, typeName string, identity map[string]string) string {
	t.Helper()
	ctx := t.Context()
	server := providerserver.NewProtocol6(New("test"))()
	identities, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		t.Fatal(err)
	}
	identityType, ok := identities.IdentitySchemas[typeName].ValueType().(tftypes.Object)
	if !ok {
		t.Fatalf("the identity of %s is no object", typeName)
	}
	values := make(map[string]tftypes.Value)
	for name := range identityType.AttributeTypes {
		values[name] = tftypes.NewValue(tftypes.String, nil)
	}
	for name, text := range identity {
		values[name] = tftypes.NewValue(tftypes.String, text)
	}
	data, err := tfprotov6.NewDynamicValue(identityType, tftypes.NewValue(identityType, values))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := server.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{
		TypeName: typeName,
		Identity: &tfprotov6.ResourceIdentityData{IdentityData: &data},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range answer.Diagnostics {
		t.Fatalf("%s: %s", d.Summary, d.Detail)
	}
	state, err := answer.ImportedResources[0].State.Unmarshal(schemas(t).ResourceSchemas[typeName].ValueType())
	if err != nil {
		t.Fatal(err)
	}
	var attributes map[string]tftypes.Value
	var id string
	if err := state.As(&attributes); err != nil {
		t.Fatal(err)
	}
	if err := attributes["id"].As(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

func parse(t *testing.T, name, code string) *hclsyntax.Body {
	t.Helper()
	file, diags := hclsyntax.ParseConfig([]byte(code), name, hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("%v, in:\n%s", diags, code)
	}
	body, ok := file.Body.(*hclsyntax.Body)
	if !ok {
		t.Fatalf("a body of type %T", file.Body)
	}
	return body
}

func onlyBlock(t *testing.T, code string) *hclsyntax.Block {
	t.Helper()
	blocks := parse(t, "import.tf", code).Blocks
	if len(blocks) != 1 || blocks[0].Type != "import" {
		t.Fatalf("not one import block:\n%s", code)
	}
	return blocks[0]
}

// addressOf is the address that an import block imports to.
func addressOf(code string, block *hclsyntax.Block) string {
	return string(block.Body.Attributes["to"].Expr.Range().SliceBytes([]byte(code)))
}

// value is the value of an argument: the texts of an object, or one text under the argument's name.
func value(t *testing.T, block *hclsyntax.Block, argument string) map[string]string {
	t.Helper()
	v, diags := block.Body.Attributes[argument].Expr.Value(nil)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if !v.Type().IsObjectType() {
		return map[string]string{argument: v.AsString()}
	}
	texts := make(map[string]string)
	for name, element := range v.AsValueMap() {
		texts[name] = element.AsString()
	}
	return texts
}
