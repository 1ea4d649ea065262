package access

// Assignment is one permission of one principal: its identity and what can change without changing it.
type Assignment struct {
	Identity
	// Columns is set exactly for COLUMN permissions.
	Columns Columns
	// ExpireTime is the text as it was written or listed; empty means that the permission does not expire.
	ExpireTime string
}

// Check reports everything about the assignment that can be told without a server.
func (a Assignment) Check() Problems {
	problems := a.Identity.Check()
	if a.Access.IsPolicy() { // the identity is one all right, but not of a permission
		problems = append(problems, CheckAccess(a.Resource.Type, a.Access)...)
	}
	if a.Resource.Type == Column {
		problems = append(problems, a.Columns.Check()...)
	} else if !a.Columns.IsZero() {
		attribute, _ := a.Columns.list()
		problems = append(problems, Problem{
			Attribute: attribute,
			Text:      "Only a permission of type COLUMN has a column range.",
			Remedy:    "Remove " + attribute + ", or use resource type COLUMN.",
		})
	}
	return append(problems, CheckExpiry(a.ExpireTime)...)
}

// SameContent says whether two assignments of one identity give the same: equal columns as sets, equal instants.
func (a Assignment) SameContent(b Assignment) bool {
	return a.Columns.Equal(b.Columns) && SameExpiry(a.ExpireTime, b.ExpireTime)
}

// Policy is one row filter or column mask of one principal on one table.
type Policy struct {
	Identity
	// Definition is the Paimon predicate of a row filter or the transform of a mask, as JSON text.
	Definition string
}
