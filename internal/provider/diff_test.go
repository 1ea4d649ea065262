package provider

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// lists makes the catalog list rows in place of its own, of permissions or policies.
func (c *catalog) lists(rows ...string) {
	c.record.intercept(func(r *http.Request) http.HandlerFunc {
		kind := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		if r.Method != http.MethodGet || kind != "permissions" && kind != "policies" {
			return nil
		}
		return func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintf(w, `{%q:[%s],"nextPageToken":null}`, kind, strings.Join(rows, ",")) //nolint:gosec // no browser reads it
		}
	})
}

// What was applied is not applied again, ALL and SELECT neither, which some servers expand.
//
// hashicorp/terraform-provider-aws#49453, hashicorp/terraform-provider-aws#22570, hashicorp/terraform-provider-aws#17299.
func TestSecondApplyWritesNothing(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	s := newStack(t, c, 10)
	config := merged(standard("role:analyst"), under(grantBlock("orders", "ALL", "role:analyst"), "all"), under(grantBlock("orders", "SELECT", "role:other"), "select"))
	if !s.apply(config) || !s.settled(config) {
		t.Fatal(texts(s))
	}
	c.record.take()
	if !s.apply(config) {
		t.Fatal(texts(s))
	}
	if n := writes(c.record.take()); n > 0 {
		t.Errorf("%d requests changed something", n)
	}
}

// Another spelling of an access is refused with the accesses that there are, and never applied.
//
// databricks/terraform-provider-databricks#1658, IvanOfThings/terraform-provider-clickhouse#78.
func TestAccessInAnotherSpellingIsRefused(t *testing.T) {
	t.Parallel()
	w := startWalk(t, startCatalog(t, salesSeed))
	for _, spelling := range []string{"select", "Select", " SELECT", "SELECT ", "READ", ""} {
		diags := w.validate("paimon_permission", grantBlock("orders", spelling, "role:analyst").config)
		wantDiagnostic(t, diags, tfprotov6.DiagnosticSeverityError, fmt.Sprintf("%q is not an access of resource type TABLE.", spelling))
		for _, a := range access.Table.Accesses() {
			if !strings.Contains(diags[0].Detail, string(a)) {
				t.Errorf("%q: %s is missing in %s", spelling, a, diags[0].Detail)
			}
		}
	}
}

// spellings are one row filter as people and tools write it, with the text that the configuration comes to; empty where
// Terraform makes the text.
var spellings = []struct{ name, expression, text string }{
	{"jsonencode", regionIs("EU"), ""},
	{"pretty heredoc", "<<EOT\n" + prettyFilter + "EOT", prettyFilter},
	{"compact", hclString(compactFilter), compactFilter},
	{"file", `file("${path.module}/filter.json")`, prettyFilter + "\n"},
	{"heredoc with blank lines", "<<-EOT\n    " + compactFilter + "\n\n\n  EOT", compactFilter + "\n\n\n"},
}

const (
	compactFilter = `{"literals":["EU"],"transform":{"fieldRef":{"type":"STRING","index":9,"name":"region"},"name":"FIELD_REF"},"kind":"LEAF","function":"EQUAL"}`
	prettyFilter  = `{
  "function": "EQUAL",
  "kind": "LEAF",
  "literals": [
    "E\u0055"
  ],
  "transform": {
    "name": "FIELD_REF",
    "fieldRef": { "name": "region", "type": "STRING", "index": 3 }
  }
}
`
)

