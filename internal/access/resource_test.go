package access_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// shapes repeats the contract independently of the code: which locators each type needs.
var shapes = map[access.ResourceType][]access.Locator{
	"CATALOG":      nil,
	"CATALOG_ALL":  nil,
	"DATABASE":     {"database"},
	"DATABASE_ALL": {"database"},
	"TABLE":        {"database", "table"},
	"COLUMN":       {"database", "table"},
	"VIEW":         {"database", "view"},
	"FUNCTION":     {"database", "function"},
}

var allLocators = []access.Locator{"database", "table", "view", "function"}

func resource(kind access.ResourceType, values map[access.Locator]string) access.Resource {
	return access.Resource{
		Type:     kind,
		Database: values["database"],
		Table:    values["table"],
		View:     values["view"],
		Function: values["function"],
	}
}

// wellShaped fills every locator of a type with a name of its own.
func wellShaped(kind access.ResourceType) map[access.Locator]string {
	values := map[access.Locator]string{}
	for _, l := range shapes[kind] {
		values[l] = "a " + string(l)
	}
	return values
}

func TestResourceTypesComeInTheContractsOrder(t *testing.T) {
	t.Parallel()
	want := []access.ResourceType{"CATALOG", "CATALOG_ALL", "DATABASE", "DATABASE_ALL", "TABLE", "COLUMN", "VIEW", "FUNCTION"}
	if got := access.ResourceTypes(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEveryTypeTakesExactlyItsLocators(t *testing.T) {
	t.Parallel()
	for kind, needed := range shapes {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			if got := kind.Locators(); !slices.Equal(got, needed) {
				t.Errorf("Locators() = %q, want %q", got, needed)
			}
			good := wellShaped(kind)
			wantAttributes(t, resource(kind, good).CheckShape())
			for _, l := range allLocators {
				changed := maps.Clone(good)
				if slices.Contains(needed, l) {
					// The characters up to the space are blank, and only those: Java's trim.
					for _, blank := range []string{"", " ", "\t\n", "\x00\x01\x1f "} {
						changed[l] = blank
						wantAttributes(t, resource(kind, changed).CheckShape(), string(l))
					}
					for _, notBlank := range []string{"\u00a0", "\u3000", "\u0085", " x ", "\x7f"} {
						changed[l] = notBlank
						wantAttributes(t, resource(kind, changed).CheckShape())
					}
					continue
				}
				for _, extra := range []string{"x", " "} {
					changed[l] = extra
					wantAttributes(t, resource(kind, changed).CheckShape(), string(l))
				}
			}
		})
	}
}

func TestShapeProblemsSayWhatToDo(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		resource access.Resource
		want     []string
	}{
		"missing table": {
			access.Resource{Type: access.Table, Database: "d"},
			[]string{"table: A resource of type TABLE needs a table name, and it must not be blank. Set table."},
		},
		"everything missing": {
			access.Resource{Type: access.View},
			[]string{
				"database: A resource of type VIEW needs a database name, and it must not be blank. Set database.",
				"view: A resource of type VIEW needs a view name, and it must not be blank. Set view.",
			},
		},
		"a table where a view belongs": {
			access.Resource{Type: access.View, Database: "d", Table: "t", View: "v"},
			[]string{"table: A resource of type VIEW has no table. Remove table; VIEW takes database and view."},
		},
		"a database on the whole catalog": {
			access.Resource{Type: access.CatalogAll, Database: "d"},
			[]string{"database: A resource of type CATALOG_ALL has no database. Remove database; CATALOG_ALL stands for the whole catalog."},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantProblems(t, test.resource.CheckShape(), test.want...)
		})
	}
}

func TestUnknownTypesAreRefusedWithTheKnownOnes(t *testing.T) {
	t.Parallel()
	for _, kind := range []access.ResourceType{"", "table", "Table", " TABLE", "TABLE ", "SCHEMA", "ROLE", "TABLE_ALL"} {
		r := access.Resource{Type: kind, Database: "d", Table: "t"}
		got := r.CheckShape()
		wantAttributes(t, got, "resource_type")
		const remedy = "Use one of CATALOG, CATALOG_ALL, DATABASE, DATABASE_ALL, TABLE, COLUMN, VIEW and FUNCTION, in upper case."
		if len(got) == 1 && got[0].Remedy != remedy {
			t.Errorf("%q: got remedy %q, want %q", kind, got[0].Remedy, remedy)
		}
		if kind.Locators() != nil || kind.Accesses() != nil || r.Names() != nil {
			t.Errorf("%q: an unknown type has neither locators nor accesses", kind)
		}
		wantAttributes(t, r.CheckNames())
	}
}

