package predicate

import (
	"iter"
	"strconv"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// Bind implements [Predicate].
func (l *Leaf) Bind(fields []datatype.Field) (Predicate, Findings) { return bindPredicate(l, fields) }

// Bind implements [Predicate].
func (c *Compound) Bind(fields []datatype.Field) (Predicate, Findings) {
	return bindPredicate(c, fields)
}

func bindPredicate(p Predicate, fields []datatype.Field) (Predicate, Findings) {
	b := newBinder(fields)
	bound := p.bind(b, nil)
	if b.findings.ReadErr() == nil {
		b.size(bound.Canonical())
	}
	if b.findings.ReadErr() != nil {
		return nil, b.findings
	}
	return bound, b.findings
}

// Bind resolves the transform against the fields of a table as a mask of one
// of them, whose type it must give exactly: nullability, lengths and precision
// count. See [Predicate.Bind] for what the findings are; the result is the
// zero Transform if one of them is refused by all.
func (t Transform) Bind(fields []datatype.Field, onColumn string) (Transform, Findings) {
	b := newBinder(fields)
	bound, _ := b.transform(t, nil, true)
	if b.findings.ReadErr() == nil {
		b.mask(bound, onColumn)
		b.size(bound.Canonical())
	}
	if b.findings.ReadErr() != nil {
		return Transform{}, b.findings
	}
	return bound, b.findings
}

// binder resolves references against the fields of a table.
type binder struct {
	notes
	fields []datatype.Field
	index  map[string]int
}

func newBinder(fields []datatype.Field) *binder {
	b := &binder{fields: fields, index: make(map[string]int, len(fields))}
	for i, f := range fields {
		b.index[f.Name] = i
	}
	return b
}

func (b *binder) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range b.fields {
			if !yield(f.Name) {
				return
			}
		}
	}
}

// size refuses a text that grew over the limit when it was made canonical.
func (b *binder) size(canonical string) {
	if len(canonical) > MaxTextBytes {
		b.unreadable(CodeSize, Position{Line: 1, Column: 1}, nil,
			"the text has "+strconv.Itoa(len(canonical))+" bytes once it is canonical",
			"shorten it to "+strconv.Itoa(MaxTextBytes)+" bytes")
	}
}

func (c *Compound) bind(b *binder, where *path) Predicate {
	bound := &Compound{Operator: c.Operator, Children: make([]Predicate, len(c.Children))}
	for i, child := range c.Children {
		bound.Children[i] = child.bind(b, where.member("children").item(i))
	}
	return bound
}

func (l *Leaf) bind(b *binder, where *path) Predicate {
	t, ok := b.transform(l.Transform, where.member("transform"), l.needsDeclaredType())
	bound := &Leaf{Transform: t, Function: l.Function, at: l.at}
	if !ok {
		return bound
	}
	if !t.Output().SameFamily(l.Transform.Output()) {
		checkOperand(&b.notes, bound, where)
	}
	if l.Literals == nil {
		return bound
	}
	bound.Literals = make([]Literal, len(l.Literals))
	for i, literal := range l.Literals {
		bound.Literals[i] = b.literal(literal, l.literalType(), bound.literalType(), where.member("literals").item(i))
	}
	return bound
}

// needsDeclaredType reports whether the declared type of a column means
// anything: it decodes literals and decides casts.
func (l *Leaf) needsDeclaredType() bool {
	if l.Transform.Name != "FIELD_REF" {
		return true
	}
	for _, literal := range l.Literals {
		if literal.Value != (datatype.Null{}) {
			return true
		}
	}
	return false
}

// literal checks a literal against the type of the column and makes it what
// the server writes for that.
func (b *binder) literal(l Literal, declared, column datatype.Type, where *path) Literal {
	if decimal, ok := l.Value.(datatype.Decimal); ok && declared.SameFamily(column) && !decimal.Fits(column) {
		b.careless(CodeLiteral, l.at, where, "the literal has more digits than "+column.String()+
			"; servers read it back as null, which matches nothing", "write a number that fits")
		return l
	}
	if declared.SameFamily(column) {
		return l
	}
	stored, ok := storedAs(l.Value, column)
	if !ok {
		b.unreadable(CodeDeclaredType, l.at, where,
			"servers cannot write a literal of "+declared.String()+" for a column of "+column.String(),
			"declare the type "+column.String()+" and write the literal for it")
	}
	return Literal{Value: stored, at: l.at}
}

