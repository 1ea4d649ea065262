package provider

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/paimon-iac/terraform-provider-paimon/internal/rest/dlf"
)

const connectGuide = repository + "/templates/guides/connect.md.tmpl"

// credentialsOfConnect is what the guide "Connect" takes for granted: variables of the environment, and of configurations.
var credentialsOfConnect = struct {
	environment map[string]string
	variables   cty.Value
}{
	map[string]string{
		"PAIMON_TOKEN": "a-token", "ALIBABA_CLOUD_ACCESS_KEY_ID": "an-id", "ALIBABA_CLOUD_ACCESS_KEY_SECRET": "a-secret",
	},
	cty.ObjectVal(map[string]cty.Value{
		"access_key_secret": cty.StringVal("a-secret"),
		"gateway_key":       cty.StringVal("a-key"),
		"sts": cty.ObjectVal(map[string]cty.Value{
			"id": cty.StringVal("an-id"), "secret": cty.StringVal("a-secret"), "token": cty.StringVal("a-token"),
		}),
	}),
}

// TestBlocksOfConnectConnect takes every provider block of the guide as Terraform does. Only the files of certificates are
// left out when it connects, since they must exist; they are validated.
func TestBlocksOfConnectConnect(t *testing.T) {
	t.Parallel()
	blocks := providerBlocks(t, connectGuide)
	if len(blocks) < 10 {
		t.Errorf("there are only %d provider blocks", len(blocks))
	}
	for _, block := range blocks {
		text, err := json.Marshal(block)
		if err != nil {
			t.Fatal(err)
		}
		p := &paimonProvider{version: "test", environment: func(name string) string { return credentialsOfConnect.environment[name] }}
		server := newServer(p)
		validated, err := server.ValidateProviderConfig(t.Context(), &tfprotov6.ValidateProviderConfigRequest{Config: &tfprotov6.DynamicValue{JSON: text}})
		if err != nil {
			t.Fatal(err)
		}
		wantNoDiagnostics(t, text, validated.Diagnostics)
		for name := range block {
			if strings.HasPrefix(name, "ca_") || strings.HasPrefix(name, "client_") {
				delete(block, name)
			}
		}
		if text, err = json.Marshal(block); err != nil {
			t.Fatal(err)
		}
		configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: &tfprotov6.DynamicValue{JSON: text}})
		if err != nil {
			t.Fatal(err)
		}
		wantNoDiagnostics(t, text, configured.Diagnostics)
	}
}

// TestTheTokenFileOfConnect reads the guide's example of a token file.
func TestTheTokenFileOfConnect(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(connectGuide)
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```json\n(.*?)```").FindSubmatch(text)
	if example == nil {
		t.Fatal("there is no example")
	}
	if keys, err := dlf.ParseToken(example[1]); err != nil || keys.SecurityToken == "" || keys.Expiration.IsZero() {
		t.Errorf("got %v %v", keys, err)
	}
}

func wantNoDiagnostics(t *testing.T, block []byte, diags []*tfprotov6.Diagnostic) {
	t.Helper()
	for _, d := range diags {
		t.Errorf("%s: %s, for %s", d.Summary, d.Detail, block)
	}
}

// providerBlocks are the blocks of our provider in the examples of a page, each by its attributes.
func providerBlocks(t *testing.T, page string) []map[string]ctyjson.SimpleJSONValue {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []map[string]ctyjson.SimpleJSONValue
	for _, example := range fence.FindAllStringSubmatch(string(text), -1) {
		if example[1] == "yaml" {
			continue
		}
		for _, block := range parse(t, "block.tf", example[2]).Blocks {
			if block.Type == "provider" && block.Labels[0] == "paimon" {
				blocks = append(blocks, attributeValues(t, block))
			}
		}
	}
	return blocks
}

func attributeValues(t *testing.T, block *hclsyntax.Block) map[string]ctyjson.SimpleJSONValue {
	t.Helper()
	values := make(map[string]ctyjson.SimpleJSONValue)
	for name, attribute := range block.Body.Attributes {
		if name == "alias" {
			continue
		}
		value, diags := attribute.Expr.Value(&hcl.EvalContext{Variables: map[string]cty.Value{"var": credentialsOfConnect.variables}})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		values[name] = ctyjson.SimpleJSONValue{Value: value}
	}
	return values
}