func TestLocatorReadsEachFieldAndNothingElse(t *testing.T) {
	t.Parallel()
	r := access.Resource{Type: access.Table, Database: "d", Table: "t", View: "v", Function: "f"}
	for l, want := range map[access.Locator]string{
		access.DatabaseName: "d", access.TableName: "t", access.ViewName: "v", access.FunctionName: "f",
		"": "", "Database": "", "catalog": "",
	} {
		if got := r.Locator(l); got != want {
			t.Errorf("Locator(%q) = %q, want %q", l, got, want)
		}
	}
}

func TestResourcesAreNamedForPeople(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]access.Resource{
		"CATALOG":            {Type: access.Catalog},
		"DATABASE_ALL sales": {Type: access.DatabaseAll, Database: "sales"},
		"TABLE sales.orders": access.TableResource("sales", "orders"),
		"VIEW sales.recent":  {Type: access.View, Database: "sales", View: "recent"},
		"FUNCTION s.f":       {Type: access.Function, Database: "s", Function: "f"},
		"TABLE .":            {Type: access.Table},
		"TABLE  .o ":         access.TableResource(" ", "o "),
		"":                   {},
	} {
		if got := r.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestNamesThatCannotBeAddressedAreRefused(t *testing.T) {
	t.Parallel()
	const gone = " cannot be used as a name: it is removed from the path of a request."
	const inner = " names a branch or system table, which has no access of its own."
	tests := map[string]struct {
		resource access.Resource
		want     []string
	}{
		"dot database":             {access.Resource{Type: access.Database, Database: "."}, []string{`database: "."` + gone + " Rename the database."}},
		"dotdot database":          {access.Resource{Type: access.DatabaseAll, Database: ".."}, []string{`database: ".."` + gone + " Rename the database."}},
		"dot table":                {access.TableResource("d", "."), []string{`table: "."` + gone + " Rename the table."}},
		"dotdot view":              {access.Resource{Type: access.View, Database: "d", View: ".."}, []string{`view: ".."` + gone + " Rename the view."}},
		"dot function":             {access.Resource{Type: access.Function, Database: "d", Function: "."}, []string{`function: "."` + gone + " Rename the function."}},
		"both at once":             {access.TableResource("..", "."), []string{`database: ".."` + gone + " Rename the database.", `table: "."` + gone + " Rename the table."}},
		"branch":                   {access.TableResource("d", "t$branch_b1"), []string{`table: "t$branch_b1"` + inner + ` Use the table itself, "t".`}},
		"branch of columns":        {access.Resource{Type: access.Column, Database: "d", Table: "t$branch_b1"}, []string{`table: "t$branch_b1"` + inner + ` Use the table itself, "t".`}},
		"system table":             {access.TableResource("d", "t$snapshots"), []string{`table: "t$snapshots"` + inner + ` Use the table itself, "t".`}},
		"system table of a branch": {access.TableResource("d", "t$branch_b$files"), []string{`table: "t$branch_b$files"` + inner + ` Use the table itself, "t".`}},
		"nothing before the $":     {access.TableResource("d", "$snapshots"), []string{`table: "$snapshots"` + inner + " Use a table whose name has no $."}},

		"three dots":                     {access.TableResource("...", "..."), nil},
		"dots in names":                  {access.TableResource(".a", "b."), nil},
		"dollar in a database":           {access.TableResource("d$x", "t"), nil},
		"odd but good":                   {access.TableResource("a b/c", `日本"é%+`), nil},
		"a locator the type has not":     {access.Resource{Type: access.Database, Database: "d", Table: "."}, nil},
		"the catalog, which has no name": {access.Resource{Type: access.Catalog}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantProblems(t, test.resource.CheckNames(), test.want...)
		})
	}
}
