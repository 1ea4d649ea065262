package provider

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// walk is one walk of Terraform's graph, played over the protocol: what no CLI shows, warnings and private data, can be
// seen here.
type walk struct {
	t         *testing.T
	server    tfprotov6.ProviderServer
	resources map[string]tftypes.Object
}

// object is an object's attributes by name: a string, a list of strings, or nil for null. What is missing is null.
type object map[string]any

// unknown is a value that is known only after apply.
const unknown = "\x00unknown"

// startWalk configures a provider for a catalog.
func startWalk(t *testing.T, c *catalog) *walk {
	t.Helper()
	return startWalkWith(t, c, nil)
}

// startWalkWith is startWalk with more attributes in the provider block.
func startWalkWith(t *testing.T, c *catalog, more object) *walk {
	t.Helper()
	p := &paimonProvider{
		version:     "test",
		environment: func(name string) string { return c.environment[name] },
		breather:    cmp.Or(c.breather, 20*time.Millisecond),
	}
	w := &walk{t: t, server: newServer(p), resources: make(map[string]tftypes.Object)}
	for name, schema := range servedSchemas().ResourceSchemas {
		w.resources[name] = objectType(t, schema)
	}
	w.configure(c, more)
	return w
}

// configure begins a walk, which a server may see several of.
func (w *walk) configure(c *catalog, more object) {
	w.t.Helper()
	block := object{"uri": c.url, "warehouse": "demo"}
	maps.Copy(block, more)
	config := encode(w.t, objectType(w.t, servedSchemas().Provider), block)
	configured, err := w.server.ConfigureProvider(w.t.Context(), &tfprotov6.ConfigureProviderRequest{Config: config})
	if err != nil {
		w.t.Fatal(err)
	}
	wantNoErrors(w.t, configured.Diagnostics)
}

// servedSchemas asks for the schemas once. Terraform does, too.
var servedSchemas = sync.OnceValue(func() *tfprotov6.GetProviderSchemaResponse {
	response, err := newServer(newProvider("test")).GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		panic(err)
	}
	return response
})

func objectType(t *testing.T, schema *tfprotov6.Schema) tftypes.Object {
	t.Helper()
	object, ok := schema.ValueType().(tftypes.Object)
	if !ok {
		t.Fatalf("the schema is no object but %s", schema.ValueType())
	}
	return object
}

func encode(t *testing.T, objectType tftypes.Object, o object) *tfprotov6.DynamicValue {
	t.Helper()
	value := tftypes.NewValue(objectType, nil)
	if o != nil {
		attributes := make(map[string]tftypes.Value)
		for name, attributeType := range objectType.AttributeTypes {
			attributes[name] = attributeValue(attributeType, o[name])
		}
		value = tftypes.NewValue(objectType, attributes)
	}
	encoded, err := tfprotov6.NewDynamicValue(objectType, value)
	if err != nil {
		t.Fatal(err)
	}
	return &encoded
}

func attributeValue(attributeType tftypes.Type, given any) tftypes.Value {
	switch given := given.(type) {
	case string:
		if given == unknown {
			return tftypes.NewValue(attributeType, tftypes.UnknownValue)
		}
		return tftypes.NewValue(attributeType, given)
	case []string:
		var elements []tftypes.Value
		for _, element := range given {
			elements = append(elements, tftypes.NewValue(tftypes.String, element))
		}
		return tftypes.NewValue(attributeType, elements)
	case bool, int, float64, map[string]tftypes.Value:
		return tftypes.NewValue(attributeType, given)
	default:
		return tftypes.NewValue(attributeType, nil)
	}
}

func decode(t *testing.T, objectType tftypes.Object, encoded *tfprotov6.DynamicValue) object {
	t.Helper()
	value, err := encoded.Unmarshal(objectType)
	if err != nil {
		t.Fatal(err)
	}
	if value.IsNull() {
		return nil
	}
	var attributes map[string]tftypes.Value
	if err := value.As(&attributes); err != nil {
		t.Fatal(err)
	}
	o := object{}
	for name, attribute := range attributes {
		var text string
		switch {
		case !attribute.IsKnown():
			o[name] = unknown
		case attribute.IsNull():
		case attribute.Type().Is(tftypes.String):
			if err := attribute.As(&text); err != nil {
				t.Fatal(err)
			}
			o[name] = text
		default:
			var elements []tftypes.Value
			if err := attribute.As(&elements); err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, element := range elements {
				if err := element.As(&text); err != nil {
					t.Fatal(err)
				}
				names = append(names, text)
			}
			if attribute.Type().Is(tftypes.Set{}) {
				slices.Sort(names)
			}
			o[name] = names
		}
	}
	return o
}

