package sqltext_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
)

// TestGeneratedPredicatesRoundTrip compiles the texts of random predicates.
func TestGeneratedPredicatesRoundTrip(t *testing.T) {
	//nolint:gosec // A test has the same numbers every time.
	g := generator{Rand: rand.New(rand.NewPCG(1, 2)), fields: allFields(t)}
	functions := make(map[string]int)
	transforms := make(map[string]int)
	for range 1500 {
		p := g.predicate(4)
		checkPredicate(t, p, g.fields)
		g.count(p, functions, transforms)
		checkTransform(t, g.transform(), g.fields)
	}
	if len(functions) != 22 || len(transforms) < 28 {
		t.Errorf("%d functions and %d transforms generated: %v %v", len(functions), len(transforms), functions, transforms)
	}
}

// generator makes valid predicates over fields.
type generator struct {
	*rand.Rand

	fields []datatype.Field
}

func (g generator) count(p predicate.Predicate, functions, transforms map[string]int) {
	switch p := p.(type) {
	case *predicate.Leaf:
		functions[p.Function]++
		transforms[p.Transform.Name]++
	case *predicate.Compound:
		for _, child := range p.Children {
			g.count(child, functions, transforms)
		}
	}
}

func oneOf[T any](g generator, choices ...T) T { return choices[g.IntN(len(choices))] }

func (g generator) predicate(depth int) predicate.Predicate {
	if depth == 0 || g.IntN(3) == 0 {
		return g.leaf()
	}
	c := &predicate.Compound{Operator: oneOf(g, predicate.And, predicate.Or)}
	for range 2 + g.IntN(3) {
		c.Children = append(c.Children, g.predicate(depth-1))
	}
	return c
}

// literalCounts are numbers of literals that the functions take.
var literalCounts = map[string][]int{
	"EQUAL": {1}, "NOT_EQUAL": {1}, "LESS_THAN": {1}, "LESS_OR_EQUAL": {1}, "GREATER_THAN": {1}, "GREATER_OR_EQUAL": {1},
	"IS_NULL": {0}, "IS_NOT_NULL": {0}, "IN": {0, 1, 3}, "NOT_IN": {0, 1, 3}, "BETWEEN": {2}, "NOT_BETWEEN": {2},
	"STARTS_WITH": {1}, "ENDS_WITH": {1}, "CONTAINS": {1}, "LIKE": {1}, "NOT_LIKE": {1},
	"ARRAY_CONTAINS": {1}, "ARRAYS_OVERLAP": {1, 3}, "ARRAY_CONTAINS_ALL": {0, 1, 3}, "TRUE": {0}, "FALSE": {0},
}

func (g generator) leaf() predicate.Predicate {
	functions := make([]string, 0, len(literalCounts))
	for function := range literalCounts {
		functions = append(functions, function)
	}
	for {
		l := &predicate.Leaf{Transform: g.transform(), Function: oneOf(g, functions...)}
		if g.IntN(20) == 0 {
			l.Transform, l.Function = predicate.Transform{Name: "NULL"}, oneOf(g, "TRUE", "FALSE")
		}
		l.Literals = make([]predicate.Literal, oneOf(g, literalCounts[l.Function]...))
		if !g.fill(l) || l.Check().Err() != nil {
			continue
		}
		return l
	}
}

// fill makes up the literals of a leaf.
func (g generator) fill(l *predicate.Leaf) bool {
	t := l.Transform.Output()
	if t.Kind == datatype.KindArray {
		t = *t.Element
	}
	if len(l.Literals) > 0 && !t.HasLiterals() {
		return false
	}
	for i := range l.Literals {
		l.Literals[i].Value = g.value(t)
		if g.IntN(10) == 0 {
			l.Literals[i].Value = datatype.Null{}
		}
	}
	return true
}

func textValue(text string) datatype.Value { return datatype.Text(text) }

