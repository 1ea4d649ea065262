package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	framework "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/paimon-iac/terraform-provider-paimon/internal/provider"
)

// pluginName is the name under which Terraform starts a provider. The test binary serves the provider under that name,
// so that no other program has to be built for the comparison.
const pluginName = "terraform-provider-paimon"

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) != pluginName {
		os.Exit(m.Run())
	}
	err := providerserver.Serve(context.Background(), func() framework.Provider { return provider.New("dev") }, providerserver.ServeOpts{
		Address:         "registry.terraform.io/paimon-iac/paimon",
		ProtocolVersion: 6,
	})
	if err != nil {
		log.Fatal(err)
	}
}

// printed is the output, read back as plain JSON values.
func printed(t *testing.T) map[string]any {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	return onlyProvider(t, out.Bytes())
}

func onlyProvider(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var read struct {
		Providers map[string]map[string]any `json:"provider_schemas"`
	}
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if len(read.Providers) != 1 {
		t.Fatalf("%d providers in %s", len(read.Providers), text)
	}
	for _, p := range read.Providers {
		return p
	}
	return nil
}

func TestPrintsEveryKindOfSchema(t *testing.T) {
	got := printed(t)
	for _, key := range []string{"provider", "resource_schemas", "data_source_schemas", "functions", "resource_identity_schemas"} {
		if _, ok := got[key]; !ok {
			t.Errorf("%s is missing", key)
		}
	}
	resources, _ := got["resource_schemas"].(map[string]any)
	identities, _ := got["resource_identity_schemas"].(map[string]any)
	for name := range resources {
		if _, ok := identities[name]; !ok {
			t.Errorf("%s has no identity", name)
		}
	}
}

// TestPrintsFunctions looks at one function whole, as the documentation generator takes it.
func TestPrintsFunctions(t *testing.T) {
	functions, _ := printed(t)["functions"].(map[string]any)
	got, _ := functions["predicate_matches"].(map[string]any)
	for _, key := range []string{"description", "summary"} {
		if text, _ := got[key].(string); text == "" {
			t.Errorf("no %s", key)
		}
		delete(got, key)
	}
	parameters, _ := got["parameters"].([]any)
	for _, p := range parameters {
		parameter, _ := p.(map[string]any)
		if text, _ := parameter["description"].(string); text == "" {
			t.Errorf("parameter %v has no description", parameter["name"])
		}
		delete(parameter, "description")
	}
	want := map[string]any{
		"parameters": []any{
			map[string]any{"name": "json", "type": "string"},
			map[string]any{"name": "row", "type": "dynamic"},
		},
		"return_type": "bool",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPrintsWhatTerraformPrints compares with the real command, in the parts that its version knows.
func TestPrintsWhatTerraformPrints(t *testing.T) {
	cli := os.Getenv("TF_ACC_TERRAFORM_PATH")
	if os.Getenv("TF_ACC") == "" || cli == "" {
		t.Skip("TF_ACC and TF_ACC_TERRAFORM_PATH are not set")
	}
	want := onlyProvider(t, providersSchema(t, cli))
	got := printed(t)
	for key, wanted := range want {
		if diff := cmp.Diff(wanted, got[key]); diff != "" {
			t.Errorf("%s: (-%s +ours):\n%s", key, filepath.Base(cli), diff)
		}
	}
}

// providersSchema runs the command on a configuration that needs nothing but this provider.
func providersSchema(t *testing.T, cli string) []byte {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(self, filepath.Join(dir, pluginName)); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("main.tf", `
terraform {
  required_providers {
    paimon = {
      source = "paimon-iac/paimon"
    }
  }
}
`)
	config := write("cli.tfrc", fmt.Sprintf("provider_installation {\n dev_overrides { \"paimon-iac/paimon\" = %q }\n direct {}\n}\n", dir))
	command := exec.CommandContext(t.Context(), cli, "providers", "schema", "-json") //nolint:gosec // whoever runs the tests says which CLI
	command.Dir = dir
	command.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+config, "CHECKPOINT_DISABLE=1")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	text, err := command.Output()
	if err != nil {
		t.Fatalf("%s providers schema: %v\n%s", cli, err, stderr.String())
	}
	return text
}
