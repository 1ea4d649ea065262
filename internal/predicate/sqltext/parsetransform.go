package sqltext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
)

// mask reads the transform of a column mask.
func (p *parser) mask() predicate.Transform {
	switch t := p.peek(); {
	case p.acceptWord("NULL"):
		return predicate.Transform{Name: "NULL"}
	case t.kind == tokenText:
		p.unexpected("a column or a function", "write CONCAT("+p.describe(t)+") for a constant string")
	case p.startsLiteral():
		p.unexpected("a column or a function", "write CONCAT('…') for a constant string; NULL is the only other constant")
	}
	return p.operand()
}

// operand reads a column or the call of a transform.
func (p *parser) operand() predicate.Transform {
	if t := p.peek(); p.after().isSign("(") && (t.keyword == "CAST" || t.kind == tokenWord && !reserved[t.keyword]) {
		return p.transformCall()
	}
	ref := p.column()
	if p.peek().isSign(".") {
		return p.nested(ref)
	}
	return predicate.Transform{Name: "FIELD_REF", Field: ref}
}

// nested reads a path into a ROW column.
func (p *parser) nested(ref *predicate.FieldRef) predicate.Transform {
	t := predicate.Transform{Name: "NESTED_FIELD_REF", Field: ref}
	within := ref.Type
	for p.acceptSign(".") {
		name := p.name(within.Fields)
		i := slices.IndexFunc(within.Fields, func(f datatype.Field) bool { return f.Name == name.text })
		if i < 0 {
			p.fail(name.start, Transform(t)+" is "+within.Kind.String()+" and has no field "+p.describe(name), nameRemedy(name.text, within.Fields))
			break
		}
		t.Path = append(t.Path, name.text)
		within = within.Fields[i].Type
	}
	return t
}

// name reads the name of a column or of a field, one of those given or not.
func (p *parser) name(fields []datatype.Field) token {
	switch t := p.peek(); {
	case t.kind == tokenName || t.kind == tokenWord && !reserved[t.keyword]:
	case t.kind == tokenWord && slices.Contains(namesOf(fields), t.text):
		p.fail(t.start, t.text+" is a word of the language", "write "+string(appendQuoted(nil, t.text, '`'))+" for the column")
	default:
		p.unexpected("a column or a function", "write the name of a column; constants stand right of an operator")
	}
	return p.take()
}

// column reads a top-level column and takes its index and type from the table.
func (p *parser) column() *predicate.FieldRef {
	name := p.name(p.fields)
	i, ok := p.columns[name.text]
	if !ok {
		p.unknownColumn(name)
		return &predicate.FieldRef{}
	}
	return &predicate.FieldRef{Index: i, Name: name.text, Type: p.fields[i].Type}
}

// argument is an input of a transform with its place.
type argument struct {
	predicate.Input

	start int
}

// transformCall reads the call of a transform and checks its arguments.
func (p *parser) transformCall() predicate.Transform {
	name, opening := p.take(), p.take()
	t := predicate.Transform{Name: name.keyword}
	arguments := p.arguments(&t, name)
	p.expectClosing(")", opening)
	if p.err != nil {
		return t
	}
	for _, a := range arguments {
		t.Inputs = append(t.Inputs, a.Input)
	}
	if errs := t.Check().Errors(); len(errs) > 0 {
		p.fail(placeOf(errs[0], name, arguments), errs[0].Message, errs[0].Remedy)
	}
	return t
}

// placeOf is the place of the argument that a finding is about, or else of the
// call.
func placeOf(f predicate.Finding, call token, arguments []argument) int {
	var i int
	if _, err := fmt.Sscanf(f.Path, "inputs[%d]", &i); err != nil {
		return call.start
	}
	return arguments[i].start
}

