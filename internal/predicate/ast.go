package predicate

import (
	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// Predicate selects rows. It is a [*Leaf] or a [*Compound]; neither is changed
// after it was built.
type Predicate interface {
	// Bind resolves the predicate against the fields of a table by name, as a
	// server does when it stores a policy: indexes and types become the
	// table's. The result is nil if a finding is refused by all. Findings are
	// only what the table decides; what the text alone decides was found by
	// parsing.
	Bind(fields []datatype.Field) (Predicate, Findings)
	// Equal reports whether the two select the same rows by the same tree:
	// indexes, declared types, spelling and key order do not matter, the order
	// of children and literals does.
	Equal(Predicate) bool
	// Canonical is the text a server stores.
	Canonical() string

	appendJSON(dst []byte) []byte
	bind(b *binder, where *path) Predicate
}

// Operator joins the children of a [Compound].
type Operator string

// The operators. There is no NOT.
const (
	And Operator = "AND"
	Or  Operator = "OR"
)

// Compound joins two or more predicates. Servers replace one with a single
// child by the child, and so does parsing.
type Compound struct {
	Operator Operator
	Children []Predicate
}

// Leaf applies a function to the value of a transform.
type Leaf struct {
	Transform Transform
	// Function is a name of Paimon's registry, such as EQUAL.
	Function string
	// Literals are nil when the text has none or null: servers keep the
	// difference to an empty list, which means the same.
	Literals []Literal

	at Position
}

// Literal is a value with its place in the text.
type Literal struct {
	Value datatype.Value

	at Position
}

// Transform computes a value from a row. Name decides which of the other
// parts it has.
type Transform struct {
	// Name is a name of Paimon's registry, such as FIELD_REF.
	Name string
	// Field is the key "fieldRef"; nil exactly where the transform has none.
	Field *FieldRef
	// Type is the target of CAST.
	Type datatype.Type
	// Inputs are the key "inputs".
	Inputs []Input
	// Option is TRIM's "trimFlag" and PAD's "direction".
	Option string
	// Path is the key "path" of NESTED_FIELD_REF.
	Path []string

	at Position
}

// FieldRef names a top-level column. Index and Type are what the text says
// until the reference is bound; they never decide what is meant.
type FieldRef struct {
	Index int
	Name  string
	// Type is the zero type where the text has none.
	Type datatype.Type

	at, nameAt, typeAt Position
}

// InputKind says what an [Input] is.
type InputKind uint8

// The kinds of inputs.
const (
	InputNull InputKind = iota
	InputText
	InputInteger
	InputField
)

// Input is one of a transform's inputs.
type Input struct {
	Kind InputKind
	// Text is the string, or the digits of the integer: servers keep integers
	// of any size.
	Text string
	// Field is the column of an InputField.
	Field FieldRef

	at Position
}

// Output is the type of the transform's values, the zero type if it depends on
// a type that the text does not declare.
func (t Transform) Output() datatype.Type {
	switch transforms[t.Name].output {
	case intOutput:
		return datatype.Type{Kind: datatype.KindInt}
	case dateOutput:
		return datatype.Type{Kind: datatype.KindDate}
	case booleanOutput:
		return datatype.Type{Kind: datatype.KindBoolean}
	case fieldOutput:
		return t.Field.Type
	case typeOutput:
		return t.Type
	case leafOutput:
		return nested(t.Field.Type, t.Path)
	default:
		return datatype.String()
	}
}

// nested is the type at the end of a path of field names, the zero type if the
// path leads nowhere.
func nested(t datatype.Type, names []string) datatype.Type {
	for _, name := range names {
		var next datatype.Type
		for _, f := range t.Fields {
			if f.Name == name {
				next = f.Type
			}
		}
		t = next
	}
	return t
}

// literalType is the type of the leaf's literals: what the transform gives, or
// the element of that for the ARRAY functions.
func (l *Leaf) literalType() datatype.Type {
	t := l.Transform.Output()
	if functions[l.Function].operand != arrayOperand {
		return t
	}
	if t.Kind != datatype.KindArray {
		return datatype.Type{}
	}
	return *t.Element
}
