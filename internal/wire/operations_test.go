package wire_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// operations is every operation with its method and template, told independently of the code.
var operations = map[string]struct {
	operation wire.Operation
	want      string
}{
	"GetConfig":        {wire.GetConfig, "GET /v1/config"},
	"ListPermissions":  {wire.ListPermissions, "GET /v1/{prefix}/permissions"},
	"GrantPermission":  {wire.GrantPermission, "POST /v1/{prefix}/permissions/grant"},
	"RevokePermission": {wire.RevokePermission, "POST /v1/{prefix}/permissions/revoke"},
	"ListPolicies":     {wire.ListPolicies, "GET /v1/{prefix}/databases/{database}/tables/{table}/policies"},
	"CreatePolicy":     {wire.CreatePolicy, "POST /v1/{prefix}/databases/{database}/tables/{table}/policies"},
	"DropPolicy":       {wire.DropPolicy, "POST /v1/{prefix}/databases/{database}/tables/{table}/policies/drop"},

	"ListDatabases":  {wire.ListDatabases, "GET /v1/{prefix}/databases"},
	"CreateDatabase": {wire.CreateDatabase, "POST /v1/{prefix}/databases"},
	"GetDatabase":    {wire.GetDatabase, "GET /v1/{prefix}/databases/{database}"},
	"AlterDatabase":  {wire.AlterDatabase, "POST /v1/{prefix}/databases/{database}"},
	"DropDatabase":   {wire.DropDatabase, "DELETE /v1/{prefix}/databases/{database}"},

	"ListTables":     {wire.ListTables, "GET /v1/{prefix}/databases/{database}/tables"},
	"CreateTable":    {wire.CreateTable, "POST /v1/{prefix}/databases/{database}/tables"},
	"GetTable":       {wire.GetTable, "GET /v1/{prefix}/databases/{database}/tables/{table}"},
	"AlterTable":     {wire.AlterTable, "POST /v1/{prefix}/databases/{database}/tables/{table}"},
	"DropTable":      {wire.DropTable, "DELETE /v1/{prefix}/databases/{database}/tables/{table}"},
	"RenameTable":    {wire.RenameTable, "POST /v1/{prefix}/tables/rename"},
	"AuthTableQuery": {wire.AuthTableQuery, "POST /v1/{prefix}/databases/{database}/tables/{table}/auth"},
	"GetSnapshot":    {wire.GetSnapshot, "GET /v1/{prefix}/databases/{database}/tables/{table}/snapshot"},
	"CommitSnapshot": {wire.CommitSnapshot, "POST /v1/{prefix}/databases/{database}/tables/{table}/commit"},

	"ListViews":  {wire.ListViews, "GET /v1/{prefix}/databases/{database}/views"},
	"CreateView": {wire.CreateView, "POST /v1/{prefix}/databases/{database}/views"},
	"GetView":    {wire.GetView, "GET /v1/{prefix}/databases/{database}/views/{view}"},
	"DropView":   {wire.DropView, "DELETE /v1/{prefix}/databases/{database}/views/{view}"},
	"RenameView": {wire.RenameView, "POST /v1/{prefix}/views/rename"},

	"ListFunctions":  {wire.ListFunctions, "GET /v1/{prefix}/databases/{database}/functions"},
	"CreateFunction": {wire.CreateFunction, "POST /v1/{prefix}/databases/{database}/functions"},
	"GetFunction":    {wire.GetFunction, "GET /v1/{prefix}/databases/{database}/functions/{function}"},
	"DropFunction":   {wire.DropFunction, "DELETE /v1/{prefix}/databases/{database}/functions/{function}"},
}

// TestEveryOperationIsTested keeps the table above complete, since Go cannot list the variables of a package.
func TestEveryOperationIsTested(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "operations.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		if _, ok := spec.Values[0].(*ast.CompositeLit); ok {
			found++
			if _, tested := operations[spec.Names[0].Name]; !tested {
				t.Errorf("%s is not in the table of this test", spec.Names[0].Name)
			}
		}
		return true
	})
	if found != len(operations) {
		t.Errorf("found %d operations in the source, %d in the table", found, len(operations))
	}
}

func TestOperationsHaveTheContractsPathsAndAreDifferent(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for name, test := range operations {
		got := test.operation.Method + " " + test.operation.Path
		if got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
		if other, taken := seen[got]; taken {
			t.Errorf("%s and %s are both %s", name, other, got)
		}
		seen[got] = name
		if action := test.operation.Action; action == "" || seen[action] != "" {
			t.Errorf("%s: action %q is empty or also of %s", name, action, seen[action])
		}
		seen[test.operation.Action] = name
	}
}

func TestManagementActionsAreSpelledAsSignersKnowThem(t *testing.T) {
	t.Parallel()
	for want, operation := range map[string]wire.Operation{
		"ListPermissionAssignments":  wire.ListPermissions,
		"GrantPermissionAssignment":  wire.GrantPermission,
		"RevokePermissionAssignment": wire.RevokePermission,
		"ListPolicies":               wire.ListPolicies,
		"CreatePolicy":               wire.CreatePolicy,
		"DropPolicy":                 wire.DropPolicy,
	} {
		if operation.Action != want {
			t.Errorf("got %s, want %s", operation.Action, want)
		}
	}
}

