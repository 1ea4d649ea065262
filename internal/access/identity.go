package access

// Identity names one permission or policy: the resource, what is given or restricted on it, and for whom. At most
// one record of an identity exists on a server. Identities are comparable.
type Identity struct {
	Resource  Resource
	Access    Access // an access, or RowFilter or ColumnMasking for a policy
	Column    string // the masked column; empty for everything but a mask
	Principal string
}

// RowFilterIdentity names the row filter of a principal on a table.
func RowFilterIdentity(database, table, principal string) Identity {
	return Identity{Resource: TableResource(database, table), Access: RowFilter, Principal: principal}
}

// ColumnMaskIdentity names the mask of a principal on one column of a table.
func ColumnMaskIdentity(database, table, column, principal string) Identity {
	return Identity{Resource: TableResource(database, table), Access: ColumnMasking, Column: column, Principal: principal}
}

// ColumnIdentity names the column permission of a principal on a table.
func ColumnIdentity(database, table, principal string) Identity {
	return Identity{Resource: Resource{Type: Column, Database: database, Table: table}, Access: Select, Principal: principal}
}

// Kind tells which of the four managed things an identity names.
type Kind int

// The kinds.
const (
	KindPermission Kind = iota
	KindColumnPermission
	KindRowFilter
	KindColumnMask
)

// Kind returns what the identity names.
func (i Identity) Kind() Kind {
	switch {
	case i.Access == RowFilter:
		return KindRowFilter
	case i.Access == ColumnMasking:
		return KindColumnMask
	case i.Resource.Type == Column:
		return KindColumnPermission
	default:
		return KindPermission
	}
}

// Check reports everything about the identity that can be told without a server.
func (i Identity) Check() Problems {
	problems := i.Resource.CheckShape()
	if len(problems) == 0 {
		problems = i.Resource.CheckNames()
	}
	switch _, known := i.Resource.Type.facts(); {
	case !i.Access.IsPolicy():
		problems = append(problems, CheckAccess(i.Resource.Type, i.Access)...)
	case known && i.Resource.Type != Table:
		problems = append(problems, Problem{
			Attribute: "resource_type",
			Text:      string(i.Access) + " is a policy, and policies hang on tables, not on " + string(i.Resource.Type) + ".",
			Remedy:    "Use resource type TABLE.",
		})
	}
	switch {
	case i.Access == ColumnMasking && IsBlank(i.Column):
		problems = append(problems, Problem{"on_column", "A column mask needs the column that it masks.", "Set on_column."})
	case i.Access != ColumnMasking && i.Column != "":
		problems = append(problems, Problem{"on_column", "Only a column mask has a column.", "Remove on_column."})
	}
	return append(problems, CheckPrincipal(i.Principal)...)
}

// String names the identity for people, such as "SELECT on TABLE sales.orders for role:analyst".
func (i Identity) String() string {
	what := string(i.Access)
	on := i.Resource.String()
	switch i.Kind() {
	case KindRowFilter:
		what = "row filter"
	case KindColumnMask:
		what, on = "mask", "column "+i.Column+" of "+on
	case KindColumnPermission:
		on = "columns of " + TableResource(i.Resource.Database, i.Resource.Table).String()
	case KindPermission:
	}
	return what + " on " + on + " for " + i.Principal
}
