package predicate

import (
	"slices"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// SamePredicate reports whether two texts are the same row filter, both read
// as a client reads what a server lists. Declared types decode literals and
// are otherwise ignored: they are stale after a change of the table. Texts
// that cannot be read are the same only if they are identical.
func SamePredicate(a, b string) bool {
	if a == b {
		return true
	}
	p, _ := ParsePredicate(a)
	q, _ := ParsePredicate(b)
	return p != nil && q != nil && p.Equal(q)
}

// SameTransform reports whether two texts are the same column mask, see
// [SamePredicate].
func SameTransform(a, b string) bool {
	if a == b {
		return true
	}
	t, found := ParseTransform(a)
	u, alsoFound := ParseTransform(b)
	return found.ReadErr() == nil && alsoFound.ReadErr() == nil && t.Equal(u)
}

// Equal implements [Predicate].
func (c *Compound) Equal(q Predicate) bool {
	o, ok := q.(*Compound)
	return ok && c.Operator == o.Operator && slices.EqualFunc(c.Children, o.Children, Predicate.Equal)
}

// Equal implements [Predicate].
func (l *Leaf) Equal(q Predicate) bool {
	o, ok := q.(*Leaf)
	return ok && l.Function == o.Function && l.Transform.Equal(o.Transform) &&
		slices.EqualFunc(l.Literals, o.Literals, equalLiterals) &&
		(l.takesNoLiterals() || (l.Literals == nil) == (o.Literals == nil))
}

// takesNoLiterals tells the functions for which a list that is missing and an
// empty one mean the same; others throw where it is missing.
func (l *Leaf) takesNoLiterals() bool { return functions[l.Function].max == 0 }

func equalLiterals(a, b Literal) bool { return datatype.EqualValues(a.Value, b.Value) }

// Equal reports whether the two compute the same value: indexes and declared
// types do not matter, the target type of a CAST does, nullability included.
func (t Transform) Equal(o Transform) bool {
	return t.Name == o.Name && t.Option == o.Option && t.Type.Equal(o.Type) &&
		(t.Field == nil) == (o.Field == nil) && (t.Field == nil || t.Field.Name == o.Field.Name) &&
		slices.EqualFunc(t.Inputs, o.Inputs, equalInputs) && slices.Equal(t.Path, o.Path)
}

func equalInputs(a, b Input) bool {
	return a.Kind == b.Kind && a.Text == b.Text && a.Field.Name == b.Field.Name
}