// However a filter is written, the apply ends well, the state has what was written, and the next plan is empty; and so is
// it after the filter was written in another way.
//
// PostHog/terraform-provider-posthog#111, PostHog/terraform-provider-posthog#120, hashicorp/terraform-provider-aws#38603;
// on trailing lines: snowflakedb/terraform-provider-snowflake#1097; on the state: okta/terraform-provider-okta#2906;
// on markup: port-labs/terraform-provider-port-labs#222, hashicorp/terraform#26110, hashicorp/terraform#38733.
func TestAccCLIEverySpellingOfAFilterIsTheSame(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	// text writes the filter for principal i in the spelling that comes so many later.
	text := func(later int) string {
		var text strings.Builder
		for i := range spellings {
			filter := rowFilter(fmt.Sprintf("f%d", i), spellings[(i+later)%len(spellings)].expression, "")
			text.WriteString(strings.Replace(filter, "role:analyst", fmt.Sprintf("role:%d", i), 1))
		}
		return text.String()
	}
	windows := strings.Replace(rowFilter("windows", "<<-EOT\n    "+prettyFilter+"\n  EOT", ""), "role:analyst", "role:windows", 1)
	windows = strings.ReplaceAll(windows, "\n", "\r\n")
	const encoded = `jsonencode({ kind = "LEAF", function = "EQUAL", literals = ["a<b&c>d"],
    transform = { name = "FIELD_REF", fieldRef = { index = 1, name = "region", type = "STRING" } } })`
	markup := strings.Replace(rowFilter("encoded", encoded, ""), "role:analyst", "role:encoded", 1) +
		strings.Replace(rowFilter("filed", `file("${path.module}/markup.json")`, ""), "role:analyst", "role:filed", 1)

	f := newProject(t, c, text(0)+markup)
	f.write("windows.tf", windows)
	f.write("filter.json", prettyFilter+"\n")
	f.write("markup.json", strings.Replace(euFilter, "EU", "a<b&c>d", 1))
	f.applies()
	filters := make(map[string]any)
	for _, body := range c.record.takeBodies() {
		var sent wire.Policy
		var decoded any
		if err := json.Unmarshal([]byte(body), &sent); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(sent.RowFilter.Predicate), &decoded); err != nil {
			t.Fatal(err)
		}
		filters[string(sent.Principal)] = decoded
	}
	if !strings.Contains(fmt.Sprint(filters["role:filed"]), "a<b&c>d") || !reflect.DeepEqual(filters["role:encoded"], filters["role:filed"]) {
		t.Errorf("sent %v and %v", filters["role:encoded"], filters["role:filed"])
	}
	state := f.predicates()
	for i, s := range spellings {
		if got := state[fmt.Sprintf("f%d", i)]; s.text != "" && got != s.text {
			t.Errorf("%s: the state has %q", s.name, got)
		}
	}
	if got := state["windows"]; !strings.Contains(got, "\r\n") {
		t.Errorf("the state has %q", got)
	}

	f.write("windows.tf", strings.ReplaceAll(windows, "\r\n", "\n"))
	for later := range spellings {
		f.configure(c, text(later)+markup)
		f.run(0, "plan", "-detailed-exitcode")
	}
}

// predicates are the predicates of the row filters in the state, by name.
func (f folder) predicates() map[string]string {
	f.t.Helper()
	var state struct {
		Resources []struct {
			Name      string
			Instances []struct{ Attributes struct{ Predicate string } }
		}
	}
	if err := json.Unmarshal([]byte(f.read("terraform.tfstate")), &state); err != nil {
		f.t.Fatal(err)
	}
	found := make(map[string]string)
	for _, r := range state.Resources {
		found[r.Name] = r.Instances[0].Attributes.Predicate
	}
	return found
}

