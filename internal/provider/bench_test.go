package provider

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// encoded is an object of a schema with these attributes; the others are null.
func encoded(tb testing.TB, schema *tfprotov6.Schema, known map[string]any) *tfprotov6.DynamicValue {
	tb.Helper()
	object, ok := schema.ValueType().(tftypes.Object)
	if !ok {
		tb.Fatal("the schema is no object")
	}
	attributes := make(map[string]tftypes.Value)
	for name, attributeType := range object.AttributeTypes {
		attributes[name] = tftypes.NewValue(attributeType, known[name])
	}
	value, err := tfprotov6.NewDynamicValue(object, tftypes.NewValue(object, attributes))
	if err != nil {
		tb.Fatal(err)
	}
	return &value
}

// columnPermission is a permission on so many columns, as a configuration and as a state.
func columnPermission(tb testing.TB, columns int) (config, state *tfprotov6.DynamicValue) {
	tb.Helper()
	var names []tftypes.Value
	for i := range columns {
		names = append(names, tftypes.NewValue(tftypes.String, fmt.Sprintf("measurement_%d", i)))
	}
	known := map[string]any{"database": "sales", "table": "orders", "principal": "role:a", "column_names": names}
	schema := servedSchemas().ResourceSchemas["paimon_column_permission"]
	config = encoded(tb, schema, known)
	known["id"], known["access"] = "COLUMN/sales/orders/SELECT/role:a", "SELECT"
	return config, encoded(tb, schema, known)
}

// planCalls are what Terraform calls in a plan that changes nothing.
func planCalls(tb testing.TB, columns int) map[string]func() {
	tb.Helper()
	const typeName = "paimon_column_permission"
	config, state := columnPermission(tb, columns)
	server := newServer(newProvider("test"))
	begin := func() { // a walk that asks no catalog
		provider := encoded(tb, servedSchemas().Provider, map[string]any{"uri": tftypes.UnknownValue})
		if _, err := server.ConfigureProvider(tb.Context(), &tfprotov6.ConfigureProviderRequest{Config: provider}); err != nil {
			tb.Fatal(err)
		}
	}
	begin()
	check := func(diags []*tfprotov6.Diagnostic, err error) {
		if err != nil {
			tb.Fatal(err)
		}
		for _, d := range diags {
			tb.Fatalf("%s: %s", d.Summary, d.Detail)
		}
	}
	return map[string]func(){
		"validate": func() {
			response, err := server.ValidateResourceConfig(tb.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: typeName, Config: config})
			check(response.Diagnostics, err)
		},
		"read": func() {
			response, err := server.ReadResource(tb.Context(), &tfprotov6.ReadResourceRequest{TypeName: typeName, CurrentState: state})
			check(response.Diagnostics, err)
		},
		"plan": func() {
			begin()
			response, err := server.PlanResourceChange(tb.Context(), &tfprotov6.PlanResourceChangeRequest{
				TypeName: typeName, PriorState: state, Config: config, ProposedNewState: state,
			})
			check(response.Diagnostics, err)
		},
	}
}

func BenchmarkPlanColumns(b *testing.B) {
	for _, columns := range []int{500, 1000, 2000, 4000} {
		for name, call := range planCalls(b, columns) {
			b.Run(fmt.Sprintf("%d/%s", columns, name), func(b *testing.B) {
				for b.Loop() {
					call()
				}
			})
		}
	}
}

// A comparison of each column with each other one shows in what is allocated. One such comparison is left in a read and in
// a plan, where the framework compares states (tftypes.Value.Equal); it had ten and more, with paths and loggers for each pair.
func TestManyColumnsAreNotComparedPairwise(t *testing.T) {
	const columns = 400
	for name, call := range planCalls(t, columns) {
		most := 3 * columns * columns
		if name == "validate" {
			most = 200 * columns
		}
		if allocated := int(testing.AllocsPerRun(1, call)); allocated > most {
			t.Errorf("%s allocates %d times, more than %d", name, allocated, most)
		}
	}
}