func (g generator) text() string {
	pieces := []string{
		"a", "B", " ", "'", "''", "`", `\`, `\%`, "%", "_", "\n", "\t", "\x00", "\u202e", "\u200b", "\u2028", "\ufeff", "é", "日本", "😀",
		"E'", "--", "\"", "»", "\U000E0041", "\ufffe", "NULL", ")",
	}
	var text strings.Builder
	for range g.IntN(5) {
		text.WriteString(oneOf(g, pieces...))
	}
	return text.String()
}

func (g generator) value(t datatype.Type) datatype.Value {
	moment := datatype.Moment{
		Seconds: g.Int64N(300_000_000_000) - 60_000_000_000,
		Nanos:   oneOf[int32](g, 0, 1_000_000, 1_000, 1) * g.Int32N(999),
	}
	switch t.Kind {
	case datatype.KindBoolean:
		return datatype.Bool(g.IntN(2) == 0)
	case datatype.KindTinyInt:
		return datatype.Int(g.Int64N(256) - 128)
	case datatype.KindSmallInt:
		return datatype.Int(g.Int64N(65536) - 32768)
	case datatype.KindInt:
		return datatype.Int(g.Int64N(1<<32) - 1<<31)
	case datatype.KindBigInt:
		return datatype.Int(g.Int64() - g.Int64())
	case datatype.KindFloat:
		return datatype.Float(g.NormFloat64() * oneOf(g, 0.00001, 0, 1, 1e30))
	case datatype.KindDouble:
		return datatype.Double(g.NormFloat64() * oneOf(g, 0.00001, 0, 1, 1e300))
	case datatype.KindDecimal:
		decimal, _ := datatype.Decode(strconv.FormatFloat(g.NormFloat64()*1e6, 'f', t.Scale, 64), t)
		return decimal
	case datatype.KindDate:
		return datatype.Date(g.Int32N(3_000_000) - 700_000)
	case datatype.KindTime:
		return datatype.Time(g.Int32N(24 * 60 * 60 * 1000))
	case datatype.KindTimestamp:
		return datatype.Timestamp(moment)
	case datatype.KindTimestampLTZ:
		return datatype.Instant(moment)
	default:
		return datatype.Text(g.text())
	}
}

// transform makes up transforms until one is valid.
func (g generator) transform() predicate.Transform {
	for {
		t := g.anyTransform()
		if t.Check().Err() == nil {
			return t
		}
	}
}

func (g generator) anyTransform() predicate.Transform {
	t := predicate.Transform{Name: "FIELD_REF"}
	if g.IntN(3) > 0 {
		names := []string{"CAST", "TRIM", "PAD", "NESTED_FIELD_REF"}
		for name := range predicate.TransformNames() {
			if name != "NULL" {
				names = append(names, name)
			}
		}
		t.Name = oneOf(g, names...)
	}
	if predicate.TakesInputs(t.Name) {
		for range g.IntN(5) {
			t.Inputs = append(t.Inputs, g.input())
		}
	} else {
		t.Field = g.column()
	}
	switch t.Name {
	case "CAST":
		t.Type = g.fields[g.IntN(len(g.fields))].Type
	case "TRIM":
		t.Option = oneOf(g, "LEADING", "TRAILING", "BOTH")
	case "PAD":
		t.Option = oneOf(g, "LEFT", "RIGHT")
	case "NESTED_FIELD_REF":
		t.Path = oneOf(g, []string{"city"}, []string{"geo"}, []string{"geo", "lat"})
	}
	return t
}

func (g generator) column() *predicate.FieldRef {
	i := g.IntN(len(g.fields))
	return &predicate.FieldRef{Index: i, Name: g.fields[i].Name, Type: g.fields[i].Type}
}

func (g generator) input() predicate.Input {
	switch g.IntN(8) {
	case 0:
		return predicate.Input{Kind: predicate.InputNull}
	case 1, 2:
		return predicate.Input{Kind: predicate.InputText, Text: g.text()}
	case 3, 4:
		return predicate.Input{Kind: predicate.InputInteger, Text: strconv.Itoa(g.IntN(20) - 10)}
	default:
		return predicate.Input{Kind: predicate.InputField, Field: *g.column()}
	}
}
