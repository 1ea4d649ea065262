package access_test

import (
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

func permission(r access.Resource, given access.Access, principal string) access.Identity {
	return access.Identity{Resource: r, Access: given, Principal: principal}
}

func TestIdentitiesTellWhatTheyAre(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		identity access.Identity
		kind     access.Kind
		text     string
	}{
		"permission on the catalog": {
			permission(access.Resource{Type: access.Catalog}, access.CreateDatabase, "role:x"),
			access.KindPermission, "CREATEDATABASE on CATALOG for role:x",
		},
		"permission on a table": {
			permission(access.TableResource("sales", "orders"), access.Select, "role:analyst"),
			access.KindPermission, "SELECT on TABLE sales.orders for role:analyst",
		},
		"column permission": {
			access.ColumnIdentity("sales", "orders", "role:analyst"),
			access.KindColumnPermission, "SELECT on columns of TABLE sales.orders for role:analyst",
		},
		"row filter": {
			access.RowFilterIdentity("sales", "orders", "role:analyst"),
			access.KindRowFilter, "row filter on TABLE sales.orders for role:analyst",
		},
		"column mask": {
			access.ColumnMaskIdentity("sales", "orders", "email", "role:analyst"),
			access.KindColumnMask, "mask on column email of TABLE sales.orders for role:analyst",
		},
		// What nothing forbids a listing to hold must not bring the program down.
		"column permission without names": {
			access.ColumnIdentity("", "", ""),
			access.KindColumnPermission, "SELECT on columns of TABLE . for ",
		},
		"column permission with blank names": {
			access.ColumnIdentity(" ", " ", " "),
			access.KindColumnPermission, "SELECT on columns of TABLE  .  for  ",
		},
		"column permission with an access of its own": {
			permission(access.Resource{Type: access.Column, Database: "d", Table: "t"}, "UPDATE", "p"),
			access.KindColumnPermission, "UPDATE on columns of TABLE d.t for p",
		},
		"nothing at all": {access.Identity{}, access.KindPermission, " on  for "},
		"policy of no table": {
			permission(access.Resource{Type: access.Column, Database: "d", Table: "t"}, access.RowFilter, "p"),
			access.KindRowFilter, "row filter on COLUMN d.t for p",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := test.identity.Kind(); got != test.kind {
				t.Errorf("kind: got %d, want %d", got, test.kind)
			}
			if got := test.identity.String(); got != test.text {
				t.Errorf("text: got %q, want %q", got, test.text)
			}
		})
	}
}

func TestIdentityChecks(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		identity access.Identity
		want     []string
	}{
		"permission":        {permission(access.TableResource("d", "t"), access.Select, "p"), nil},
		"column permission": {access.ColumnIdentity("d", "t", "p"), nil},
		"row filter":        {access.RowFilterIdentity("d", "t", "p"), nil},
		"column mask":       {access.ColumnMaskIdentity("d", "t", "c", "p"), nil},
		"a mask on a column that no path could hold": {access.ColumnMaskIdentity("d", "t", "..", "p"), nil},

		"wrong shape and blank principal": {
			permission(access.Resource{Type: access.Table, Database: "d"}, access.Select, " "),
			[]string{"table", "principal"},
		},
		// Names are looked at once the shape is right.
		"wrong shape and a dot":   {permission(access.TableResource("", "."), access.Select, "p"), []string{"database"}},
		"a dot":                   {access.RowFilterIdentity("d", ".", "p"), []string{"table"}},
		"a branch":                {access.ColumnMaskIdentity("d", "t$branch_b", "c", "p"), []string{"table"}},
		"access that does not":    {permission(access.Resource{Type: access.Database, Database: "d"}, access.Select, "p"), []string{"access"}},
		"access of no type":       {permission(access.Resource{Type: "X"}, access.Select, "p"), []string{"resource_type"}},
		"policy of no type":       {permission(access.Resource{Type: "X"}, access.RowFilter, "p"), []string{"resource_type"}},
		"mask without a column":   {access.ColumnMaskIdentity("d", "t", " ", "p"), []string{"on_column"}},
		"everything wrong":        {permission(access.Resource{Type: access.View, Table: "t"}, "", ""), []string{"database", "table", "view", "access", "principal"}},
		"a locator that has none": {permission(access.Resource{Type: access.Catalog, View: "v"}, access.All, "p"), []string{"view"}},

		// An identity that carries more than its ID shows would share the ID with another one.
		"permission with a column": {
			access.Identity{Resource: access.TableResource("d", "t"), Access: access.Select, Column: "c", Principal: "p"},
			[]string{"on_column"},
		},
		"row filter with a column": {
			access.Identity{Resource: access.TableResource("d", "t"), Access: access.RowFilter, Column: "c", Principal: "p"},
			[]string{"on_column"},
		},
		"row filter on columns": {
			permission(access.Resource{Type: access.Column, Database: "d", Table: "t"}, access.RowFilter, "p"),
			[]string{"resource_type"},
		},
		"mask on a database": {
			access.Identity{Resource: access.Resource{Type: access.Database, Database: "d"}, Access: access.ColumnMasking, Column: "c", Principal: "p"},
			[]string{"resource_type"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantAttributes(t, test.identity.Check(), test.want...)
		})
	}
}

func TestIdentityProblemsSayWhatToDo(t *testing.T) {
	t.Parallel()
	wantProblems(t, access.ColumnMaskIdentity("d", "t", "", "p").Check(),
		"on_column: A column mask needs the column that it masks. Set on_column.")
	wantProblems(t, access.Identity{Resource: access.TableResource("d", "t"), Access: access.Select, Column: "c", Principal: "p"}.Check(),
		"on_column: Only a column mask has a column. Remove on_column.")
	wantProblems(t, permission(access.Resource{Type: access.View, Database: "d", View: "v"}, access.RowFilter, "p").Check(),
		"resource_type: ROW_FILTER is a policy, and policies hang on tables, not on VIEW. Use resource type TABLE.")
}

