package sqltext

import (
	"slices"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
)

// condition is a leaf as it was read: which types its literals have is known
// once all of it was.
type condition struct {
	operand  predicate.Transform
	function string
	// at is the place of the operator or of the function.
	at       int
	literals []literal
}

func (p *parser) condition() predicate.Predicate {
	var c condition
	switch t, next := p.peek(), p.after(); {
	case isCall(t) && next.isSign("("):
		c = p.call()
	case (t.keyword == "TRUE" || t.keyword == "FALSE") && !isComparison(next):
		c = p.constant()
	case p.startsLiteral():
		c = p.flipped()
	default:
		c = p.comparison()
	}
	if p.err != nil {
		return nil
	}
	return p.leaf(c)
}

func isCall(t token) bool {
	f, ok := forms[t.keyword]
	return ok && (f.shape == call || f.shape == arrayCall)
}

func isComparison(t token) bool { return t.kind == tokenSign && operators[t.text] != "" }

// constant reads TRUE or FALSE, which servers also keep over an operand.
func (p *parser) constant() condition {
	word, opening := p.take(), p.peek()
	c := condition{function: word.keyword, at: word.start, operand: predicate.Transform{Name: "NULL"}}
	if p.acceptSign("(") {
		c.operand = p.operand()
		p.expectClosing(")", opening)
	}
	return c
}

// call reads a condition that is written as a call.
func (p *parser) call() condition {
	name, opening := p.take(), p.take()
	c := condition{function: name.keyword, at: name.start, operand: p.operand()}
	p.expectSign(",")
	if forms[c.function].shape == call {
		c.literals = []literal{p.literal()}
	} else {
		c.literals = p.array(c.function)
	}
	p.expectClosing(")", opening)
	return c
}

func (p *parser) array(function string) []literal {
	remedy := "write " + function + "(…, ARRAY[…])"
	if !p.acceptWord("ARRAY") {
		p.unexpected("an array", remedy)
	}
	return p.literalList("[", "]", remedy)
}

// comparison reads a condition with an operator.
func (p *parser) comparison() condition {
	c := condition{operand: p.operand(), at: p.peek().start}
	c.function = p.operator(c.operand)
	switch forms[c.function].shape {
	case list:
		c.literals = p.literalList("(", ")", "write the values in parentheses")
	case bounds:
		least := p.literal()
		p.expectWord("AND")
		c.literals = []literal{least, p.literal()}
	case infix:
		c.literals = []literal{p.literal()}
	default:
	}
	return c
}

// flipped reads a comparison with the literal on the left.
func (p *parser) flipped() condition {
	left, sign := p.literal(), p.take()
	switch {
	case !isComparison(sign):
		p.fail(left.start, "a constant is no condition", "begin with a column or a function, or compare the constant with one")
	case p.startsLiteral():
		p.fail(p.peek().start, "both sides are constants", "compare a column or a function with a constant")
	}
	return condition{
		operand: p.operand(), function: forms[operators[sign.text]].mirror, at: sign.start, literals: []literal{left},
	}
}

// operator reads the sign of a leaf function, which may have several words.
func (p *parser) operator(left predicate.Transform) string {
	first := p.peek()
	sign := first.keyword
	switch {
	case first.kind == tokenSign:
		sign = first.text
	case p.acceptWord("IS"):
		if p.acceptWord("NOT") {
			sign += " NOT"
		}
		sign += " " + p.peek().keyword
	case p.acceptWord("NOT"):
		sign += " " + p.peek().keyword
	}
	if operators[sign] == "" {
		p.unexpected("an operator", operatorRemedy(left))
	}
	p.take()
	return operators[sign]
}

// leaf builds the leaf of a condition and reports what is wrong with it.
func (p *parser) leaf(c condition) predicate.Predicate {
	l := &predicate.Leaf{Transform: c.operand, Function: c.function, Literals: make([]predicate.Literal, len(c.literals))}
	if p.negative {
		l.Function = forms[c.function].negation
	}
	if l.Function == "" {
		p.fail(c.at, "Paimon has no negation of "+c.function, negationRemedies[c.function])
		return nil
	}
	if finding, ok := first(l.Check(), predicate.CodeOperand); ok {
		p.fail(c.at, finding.Message, operandRemedy(l))
		return nil
	}
	for i, read := range c.literals {
		l.Literals[i].Value = p.value(read, c.operand)
	}
	p.checkLiterals(l, c)
	return l
}

// checkLiterals reports literals that the function makes nothing of.
func (p *parser) checkLiterals(l *predicate.Leaf, c condition) {
	findings := l.Check()
	if _, ok := first(findings, predicate.CodeNullLiteral); ok {
		null := slices.IndexFunc(c.literals, func(read literal) bool { return read.kind == datatype.KindNone })
		p.fail(c.literals[null].start, "with NULL this matches no row", nullRemedy(c))
	}
	if finding, ok := first(findings, predicate.CodePattern); ok {
		p.fail(c.literals[0].start, finding.Message, `write \\ for a backslash`)
	}
	if finding, ok := first(findings, predicate.CodeLiteralCount); ok {
		p.fail(c.at, finding.Message, "write at least one value")
	}
}

// first is the first finding with the code.
func first(findings predicate.Findings, code predicate.Code) (predicate.Finding, bool) {
	for _, f := range findings {
		if f.Code == code {
			return f, true
		}
	}
	return predicate.Finding{}, false
}
