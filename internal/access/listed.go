package access

// CheckListed reports what breaks the contract in an assignment that a server listed. Such a row is shown as it is.
func (a Assignment) CheckListed() Problems {
	problems := append(a.Resource.CheckShape(), CheckAccess(a.Resource.Type, a.Access)...)
	if a.Resource.Type == Column {
		problems = append(problems, a.Columns.Check()...)
	} else if !a.Columns.IsZero() {
		problems = append(problems, Problem{"column_names", "Only a permission of type COLUMN has columns.", "Ask the operator of the catalog."})
	}
	if _, err := ParseListedExpiry(a.ExpireTime); err != nil && a.ExpireTime != "" {
		problems = append(problems, Problem{"expire_time", quote(a.ExpireTime) + " is " + err.Error() + ".", "It is taken not to have passed."})
	}
	return problems
}
