package access

import "slices"

// Access is what a permission gives, or, in an identity, the kind of policy (RowFilter, ColumnMasking).
type Access string

// The accesses of the contract. ALL and GRANT are accesses of their own and never expand to others in a listing.
const (
	All            Access = "ALL"
	Alter          Access = "ALTER"
	Drop           Access = "DROP"
	Grant          Access = "GRANT"
	Describe       Access = "DESCRIBE"
	List           Access = "LIST"
	Select         Access = "SELECT"
	Update         Access = "UPDATE"
	CreateDatabase Access = "CREATEDATABASE"
	CreateTable    Access = "CREATETABLE"
	CreateView     Access = "CREATEVIEW"
	CreateFunction Access = "CREATEFUNCTION"
)

// The policy types, which take the place of an access in the identity of a policy.
const (
	RowFilter     Access = "ROW_FILTER"
	ColumnMasking Access = "COLUMN_MASKING"
)

// IsPolicy says whether a is a policy type rather than an access.
func (a Access) IsPolicy() bool {
	return a == RowFilter || a == ColumnMasking
}

// CheckAccess reports an access that cannot be granted on the resource type. The spelling must be exact: lower case
// and blanks around it are refused, since a plan cannot rewrite what the configuration says.
func CheckAccess(t ResourceType, a Access) Problems {
	valid := t.Accesses()
	if valid == nil || slices.Contains(valid, a) {
		return nil
	}
	return Problems{{
		Attribute: "access",
		Text:      quote(string(a)) + " is not an access of resource type " + string(t) + ".",
		Remedy:    oneOf(valid) + ".",
	}}
}
