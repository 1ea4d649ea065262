package provider

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate/sqltext"
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

// joinExamples is one configuration of several examples. Each stands for itself, so they repeat data sources.
func joinExamples(t *testing.T, patterns ...string) string {
	t.Helper()
	var files []string
	for _, pattern := range patterns {
		files = append(files, exampleFiles(t, pattern)...)
	}
	return joinFiles(t, files...)
}

func joinFiles(t *testing.T, files ...string) string {
	t.Helper()
	texts := make([]string, len(files))
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	return once(t, strings.Join(texts, "\n"))
}

// once takes out the data sources that are there already.
func once(t *testing.T, text string) string {
	t.Helper()
	var kept strings.Builder
	var seen []string
	end := 0
	for _, block := range parse(t, "joined.tf", text).Blocks {
		if block.Type != "data" {
			continue
		}
		if name := strings.Join(block.Labels, "."); !slices.Contains(seen, name) {
			seen = append(seen, name)
			continue
		}
		kept.WriteString(text[end:block.Range().Start.Byte])
		end = block.CloseBraceRange.End.Byte
	}
	return kept.String() + text[end:]
}

// inProcess are the examples of data sources that one provider in the test process can serve: where two log in, the
// last one's settings count for both.
func inProcess(t *testing.T) []string {
	t.Helper()
	return slices.DeleteFunc(exampleFiles(t, "data-sources/*/data-source*.tf"), func(file string) bool {
		return strings.Contains(file, "paimon_query_auth")
	})
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
	files := slices.Concat(exampleFiles(t, "resources/*/resource*.tf"), inProcess(t))
	for _, file := range files {
		name := filepath.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file))
		t.Run(name, func(t *testing.T) {
			_, config := startDemo(t)
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			applySteps(t, []resource.TestStep{
				{Config: config(string(text)), ConfigPlanChecks: settled},
				{Config: config(nothing)},
			})
		})
	}
}

// TestAccTheDemo does what examples/demo/run.sh does: all examples in one configuration, then the listings and the
// import, then nothing is left.
func TestAccTheDemo(t *testing.T) {
	_, config := startDemo(t)
	resources := joinExamples(t, "resources/*/resource*.tf")
	listings := joinFiles(t, inProcess(t)...)
	applySteps(t, []resource.TestStep{
		{Config: config(resources), ConfigPlanChecks: settled},
		{
			Config:           config(once(t, resources+"\n"+listings+readExample(t, "demo", "import.tf"))),
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
	})
}

// TestAccPoliciesComeFirst proves what the examples say of their depends_on.
func TestAccPoliciesComeFirst(t *testing.T) {
	c, config := startDemo(t)
	applySteps(t, []resource.TestStep{{Config: config(readExample(t, "resources", "paimon_permission", "resource_after_policies.tf"))}})
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
	applySteps(t, []resource.TestStep{{Config: text, PlanOnly: true}})
}

var importCommand = regexp.MustCompile(`^terraform import (\S+) '([^']+)'\n$`)

// TestAccExampleImports applies the first example of each resource and imports it in every way that its page shows. None may
// plan a change.
//
// Mongey/terraform-provider-kafka#151, ably/terraform-provider-ably#16, fivetran/terraform-provider-fivetran#404.
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
			identity := object{}
			for name, text := range value(t, byIdentity, "identity") {
				identity[name] = text
			}

			c, config := startDemo(t)
			applySteps(t, []resource.TestStep{
				{
					Config: config(readExample(t, "resources", typeName, "resource.tf")),
					// Terraform before 1.12 cannot import by identity, so this is over the protocol.
					Check: func(*terraform.State) error {
						i, diags := startWalkWith(t, c, object{"token": "admin-token"}).importBy(typeName, "", identity)
						if len(diags) > 0 || i.values["id"] != id {
							return fmt.Errorf("import-by-identity.tf imports %v: %v", i.values, diags)
						}
						return nil
					},
				},
				{ResourceName: address, ImportState: true, ImportStateId: id, ImportStateKind: resource.ImportBlockWithID},
				{ // as import.sh does
					ResourceName: address, ImportState: true, ImportStateId: id,
					ImportStateVerify: true, ImportStateVerifyIgnore: []string{"expire_time", "predicate", "transform"},
				},
			})
		})
	}
}

