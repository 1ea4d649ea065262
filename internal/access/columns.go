package access

import (
	"slices"
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

// Missing returns the names of the range that a table with these columns does not have. Names are case-sensitive.
func (c Columns) Missing(tableColumns []string) []string {
	_, names := c.list()
	var missing []string
	for _, name := range names {
		if !slices.Contains(tableColumns, name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// Equal compares two ranges as sets. An empty list is not the same as none: an empty allowlist would allow nothing,
// an empty denylist everything.
func (c Columns) Equal(d Columns) bool {
	return sameNames(c.Names, d.Names) && sameNames(c.Excluded, d.Excluded)
}

func sameNames(a, b []string) bool {
	return (a == nil) == (b == nil) && slices.Equal(slices.Compact(slices.Sorted(slices.Values(a))), slices.Compact(slices.Sorted(slices.Values(b))))
}