func TestOnlyWhatMayBeSentTwiceIsRepeatable(t *testing.T) {
	t.Parallel()
	once := []string{
		"CreatePolicy", "CreateDatabase", "AlterDatabase", "CreateTable", "AlterTable", "RenameTable", "CreateView", "RenameView", "CreateFunction",
		"CommitSnapshot",
	}
	for name, test := range operations {
		if got, want := test.operation.Repeatable, !slices.Contains(once, name); got != want {
			t.Errorf("%s: repeatable %t, want %t", name, got, want)
		}
	}
}

// oddNames are names that paths mangle, among them those that are segments of other paths.
var oddNames = []string{
	"plain", "a b", " ", "a/b", "/", "//", "%", "a%b", "%2F", "a%2Fb", "a+b", "+", "a*b", "a~b", "a:b@c", "é", "日本", "🦀", "a&b=c", "a?b#c",
	"t$branch_b1", `"q"`, "a;b,c", "{database}", "v1", "config", "databases", "tables", "policies", "permissions", "grant", "drop", "rename", "auth", "...",
}

func TestURLPathAndMatchAreInverse(t *testing.T) {
	t.Parallel()
	for name, test := range operations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			placeholders := strings.Count(test.operation.Path, "{")
			for i, odd := range oddNames {
				// Different names in the places show an order that is mixed up.
				all := []string{odd, oddNames[(i+1)%len(oddNames)], oddNames[(i+2)%len(oddNames)]}[:placeholders]
				path := test.operation.URLPath(odd, all[min(1, placeholders):]...)
				if got, want := strings.Count(path, "/"), strings.Count(test.operation.Path, "/"); got != want {
					t.Errorf("%q has %d segments, want %d", path, got, want)
				}
				if u, err := url.Parse("http://h" + path); err != nil || u.EscapedPath() != path || u.RawQuery != "" || u.Fragment != "" {
					t.Errorf("%q does not survive net/url: %v, %v", path, u, err)
				}
				if got, ok := test.operation.Match(path); !ok || !slices.Equal(got, all) {
					t.Errorf("%q: got %q, %t, want %q", path, got, ok, all)
				}
				for other, candidate := range operations {
					if candidate.operation.Method == test.operation.Method && other != name {
						if _, ok := candidate.operation.Match(path); ok {
							t.Errorf("%s %q is also %s", test.operation.Method, path, other)
						}
					}
				}
			}
		})
	}
}

func TestPathsOnTheWire(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"/v1/config":                 wire.GetConfig.URLPath("unused"),
		"/v1/demo/permissions":       wire.ListPermissions.URLPath("demo"),
		"/v1/catalog+id/permissions": wire.ListPermissions.URLPath("catalog id"),
		"/v1/catalog%2Fid/databases/a%20b/tables/a%2Bb%2Fc/policies/drop": wire.DropPolicy.URLPath("catalog/id", "a b", "a+b/c"),
		"/v1/a%7Eb*c/databases/a~b%2Ac":                                   wire.GetDatabase.URLPath("a~b*c", "a~b*c"),
		"/v1/p/databases/d/views/v":                                       wire.GetView.URLPath("p", "d", "v"),
		"/v1/p/databases/d/functions/f":                                   wire.DropFunction.URLPath("p", "d", "f"),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestForeignPathsDoNotMatch(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"", "/", "/v1", "/v1/p/databases/d/tables", "/v1/p/databases/d/tables/", "/v1/p/databases/d/tables/t/", "/v1/p/databases//tables/t",
		"/v1//databases/d/tables/t", "v1/p/databases/d/tables/t", "//v1/p/databases/d/tables/t", "/v2/p/databases/d/tables/t",
		"/v1/p/databases/d/views/t", "/v1/p/databases/d/tables/a/b", "/v1/p/databases/d/tables/%zz", "/v1/p/databases/d/tables/%",
		"/v1/p/Databases/d/tables/t", "/base/v1/p/databases/d/tables/t", "/v1/p/databases%2Fd/tables/t",
	} {
		if names, ok := wire.GetTable.Match(path); ok || names != nil {
			t.Errorf("%q: got %q, %t", path, names, ok)
		}
	}
}

func TestServersReadBothSpellingsOfASpace(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/v1/p+q/databases/a+b", "/v1/p%20q/databases/a%20b"} {
		if got, ok := wire.GetDatabase.Match(path); !ok || !slices.Equal(got, []string{"p q", "a b"}) {
			t.Errorf("%q: got %q, %t", path, got, ok)
		}
	}
}

func TestListingLimitAndParametersAreTheContracts(t *testing.T) {
	t.Parallel()
	if wire.MaxPageSize != 1000 {
		t.Errorf("got page size %d, want 1000", wire.MaxPageSize)
	}
	got := []string{
		wire.ParamResourceType, wire.ParamDatabase, wire.ParamTable, wire.ParamFunction, wire.ParamView, wire.ParamPrincipal, wire.ParamAccess,
		wire.ParamType, wire.ParamColumn, wire.ParamMaxResults, wire.ParamPageToken, wire.ParamWarehouse,
		wire.OptionPrefix, wire.OptionHeaderPrefix, wire.OptionQueryAuth, wire.ErrorPrincipal, wire.ErrorPolicy,
	}
	want := []string{
		"resourceType", "database", "table", "function", "view", "principal", "access",
		"type", "column", "maxResults", "pageToken", "warehouse",
		"prefix", "header.", "query-auth.enabled", "PRINCIPAL", "POLICY",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
