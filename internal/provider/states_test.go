package provider

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// The states in testdata/states are all of the configuration beside them: one for each version and provider that wrote it.
// Those of paimon-iac were written by builds of this provider, that of apache by hand after the schemas of that provider
// (github.com/apache/terraform-provider-paimon at 0cd3f386). None is ever changed.
const states = "testdata/states"

// presentState is the one that this version writes.
const presentState = "paimon-iac-v1.json"

// storedResource is a resource in a state file.
type storedResource struct {
	Type      string
	Name      string
	Provider  string
	Instances []storedInstance
}

type storedInstance struct {
	SchemaVersion int64 `json:"schema_version"`
	Attributes    json.RawMessage
}

// address is the provider's, without provider["…"] around it.
func (r storedResource) address() string {
	return strings.Split(r.Provider, `"`)[1]
}

func readState(t *testing.T, text string) []storedResource {
	t.Helper()
	var state struct{ Resources []storedResource }
	if err := json.Unmarshal([]byte(text), &state); err != nil {
		t.Fatal(err)
	}
	return state.Resources
}

func readStored(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(states, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// storedStates are the names of the files.
func storedStates(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(states + "/*.json")
	if err != nil || len(paths) < 3 {
		t.Fatalf("there are states missing: %v (%v)", paths, err)
	}
	var names []string
	for _, path := range paths {
		names = append(names, filepath.Base(path))
	}
	return names
}

// upgrade reads a stored state of a resource.
func (w *walk) upgrade(typeName string, stored storedInstance) (object, []*tfprotov6.Diagnostic) {
	w.t.Helper()
	response, err := w.server.UpgradeResourceState(w.t.Context(), &tfprotov6.UpgradeResourceStateRequest{
		TypeName: typeName,
		Version:  stored.SchemaVersion,
		RawState: &tfprotov6.RawState{JSON: stored.Attributes},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	if response.UpgradedState == nil {
		return nil, response.Diagnostics
	}
	return decode(w.t, w.resources[typeName], response.UpgradedState), response.Diagnostics
}

// move carries a stored state over to another resource, and returns its identity, too.
func (w *walk) move(typeName string, source storedResource) (state, identity object, diags []*tfprotov6.Diagnostic) {
	w.t.Helper()
	response, err := w.server.MoveResourceState(w.t.Context(), &tfprotov6.MoveResourceStateRequest{
		SourceProviderAddress: source.address(),
		SourceTypeName:        source.Type,
		SourceSchemaVersion:   source.Instances[0].SchemaVersion,
		SourceState:           &tfprotov6.RawState{JSON: source.Instances[0].Attributes},
		TargetTypeName:        typeName,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	if response.TargetState == nil {
		return nil, nil, response.Diagnostics
	}
	identities, err := w.server.GetResourceIdentitySchemas(w.t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		w.t.Fatal(err)
	}
	identityType, ok := identities.IdentitySchemas[typeName].ValueType().(tftypes.Object)
	if !ok {
		w.t.Fatalf("the identity of %s is no object", typeName)
	}
	state = decode(w.t, w.resources[typeName], response.TargetState)
	return state, decode(w.t, identityType, response.TargetIdentity.IdentityData), response.Diagnostics
}

// configOf is a configuration without a diff to a state.
func configOf(typeName string, state object) object {
	config := object{}
	for name, value := range state {
		computed := name == "id" || strings.HasSuffix(name, "_sql") || (name == "access" && typeName == "paimon_column_permission")
		if !computed {
			config[name] = value
		}
	}
	return config
}

// Whoever wrote a state, whichever way it comes in: it is the present one afterwards, and needs no change
// (snowflakedb/terraform-provider-snowflake#2704, snowflakedb/terraform-provider-snowflake#1499).
func TestStoredStatesAreCarriedOver(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	w := startWalk(t, c)
	present := make(map[string]storedResource)
	for _, r := range readState(t, readStored(t, presentState)) {
		present[r.Name] = r
	}
	for _, name := range storedStates(t) {
		stored := readState(t, readStored(t, name))
		if len(stored) != len(present) {
			t.Errorf("%s has %d resources, not %d", name, len(stored), len(present))
		}
		for _, source := range stored {
			target := present[source.Name]
			want, diags := w.upgrade(target.Type, target.Instances[0])
			wantNoErrors(t, diags)

			if source.Type == target.Type {
				got, diags := w.upgrade(target.Type, source.Instances[0])
				wantNoErrors(t, diags)
				wantCarriedOver(t, c, name, target, got, want)
			}
			got, identity, diags := w.move(target.Type, source)
			wantNoErrors(t, diags)
			wantCarriedOver(t, c, name, target, got, want)
			if identity == nil {
				t.Errorf("%s: %s has no identity", name, source.Name)
			}
			for attribute, value := range identity {
				if value != want[attribute] {
					t.Errorf("%s: the identity of %s has the %s %v, not %v", name, source.Name, attribute, value, want[attribute])
				}
			}
		}
	}
}

func wantCarriedOver(t *testing.T, c *catalog, file string, target storedResource, got, want object) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %s is\n%v\nand should be\n%v", file, target.Name, got, want)
	}
	plan := startWalk(t, c).plan(target.Type, got, configOf(target.Type, got), nil)
	wantNoErrors(t, plan.diags)
	if plan.replaces || !reflect.DeepEqual(plan.state, got) {
		t.Errorf("%s: %s is planned to be %v", file, target.Name, plan.state)
	}
}

// What the Apache provider prints as the id of a resource imports it.
func TestIDsOfTheApacheProviderNameTheSameRecords(t *testing.T) {
	t.Parallel()
	ids := func(file string) map[string]string {
		found := make(map[string]string)
		for _, r := range readState(t, readStored(t, file)) {
			var attributes struct{ ID string }
			if err := json.Unmarshal(r.Instances[0].Attributes, &attributes); err != nil {
				t.Fatal(err)
			}
			found[r.Name] = attributes.ID
		}
		return found
	}
	present := ids(presentState)
	for name, theirs := range ids("apache-v0.json") {
		id, err := access.ParseID(theirs)
		if err != nil || id.ID() != present[name] {
			t.Errorf("%s is %s, not %s (%v)", theirs, id.ID(), present[name], err)
		}
	}
}

// The Apache provider takes t and z in times, and up to nine digits.
func TestSpellingOfTheApacheProviderIsNoChange(t *testing.T) {
	t.Parallel()
	w := startWalk(t, startCatalog(t, salesSeed))
	state, diags := w.upgrade("paimon_permission", storedInstance{Attributes: json.RawMessage(
		`{"resource_type":"TABLE","database":"sales","table":"orders","access":"SELECT","principal":"role:analyst","expire_time":"2131-01-31t08:00:00.250000000z"}`,
	)})
	wantNoErrors(t, diags)
	config := configOf("paimon_permission", state)
	config["expire_time"] = "2131-01-31T08:00:00.250Z"
	plan := w.plan("paimon_permission", state, config, nil)
	wantNoErrors(t, plan.diags)
	if !reflect.DeepEqual(plan.state, state) {
		t.Errorf("planned is %v", plan.state)
	}
}

const (
	storedGrant = `{"resource_type":"TABLE","database":"sales","table":"orders","access":"SELECT","principal":"role:analyst"}`
	storedRange = `{"resource_type":"COLUMN","database":"sales","table":"orders","access":"SELECT","principal":"role:analyst","column_names":["region"]}`
	storedMask  = `{"database":"sales","table":"orders","column":"region","principal":"role:analyst","transform":"{}"}`
)

func TestMovedStatesComeFromTheTwoProviders(t *testing.T) {
	t.Parallel()
	w := startWalk(t, startCatalog(t, salesSeed))
	const unsupported = "does not include support for the given source resource"
	for name, test := range map[string]struct {
		provider, typeName string
		version            int64
		attributes, target string
		wantError          string
	}{
		"Terraform's registry": {"registry.terraform.io/apache/paimon", "paimon_column_mask", 0, storedMask, "paimon_column_mask_policy", ""},
		"OpenTofu's registry":  {"registry.opentofu.org/apache/paimon", "paimon_column_mask", 0, storedMask, "paimon_column_mask_policy", ""},
		"a mirror":             {"mirror.example.com:8443/apache/paimon", "paimon_column_mask", 0, storedMask, "paimon_column_mask_policy", ""},
		// opentofu/opentofu#4352
		"the name alone": {"paimon", "paimon_column_mask", 0, storedMask, "paimon_column_mask_policy", ""},
		"a replaced provider": {
			"registry.terraform.io/paimon-iac/paimon", "paimon_permission", 0, storedRange, "paimon_column_permission", "",
		},
		// opentofu/opentofu#4374
		"this provider from a mirror": {
			"mirror.example.com/paimon-iac/paimon", "paimon_permission", schemaVersion, storedGrant, "paimon_permission", "",
		},
		"a type of this provider by another": {
			"registry.terraform.io/apache/paimon", "paimon_permission", schemaVersion, storedGrant, "paimon_permission", unsupported,
		},
		"another namespace": {"registry.terraform.io/notapache/paimon", "paimon_column_mask", 0, storedMask, "paimon_column_mask_policy", unsupported},
		"another name":      {"registry.terraform.io/apache/iceberg", "paimon_column_mask", 0, storedMask, "paimon_column_mask_policy", unsupported},
		"another type":      {"registry.terraform.io/apache/paimon", "paimon_row_filter", 0, storedMask, "paimon_column_mask_policy", unsupported},
		"a later version":   {"registry.terraform.io/apache/paimon", "paimon_column_mask", 1, storedMask, "paimon_column_mask_policy", unsupported},
		"a permission that is of no columns": {
			"registry.terraform.io/apache/paimon", "paimon_permission", 0, storedGrant, "paimon_column_permission",
			"SELECT on TABLE sales.orders for role:analyst stays a paimon_permission",
		},
		"a permission on columns that stays one": {
			"registry.terraform.io/apache/paimon", "paimon_permission", 0, storedRange, "paimon_permission", "by paimon_column_permission",
		},
		"a table that has no permissions of its own": {
			"registry.terraform.io/apache/paimon", "paimon_column_mask", 0, strings.Replace(storedMask, "orders", "orders$files", 1),
			"paimon_column_mask_policy", "can be managed here",
		},
		"attributes of other types": {
			"registry.terraform.io/apache/paimon", "paimon_column_mask", 0, `{"database":["sales"]}`, "paimon_column_mask_policy", "not the types",
		},
		"attributes of other types under this provider's name": {
			"mirror.example.com/paimon-iac/paimon", "paimon_permission", schemaVersion, `{"database":["sales"]}`, "paimon_permission", "cannot be read",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state, _, diags := w.move(test.target, storedResource{
				Type: test.typeName, Provider: `provider["` + test.provider + `"]`,
				Instances: []storedInstance{{test.version, json.RawMessage(test.attributes)}},
			})
			if test.wantError != "" {
				wantDiagnostic(t, diags, tfprotov6.DiagnosticSeverityError, test.wantError)
				return
			}
			wantNoErrors(t, diags)
			if state["principal"] != "role:analyst" {
				t.Errorf("moved to %v", state)
			}
		})
	}
}

func TestStatesThatAreOfAnotherResourceAreRefused(t *testing.T) {
	t.Parallel()
	w := startWalk(t, startCatalog(t, salesSeed))
	for name, test := range map[string]struct{ typeName, attributes, want string }{
		"a permission on columns":            {"paimon_permission", storedRange, "write a moved block"},
		"a policy":                           {"paimon_permission", strings.Replace(storedGrant, "SELECT", "ROW_FILTER", 1), "by paimon_row_filter_policy"},
		"a permission that is of no columns": {"paimon_column_permission", storedGrant, "remove the moved block"},
		"a mask of no column":                {"paimon_column_mask_policy", strings.Replace(storedMask, "column", "x", 1), "Set on_column"},
		"nothing":                            {"paimon_row_filter_policy", `{}`, "terraform state rm"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := w.upgrade(test.typeName, storedInstance{Attributes: json.RawMessage(test.attributes)})
			wantDiagnostic(t, diags, tfprotov6.DiagnosticSeverityError, test.want)
		})
	}
}

// However a state was written or edited: it is refused, or it is of a record that an import could name.
func FuzzStoredState(f *testing.F) {
	for _, attributes := range []string{storedGrant, storedRange, storedMask, `{}`, `null`, `[]`, `{"column_names":[null]}`, `{"database":{}}`} {
		f.Add(attributes)
	}
	server := providerserver.NewProtocol6(New("test"))()
	objects := make(map[string]tftypes.Object)
	for name, schema := range servedSchemas().ResourceSchemas {
		objects[name], _ = schema.ValueType().(tftypes.Object)
	}
	f.Fuzz(func(t *testing.T, attributes string) {
		check := func(typeName string, state *tfprotov6.DynamicValue, diags []*tfprotov6.Diagnostic) {
			if slices.ContainsFunc(diags, isError) {
				return
			}
			text, ok := decode(t, objects[typeName], state)["id"].(string)
			if id, err := access.ParseID(text); !ok || err != nil || resourceNames[id.Kind()] != typeName {
				t.Errorf("%s of %s has the ID %q: %v", typeName, attributes, text, err)
			}
		}
		raw := &tfprotov6.RawState{JSON: []byte(attributes)}
		for typeName := range objects {
			upgraded, err := server.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{TypeName: typeName, RawState: raw})
			if err != nil {
				t.Fatal(err)
			}
			check(typeName, upgraded.UpgradedState, upgraded.Diagnostics)
			for _, source := range []string{"paimon_permission", "paimon_row_filter", "paimon_column_mask"} {
				moved, err := server.MoveResourceState(t.Context(), &tfprotov6.MoveResourceStateRequest{
					SourceProviderAddress: "registry.terraform.io/apache/paimon", SourceTypeName: source, SourceState: raw, TargetTypeName: typeName,
				})
				if err != nil {
					t.Fatal(err)
				}
				check(typeName, moved.TargetState, moved.Diagnostics)
			}
		}
	})
}