// resultComment is what the example of a function says of an output.
var resultComment = regexp.MustCompile(`(?m)^output "(\w+)" \{\n  # (.*)\n  value`)

// TestAccFunctionExamples evaluates the example of each function, whose comments tell the results.
func TestAccFunctionExamples(t *testing.T) {
	for name := range schemas(t).Functions {
		t.Run(name, func(t *testing.T) {
			text := readExample(t, "functions", name, "function.tf")
			results := resultComment.FindAllStringSubmatch(text, -1)
			if len(results) == 0 || len(results) != strings.Count(text, "output \"") {
				t.Fatal("not every output has its result in a comment")
			}
			_, config := startDemo(t)
			resource.ParallelTest(t, resource.TestCase{
				ProtoV6ProviderFactories: factories(),
				Steps: []resource.TestStep{{Config: config(text), Check: func(state *terraform.State) error {
					return checkResults(state.RootModule().Outputs, results)
				}}},
			})
		})
	}
}

func checkResults(outputs map[string]*terraform.OutputState, results [][]string) error {
	for _, result := range results {
		name, want := result[1], result[2]
		got, ok := outputs[name].Value.(string)
		if !ok {
			encoded, err := json.Marshal(outputs[name].Value)
			if err != nil {
				return err
			}
			got = string(encoded)
		}
		if got != want {
			return fmt.Errorf("output %s is\n%s\nand should be\n%s", name, got, want)
		}
	}
	return nil
}

// pluginName is the name under which a CLI starts a provider. The test binary serves the provider under that name, so
// that the CLI can be run with several provider blocks, and with the commands that the test framework does not know.
const pluginName = "terraform-provider-paimon"

func TestMain(m *testing.M) {
	var err error
	switch filepath.Base(os.Args[0]) {
	case pluginName:
		err = Serve("test", slices.Contains(os.Args, "-debug"))
	case apacheName:
		err = tf6server.Serve("registry.terraform.io/apache/paimon", providerserver.NewProtocol6(apacheProvider{}))
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		log.Fatal(err)
	}
}

// folder is a root module on disk for a CLI.
type folder struct {
	t           *testing.T
	path        string
	root        *os.Root
	environment []string
}

// newFolder copies a folder below examples/. It asks for the catalog at an address, or for none.
func newFolder(t *testing.T, example, uri string) folder {
	t.Helper()
	f := newRoot(t, uri)
	if err := os.CopyFS(f.path, os.DirFS(filepath.Join(examples, example))); err != nil {
		t.Fatal(err)
	}
	return f
}

// newRoot is an empty folder.
func newRoot(t *testing.T, uri string) folder {
	t.Helper()
	if os.Getenv("TF_ACC") == "" || os.Getenv("TF_ACC_TERRAFORM_PATH") == "" {
		t.Skip("TF_ACC and TF_ACC_TERRAFORM_PATH are not set")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	plugin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(plugin, pluginName)); err != nil {
		t.Fatal(err)
	}
	settings := openFolder(t, plugin)
	settings.write("cli.tfrc", fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"paimon-iac/paimon\" = %q\n  }\n  direct {}\n}\n", plugin))
	f := openFolder(t, t.TempDir())
	// The race detector would make each of the many processes of a run wait a second at its end.
	f.environment = append(slices.DeleteFunc(os.Environ(), func(setting string) bool {
		return strings.HasPrefix(setting, "TF_") || strings.HasPrefix(setting, "PAIMON_")
	}), "CHECKPOINT_DISABLE=1", "GORACE=atexit_sleep_ms=0", "TF_IN_AUTOMATION=1", "TF_CLI_CONFIG_FILE="+filepath.Join(plugin, "cli.tfrc"))
	if uri != "" {
		f.environment = append(f.environment,
			"PAIMON_URI="+uri, "PAIMON_WAREHOUSE=demo", "PAIMON_TOKEN=admin-token", "TF_VAR_alice_token=alice-token")
	}
	return f
}

