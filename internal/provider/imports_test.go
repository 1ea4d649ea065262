package provider

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
	"github.com/paimon-iac/terraform-provider-paimon/internal/faultproxy"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// What users of other providers report of imports, listings and generated configuration. What is listed by query
// (ionos-cloud/terraform-provider-ionoscloud#1034, hashicorp/terraform-provider-aws#46697) does not apply: there are no list
// resources yet. The data sources follow every page, see data_sources_test.go.

// oddSeed is salesSeed with databases, tables and columns of odd names.
func oddSeed() string {
	var seed strings.Builder
	seed.WriteString(strings.TrimSuffix(salesSeed, "\n"))
	table := func(database, table, column string) {
		fmt.Fprintf(&seed, "\n  - name: %s\n    tables:\n      - name: %s\n        options: {query-auth.enabled: \"true\"}\n        columns: [{name: %s, type: STRING}]",
			quoted(database), quoted(table), quoted(column))
	}
	for _, name := range oddNames {
		table(name, name, name)
	}
	table("a", "b.c@d", "c")
	return seed.String() + "\n"
}

// importable is a block of every resource in every variant, each with an identity of its own.
func importable() map[string]block {
	const until = "2131-01-01T08:00:00.5+08:00" // the catalog spells it otherwise
	grant := func(resourceType, access, principal string, more object) block {
		config := object{"resource_type": resourceType, "access": access, "principal": principal}
		maps.Copy(config, more)
		return block{"paimon_permission", config}
	}
	columns := func(attribute, principal string, expiry any) block {
		return block{"paimon_column_permission", object{
			"database": "sales", "table": "orders", "principal": principal, attribute: []string{"amount", "region"}, "expire_time": expiry,
		}}
	}
	blocks := map[string]block{
		"catalog":              grant("CATALOG", "CREATEDATABASE", "role:a", nil),
		"catalog, all":         grant("CATALOG_ALL", "SELECT", "role:a", nil),
		"database":             grant("DATABASE", "LIST", "role:a", object{"database": "sales"}),
		"database, all":        grant("DATABASE_ALL", "UPDATE", "role:a", object{"database": "sales"}),
		"table":                grant("TABLE", "SELECT", "role:a", object{"database": "sales", "table": "orders"}),
		"table, with an end":   grant("TABLE", "UPDATE", "role:a", object{"database": "sales", "table": "orders", "expire_time": until}),
		"view":                 grant("VIEW", "SELECT", "role:a", object{"database": "sales", "view": "recent"}),
		"function":             grant("FUNCTION", "GRANT", "role:a", object{"database": "sales", "function": "mask_email"}),
		"columns":              columns("column_names", "role:a", nil),
		"columns, with an end": columns("column_names", "role:b", until),
		"excluded columns":     columns("excluded_column_names", "role:c", nil),
		"excluded, end":        columns("excluded_column_names", "role:d", until),
		"two principals, 1":    grant("TABLE", "SELECT", "a@b.c", object{"database": "sales", "table": "orders"}),
		"two principals, 2":    grant("TABLE", "SELECT", "a", object{"database": "sales", "table": "orders"}),
		"the same joined, 1":   grant("TABLE", "SELECT", "d", object{"database": "a", "table": "b.c@d"}),
		"the same joined, 2":   grant("TABLE", "SELECT", "c@d", object{"database": "a.b", "table": "a.b"}),
	}
	for name, s := range subjects() {
		blocks["standard "+name] = s.of(s.first, "role:standard")["a"]
	}
	for _, name := range oddNames {
		on := func(more object) object {
			maps.Copy(more, object{"database": name, "table": name, "principal": name})
			return more
		}
		blocks["grant, "+name] = grant("TABLE", "SELECT", name, object{"database": name, "table": name})
		blocks["columns, "+name] = block{"paimon_column_permission", on(object{"column_names": []string{name}})}
		blocks["filter, "+name] = block{"paimon_row_filter_policy", on(object{"predicate": strings.Replace(euFilter, `"region"`, quoted(name), 1)})}
		blocks["mask, "+name] = block{"paimon_column_mask_policy", on(object{"on_column": name, "transform": `{"name":"CONCAT","inputs":["***"]}`})}
	}
	return blocks
}

