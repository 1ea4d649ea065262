package provider

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// What users of other providers report of values that are known only after apply. That variables without a value, the
// elements of an empty for_each among them, are valid is in cli_test.go and validation_test.go.

// Two attributes of which one is to be set are no conflict while one of them is unknown, and are one when both turn out to be
// set.
//
// hashicorp/terraform-plugin-framework-validators#251, hashicorp/terraform-plugin-sdk#280.
func TestUnknownColumnListIsNoConflict(t *testing.T) {
	t.Parallel()
	const conflict = "needs exactly one of column_names and excluded_column_names"
	known := []string{"region"}
	for name, test := range map[string]struct {
		names, excluded any
		conflict        bool
	}{
		"one unknown, the other null":     {unknown, nil, false},
		"the other unknown, the one null": {nil, unknown, false},
		"both unknown":                    {unknown, unknown, false},
		"one unknown, the other set":      {unknown, known, false},
		"one null, the other set":         {nil, known, false},
		"both null":                       {nil, nil, true},
		"both set":                        {known, known, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := startWalk(t, startCatalog(t, salesSeed))
			config := object{"database": "sales", "table": "orders", "principal": "role:a", "column_names": test.names, "excluded_column_names": test.excluded}
			diags := w.validate("paimon_column_permission", config)
			if !test.conflict {
				diags = append(diags, w.plan("paimon_column_permission", nil, config, nil).diags...)
				if len(diags) > 0 {
					t.Errorf("%s: %s", diags[0].Summary, diags[0].Detail)
				}
				return
			}
			if !slices.ContainsFunc(diags, func(d *tfprotov6.Diagnostic) bool { return isError(d) && strings.Contains(d.Detail, conflict) }) {
				t.Errorf("got %v", diags)
			}
		})
	}
}

func TestAccCLIColumnListsThatTurnOutToConflict(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	f := newProject(t, c, `
resource "terraform_data" "columns" {
  input = ["region"]
}

resource "paimon_column_permission" "c" {
  database              = "sales"
  table                 = "orders"
  principal             = "role:analyst"
  column_names          = terraform_data.columns.output
  excluded_column_names = terraform_data.columns.output
}
`)
	f.run(0, "plan")
	wantPrinted(t, f.run(1, "apply", "-auto-approve"), "needs exactly one of column_names and excluded_column_names")
	if n := writes(c.record.take()); n > 0 {
		t.Errorf("%d requests changed something", n)
	}
}

// While a setting of the provider is unknown, nobody is asked anything: neither who is known already, nor who stands in the
// environment. The plan goes on, with one warning that names the setting.
//
// langfuse/terraform-provider-langfuse#26, drakkan/terraform-provider-sftpgo#20, opentofu/opentofu#2295.
func TestUnknownSettingAsksNobody(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("asked: %s", r.URL) }))
	t.Cleanup(elsewhere.Close)
	for _, names := range [][]string{{"uri"}, {"token"}, {"warehouse"}, {"prefix"}, {"headers"}, {"engines"}, {"plan_checks"}, {"token", "uri"}} {
		t.Run(strings.Join(names, " and "), func(t *testing.T) {
			t.Parallel()
			settings := object{"uri": elsewhere.URL, "warehouse": "demo", "token": "a-token"}
			for _, name := range names {
				settings[name] = unknown
			}
			p := &paimonProvider{version: "test", environment: func(name string) string {
				return map[string]string{"PAIMON_URI": elsewhere.URL, "PAIMON_TOKEN": "another-token"}[name]
			}}
			w := startWalk(t, startCatalog(t, salesSeed))
			w.server = providerserver.NewProtocol6(p)()
			configured, err := w.server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
				Config: encode(t, objectType(t, servedSchemas().Provider), settings),
			})
			if err != nil {
				t.Fatal(err)
			}
			wantDiagnostic(t, configured.Diagnostics, tfprotov6.DiagnosticSeverityWarning, "known only after apply: "+strings.Join(names, ", ")+".")
			for name, b := range standard("role:analyst") {
				state := maps.Clone(w.proposed(b.typeName, nil, b.config))
				state["id"] = "any"
				if kept, diags := w.read(b.typeName, state); kept == nil || len(diags) > 0 {
					t.Errorf("%s: read as %v: %v", name, kept, diags)
				}
				other := standard("role:other")[name]
				kept, created := w.plan(b.typeName, state, b.config, nil), w.plan(other.typeName, nil, other.config, nil)
				if len(kept.diags)+len(created.diags) > 0 || kept.replaces {
					t.Errorf("%s: planned with %v and %v", name, kept.diags, created.diags)
				}
			}
		})
	}
}

// A definition that a function makes is in the plan as a reviewer wants to read it, though all of its module waits for
// something else. Data sources are put off to the apply there.
//
// hashicorp/terraform-provider-aws#41349, hashicorp/terraform-provider-aws#45832.
func TestAccCLIDefinitionFromAFunctionIsKnownAtPlan(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	f := newProject(t, c, "resource \"terraform_data\" \"first\" {}\n\nmodule \"rules\" {\n  source     = \"./rules\"\n  depends_on = [terraform_data.first]\n}\n")
	if err := f.root.Mkdir("rules", 0o700); err != nil {
		t.Fatal(err)
	}
	f.write("rules/main.tf", `
terraform {
  required_providers {
    paimon = { source = "paimon-iac/paimon" }
  }
}

locals {
  fields = [{ name = "region", type = "STRING" }]
}
`+rowFilter("f", `provider::paimon::predicate_from_sql("region = 'EU'", local.fields)`, "")+`
resource "paimon_column_mask_policy" "m" {
  database  = "sales"
  table     = "orders"
  on_column = "region"
  principal = "role:analyst"
  transform = provider::paimon::transform_from_sql("UPPER(region)", local.fields)
}
`)
	f.run(0, "get")
	printed := f.run(0, "plan")
	wantPrinted(t, printed, `+ predicate_sql = "region = 'EU'"`, `+ transform_sql = "UPPER(region)"`, `literals = [ + "EU", ]`, `+ inputs = [`,
		"!predicate = (known after apply)", "!transform = (known after apply)", "3 to add")
}