func openFolder(t *testing.T, path string) folder {
	t.Helper()
	root, err := os.OpenRoot(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := root.Close(); err != nil {
			t.Error(err)
		}
	})
	return folder{t: t, path: path, root: root}
}

func (f folder) write(name, text string) {
	f.t.Helper()
	if err := f.root.WriteFile(name, []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// replace changes a file in one place.
func (f folder) replace(name, old, changed string) {
	f.t.Helper()
	text, err := f.root.ReadFile(name)
	if err != nil {
		f.t.Fatal(err)
	}
	if strings.Count(string(text), old) != 1 {
		f.t.Fatalf("%s does not have %q once", name, old)
	}
	f.write(name, strings.Replace(string(text), old, changed, 1))
}

// run runs the CLI, which must end with a status, and returns what it printed on one line.
func (f folder) run(status int, arguments ...string) string {
	f.t.Helper()
	got, printed := f.try(arguments...)
	if got != status {
		f.t.Fatalf("%v ended with status %d, not %d:\n%s", arguments, got, status, printed)
	}
	return strings.Join(strings.Fields(printed), " ")
}

// try runs the CLI and returns its status and what it printed.
func (f folder) try(arguments ...string) (int, string) {
	f.t.Helper()
	command := exec.CommandContext(f.t.Context(), os.Getenv("TF_ACC_TERRAFORM_PATH"), append(arguments, "-no-color")...) //nolint:gosec // whoever runs the tests says which CLI
	command.Dir = f.path
	command.Env = f.environment
	printed, err := command.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), string(printed)
	} else if err != nil {
		f.t.Fatal(err)
	}
	return 0, string(printed)
}

// wantPrinted looks for texts in what a CLI printed; with ! in front they must not be there.
func wantPrinted(t *testing.T, printed string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		wanted, unwanted := strings.CutPrefix(text, "!")
		if strings.Contains(printed, wanted) == unwanted {
			t.Errorf("unexpected, or missing: %s\nin: %s", wanted, printed)
		}
	}
}

// TestAccExampleTestOfTheRules runs the tests of the guide, which need no catalog, and proves that they test something.
func TestAccExampleTestOfTheRules(t *testing.T) {
	f := newFolder(t, "row-filters-and-masks/rules", "")
	wantPrinted(t, f.run(0, "test"), "3 passed, 0 failed")
	f.replace("main.tf", "('DE', 'FR')", "('DE')")
	wantPrinted(t, f.run(1, "test"), "Analysts see the customers [1].", "2 passed, 1 failed")
	f.replace("main.tf", "CONCAT('***')", "UPPER(email)")
	wantPrinted(t, f.run(1, "test"), `"email":"ADA@EXAMPLE.ORG"`, "0 passed, 3 failed")
}

// TestAccExampleRowFiltersAndMasks applies the example of the guide, whose check must notice a weaker mask.
func TestAccExampleRowFiltersAndMasks(t *testing.T) {
	c, _ := startDemo(t)
	f := newFolder(t, "row-filters-and-masks", c.url)
	f.run(0, "get")
	wantPrinted(t, f.run(0, "apply", "-auto-approve"), "5 added, 0 changed, 0 destroyed.", "!Check block assertion failed")
	f.run(0, "plan", "-detailed-exitcode")
	f.replace("rules/main.tf", "CONCAT('***')", "UPPER(email)")
	wantPrinted(t, f.run(0, "apply", "-auto-approve"),
		`~ transform_sql = "CONCAT('***')" -> "UPPER(email)"`, "Check block assertion failed", "Alice sees e-mail addresses.")
	f.replace("rules/main.tf", "UPPER(email)", "CONCAT('***')")
	wantPrinted(t, f.run(0, "apply", "-auto-approve"), "!Check block assertion failed")
	wantPrinted(t, f.run(0, "apply", "-destroy", "-auto-approve"), "5 destroyed.", "role:analyst will see all rows of sales.customers")
}