// A plan marks what changed in a long definition, and nothing but that.
//
// opentelekomcloud/terraform-provider-opentelekomcloud#3264.
func TestAccCLIPlanMarksOneChangedLiteral(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	text := func(changed string) string {
		var children []string
		for i := range 12 {
			literal := fmt.Sprintf("r%d", i)
			if i == 7 {
				literal = changed
			}
			children = append(children, strings.Replace(prettyFilter, `E\u0055`, literal, 1))
		}
		return rowFilter("f", "<<EOT\n{\n\"kind\": \"COMPOUND\",\n\"function\": \"OR\",\n\"children\": [\n"+strings.Join(children, ",\n")+"]\n}\nEOT", "")
	}
	f := newProject(t, c, text("before"))
	f.applies()
	f.configure(c, text("after"))
	printed := f.run(2, "plan", "-detailed-exitcode")
	_, predicate, _ := strings.Cut(printed, "~ predicate = jsonencode(")
	predicate, _, _ = strings.Cut(predicate, "~ predicate_sql")
	predicate = strings.Replace(predicate, `- "before", + "after",`, `~ "before" -> "after"`, 1) // as OpenTofu marks it
	wantPrinted(t, predicate, `~ "before" -> "after"`, "!+ ", "!- ")
	wantPrinted(t, printed, "!whitespace")
	if n := strings.Count(predicate, "->"); n != 1 {
		t.Errorf("%d changes are marked: %s", n, predicate)
	}
}

// Numbers are compared by what they are, and not as texts nor with what is no number.
//
// mongodb/terraform-provider-mongodbatlas#4447.
func TestNumberInAnotherSpellingIsNoChange(t *testing.T) {
	t.Parallel()
	filter := func(column, typeName, literal string) string {
		return fmt.Sprintf(`{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":0,"name":%q,"type":%q}},"function":"EQUAL","literals":[%s]}`,
			column, typeName, literal)
	}
	tests := map[string]struct{ column, typeName, configured, listed string }{
		"a decimal as a number":         {"amount", "DECIMAL(10, 2)", `"10"`, "10"},
		"a fraction of nothing":         {"amount", "DECIMAL(10, 2)", `"10"`, "10.0"},
		"an exponent":                   {"amount", "DECIMAL(10, 2)", `"10"`, "1e1"},
		"more digits":                   {"amount", "DECIMAL(10, 2)", `"10"`, `"10.00"`},
		"an integer with a fraction":    {"order_id", "BIGINT NOT NULL", "10", "10.0"},
		"an integer with an exponent":   {"order_id", "BIGINT NOT NULL", "10", "1e1"},
		"! an integer as text":          {"order_id", "BIGINT NOT NULL", "10", `"10"`},
		"! another number":              {"amount", "DECIMAL(10, 2)", `"10"`, "10.01"},
		"! a text that looks like one":  {"region", "STRING", `"10"`, `"10.0"`},
		"! the next number beyond 2^53": {"order_id", "BIGINT NOT NULL", "9007199254740993", "9007199254740992"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, salesSeed)
			s := newStack(t, c, 1)
			config := under(block{"paimon_row_filter_policy", filterObject(filter(test.column, test.typeName, test.configured))}, "f4")
			if !s.apply(config) {
				t.Fatal(texts(s))
			}
			c.lists(fmt.Sprintf(`{"principal":"role:analyst","rowFilter":{"predicate":%q}}`, filter(test.column, test.typeName, test.listed)))
			changes, ok := s.plan(config)
			want := noOp
			if strings.HasPrefix(name, "!") {
				want = replace
			}
			if !ok || changes["f4"].action != want {
				t.Errorf("planned as %s: %s", changes["f4"].action, texts(s))
			}
		})
	}
}

// The order of columns is no change, neither the server's nor the configuration's.
//
// caberdo/terraform-provider-gravitino:CHANGELOG.md.
func TestOrderOfColumnsIsNoChange(t *testing.T) {
	t.Parallel()
	for _, attribute := range []string{"column_names", "excluded_column_names"} {
		columns := func(names ...string) map[string]block {
			return under(block{"paimon_column_permission", object{"database": "sales", "table": "orders", "principal": "role:analyst", attribute: names}}, "f3")
		}
		c := startCatalog(t, salesSeed)
		s := newStack(t, c, 1)
		if !s.apply(columns("region", "amount", "order_id")) {
			t.Fatal(texts(s))
		}
		row := c.permissions(onOrders("COLUMN"))[0]
		const asSent = `["region","amount","order_id"]`
		sorted := strings.NewReplacer(asSent, `["amount","order_id","region"]`, `["amount","order_id","region"]`, asSent).Replace(row)
		if sorted == row {
			t.Fatalf("%s: the catalog has %s", attribute, row)
		}
		c.lists(sorted)
		if !s.settled(columns("region", "amount", "order_id")) || !s.settled(columns("order_id", "region", "amount")) {
			t.Errorf("%s: not empty: %s", attribute, texts(s))
		}
		if s.settled(columns("order_id", "region")) {
			t.Errorf("%s: a column less is no change", attribute)
		}
	}
}