func TestAssignmentChecks(t *testing.T) {
	t.Parallel()
	table := permission(access.TableResource("d", "t"), access.Select, "p")
	column := access.ColumnIdentity("d", "t", "p")
	allow := access.Columns{Names: []string{"c"}}
	tests := map[string]struct {
		assignment access.Assignment
		want       []string
	}{
		"table":                 {access.Assignment{Identity: table}, nil},
		"table with an expiry":  {access.Assignment{Identity: table, ExpireTime: "2027-01-01T00:00:00+01:00"}, nil},
		"columns":               {access.Assignment{Identity: column, Columns: allow}, nil},
		"columns with a denied": {access.Assignment{Identity: column, Columns: access.Columns{Excluded: []string{"c"}}}, nil},

		"columns without a range": {
			access.Assignment{Identity: column},
			[]string{"column_names: A column permission needs exactly one of column_names and excluded_column_names." +
				" Set column_names to allow those columns only, or excluded_column_names to allow all others."},
		},
		"a policy": {
			access.Assignment{Identity: access.RowFilterIdentity("d", "t", "p")},
			[]string{`access: "ROW_FILTER" is not an access of resource type TABLE. Use one of ALL, SELECT, UPDATE, ALTER, DROP and GRANT.`},
		},
		"a range on a table": {
			access.Assignment{Identity: table, Columns: allow},
			[]string{"column_names: Only a permission of type COLUMN has a column range. Remove column_names, or use resource type COLUMN."},
		},
		"an empty denylist on a table": {
			access.Assignment{Identity: table, Columns: access.Columns{Excluded: []string{}}},
			[]string{"excluded_column_names: Only a permission of type COLUMN has a column range. Remove excluded_column_names, or use resource type COLUMN."},
		},
		"all three parts": {
			access.Assignment{
				Identity:   access.ColumnIdentity("d", "t", " "),
				Columns:    access.Columns{Names: []string{"a", "a"}},
				ExpireTime: "2027-02-29T00:00:00Z",
			},
			[]string{
				`principal: The principal must not be blank. Write it as the catalog knows it, such as "role:analyst".`,
				`column_names: Column "a" is listed twice. Remove one of the two.`,
				`expire_time: "2027-02-29T00:00:00Z" is a date, time or offset that does not exist.` +
					" Write an RFC 3339 time with a zone and at most milliseconds, such as 2027-01-31T00:00:00Z.",
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantProblems(t, test.assignment.Check(), test.want...)
		})
	}
}

func TestContentIsColumnsAndExpiryByMeaning(t *testing.T) {
	t.Parallel()
	a := access.Assignment{
		Identity:   access.ColumnIdentity("d", "t", "p"),
		Columns:    access.Columns{Names: []string{"a", "b"}},
		ExpireTime: "2027-01-01T00:00:00Z",
	}
	same := a
	same.Columns = access.Columns{Names: []string{"b", "a"}}
	same.ExpireTime = "2027-01-01T01:00:00.000+01:00"
	if !a.SameContent(same) {
		t.Error("other spellings of one content: want the same")
	}
	for name, change := range map[string]func(*access.Assignment){
		"no expiry":       func(x *access.Assignment) { x.ExpireTime = "" },
		"another expiry":  func(x *access.Assignment) { x.ExpireTime = "2027-01-01T00:00:01Z" },
		"fewer columns":   func(x *access.Assignment) { x.Columns.Names = []string{"a"} },
		"denied columns":  func(x *access.Assignment) { x.Columns = access.Columns{Excluded: x.Columns.Names} },
		"no column range": func(x *access.Assignment) { x.Columns = access.Columns{} },
	} {
		other := a
		change(&other)
		if a.SameContent(other) || other.SameContent(a) {
			t.Errorf("%s: want not the same", name)
		}
	}
}

func TestListedRowsThatBreakTheContractAreReported(t *testing.T) {
	t.Parallel()
	table := permission(access.TableResource("d", "t"), access.Select, "p")
	tests := map[string]struct {
		row  access.Assignment
		want []string
	}{
		"good":                            {access.Assignment{Identity: table}, nil},
		"an expiry only servers write":    {access.Assignment{Identity: table, ExpireTime: "2027-01-01t24:00:00.z"}, nil},
		"a branch, which servers have":    {access.Assignment{Identity: permission(access.TableResource("d", "t$branch_b"), access.Select, "p")}, nil},
		"columns":                         {access.Assignment{Identity: access.ColumnIdentity("d", "t", "p"), Columns: access.Columns{Names: []string{"c"}}}, nil},
		"columns without a range":         {access.Assignment{Identity: access.ColumnIdentity("d", "t", "p")}, []string{"column_names"}},
		"a range on a table":              {access.Assignment{Identity: table, Columns: access.Columns{Names: []string{"c"}}}, []string{"column_names"}},
		"an access that nobody knows":     {access.Assignment{Identity: permission(access.TableResource("d", "t"), "TELEPORT", "p")}, []string{"access"}},
		"a type that nobody knows":        {access.Assignment{Identity: permission(access.Resource{Type: "X"}, "TELEPORT", "p")}, []string{"resource_type"}},
		"a missing locator":               {access.Assignment{Identity: permission(access.TableResource("d", ""), access.Select, "p")}, []string{"table"}},
		"an expiry finer than a contract": {access.Assignment{Identity: table, ExpireTime: "2027-01-01T00:00:00.123456Z"}, []string{"expire_time"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantAttributes(t, test.row.CheckListed(), test.want...)
		})
	}
}
