package sqltext

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
)

const (
	// maxTextBytes bounds the text. No policy of the size that servers take
	// needs as much: an escape has three times the bytes of its character.
	maxTextBytes = 4 * predicate.MaxTextBytes
	// maxParentheses bounds how deep parentheses nest, so that no text can
	// exhaust the stack. Groups of one need not be compounds.
	maxParentheses = 8 * predicate.MaxDepth
)

// ParsePredicate compiles the text of a row filter for a table with the given
// fields. The result is bound to them and acceptable in the strict reading of
// [predicate.ParsePredicate]. The error is an [*Error].
//
// Every condition becomes one leaf, and every chain of equal operators one
// compound; parentheses make a compound inside another. Nothing is rewritten
// but NOT, for which the negated function is taken. Where readers differ in
// what they take, the widest known form is written: literals are a list even
// where there are none, temporal values and decimals are texts, types have
// their canonical spelling.
func ParsePredicate(sql string, fields []datatype.Field) (predicate.Predicate, error) {
	p := newParser(sql, fields)
	result := p.disjunction()
	p.end("the end, AND or OR", "join conditions with AND or OR")
	if p.err == nil {
		p.limit(result.Canonical(), depthOf(result))
	}
	if p.err != nil {
		return nil, p.err
	}
	return result, nil
}

// ParseTransform compiles the text of a column mask, see [ParsePredicate].
// Whether it gives the type of the column it masks is for
// [predicate.Transform.Bind] to say.
func ParseTransform(sql string, fields []datatype.Field) (predicate.Transform, error) {
	p := newParser(sql, fields)
	result := p.mask()
	p.end("the end", "write one column or function, and no more")
	if p.err == nil {
		p.limit(result.Canonical(), 0)
	}
	if p.err != nil {
		return predicate.Transform{}, p.err
	}
	return result, nil
}

// parser reads tokens from left to right. After a failure there are none left,
// so that reading comes to its end wherever it is; its results are of no use
// then.
type parser struct {
	sql     string
	fields  []datatype.Field
	columns map[string]int
	tokens  []token
	// err is the first failure.
	err *Error
	// negative is set where an odd number of NOTs applies.
	negative    bool
	parentheses int
}

func newParser(sql string, fields []datatype.Field) *parser {
	p := &parser{sql: sql, fields: fields, columns: make(map[string]int, len(fields))}
	for i, f := range fields {
		p.columns[f.Name] = i
	}
	if len(sql) > maxTextBytes {
		p.fail(0, fmt.Sprintf("the text has %d bytes", len(sql)), fmt.Sprintf("shorten it to %d bytes", maxTextBytes))
		return p
	}
	p.tokens = tokenize(sql)
	for i, c := range sql {
		if c == utf8.RuneError && !strings.HasPrefix(sql[i:], string(c)) {
			p.fail(i, "the text is not UTF-8", "save it as UTF-8")
		}
	}
	return p
}

// fail reports what is wrong at a place, and what to write instead.
func (p *parser) fail(offset int, message, remedy string) {
	if p.err == nil {
		p.err = newError(p.sql, offset, message, remedy)
	}
	p.tokens = []token{{start: len(p.sql), end: len(p.sql)}}
}

// limit refuses what servers refuse for its size, and readers for its depth.
func (p *parser) limit(canonical string, depth int) {
	if depth > predicate.MaxDepth {
		p.fail(0, fmt.Sprintf("groups of conditions are nested %d deep", depth),
			fmt.Sprintf("nest at most %d, for example by joining groups of equal operators", predicate.MaxDepth))
	}
	if len(canonical) > predicate.MaxTextBytes {
		p.fail(0, fmt.Sprintf("the policy has %d bytes of JSON", len(canonical)),
			fmt.Sprintf("shorten it to %d bytes; IN takes fewer than conditions joined by OR", predicate.MaxTextBytes))
	}
}

func depthOf(p predicate.Predicate) int {
	c, ok := p.(*predicate.Compound)
	if !ok {
		return 0
	}
	deepest := 0
	for _, child := range c.Children {
		deepest = max(deepest, depthOf(child))
	}
	return 1 + deepest
}

func (p *parser) peek() token { return p.tokens[0] }

// after is the token after the next.
func (p *parser) after() token { return p.tokens[min(1, len(p.tokens)-1)] }

// take returns the next token; the last one stays.
func (p *parser) take() token {
	t := p.peek()
	p.tokens = p.tokens[min(1, len(p.tokens)-1):]
	return t
}

func (p *parser) acceptSign(sign string) bool {
	accepted := p.peek().isSign(sign)
	if accepted {
		p.take()
	}
	return accepted
}

func (p *parser) acceptWord(keyword string) bool {
	accepted := p.peek().keyword == keyword
	if accepted {
		p.take()
	}
	return accepted
}

func (p *parser) expectWord(keyword string) {
	if !p.acceptWord(keyword) {
		p.unexpected(keyword, "write "+keyword+" here")
	}
}

func (p *parser) expectSign(sign string) {
	if !p.acceptSign(sign) {
		p.unexpected(sign, "write "+sign+" here")
	}
}

// expectClosing expects the sign that closes the opening one.
func (p *parser) expectClosing(sign string, opening token) {
	if !p.acceptSign(sign) {
		at := positionOf(p.sql, opening.start)
		p.unexpected(sign, fmt.Sprintf("close the %s of line %d, column %d", opening.text, at.Line, at.Column))
	}
}

func (p *parser) end(expected, remedy string) {
	switch t := p.peek(); {
	case t.kind == tokenEnd:
	case t.isSign(")"):
		p.fail(t.start, "this parenthesis closes none", "remove it, or open one before")
	default:
		p.unexpected(expected, remedy)
	}
}

// disjunction reads conditions joined by OR, which binds weaker than AND.
func (p *parser) disjunction() predicate.Predicate { return p.chain(predicate.Or, p.conjunction) }

func (p *parser) conjunction() predicate.Predicate { return p.chain(predicate.And, p.negation) }

// chain reads operands joined by one operator, which De Morgan turns into the
// other under a NOT.
func (p *parser) chain(operator predicate.Operator, operand func() predicate.Predicate) predicate.Predicate {
	children := []predicate.Predicate{operand()}
	for p.acceptWord(string(operator)) {
		children = append(children, operand())
	}
	if len(children) == 1 {
		return children[0]
	}
	if p.negative {
		operator = opposite[operator]
	}
	return &predicate.Compound{Operator: operator, Children: children}
}

// negation reads NOT, of which Paimon knows nothing: it is carried down to the
// conditions, which have negated functions.
func (p *parser) negation() predicate.Predicate {
	outer := p.negative
	defer func() { p.negative = outer }()
	for p.acceptWord("NOT") {
		p.negative = !p.negative
	}
	if p.peek().isSign("(") {
		return p.group()
	}
	return p.condition()
}

func (p *parser) group() predicate.Predicate {
	opening := p.take()
	if p.parentheses++; p.parentheses > maxParentheses {
		p.fail(opening.start, fmt.Sprintf("parentheses are nested deeper than %d", maxParentheses), "remove those that are not needed")
	}
	defer func() { p.parentheses-- }()
	result := p.disjunction()
	p.expectClosing(")", opening)
	return result
}