// proposed is what Terraform proposes for a configuration: computed attributes keep their prior value, and are unknown
// where there is none.
func (w *walk) proposed(typeName string, prior, config object) object {
	if config == nil {
		return nil
	}
	o := maps.Clone(config)
	for _, computed := range []string{"id", "access", "predicate_sql", "transform_sql"} {
		if _, has := w.resources[typeName].AttributeTypes[computed]; !has || o[computed] != nil {
			continue
		}
		o[computed] = prior[computed]
		if prior == nil {
			o[computed] = nil
		}
	}
	return o
}

// planned is a plan: what Terraform shows, and what it hands to the apply.
type planned struct {
	state    object
	private  []byte
	replaces bool
	diags    []*tfprotov6.Diagnostic
}

func (w *walk) plan(typeName string, prior, config object, private []byte) planned {
	w.t.Helper()
	objectType := w.resources[typeName]
	response, err := w.server.PlanResourceChange(w.t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName:         typeName,
		PriorState:       encode(w.t, objectType, prior),
		Config:           encode(w.t, objectType, config),
		ProposedNewState: encode(w.t, objectType, w.proposed(typeName, prior, config)),
		PriorPrivate:     private,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	p := planned{private: response.PlannedPrivate, replaces: len(response.RequiresReplace) > 0, diags: response.Diagnostics}
	if response.PlannedState != nil {
		p.state = decode(w.t, objectType, response.PlannedState)
	}
	return p
}

func (w *walk) validate(typeName string, config object) []*tfprotov6.Diagnostic {
	w.t.Helper()
	response, err := w.server.ValidateResourceConfig(w.t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: typeName,
		Config:   encode(w.t, w.resources[typeName], config),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return response.Diagnostics
}

func (w *walk) apply(typeName string, prior, config object, plan planned) (object, []byte, []*tfprotov6.Diagnostic) {
	w.t.Helper()
	objectType := w.resources[typeName]
	response, err := w.server.ApplyResourceChange(w.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName:       typeName,
		PriorState:     encode(w.t, objectType, prior),
		PlannedState:   encode(w.t, objectType, plan.state),
		Config:         encode(w.t, objectType, config),
		PlannedPrivate: plan.private,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return decode(w.t, objectType, response.NewState), response.Private, response.Diagnostics
}

func (w *walk) read(typeName string, state object) (object, []*tfprotov6.Diagnostic) {
	w.t.Helper()
	objectType := w.resources[typeName]
	response, err := w.server.ReadResource(w.t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName:     typeName,
		CurrentState: encode(w.t, objectType, state),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return decode(w.t, objectType, response.NewState), response.Diagnostics
}

// create plans and applies a new resource.
func (w *walk) create(typeName string, config object) object {
	w.t.Helper()
	plan := w.plan(typeName, nil, config, nil)
	wantNoErrors(w.t, plan.diags)
	state, _, diags := w.apply(typeName, nil, config, plan)
	wantNoErrors(w.t, diags)
	return state
}

func wantNoErrors(t *testing.T, diags []*tfprotov6.Diagnostic) {
	t.Helper()
	for _, d := range diags {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			t.Fatalf("%s: %s", d.Summary, d.Detail)
		}
	}
}

// wantDiagnostic checks that there is exactly one diagnostic, of this severity and with this text.
func wantDiagnostic(t *testing.T, diags []*tfprotov6.Diagnostic, severity tfprotov6.DiagnosticSeverity, text string) {
	t.Helper()
	if len(diags) != 1 || diags[0].Severity != severity || !strings.Contains(diags[0].Summary+": "+diags[0].Detail, text) {
		for _, d := range diags {
			t.Logf("%s: %s: %s", d.Severity, d.Summary, d.Detail)
		}
		t.Fatalf("got %d diagnostics, not one %s with %q", len(diags), severity, text)
	}
}