// Whatever may be left out is, and nothing comes up plan after plan.
//
// snowflakedb/terraform-provider-snowflake#1611, snowflakedb/terraform-provider-snowflake#1998,
// snowflakedb/terraform-provider-snowflake#4684, cyrilgdn/terraform-provider-postgresql#197.
func TestAttributesLeftOutStayOut(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	s := newStack(t, c, 10)
	config := merged(everyType(), standard("role:least"))
	config["permission"] = grantBlock("orders", "SELECT", "role:least")
	if !s.apply(config) {
		t.Fatal(texts(s))
	}
	for range 3 {
		if !s.settled(config) {
			t.Error(texts(s))
		}
	}
}

// Texts are compared by meaning at every moment: after a create, when the catalog spells them anew, when something else
// changes, and after an import.
//
// hashicorp/terraform-plugin-framework#70, hashicorp/terraform-plugin-framework#1074, hashicorp/terraform-plugin-framework#737.
func TestMeaningIsComparedAtEveryStep(t *testing.T) {
	t.Parallel()
	columns := func(name string) object {
		return object{
			"database": "sales", "table": "orders", "principal": "role:analyst", "column_names": []string{name}, "expire_time": "2131-01-01T08:00:00+08:00",
		}
	}
	const upper = `{ "inputs": [{"index":7,"type":"STRING","name":"email"}], "name":"UPPER"}`
	mask := func(principal string) object {
		return object{"database": "sales", "table": "customers", "on_column": "email", "principal": principal, "transform": upper}
	}
	filter := func(principal string) object {
		return object{"database": "sales", "table": "orders", "principal": principal, "predicate": prettyFilter}
	}
	grant := func(principal string) object {
		o := grantBlock("orders", "SELECT", principal).config
		o["expire_time"] = "2131-01-01T08:00:00+08:00"
		return o
	}
	respell := strings.NewReplacer("2131-01-01T00:00:00Z", "2131-01-01T01:00:00.000+01:00", `\"index\":1`, `\"index\" : 99`).Replace
	tests := map[string]struct {
		typeName      string
		first, second object // the second differs in another attribute
	}{
		"permission":        {"paimon_permission", grant("role:analyst"), grant("role:other")},
		"column permission": {"paimon_column_permission", columns("region"), columns("amount")},
		"row filter":        {"paimon_row_filter_policy", filter("role:analyst"), filter("role:other")},
		"column mask":       {"paimon_column_mask_policy", mask("role:analyst"), mask("role:other")},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, salesSeed)
			s := newStack(t, c, 1)
			for _, content := range []object{test.first, test.second} {
				config := under(block{test.typeName, content}, "a")
				if !s.apply(config) || !s.settled(config) {
					t.Fatal(texts(s))
				}
				row := slices.Concat(c.policies("orders"), c.policies("customers"), c.permissions(onOrders("TABLE")), c.permissions(onOrders("COLUMN")))[0]
				if respell(row) == row {
					t.Fatalf("the catalog has %s", row)
				}
				c.lists(respell(row))
				if !s.settled(config) {
					t.Errorf("spelled anew: %s", texts(s))
				}
				id := s.state["a"].values["id"]
				s.state["a"] = instance{typeName: test.typeName, values: s.importedByID(test.typeName, id)}
				if !s.settled(config) {
					t.Errorf("imported: %v: %s", s.state["a"].values, texts(s))
				}
				c.record.intercept(nil)
			}
		})
	}
}

