package sqltext

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
)

// literal is a constant as it was read.
type literal struct {
	// kind is the class of types it is for, see [classOf]; KindNone is NULL.
	kind       datatype.Kind
	text       string
	start, end int
}

// The classes of types whose literals are written alike.
const (
	numbers = datatype.KindDecimal
	texts   = datatype.KindVarchar
)

// classOf is the kind that stands for all types with the same literals.
func classOf(t datatype.Type) datatype.Kind {
	switch {
	case t.IsText():
		return texts
	case t.IsInteger() || t.Kind == datatype.KindFloat || t.Kind == datatype.KindDouble:
		return numbers
	default:
		return t.Kind
	}
}

// words are the literals that are a word, or begin with one before a text.
var words = map[string]datatype.Kind{
	"NULL": datatype.KindNone, "TRUE": datatype.KindBoolean, "FALSE": datatype.KindBoolean,
	"DATE": datatype.KindDate, "TIME": datatype.KindTime,
	"TIMESTAMP": datatype.KindTimestamp, "TIMESTAMP_LTZ": datatype.KindTimestampLTZ,
}

func isTemporal(kind datatype.Kind) bool {
	return datatype.KindDate <= kind && kind <= datatype.KindTimestampLTZ
}

func (p *parser) startsLiteral() bool {
	t := p.peek()
	kind, isWord := words[t.keyword]
	return t.kind == tokenText || t.kind == tokenNumber || isWord && (!isTemporal(kind) || p.after().kind == tokenText)
}

func (p *parser) literal() literal {
	if !p.startsLiteral() {
		p.expectedLiteral()
	}
	t := p.take()
	read := literal{text: t.text, start: t.start, end: t.end}
	switch t.kind {
	case tokenText:
		read.kind = texts
	case tokenNumber:
		read.kind = numbers
	default:
		read.kind, read.text = words[t.keyword], t.keyword
	}
	if isTemporal(read.kind) {
		quoted := p.take()
		read.text, read.end = quoted.text, quoted.end
	}
	return read
}

// literalList reads literals with commas between them, in parentheses or
// brackets. The remedy is for where there are none.
func (p *parser) literalList(opening, closing, remedy string) []literal {
	open := p.peek()
	if !p.acceptSign(opening) {
		p.unexpected("a list", remedy)
	}
	if p.acceptSign(closing) {
		return nil
	}
	all := []literal{p.literal()}
	for p.acceptSign(",") {
		all = append(all, p.literal())
	}
	p.expectClosing(closing, open)
	return all
}

// value is the value of a literal for an operand. Nothing is converted: a text
// is no number, and a number has to fit exactly. A text alone does for a date
// or a time.
func (p *parser) value(read literal, operand predicate.Transform) datatype.Value {
	t := operand.Output()
	if t.Kind == datatype.KindArray {
		t = *t.Element
	}
	class := classOf(t)
	if read.kind == datatype.KindNone {
		return datatype.Null{}
	}
	if read.kind != class && (read.kind != texts || !isTemporal(class)) {
		p.fail(read.start, fmt.Sprintf("%s compares with %s, but %s is %s", Transform(operand), t, p.written(read.start, read.end),
			className(read.kind)), literalRemedy(read, t))
		return nil
	}
	value, problem := datatype.Decode(read.decodable(t), t)
	if problem == nil {
		return value
	}
	remedy := problem.Remedy
	if class != numbers || t.Kind == datatype.KindDecimal {
		remedy = literalRemedy(read, t) // What JSON has as a text is none here.
	}
	p.fail(read.start, p.written(read.start, read.end)+" is not a value of "+t.String(), remedy)
	return nil
}

// decodable is the literal as JSON has it. Between date and time people write
// a blank, JSON a T.
func (l literal) decodable(t datatype.Type) any {
	switch t.Kind {
	case datatype.KindBoolean:
		return l.text == "TRUE"
	case datatype.KindTimestamp, datatype.KindTimestampLTZ:
		return strings.Replace(l.text, " ", "T", 1)
	case datatype.KindDecimal:
		return l.text
	default:
		if classOf(t) == numbers {
			return json.Number(l.text)
		}
		return l.text
	}
}

func className(kind datatype.Kind) string {
	switch kind {
	case numbers:
		return "a number"
	case texts:
		return "a string"
	default:
		return "a " + kind.String()
	}
}
