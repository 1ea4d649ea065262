package access

import (
	"slices"
	"strings"
)

// ResourceType is a kind of object that access is managed on.
type ResourceType string

// The resource types of the contract. The *_ALL types are scopes: everything below the catalog or the database, now
// and later, but not the catalog or database itself.
const (
	Catalog     ResourceType = "CATALOG"
	CatalogAll  ResourceType = "CATALOG_ALL"
	Database    ResourceType = "DATABASE"
	DatabaseAll ResourceType = "DATABASE_ALL"
	Table       ResourceType = "TABLE"
	Column      ResourceType = "COLUMN"
	View        ResourceType = "VIEW"
	Function    ResourceType = "FUNCTION"
)

// Locator is one part of a resource's place in the catalog. Its text is the attribute name that users write.
type Locator string

// The locators.
const (
	DatabaseName Locator = "database"
	TableName    Locator = "table"
	ViewName     Locator = "view"
	FunctionName Locator = "function"
)

// resourceFacts is what the contract says of one resource type.
type resourceFacts struct {
	kind     ResourceType
	locators []Locator
	accesses []Access
}

// matrix lists the resource types in the contract's order, each with the locators it needs, no others being
// allowed, and the accesses it takes.
var matrix = []resourceFacts{
	{Catalog, nil, []Access{All, Alter, Drop, Grant, CreateDatabase}},
	{CatalogAll, nil, []Access{All, Describe, Alter, Drop, Grant, CreateTable, CreateView, CreateFunction, List, Select, Update}},
	{Database, []Locator{DatabaseName}, []Access{All, Describe, Alter, Drop, Grant, CreateTable, CreateView, CreateFunction, List}},
	{DatabaseAll, []Locator{DatabaseName}, []Access{All, Select, Update, Alter, Drop, Grant}},
	{Table, []Locator{DatabaseName, TableName}, []Access{All, Select, Update, Alter, Drop, Grant}},
	{Column, []Locator{DatabaseName, TableName}, []Access{Select}},
	{View, []Locator{DatabaseName, ViewName}, []Access{All, Select, Alter, Drop, Grant}},
	{Function, []Locator{DatabaseName, FunctionName}, []Access{All, Select, Alter, Drop, Grant}},
}

func (t ResourceType) facts() (resourceFacts, bool) {
	i := slices.IndexFunc(matrix, func(f resourceFacts) bool { return f.kind == t })
	if i < 0 {
		return resourceFacts{}, false
	}
	return matrix[i], true
}

// ResourceTypes returns all resource types in the contract's order.
func ResourceTypes() []ResourceType {
	var types []ResourceType
	for _, facts := range matrix {
		types = append(types, facts.kind)
	}
	return types
}

// Locators returns the locators that the type needs, outermost first; nil for an unknown type.
func (t ResourceType) Locators() []Locator {
	facts, _ := t.facts()
	return slices.Clone(facts.locators)
}

// Accesses returns the accesses that may be granted on the type; nil for an unknown type.
func (t ResourceType) Accesses() []Access {
	facts, _ := t.facts()
	return slices.Clone(facts.accesses)
}

// Resource is one object or scope of the catalog. Locators that the type does not have are empty.
type Resource struct {
	Type     ResourceType
	Database string
	Table    string
	View     string
	Function string
}

// TableResource is the resource that policies hang on.
func TableResource(database, table string) Resource {
	return Resource{Type: Table, Database: database, Table: table}
}

// Locator returns the value of one locator; empty for what is not a locator.
func (r Resource) Locator(l Locator) string {
	if value := r.locator(l); value != nil {
		return *value
	}
	return ""
}

func (r *Resource) locator(l Locator) *string {
	switch l {
	case DatabaseName:
		return &r.Database
	case TableName:
		return &r.Table
	case ViewName:
		return &r.View
	case FunctionName:
		return &r.Function
	default:
		return nil
	}
}

// Names returns the values of the type's locators, outermost first.
func (r Resource) Names() []string {
	var names []string
	for _, l := range r.Type.Locators() {
		names = append(names, r.Locator(l))
	}
	return names
}

// String names the resource for people: "TABLE sales.orders", "CATALOG".
func (r Resource) String() string {
	names := r.Names()
	if len(names) == 0 {
		return string(r.Type)
	}
	return string(r.Type) + " " + strings.Join(names, ".")
}

// CheckShape reports an unknown type, a locator that the type needs and that is blank, and one that the type does
// not have. It is what every server checks.
func (r Resource) CheckShape() Problems {
	facts, known := r.Type.facts()
	if !known {
		return unknownType(r.Type)
	}
	var problems Problems
	for _, l := range []Locator{DatabaseName, TableName, ViewName, FunctionName} {
		value := r.Locator(l)
		switch needed := slices.Contains(facts.locators, l); {
		case needed && IsBlank(value):
			problems = append(problems, Problem{
				Attribute: string(l),
				Text:      "A resource of type " + string(r.Type) + " needs a " + string(l) + " name, and it must not be blank.",
				Remedy:    "Set " + string(l) + ".",
			})
		case !needed && value != "":
			problems = append(problems, Problem{
				Attribute: string(l),
				Text:      "A resource of type " + string(r.Type) + " has no " + string(l) + ".",
				Remedy:    "Remove " + string(l) + facts.hint() + ".",
			})
		}
	}
	return problems
}

func unknownType(t ResourceType) Problems {
	return Problems{{
		Attribute: "resource_type",
		Text:      quote(string(t)) + " is not a resource type.",
		Remedy:    oneOf(ResourceTypes()) + ", in upper case.",
	}}
}

// hint says which locators the type has, for the remedy of a superfluous one.
func (f resourceFacts) hint() string {
	if len(f.locators) == 0 {
		return "; " + string(f.kind) + " stands for the whole catalog"
	}
	return "; " + string(f.kind) + " takes " + list(f.locators)
}

// CheckNames reports names that the management API cannot address although they are not blank: "." and "..", which
// clients and proxies remove from a path, and branch or system tables (name$branch_b, name$snapshots), which have
// no access of their own.
func (r Resource) CheckNames() Problems {
	var problems Problems
	for _, l := range r.Type.Locators() {
		name := r.Locator(l)
		switch {
		case name == "." || name == "..":
			problems = append(problems, Problem{
				Attribute: string(l),
				Text:      quote(name) + " cannot be used as a name: it is removed from the path of a request.",
				Remedy:    "Rename the " + string(l) + ".",
			})
		case l != DatabaseName && strings.Contains(name, "$"):
			remedy := "Use a " + string(l) + " whose name has no $."
			if base, _, _ := strings.Cut(name, "$"); !IsBlank(base) {
				remedy = "Use the " + string(l) + " itself, " + quote(base) + "."
			}
			problems = append(problems, Problem{
				Attribute: string(l),
				Text:      quote(name) + " names a branch or system table, which has no access of its own.",
				Remedy:    remedy,
			})
		}
	}
	return problems
}