// importedByID is what an import by ID puts into the state.
func (s *stack) importedByID(typeName string, id any) object {
	s.t.Helper()
	w := startWalk(s.t, s.catalog)
	response, err := w.server.ImportResourceState(s.t.Context(), &tfprotov6.ImportResourceStateRequest{TypeName: typeName, ID: fmt.Sprint(id)})
	if err != nil {
		s.t.Fatal(err)
	}
	wantNoErrors(s.t, response.Diagnostics)
	return decode(s.t, w.resources[typeName], response.ImportedResources[0].State)
}

// Definitions that a round trip through other software would spoil: on the wire, in the catalog and in the state.
//
// mongodb/terraform-provider-mongodbatlas#4661, ncecere/terraform-provider-litellm#216,
// hashicorp/terraform-provider-random#132, port-labs/terraform-provider-port-labs#222.
func TestDefinitionsAreKeptToTheLetter(t *testing.T) {
	t.Parallel()
	filter := func(name, typeName, literal string) block {
		return block{"paimon_row_filter_policy", filterObject(fmt.Sprintf(
			`{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":0,"name":%q,"type":%q}},"function":"EQUAL","literals":[%s]}`, name, typeName, literal))}
	}
	tests := map[string]struct {
		block  block
		onWire string
	}{
		"markup":                    {filter("region", "STRING", `"a<b&c>d"`), `a<b&c>d`},
		"an integer beyond 2^53":    {filter("order_id", "BIGINT NOT NULL", "9007199254740993"), "9007199254740993"},
		"the largest 64-bit number": {filter("order_id", "BIGINT NOT NULL", "9223372036854775807"), "9223372036854775807"},
		"the least 64-bit number":   {filter("order_id", "BIGINT NOT NULL", "-9223372036854775808"), "-9223372036854775808"},
	}
	for name, test := range tests {
		c := startCatalog(t, salesSeed)
		s := newStack(t, c, 1)
		config := under(test.block, "a")
		if !s.apply(config) || !s.settled(config) {
			t.Errorf("%s: %s", name, texts(s))
			continue
		}
		if s.state["a"].values["predicate"] != test.block.config["predicate"] {
			t.Errorf("%s: the configured text is lost: %v", name, s.state["a"].values)
		}
		plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")
		for where, text := range map[string]string{"catalog": c.policies("orders")[0], "request": strings.Join(c.record.takeBodies(), "")} {
			if !strings.Contains(plain.Replace(text), test.onWire) {
				t.Errorf("%s: the %s has %s", name, where, text)
			}
		}
	}
}

// However a server says that there is no end, there is none; what is no time at all is told, and nothing panics.
//
// databricks/terraform-provider-databricks#5661, hashicorp/terraform-provider-vault#549, hashicorp/terraform-provider-vault#776.
func TestOddExpiryOfTheServer(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{ // whether the plan is empty
		``:                           true,
		`,"expireTime":null`:         true,
		`,"expireTime":""`:           true,
		`,"expireTime":17`:           false,
		`,"expireTime":"whenever"`:   false,
		`,"expireTime":{"a":"b"}`:    false,
		`,"expireTime":["2031"]`:     false,
		`,"expireTime":true,"new":1`: false,
	}
	for expiry, isEmpty := range tests {
		c := startCatalog(t, salesSeed)
		s := newStack(t, c, 1)
		config := under(grantBlock("orders", "SELECT", "role:analyst"), "a")
		if !s.apply(config) {
			t.Fatal(texts(s))
		}
		c.lists(fmt.Sprintf(`{"resource":{%s},"access":"SELECT","principal":"role:analyst"%s}`, ordersResource, expiry))
		if got := s.settled(config); got != isEmpty || len(s.state) == 0 {
			t.Errorf("%q: empty %t, state %v, %s", expiry, got, len(s.state), texts(s))
		}
	}
}