// quoted is a name in JSON, and in YAML.
func quoted(name string) string {
	text, err := json.Marshal(name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// asQuery is the import ID in the form of the Apache provider.
func asQuery(b block) string {
	query := url.Values{}
	for _, key := range []string{"resource_type", "database", "table", "view", "function", "access", "principal"} {
		if value, ok := b.config[key].(string); ok {
			query.Set(key, value)
		}
	}
	switch b.typeName {
	case "paimon_column_permission":
		query.Set("resource_type", "COLUMN")
		query.Set("access", "SELECT")
	case "paimon_column_mask_policy":
		query.Set("column", b.config["on_column"].(string)) //nolint:forcetypeassert // every mask has one
	}
	return query.Encode()
}

// importBy imports by an ID or, without one, by the identity among the attributes of an object. It returns the state after
// the refresh that follows.
func (w *walk) importBy(typeName, id string, identity object) (instance, []*tfprotov6.Diagnostic) {
	w.t.Helper()
	request := &tfprotov6.ImportResourceStateRequest{TypeName: typeName, ID: id}
	if identity != nil {
		schemas, err := w.server.GetResourceIdentitySchemas(w.t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
		if err != nil {
			w.t.Fatal(err)
		}
		identityType := schemas.IdentitySchemas[typeName].ValueType().(tftypes.Object) //nolint:forcetypeassert // an identity is an object
		request.Identity = &tfprotov6.ResourceIdentityData{IdentityData: encode(w.t, identityType, identity)}
	}
	response, err := w.server.ImportResourceState(w.t.Context(), request)
	if err != nil {
		w.t.Fatal(err)
	}
	if slices.ContainsFunc(response.Diagnostics, isError) {
		return instance{}, response.Diagnostics
	}
	imported := response.ImportedResources[0]
	values, private, diags := w.refresh(typeName, decode(w.t, w.resources[typeName], imported.State), imported.Private)
	return instance{typeName: typeName, values: values, private: private}, diags
}

// Whatever can be created can be imported: by the ID that the state has, by the identity, and by the ID of the Apache
// provider. The plan after it is empty.
//
//   - no import at all: hashicorp/terraform-provider-aws#48794, hashicorp/terraform-provider-aws#47238
//   - IDs that are not unique, or are split at a character of a name: cyrilgdn/terraform-provider-postgresql#579,
//     cyrilgdn/terraform-provider-postgresql#420, brainly/terraform-provider-redshift#74, brainly/terraform-provider-redshift#43,
//     hetznercloud/terraform-provider-hcloud#487, ory/terraform-provider-ory#280, CiscoDevNet/terraform-provider-aci#1371,
//     mongodb/terraform-provider-mongodbatlas#2876
//   - parts with a meaning of their own: baptistegh/terraform-provider-polaris:internal/provider/resource_table_grant.go,
//     apache/terraform-provider-iceberg:docs/resources/polaris_grant.md
//   - the ID in the state is none that can be imported: yandex-cloud/terraform-provider-yandex#633
//   - the plan after the import is a replacement: hashicorp/terraform-provider-azurerm#23487.
func TestWhateverCanBeCreatedCanBeImported(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, oddSeed())
	config := importable()
	created := newStack(t, c, 10)
	if !created.apply(config) || !created.settled(config) {
		t.Fatal(texts(created))
	}
	names := make(map[any]string)
	for name, i := range created.state {
		if other, taken := names[i.values["id"]]; taken {
			t.Errorf("%s and %s have one ID: %v", name, other, i.values["id"])
		}
		names[i.values["id"]] = name
	}
	for _, way := range []string{"ID", "identity", "query"} {
		imported := newStack(t, c, 10)
		w := startWalk(t, c)
		for name, b := range config {
			id, identity := "", object(nil)
			switch way {
			case "ID":
				id = created.state[name].values["id"].(string) //nolint:forcetypeassert // an ID is a text
			case "identity":
				identity = b.config
			case "query":
				id = asQuery(b)
			}
			i, diags := w.importBy(b.typeName, id, identity)
			if len(diags) > 0 || i.values == nil {
				t.Fatalf("%s, %s: %q is not imported: %v", way, name, id, diags)
			}
			if i.values["id"] != created.state[name].values["id"] {
				t.Errorf("%s, %s: imported as %v", way, name, i.values["id"])
			}
			imported.state[name] = i
		}
		changes, ok := imported.plan(config)
		for name, change := range changes {
			if change.action != noOp {
				t.Errorf("%s, %s: %s after the import", way, name, change.action)
			}
		}
		if !ok {
			t.Errorf("%s: %s", way, texts(imported))
		}
	}
	if !created.apply(nil) {
		t.Error(texts(created))
	}
}

// What is not there, or is no ID, is one clean error that says what was looked for and where. Nothing is matched but what
// was written, letter for letter.
//
// snowflakedb/terraform-provider-snowflake#2595, snowflakedb/terraform-provider-snowflake#2308,
// snowflakedb/terraform-provider-snowflake#2620, snowflakedb/terraform-provider-snowflake#225,
// cloudflare/terraform-provider-cloudflare#1783, streamnative/terraform-provider-pulsar#171.
func TestImportOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	s := newStack(t, c, 10)
	if !s.apply(standard("role:analyst")) {
		t.Fatal(texts(s))
	}
	for id, text := range map[string]string{
		"TABLE/sales/orders/SELECT/role:Analyst":              "SELECT on TABLE sales.orders for role:Analyst is not in the catalog at " + c.url,
		"TABLE/sales/Orders/SELECT/role:analyst":              "SELECT on TABLE sales.Orders for role:analyst is not in the catalog at " + c.url,
		"TABLE/Sales/orders/SELECT/role:analyst":              "SELECT on TABLE Sales.orders for role:analyst is not in the catalog at " + c.url,
		"TABLE/sales/orders/SELECT/role:analyst ":             "Names are case-sensitive",
		"TABLE/sales/orders/UPDATE/role:analyst":              "UPDATE on TABLE sales.orders for role:analyst is not in the catalog at " + c.url,
		"COLUMN/sales/customers/SELECT/role:analyst":          "is not in the catalog at " + c.url,
		"TABLE/sales/orders/ROW_FILTER/role:ANALYST":          "row filter on TABLE sales.orders for role:ANALYST is not in the catalog at " + c.url,
		"TABLE/sales/customers/COLUMN_MASKING/phone/role:any": "mask on column phone of TABLE sales.customers for role:any is not in the catalog at " + c.url,
		"table/sales/orders/SELECT/role:analyst":              `"table" is not a resource type`,
		"TABLE/sales/orders/select/role:analyst":              `TABLE/sales/orders/SELECT/role:analyst`,
		"TABLE/sales/orders":                                  `such as TABLE/sales/orders/SELECT/role:analyst`,
		"sales.orders":                                        `such as TABLE/sales/orders/SELECT/role:analyst`,
		"/":                                                   `such as TABLE/sales/orders/SELECT/role:analyst`,
		"=":                                                   `such as TABLE/sales/orders`,
		"":                                                    `such as TABLE/sales/orders`,
	} {
		typeName := "paimon_permission"
		switch {
		case strings.HasPrefix(id, "COLUMN"):
			typeName = "paimon_column_permission"
		case strings.Contains(id, "ROW_FILTER"):
			typeName = "paimon_row_filter_policy"
		case strings.Contains(id, "COLUMN_MASKING"):
			typeName = "paimon_column_mask_policy"
		}
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			_, diags := startWalk(t, c).importBy(typeName, id, nil)
			wantDiagnostic(t, diags, tfprotov6.DiagnosticSeverityError, text)
		})
	}
	t.Run("not looked up", func(t *testing.T) {
		t.Parallel()
		c := startCatalog(t, salesSeed)
		c.record.intercept(func(*http.Request) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }
		})
		_, diags := startWalk(t, c).importBy("paimon_permission", "TABLE/sales/orders/SELECT/role:analyst", nil)
		wantDiagnostic(t, diags, tfprotov6.DiagnosticSeverityError, "neither a token nor a signature was sent")
	})
}