// TestAccExampleOfQueryAuth applies the data source's example with the policies that it asks for.
func TestAccExampleOfQueryAuth(t *testing.T) {
	c, _ := startDemo(t)
	f := newFolder(t, "data-sources/paimon_query_auth", c.url)
	f.write("demo.tf", readExample(t, "demo", "demo.tf"))
	f.write("policies.tf", readExample(t, "resources", "paimon_permission", "resource_after_policies.tf"))
	wantPrinted(t, f.run(0, "apply", "-auto-approve"), "3 added, 0 changed, 0 destroyed.", "!Check block assertion failed")
	f.run(0, "plan", "-detailed-exitcode")
	f.replace("policies.tf", `"note"`, `"status"`)
	wantPrinted(t, f.run(0, "apply", "-auto-approve"), "Alice sees the notes on the orders.", "!Alice sees every order.")
	f.run(0, "apply", "-destroy", "-auto-approve")
}

// languageFields are the columns that the tables of the expression language use.
const languageFields = "region STRING, items INT, amount DECIMAL(12, 2), paid BOOLEAN, score DOUBLE, email STRING, phone STRING, " +
	"born DATE, opens TIME(0), ordered_at TIMESTAMP(3), sent_at TIMESTAMP_LTZ(3)"

// languageColumns has the columns of a ROW type, and those that have no text.
func languageColumns(t *testing.T) []datatype.Field {
	t.Helper()
	var fields []datatype.Field
	add := func(name, text string) {
		parsed, err := datatype.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		fields = append(fields, datatype.Field{ID: len(fields), Name: name, Type: parsed})
	}
	for _, column := range regexp.MustCompile(`(\w+) ([A-Z_]+(?:\([^)]*\))?)`).FindAllStringSubmatch(languageFields, -1) {
		add(column[1], column[2])
	}
	add("tags", `{"type":"ARRAY","element":"STRING"}`)
	add("address", `{"type":"ROW","fields":[{"id":0,"name":"city","type":"STRING"}]}`)
	return fields
}

// languageRowData is the row that the examples of the table of expressions are of.
var languageRowData = predicate.Row{
	"region": "EU", "items": json.Number("5"), "phone": "0151-4567", "born": "2026-01-15", "address": map[string]any{"city": "Berlin"},
}

// tableCells are the cells of a row of a table that begins with code.
var tableCells = regexp.MustCompile("(?m)^\\| (`.*) \\|$")

// codes are the pieces of code in a cell.
func codes(cell string) []string {
	var pieces []string
	for _, match := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
		pieces = append(pieces, match[1])
	}
	return pieces
}

// languageTables are the rows of the tables on the page of a function that say who reads a line.
func languageTables(t *testing.T, function string) [][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, "templates", "functions", function+".md.tmpl"))
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for _, match := range tableCells.FindAllStringSubmatch(string(text), -1) {
		rows = append(rows, strings.Split(match[1], " | "))
	}
	if len(rows) == 0 {
		t.Fatalf("the page of %s has no table", function)
	}
	return rows
}

