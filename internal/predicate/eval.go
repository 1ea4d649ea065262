package predicate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// Row has the values of a row by the name of their column, nil for NULL, in
// the notation of [datatype.FromPlain].
type Row map[string]any

// RowError is a row that a rule cannot be applied to: it lacks a column, or
// the value is not of the type that the rule declares.
type RowError struct {
	Column string
	Reason string
}

func (e *RowError) Error() string { return fmt.Sprintf("column %q: %s", e.Column, e.Reason) }

// ReaderError is a row on which readers throw: the query fails, and shows
// nothing.
type ReaderError struct{ Reason string }

func (e *ReaderError) Error() string { return "readers fail on this row: " + e.Reason }

// Matches reports whether a row filter lets a row through.
//
// The semantics are those of Java 2.0.0, of newer readers where it does not
// know the rule: a null is unequal and equal to nothing, and a function of it
// is false, never unknown; a NOT_IN with a null hides every row; children are
// tried from left to right, so that one can keep the next from throwing. The
// types are the declared ones, so bind the predicate first if those may be
// stale. Errors are [*RowError] and [*ReaderError].
func Matches(p Predicate, row Row) (bool, error) {
	switch p := p.(type) {
	case *Leaf:
		return p.matches(row)
	case *Compound:
		for _, child := range p.Children {
			if ok, err := Matches(child, row); err != nil || ok == (p.Operator == Or) {
				return ok, err
			}
		}
		return p.Operator == And, nil
	default:
		return false, &ReaderError{"there is no predicate"}
	}
}

func (l *Leaf) matches(row Row) (bool, error) {
	value, err := l.operandValue(row)
	if err != nil {
		return false, err
	}
	facts := functions[l.Function]
	if value == (datatype.Null{}) && facts.operand != anyOperand {
		return false, nil
	}
	test, known := tests[l.Function]
	switch {
	case !known:
		return false, &ReaderError{"unknown function " + l.Function}
	case len(l.Literals) < facts.min, l.Literals == nil && facts.max != 0:
		return false, &ReaderError{l.Function + " lacks a literal"}
	}
	literals := l.Literals
	if facts.max != noLimit {
		literals = literals[:min(len(literals), facts.max)] // Java ignores the others.
	}
	return test(value, literals)
}

// operandValue looks at no value if only null or not null counts: the declared
// type may then be wrong, or one without literals.
func (l *Leaf) operandValue(row Row) (datatype.Value, error) {
	if l.Transform.Name != "FIELD_REF" || functions[l.Function].operand != anyOperand || l.Transform.Field == nil {
		return l.Transform.value(row)
	}
	plain, err := row.plain(l.Transform.Field.Name)
	if plain == nil {
		return datatype.Null{}, err
	}
	return datatype.Opaque{Plain: plain}, nil
}

func (r Row) plain(column string) (any, error) {
	plain, ok := r[column]
	if !ok {
		return nil, &RowError{column, "the row has no value for it; write null for NULL"}
	}
	return plain, nil
}

// spell shows the beginning of a value in a message.
func spell(v datatype.Value) string {
	const most = 60
	text := []rune(fmt.Sprint(datatype.Plain(v)))
	if len(text) > most {
		text = append(text[:most], '…')
	}
	return string(text)
}

// A test is a leaf function on a value that is not null, unless its operand
// may be anything. The literals are as many as it needs.
type test func(value datatype.Value, literals []Literal) (bool, error)