// A part of an identity that the type does not have is an error, and so is one that is missing.
//
// hashicorp/terraform-plugin-framework#1137, hashicorp/terraform#36887.
func TestImportByAnIdentityThatDoesNotFit(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	for name, test := range map[string]struct {
		identity object
		text     string
	}{
		"a locator too many":  {object{"resource_type": "CATALOG", "database": "sales", "access": "ALL", "principal": "role:a"}, "A resource of type CATALOG has no database."},
		"a locator too few":   {object{"resource_type": "TABLE", "database": "sales", "access": "ALL", "principal": "role:a"}, "A resource of type TABLE needs a table name"},
		"of another resource": {object{"resource_type": "COLUMN", "database": "sales", "table": "orders", "access": "SELECT", "principal": "role:a"}, "but by paimon_column_permission."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := startWalk(t, c).importBy("paimon_permission", "", test.identity)
			wantDiagnostic(t, diags, tfprotov6.DiagnosticSeverityError, test.text)
		})
	}
}

// Five hundred imports cost as many listings as there are pages, and come through where every fifth answer is a 429.
//
// hashicorp/terraform#22219, hashicorp/terraform#32831, hashicorp/terraform#33624,
// databricks/terraform-provider-databricks#2127.
func TestAccCLIImportInBulk(t *testing.T) {
	t.Parallel()
	const tables, grants, pageSize = 5, 100, 20
	seed := func() string {
		var databases, permissions strings.Builder
		databases.WriteString("warehouse: demo\ndatabases:\n  - name: sales\n    tables:\n")
		permissions.WriteString("permissions:\n")
		for table := range tables {
			fmt.Fprintf(&databases, "      - {name: t%d, columns: [{name: id, type: INT}]}\n", table)
			for grant := range grants {
				fmt.Fprintf(&permissions, "  - {resource: {type: TABLE, database: sales, table: t%d}, access: SELECT, principal: \"role:%d\"}\n", table, grant)
			}
		}
		return databases.String() + permissions.String()
	}()
	text := fmt.Sprintf(`
locals {
  grants = { for pair in setproduct(range(%d), range(%d)) : "t${pair[0]}/role:${pair[1]}" => pair }
}

import {
  for_each = local.grants
  to       = paimon_permission.all[each.key]
  id       = "TABLE/sales/t${each.value[0]}/SELECT/role:${each.value[1]}"
}

resource "paimon_permission" "all" {
  for_each      = local.grants
  resource_type = "TABLE"
  database      = "sales"
  table         = "t${each.value[0]}"
  access        = "SELECT"
  principal     = "role:${each.value[1]}"
}
`, tables, grants)
	for name, busy := range map[string]bool{"at leisure": false, "busy": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, seed, func(config *devcatalog.Config) { config.MaxPageSize = pageSize })
			if busy {
				proxy := faultproxy.New(c.record.next)
				c.record.next = proxy
				var rules []faultproxy.Rule
				for nth := range 100 { // each rule counts what the ones before let pass
					rules = append(rules, faultproxy.Rule{Skip: 4 + 4*nth, Times: 1, Fault: faultproxy.Busy(http.StatusTooManyRequests, 1)})
				}
				proxy.Set(rules...)
			}
			f := newProject(t, c, text)
			started := time.Now()
			wantPrinted(t, f.run(0, "apply", "-auto-approve"), fmt.Sprintf("%d imported, 0 added, 0 changed, 0 destroyed.", tables*grants))
			if took := time.Since(started); took > time.Minute {
				t.Errorf("took %s", took)
			}
			requests := c.record.take()
			listed := 0
			for _, request := range requests {
				if strings.HasPrefix(request, "GET "+wire.ListPermissions.URLPath("demo")) {
					listed++
				}
			}
			t.Logf("%d listing requests of %d", listed, len(requests))
			const pages = tables * grants / pageSize
			most := pages + 2*tables // the import and the refresh that come first on a table look for that one record
			if busy {
				most += most / 4
			}
			if listed > most || writes(requests) > 0 {
				t.Errorf("%d listing requests for %d pages, %d writes", listed, pages, writes(requests))
			}
		})
	}
}

// Generated configuration is valid as it was written, and changes nothing: attributes that exclude each other are not both set.
//
// hashicorp/terraform#37712, hashicorp/terraform#35478, opentofu/opentofu#1592.
func TestAccCLIGeneratedConfigurationIsValid(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	s := newStack(t, c, 10)
	config := importable()
	maps.DeleteFunc(config, func(_ string, b block) bool { return b.config["database"] != nil && b.config["database"] != "sales" })
	if !s.apply(config) {
		t.Fatal(texts(s))
	}
	var text strings.Builder
	for i, address := range slices.Sorted(maps.Keys(config)) {
		fmt.Fprintf(&text, "import {\n  to = %s.r%d\n  id = %q\n}\n", config[address].typeName, i, s.state[address].values["id"])
	}
	f := newProject(t, c, text.String())
	f.run(0, "plan", "-generate-config-out=generated.tf")
	wantPrinted(t, f.applies(), fmt.Sprintf("%d imported, 0 added, 0 changed, 0 destroyed.", len(config)))
}
