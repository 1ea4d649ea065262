package access

import (
	"slices"
	"strings"
)

// Columns is the column range of a COLUMN permission: either an allowlist or a denylist of top-level column names.
// Order carries no meaning.
type Columns struct {
	Names    []string // allowlist
	Excluded []string // denylist
}

// IsZero says that there is no column range at all.
func (c Columns) IsZero() bool {
	return c.Names == nil && c.Excluded == nil
}

// list returns the one list that is set, with its attribute name.
func (c Columns) list() (attribute string, names []string) {
	if c.Excluded != nil {
		return "excluded_column_names", c.Excluded
	}
	return "column_names", c.Names
}

// Check reports a range that is not exactly one non-empty list of different, non-blank names. Names differ by case.
func (c Columns) Check() Problems {
	if (c.Names != nil) == (c.Excluded != nil) {
		return Problems{{
			Attribute: "column_names",
			Text:      "A column permission needs exactly one of column_names and excluded_column_names.",
			Remedy:    "Set column_names to allow those columns only, or excluded_column_names to allow all others.",
		}}
	}
	attribute, names := c.list()
	if len(names) == 0 {
		return Problems{{attribute, attribute + " must name at least one column.", "Add a column name, or grant SELECT on the table."}}
	}
	seen := make(map[string]bool, len(names))
	var problems Problems
	for _, name := range names {
		switch {
		case IsBlank(name):
			problems = append(problems, Problem{attribute, "A column name must not be blank.", "Remove the blank name."})
		case seen[name]:
			problems = append(problems, Problem{attribute, "Column " + quote(name) + " is listed twice.", "Remove one of the two."})
		}
		seen[name] = true
	}
	return problems
}

// CheckExist reports columns of the range that a table with these columns does not have. Column names are
// case-sensitive, so a name that differs only by case is offered as the remedy.
func (c Columns) CheckExist(tableColumns []string) Problems {
	attribute, names := c.list()
	var problems Problems
	for _, name := range names {
		if slices.Contains(tableColumns, name) {
			continue
		}
		remedy := "The table has no columns."
		if len(tableColumns) > 0 {
			remedy = "The table has " + list(tableColumns) + "."
		}
		if i := slices.IndexFunc(tableColumns, func(t string) bool { return strings.EqualFold(t, name) }); i >= 0 {
			remedy = "Column names are case-sensitive: write " + quote(tableColumns[i]) + "."
		}
		problems = append(problems, Problem{attribute, "The table has no column " + quote(name) + ".", remedy})
	}
	return problems
}

// Equal compares two ranges as sets. An empty list is not the same as none: an empty allowlist would allow nothing,
// an empty denylist everything.
func (c Columns) Equal(d Columns) bool {
	return sameNames(c.Names, d.Names) && sameNames(c.Excluded, d.Excluded)
}

func sameNames(a, b []string) bool {
	return (a == nil) == (b == nil) && slices.Equal(slices.Compact(slices.Sorted(slices.Values(a))), slices.Compact(slices.Sorted(slices.Values(b))))
}