// transform resolves the columns of a transform. With declared set, a declared
// type of another family than the column's is refused.
func (b *binder) transform(t Transform, where *path, declared bool) (Transform, bool) {
	before := len(b.findings)
	bound := t
	if t.Field != nil {
		ref := b.column(*t.Field, where.member("fieldRef"), declared)
		bound.Field = &ref
		if t.Name == "NESTED_FIELD_REF" || !ref.Type.SameFamily(t.Field.Type) {
			checkField(&b.notes, bound, where, datatype.RefusedByClient)
		}
	}
	if len(t.Inputs) > 0 {
		bound.Inputs = make([]Input, len(t.Inputs))
	}
	for i, in := range t.Inputs {
		if in.Kind == InputField {
			in = b.input(t, i, where.member("inputs").item(i))
		}
		bound.Inputs[i] = in
	}
	return bound, b.findings[before:].ReadErr() == nil
}

func (b *binder) input(t Transform, i int, where *path) Input {
	in := t.Inputs[i]
	declared := in.Field.Type
	in.Field = b.column(in.Field, where, true)
	if !in.Field.Type.IsZero() && !in.Field.Type.SameFamily(declared) {
		checkColumn(&b.notes, in.Field, transforms[t.Name].input(i), where)
	}
	return in
}

// column looks a column up by name and takes its index and type.
func (b *binder) column(ref FieldRef, where *path, declared bool) FieldRef {
	i, ok := b.index[ref.Name]
	if !ok {
		b.unreadable(CodeColumn, ref.nameAt, where.member("name"),
			"the table has no column "+strconv.Quote(ref.Name), b.columnRemedy(ref.Name))
		return FieldRef{Name: ref.Name}
	}
	column := b.fields[i].Type
	if declared && !ref.Type.IsZero() && !ref.Type.SameFamily(column) {
		b.careless(CodeDeclaredType, ref.typeAt, where.member("type"),
			"the declared type is "+ref.Type.String()+", but column "+ref.Name+" is "+column.String()+
				"; servers do not notice and may store another literal", "write "+string(column.AppendJSON(nil)))
	}
	ref.Index, ref.Type = i, column
	return ref
}

func (b *binder) columnRemedy(name string) string {
	if near := Nearest(name, b.names()); near != "" {
		return "did you mean " + strconv.Quote(near) + "? Names are case-sensitive"
	}
	return "name a top-level column of the table"
}

// mask checks that the transform gives exactly the type of the column it
// masks.
func (b *binder) mask(t Transform, onColumn string) {
	i, ok := b.index[onColumn]
	if !ok {
		b.unreadable(CodeColumn, t.at, nil, "the table has no column "+strconv.Quote(onColumn)+" to mask",
			b.columnRemedy(onColumn))
		return
	}
	if column, output := b.fields[i].Type, t.Output(); !output.Equal(column) {
		b.unreadable(CodeMaskType, t.at, nil,
			"the mask gives "+output.String()+", but column "+onColumn+" is "+column.String()+
				", and servers compare them exactly", b.maskRemedy(t, i))
	}
}

// maskRemedy spells out a cast that gives the type of the masked column, of a
// column that the mask reads already. A cast of the masked column itself would
// show what is to be masked.
func (b *binder) maskRemedy(t Transform, masked int) string {
	to := b.fields[masked].Type
	for _, i := range b.columns(t) {
		if i != masked && datatype.CanCast(b.fields[i].Type, to) {
			cast := Transform{Name: "CAST", Field: &FieldRef{Index: i, Name: b.fields[i].Name, Type: b.fields[i].Type}, Type: to}
			return "use a column of exactly that type, or a cast such as " + cast.Canonical()
		}
	}
	return "use a column of exactly that type, or CAST another column AS " + to.String()
}

// columns are the indexes of the columns that a bound transform reads.
func (b *binder) columns(t Transform) []int {
	var columns []int
	if t.Field != nil {
		columns = append(columns, t.Field.Index)
	}
	for _, in := range t.Inputs {
		if in.Kind == InputField {
			columns = append(columns, in.Field.Index)
		}
	}
	return columns
}