// TestTablesOfTheLanguage compiles every line of the reference of the expression language, computes its examples, and
// compares the readers that it names with what is known of them.
func TestTablesOfTheLanguage(t *testing.T) {
	fields := languageColumns(t)
	for _, row := range languageTables(t, "predicate_from_sql") {
		for _, sql := range codes(row[0]) {
			p, err := sqltext.ParsePredicate(sql, fields)
			if err != nil {
				t.Error(err)
				continue
			}
			if got := readersOf(predicate.CheckEngines(p, predicate.Engines())); got != row[2] {
				t.Errorf("%s is read by %q, and the page says %q", sql, got, row[2])
			}
		}
	}
	for _, row := range languageTables(t, "transform_from_sql") {
		sql, want := codes(row[0])[0], codes(row[2])[0]
		transform, err := sqltext.ParseTransform(sql, fields)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := readersOf(predicate.CheckMask(transform, "phone", predicate.Engines())); got != row[3] {
			t.Errorf("%s is read by %q, and the page says %q", sql, got, row[3])
		}
		shown, err := predicate.Apply(transform, languageRowData)
		if err != nil {
			t.Error(err)
			continue
		}
		if got, err := json.Marshal(shown); err != nil || string(got) != want {
			t.Errorf("%s shows %s, and the page says %s (%v)", sql, got, want, err)
		}
	}
}

// TestTablesOfTheRows reads every example of the notation of rows as each of the types that it is for.
func TestTablesOfTheRows(t *testing.T) {
	complete := map[string]string{
		"DECIMAL": "DECIMAL(12, 2)", "BINARY": "BINARY(4)", "VARBINARY": "VARBINARY(4)", "ARRAY": `{"type":"ARRAY","element":"STRING"}`,
		"MAP": `{"type":"MAP","key":"STRING","value":"STRING"}`, "ROW": `{"type":"ROW","fields":[{"id":0,"name":"city","type":"STRING"}]}`,
		"CHAR": "CHAR(2)", "VARCHAR": "VARCHAR(2)", "TINYINT": "BIGINT", "SMALLINT": "BIGINT", "INT": "BIGINT", // whose range is too small for the example
	}
	for _, function := range []string{"predicate_matches", "transform_apply"} {
		for _, row := range languageTables(t, function) {
			// JSON but for the objects.
			example := regexp.MustCompile(`(\w+) = `).ReplaceAllString(codes(row[2])[0], `"$1": `)
			for _, name := range codes(row[0]) {
				typed, err := datatype.Parse(cmp.Or(complete[name], name))
				if err != nil {
					t.Fatal(err)
				}
				decoder := json.NewDecoder(strings.NewReader(example))
				decoder.UseNumber()
				var plain any
				if err := decoder.Decode(&plain); err != nil {
					t.Fatal(err)
				}
				if _, err := datatype.FromPlain(plain, typed); err != nil {
					t.Errorf("%s as %s: %v", example, name, err)
				}
			}
		}
	}
}

// readersOf names the readers that know everything in a policy. paimon-rust reads no table that has one, and paimon-cpp
// enforces none, so the tables leave them out.
func readersOf(remarks []predicate.Remark) string {
	engines := slices.DeleteFunc(predicate.Engines(), func(engine predicate.Engine) bool {
		return engine == predicate.EngineRust04 || engine == predicate.EngineCpp
	})
	var knows []string
	for _, engine := range engines {
		if !slices.ContainsFunc(remarks, func(r predicate.Remark) bool {
			return r.Engine == engine && (r.Code == predicate.CodeNewer || r.Code == predicate.CodeNewLiteral)
		}) {
			knows = append(knows, string(engine))
		}
	}
	if len(knows) == len(engines) {
		return "all"
	}
	return strings.Join(knows, ", ")
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
		{"functions", slices.Sorted(maps.Keys(all.Functions)), []string{"function.tf"}},
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
	pages, err := filepath.Glob(repository + "/templates/*/*")
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
var metaArguments = []string{"count", "depends_on", "for_each", "provider"}

// checkConfiguration parses a configuration, and looks up every attribute of ours in the schemas.
func checkConfiguration(t *testing.T, code string) {
	t.Helper()
	all := schemas(t)
	for _, block := range parse(t, "block.tf", code).Blocks {
		if chosen := block.Body.Attributes["provider"]; chosen != nil && chosen.Expr.Variables()[0].RootName() != "paimon" {
			continue
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
