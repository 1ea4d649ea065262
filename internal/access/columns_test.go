package access_test

import (
	"slices"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

func TestColumnsAreExactlyOneGoodList(t *testing.T) {
	t.Parallel()
	const one = "column_names: A column permission needs exactly one of column_names and excluded_column_names." +
		" Set column_names to allow those columns only, or excluded_column_names to allow all others."
	tests := map[string]struct {
		columns access.Columns
		want    []string
	}{
		"allowlist":            {access.Columns{Names: []string{"id"}}, nil},
		"denylist":             {access.Columns{Excluded: []string{"id", "email"}}, nil},
		"names differ by case": {access.Columns{Names: []string{"id", "ID", "Id"}}, nil},
		"odd names":            {access.Columns{Names: []string{" a ", "a", "a.b", "\u00a0", "日本"}}, nil},

		"neither":          {access.Columns{}, []string{one}},
		"both":             {access.Columns{Names: []string{"a"}, Excluded: []string{"b"}}, []string{one}},
		"both, one empty":  {access.Columns{Names: []string{}, Excluded: []string{"b"}}, []string{one}},
		"both, both empty": {access.Columns{Names: []string{}, Excluded: []string{}}, []string{one}},
		"empty allowlist": {
			access.Columns{Names: []string{}},
			[]string{"column_names: column_names must name at least one column. Add a column name, or grant SELECT on the table."},
		},
		"empty denylist": {
			access.Columns{Excluded: []string{}},
			[]string{"excluded_column_names: excluded_column_names must name at least one column. Add a column name, or grant SELECT on the table."},
		},
		"blank": {
			access.Columns{Names: []string{"a", " "}},
			[]string{"column_names: A column name must not be blank. Remove the blank name."},
		},
		"blank twice": {
			access.Columns{Excluded: []string{"", ""}},
			[]string{
				"excluded_column_names: A column name must not be blank. Remove the blank name.",
				"excluded_column_names: A column name must not be blank. Remove the blank name.",
			},
		},
		"duplicate": {
			access.Columns{Excluded: []string{"a", "b", "a"}},
			[]string{`excluded_column_names: Column "a" is listed twice. Remove one of the two.`},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantProblems(t, test.columns.Check(), test.want...)
		})
	}
}

func TestNoColumnRangeIsZero(t *testing.T) {
	t.Parallel()
	if !(access.Columns{}).IsZero() {
		t.Error("no lists: want zero")
	}
	for _, c := range []access.Columns{{Names: []string{}}, {Excluded: []string{}}, {Names: []string{"a"}}} {
		if c.IsZero() {
			t.Errorf("%#v: want not zero", c)
		}
	}
}

func TestColumnsAreComparedAsSets(t *testing.T) {
	t.Parallel()
	allow := func(names ...string) access.Columns { return access.Columns{Names: names} }
	deny := func(names ...string) access.Columns { return access.Columns{Excluded: names} }
	tests := map[string]struct {
		a, b access.Columns
		want bool
	}{
		"same":                                  {allow("a", "b"), allow("a", "b"), true},
		"other order":                           {allow("b", "a", "c"), allow("c", "a", "b"), true},
		"denylist in other order":               {deny("b", "a"), deny("a", "b"), true},
		"repetition says nothing":               {allow("a", "a", "b"), allow("b", "a"), true},
		"none":                                  {access.Columns{}, access.Columns{}, true},
		"case differs":                          {allow("a"), allow("A"), false},
		"subset":                                {allow("a"), allow("a", "b"), false},
		"allowlist against denylist":            {allow("a"), deny("a"), false},
		"empty allowlist against empty list":    {access.Columns{Names: []string{}}, access.Columns{Excluded: []string{}}, false},
		"empty allowlist against no list":       {access.Columns{Names: []string{}}, access.Columns{}, false},
		"names that would join to the same":     {allow("a,b"), allow("a", "b"), false},
		"blank around a name is part of a name": {allow("a "), allow("a"), false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := test.a.Equal(test.b); got != test.want {
				t.Errorf("a to b: got %t, want %t", got, test.want)
			}
			if got := test.b.Equal(test.a); got != test.want {
				t.Errorf("b to a: got %t, want %t", got, test.want)
			}
		})
	}
}

func TestComparingColumnsLeavesTheirOrderAlone(t *testing.T) {
	t.Parallel()
	c := access.Columns{Names: []string{"b", "a"}}
	c.Equal(c)
	if c.Names[0] != "b" {
		t.Errorf("got %q, want the order as given", c.Names)
	}
}

func TestColumnsThatATableLacks(t *testing.T) {
	t.Parallel()
	table := []string{"id", "region"}
	for name, test := range map[string]struct {
		columns access.Columns
		want    []string
	}{
		"all there":       {access.Columns{Names: []string{"region", "id"}}, nil},
		"other case":      {access.Columns{Names: []string{"ID", "region"}}, []string{"ID"}},
		"in a denylist":   {access.Columns{Excluded: []string{"x", "id", "y"}}, []string{"x", "y"}},
		"no range at all": {access.Columns{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := test.columns.Missing(table); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