// arguments reads what stands in the parentheses of a call. Inputs are
// returned, everything else goes to the transform.
func (p *parser) arguments(t *predicate.Transform, name token) []argument {
	switch {
	case t.Name == "CAST":
		t.Field = p.argumentColumn()
		p.expectWord("AS")
		t.Type = p.dataType()
		return nil
	case t.Name == "TRIM":
		return p.trim(t)
	case t.Name == "OVERLAY":
		return p.overlay()
	case directions[t.Name] != "":
		t.Name, t.Option = "PAD", directions[t.Name]
	case !callable[t.Name]:
		p.unknownFunction(name)
	case !predicate.TakesInputs(t.Name):
		t.Field = p.argumentColumn()
		return nil
	}
	return p.argumentList()
}

func (p *parser) argumentList() []argument {
	if p.peek().isSign(")") {
		return nil
	}
	all := []argument{p.argument()}
	for p.acceptSign(",") {
		all = append(all, p.argument())
	}
	return all
}

func (p *parser) argument() argument {
	t := p.peek()
	a := argument{start: t.start, Input: predicate.Input{Text: t.text}}
	switch {
	case t.keyword == "NULL":
		a.Input = predicate.Input{Kind: predicate.InputNull}
	case t.kind == tokenText:
		a.Kind = predicate.InputText
	case t.kind == tokenNumber && strings.ContainsAny(t.text, ".eE"):
		p.unexpected("an integer", "write it without a point and an exponent")
	case t.kind == tokenNumber:
		a.Kind = predicate.InputInteger
		if a.Text == "-0" {
			a.Text = "0" // Servers know no negative zero among integers.
		}
	default:
		a.Input = predicate.Input{Kind: predicate.InputField, Field: *p.argumentColumn()}
		return a
	}
	p.take()
	return a
}

// argumentColumn reads the column of a function: no function may stand there,
// and no field of a ROW.
func (p *parser) argumentColumn() *predicate.FieldRef {
	const remedy = "name a top-level column; functions and fields of a ROW cannot be inside a function"
	if p.peek().kind == tokenWord && p.after().isSign("(") {
		p.unexpected("a column", remedy)
	}
	ref := p.column()
	if p.peek().isSign(".") {
		p.unexpected("a top-level column", remedy)
	}
	return ref
}

// dataType reads a type up to the parenthesis that closes the cast.
func (p *parser) dataType() datatype.Type {
	begin := p.peek()
	last := begin
	for open := 0; open > 0 || !p.peek().isSign(")"); {
		switch last = p.take(); {
		case last.kind == tokenEnd || last.kind == tokenInvalid:
			p.unexpected(")", "close the parenthesis after the type")
			return datatype.Type{}
		case last.isSign("("):
			open++
		case last.isSign(")"):
			open--
		}
	}
	t, err := datatype.Parse(p.sql[begin.start:last.end])
	if err != nil {
		p.fail(begin.start, err.Error(), "write a type such as STRING, VARCHAR(20) or DECIMAL(10, 2)")
	}
	return t
}

// trim reads TRIM([[LEADING | TRAILING | BOTH] [characters] FROM] text).
func (p *parser) trim(t *predicate.Transform) []argument {
	t.Option = "BOTH"
	word := p.peek().keyword
	hasOption := word == "LEADING" || word == "TRAILING" || word == "BOTH"
	if hasOption {
		t.Option = p.take().keyword
	}
	if p.acceptWord("FROM") {
		return []argument{p.argument()}
	}
	first := p.argument()
	if !hasOption && p.peek().keyword != "FROM" {
		return []argument{first}
	}
	p.expectWord("FROM")
	return []argument{p.argument(), first}
}

// overlay reads OVERLAY(text PLACING text FROM position [FOR length]).
func (p *parser) overlay() []argument {
	all := []argument{p.argument()}
	for _, word := range []string{"PLACING", "FROM"} {
		p.expectWord(word)
		all = append(all, p.argument())
	}
	if p.acceptWord("FOR") {
		all = append(all, p.argument())
	}
	return all
}