// tests are the leaf functions by name.
var tests = map[string]test{
	"EQUAL":              ordered(func(order int) bool { return order == 0 }),
	"NOT_EQUAL":          ordered(func(order int) bool { return order != 0 }),
	"LESS_THAN":          ordered(func(order int) bool { return order < 0 }),
	"LESS_OR_EQUAL":      ordered(func(order int) bool { return order <= 0 }),
	"GREATER_THAN":       ordered(func(order int) bool { return order > 0 }),
	"GREATER_OR_EQUAL":   ordered(func(order int) bool { return order >= 0 }),
	"IS_NULL":            func(v datatype.Value, _ []Literal) (bool, error) { return isNull(v), nil },
	"IS_NOT_NULL":        func(v datatype.Value, _ []Literal) (bool, error) { return !isNull(v), nil },
	"IN":                 isIn,
	"NOT_IN":             isNotIn,
	"BETWEEN":            between(true),
	"NOT_BETWEEN":        between(false),
	"STARTS_WITH":        onText(plainly(strings.HasPrefix)),
	"ENDS_WITH":          onText(plainly(strings.HasSuffix)),
	"CONTAINS":           onText(plainly(strings.Contains)),
	"LIKE":               onText(like),
	"NOT_LIKE":           onText(notLike),
	"ARRAY_CONTAINS":     containsAll,
	"ARRAYS_OVERLAP":     overlaps,
	"ARRAY_CONTAINS_ALL": containsAll,
	"TRUE":               func(datatype.Value, []Literal) (bool, error) { return true, nil },
	"FALSE":              func(datatype.Value, []Literal) (bool, error) { return false, nil },
}

func isNull(v datatype.Value) bool { return v == (datatype.Null{}) }

func hasNull(literals []Literal) bool {
	return slices.ContainsFunc(literals, func(l Literal) bool { return isNull(l.Value) })
}

func compare(v datatype.Value, l Literal) (int, error) {
	order, ok := datatype.Compare(v, l.Value)
	if !ok {
		return 0, &ReaderError{spell(v) + " cannot be compared with the literal " + spell(l.Value)}
	}
	return order, nil
}

func ordered(holds func(order int) bool) test {
	return func(v datatype.Value, literals []Literal) (bool, error) {
		if isNull(literals[0].Value) {
			return false, nil
		}
		order, err := compare(v, literals[0])
		return err == nil && holds(order), err
	}
}

func between(inside bool) test {
	return func(v datatype.Value, literals []Literal) (bool, error) {
		if hasNull(literals[:2]) {
			return false, nil
		}
		low, err := compare(v, literals[0])
		if err != nil {
			return false, err
		}
		high, err := compare(v, literals[1])
		return err == nil && (low >= 0 && high <= 0) == inside, err
	}
}

func isIn(v datatype.Value, literals []Literal) (bool, error) {
	for _, l := range literals {
		if isNull(l.Value) {
			continue
		}
		if order, err := compare(v, l); err != nil || order == 0 {
			return err == nil, err
		}
	}
	return false, nil
}

func isNotIn(v datatype.Value, literals []Literal) (bool, error) {
	if hasNull(literals) {
		return false, nil
	}
	in, err := isIn(v, literals)
	return err == nil && !in, err
}

func onText(holds func(text, literal string) (bool, error)) test {
	return func(v datatype.Value, literals []Literal) (bool, error) {
		if isNull(literals[0].Value) {
			return false, nil
		}
		text, ok := v.(datatype.Text)
		literal, literalOK := literals[0].Value.(datatype.Text)
		if !ok || !literalOK {
			return false, &ReaderError{spell(v) + " or the literal is no text"}
		}
		ok, err := holds(string(text), string(literal))
		if err != nil {
			return false, &ReaderError{err.Error()}
		}
		return ok, nil
	}
}

func plainly(holds func(text, literal string) bool) func(text, literal string) (bool, error) {
	return func(text, literal string) (bool, error) { return holds(text, literal), nil }
}

func notLike(text, pattern string) (bool, error) {
	ok, err := like(text, pattern)
	return !ok, err
}

// containsAll also is ARRAY_CONTAINS, which has one literal.
func containsAll(v datatype.Value, literals []Literal) (bool, error) {
	for _, l := range literals {
		if ok, err := contains(v, l); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

func overlaps(v datatype.Value, literals []Literal) (bool, error) {
	for _, l := range literals {
		if ok, err := contains(v, l); err != nil || ok {
			return ok, err
		}
	}
	return false, nil
}

// contains finds a literal in an array; nulls on either side are never found.
func contains(array datatype.Value, l Literal) (bool, error) {
	list, ok := array.(datatype.List)
	if !ok {
		return false, &ReaderError{spell(array) + " is no array"}
	}
	for _, element := range list {
		if isNull(element) || isNull(l.Value) {
			continue
		}
		if order, err := compare(element, l); err != nil || order == 0 {
			return err == nil, err
		}
	}
	return false, nil
}
