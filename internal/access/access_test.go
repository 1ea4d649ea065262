package access_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// accessMatrix repeats the contract independently of the code, one column per type in the order of the head.
const accessMatrix = `
                CATALOG  CATALOG_ALL  DATABASE  DATABASE_ALL  TABLE  COLUMN  VIEW  FUNCTION
ALL             +        +            +         +             +      -       +     +
ALTER           +        +            +         +             +      -       +     +
DROP            +        +            +         +             +      -       +     +
GRANT           +        +            +         +             +      -       +     +
DESCRIBE        -        +            +         -             -      -       -     -
LIST            -        +            +         -             -      -       -     -
SELECT          -        +            -         +             +      +       +     +
UPDATE          -        +            -         +             +      -       -     -
CREATEDATABASE  +        -            -         -             -      -       -     -
CREATETABLE     -        +            +         -             -      -       -     -
CREATEVIEW      -        +            +         -             -      -       -     -
CREATEFUNCTION  -        +            +         -             -      -       -     -
`

func TestAccessMatrix(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.TrimSpace(accessMatrix), "\n")
	types := strings.Fields(lines[0])
	if len(lines) != 1+12 || len(types) != 8 {
		t.Fatalf("the table has %d accesses and %d types, want 12 and 8", len(lines)-1, len(types))
	}
	count := map[access.ResourceType]int{}
	for _, line := range lines[1:] {
		cells := strings.Fields(line)
		given := access.Access(cells[0])
		for i, cell := range cells[1:] {
			kind := access.ResourceType(types[i])
			fits := cell == "+"
			if fits {
				count[kind]++
			}
			if got := len(access.CheckAccess(kind, given)) == 0; got != fits {
				t.Errorf("%s on %s: accepted %t, want %t", given, kind, got, fits)
			}
			if got := slices.Contains(kind.Accesses(), given); got != fits {
				t.Errorf("%s in Accesses() of %s: %t, want %t", given, kind, got, fits)
			}
			// Nothing is canonicalised: only the exact spelling is the access.
			for _, spelling := range []string{strings.ToLower(cells[0]), " " + cells[0], cells[0] + " ", cells[0] + "\n", strings.ToLower(cells[0][:1]) + cells[0][1:]} {
				wantAttributes(t, access.CheckAccess(kind, access.Access(spelling)), "access")
			}
		}
	}
	for kind, want := range count {
		if got := len(kind.Accesses()); got != want {
			t.Errorf("%s takes %d accesses, want %d", kind, got, want)
		}
	}
}

func TestForeignAccessesAreRefusedOnEveryType(t *testing.T) {
	t.Parallel()
	for _, given := range []access.Access{
		"", "USE_CATALOG", "CREATE_DATABASE", "USE_DATABASE", "CREATE_TABLE", "CREATE_VIEW", "CREATE_FUNCTION", "INSERT", "DELETE",
		"EXECUTE", "MANAGE_PERMISSIONS", "DLF_SELECT", "dlf:SELECT", "SELECT,UPDATE", "*", "ROW_FILTER", "COLUMN_MASKING",
		access.Access(strings.Repeat("S", 33)), "a/ßßßßßßßßßßßßßßßß", "ſELECT",
	} {
		for _, kind := range access.ResourceTypes() {
			wantAttributes(t, access.CheckAccess(kind, given), "access")
		}
	}
}

func TestAccessProblemsListTheValidNames(t *testing.T) {
	t.Parallel()
	wantProblems(t, access.CheckAccess(access.Table, "select"),
		`access: "select" is not an access of resource type TABLE. Use one of ALL, SELECT, UPDATE, ALTER, DROP and GRANT.`)
	wantProblems(t, access.CheckAccess(access.Database, " SELECT"),
		`access: " SELECT" is not an access of resource type DATABASE. Use one of ALL, DESCRIBE, ALTER, DROP, GRANT, CREATETABLE, CREATEVIEW, CREATEFUNCTION and LIST.`)
	wantProblems(t, access.CheckAccess(access.Column, "UPDATE"),
		`access: "UPDATE" is not an access of resource type COLUMN. Use SELECT.`)
}

func TestAccessOfAnUnknownTypeIsTheTypesProblem(t *testing.T) {
	t.Parallel()
	wantProblems(t, access.CheckAccess("table", "SELECT"))
}

func TestCallersCannotChangeTheMatrix(t *testing.T) {
	t.Parallel()
	access.Column.Accesses()[0] = "UPDATE"
	access.Table.Locators()[0] = "view"
	access.ResourceTypes()[0] = "X"
	if access.Column.Accesses()[0] != access.Select || access.Table.Locators()[0] != access.DatabaseName || access.ResourceTypes()[0] != access.Catalog {
		t.Error("a caller's write reached the matrix")
	}
}

func TestOnlyPolicyTypesArePolicies(t *testing.T) {
	t.Parallel()
	for given, want := range map[access.Access]bool{
		access.RowFilter: true, access.ColumnMasking: true,
		access.Select: false, access.All: false, "": false, "row_filter": false, " ROW_FILTER": false,
	} {
		if got := given.IsPolicy(); got != want {
			t.Errorf("%q: got %t, want %t", given, got, want)
		}
	}
}
