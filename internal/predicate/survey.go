package predicate

import (
	"slices"
	"strconv"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// sight is one thing worth knowing of a policy: for its author, or for what
// some reader makes of it.
type sight struct {
	Finding
	// name is the function or transform it is about, where that matters to
	// readers.
	name string
}

// surveyor walks over a bound policy and collects sights.
type surveyor struct{ sights []sight }

func (s *surveyor) note(code Code, name string, at Position, where *path, message, remedy string) {
	s.sights = append(s.sights, sight{
		Finding: Finding{
			Code: code, Severity: Warning, Position: at, Path: where.String(), Message: message, Remedy: remedy,
		},
		name: name,
	})
}

func newSurveyor() *surveyor {
	s := &surveyor{}
	s.note(CodePolicy, "", Position{Line: 1, Column: 1}, nil, "the table has a policy", "keep such readers away from the table")
	return s
}

func surveyPredicate(p Predicate) []sight {
	s := newSurveyor()
	s.predicate(p, nil, nil)
	return s.sights
}

func surveyMask(t Transform, onColumn string) []sight {
	s := newSurveyor()
	s.transform(t, nil, nil, true)
	for _, r := range maskRules {
		if r.holds(t, onColumn) {
			s.note(r.code, "", t.at, nil, t.Name+" "+r.message, r.remedy)
		}
	}
	for _, column := range t.reads() {
		if column != onColumn {
			s.note(CodeUnselected, t.Name, t.at, nil, "the mask of "+onColumn+" reads "+column,
				"select both, or mask with a function of "+onColumn+" itself")
		}
	}
	return s.sights
}

func surveyMasks(masks []Mask) []sight {
	var s surveyor
	for _, m := range masks {
		code := CodeMaskedSource
		if m.Transform.isDatePart() {
			code = CodeMaskedDate
		}
		for _, column := range m.Transform.reads() {
			if column != m.Column && slices.ContainsFunc(masks, func(o Mask) bool { return o.Column == column }) {
				s.note(code, m.Transform.Name, m.Transform.at, nil,
					"the mask of "+m.Column+" reads "+column+", which has a mask itself", "read a column that has none")
			}
		}
	}
	return s.sights
}

// guards are columns that are not NULL where a part of a predicate is
// evaluated.
type guards struct {
	outer  *guards
	column string
}

func (g *guards) has(column string) bool {
	for ; g != nil; g = g.outer {
		if g.column == column {
			return true
		}
	}
	return false
}

// after adds what is guarded once p is evaluated: readers go from left to
// right and stop at the first child that decides, which is a false one for AND
// and a true one for OR.
func (g *guards) after(p Predicate, in Operator) *guards {
	switch p := p.(type) {
	case *Compound:
		for _, child := range p.Children {
			if p.Operator == in {
				g = g.after(child, in)
			}
		}
	case *Leaf:
		if p.Transform.Name == "FIELD_REF" && p.decidesOnNull(in) {
			g = &guards{outer: g, column: p.Transform.Field.Name}
		}
	}
	return g
}

// decidesOnNull reports whether a NULL of its column makes the leaf decide
// the compound around it.
func (l *Leaf) decidesOnNull(in Operator) bool {
	if in == Or {
		return l.Function == "IS_NULL"
	}
	return l.Function != "IS_NULL" && l.Function != "TRUE"
}

func (s *surveyor) predicate(p Predicate, where *path, g *guards) {
	switch p := p.(type) {
	case *Compound:
		for i, child := range p.Children {
			s.predicate(child, where.member("children").item(i), g)
			g = g.after(child, p.Operator)
		}
	case *Leaf:
		s.leaf(p, where, g)
	}
}

func (s *surveyor) leaf(l *Leaf, where *path, g *guards) {
	s.newer(l.Function, functions[l.Function].since, l.at, where.member("function"))
	s.transform(l.Transform, where.member("transform"), g, false)
	for _, r := range leafRules {
		if r.holds(l) {
			s.note(r.code, "", l.at, where, l.Function+" "+r.message, r.remedy)
		}
	}
	of := l.literalType()
	for i, literal := range l.Literals {
		p := literalPlace{value: literal.Value, function: l.Function, of: of, index: i}
		for _, r := range literalRules {
			if r.holds(p) {
				s.note(r.code, "", literal.at, where.member("literals").item(i), r.message(p), r.remedy)
			}
		}
	}
}

func (s *surveyor) newer(name string, since Profile, at Position, where *path) {
	if since > Java200 {
		s.note(CodeNewer, name, at, where, name+" is newer than Paimon 2.0", "write the policy without it")
	}
}

func (s *surveyor) transform(t Transform, where *path, g *guards, mask bool) {
	s.newer(t.Name, transforms[t.Name].since, t.at, where)
	for _, r := range transformRules {
		if r.holds(t) {
			s.note(r.code, t.Name, t.at, where, t.Name+" "+r.message, r.remedy)
		}
	}
	if t.Name == "CAST" {
		s.cast(t, where, g, mask)
	}
	if t.isDatePart() {
		s.note(CodeDatePart, t.Name, t.at, where, t.Name+" reads "+t.Field.Name, "select "+t.Field.Name+" in every query")
	}
}

func (s *surveyor) cast(t Transform, where *path, g *guards, mask bool) {
	column, from := t.Field.Name, t.Field.Type
	for _, r := range castRules {
		if r.holds(from, t.Type) {
			s.note(r.code, "", t.at, where, column+" is "+from.String()+" and cast to "+t.Type.String(), r.remedy)
		}
	}
	passesNull := from.Kind == t.Type.Kind && isTimestamp(from) && from.Precision <= t.Type.Precision
	if !from.NotNull && !passesNull && !g.has(column) {
		remedy := "put " + column + " IS NOT NULL before it in the same AND"
		if mask {
			remedy = "cast a NOT NULL column only"
		}
		s.note(CodeNullCast, "", t.at, where, column+" may be NULL where it is cast", remedy)
	}
	switch length := strconv.Itoa(t.Type.Length); {
	case mask && mayShorten(from, t.Type):
		s.note(CodeMaskLength, "", t.at, where, "the mask cuts "+column+" to "+length+" characters",
			"do not hide the end of a value by CAST")
	case mayShorten(from, t.Type), t.Type.Kind == datatype.KindChar && (from.Kind != datatype.KindChar || from.Length < t.Type.Length):
		s.note(CodeCastLength, "", t.at, where, "CAST makes "+column+" fit "+length+" characters", "cast to STRING")
	}
}

// mayShorten reports whether a text of the type may be too short for what is
// cast to it. What is no text counts as long.
func mayShorten(from, to datatype.Type) bool {
	return to.IsText() && to.Length < datatype.MaxLength && (!from.IsText() || from.Length > to.Length)
}

func (t Transform) isDatePart() bool { return t.Field != nil && transforms[t.Name].output == intOutput }

// reads are the names of the columns that a transform reads.
func (t Transform) reads() []string {
	var columns []string
	if t.Field != nil {
		columns = append(columns, t.Field.Name)
	}
	for _, in := range t.Inputs {
		if in.Kind == InputField && !slices.Contains(columns, in.Field.Name) {
			columns = append(columns, in.Field.Name)
		}
	}
	return columns
}
