package predicate

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

const (
	// MaxTextBytes is the greatest size of a policy's text in bytes of UTF-8,
	// inclusive. Servers check the text as written and again the canonical one.
	MaxTextBytes = 60 * 1024
	// MaxDepth is how deep compounds may nest in the strict reading. Released
	// readers end between 63 and a few hundred levels.
	MaxDepth = 32
)

// ParsePredicate reads the JSON text of a row filter. The predicate is nil if
// a finding is refused by all; beside other findings it is what the reference
// server makes of the text. See [Findings] for whether the text is acceptable.
func ParsePredicate(text string) (Predicate, Findings) {
	p := parser{text: text}
	root, ok := p.document()
	if !ok {
		return nil, p.findings
	}
	predicate := p.predicate(root, nil, 1)
	if p.findings.ReadErr() != nil {
		return nil, p.findings
	}
	return predicate, p.findings
}

// ParseTransform reads the JSON text of a column mask, as [ParsePredicate]
// does. Beside a finding refused by all the transform is the zero Transform.
func ParseTransform(text string) (Transform, Findings) {
	p := parser{text: text}
	root, ok := p.document()
	if !ok {
		return Transform{}, p.findings
	}
	transform, _ := p.transform(root, nil)
	if p.findings.ReadErr() != nil {
		return Transform{}, p.findings
	}
	return transform, p.findings
}

// parser turns JSON into syntax trees.
type parser struct {
	notes
	text string
}

// document reads the JSON of the whole text. Jackson ignores what follows the
// value.
func (p *parser) document() (*node, bool) {
	start := Position{Line: 1, Column: 1}
	if len(p.text) > MaxTextBytes {
		p.unreadable(CodeSize, start, nil, "the text has "+strconv.Itoa(len(p.text))+" bytes of UTF-8",
			"shorten it to "+strconv.Itoa(MaxTextBytes)+" bytes")
		return nil, false
	}
	if isBlank(p.text) {
		p.unreadable(CodeBlank, start, nil, "the text is blank, which some readers take for no policy at all",
			"write a JSON object")
		return nil, false
	}
	r := newReader(p.text)
	if r.offset = invalidUTF8(p.text); r.offset < len(p.text) {
		p.unreadable(CodeUnicode, r.position(), nil, "the text is not UTF-8", "save it as UTF-8")
		return nil, false
	}
	r.offset = 0
	var root node
	if !r.readValue(&root) {
		p.unreadable(CodeSyntax, r.position(), nil, "the text is not JSON: "+r.problem, "correct the JSON")
		return nil, false
	}
	r.skipSpace()
	if r.offset < len(p.text) {
		p.careless(CodeTrailing, r.position(), nil, "text after the JSON value, which servers ignore", "remove it")
	}
	return &root, true
}

// invalidUTF8 is the offset of the first byte that is no UTF-8, the length of
// the text if there is none.
func invalidUTF8(text string) int {
	for i, c := range text {
		if c == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return len(text)
}

// isBlank is Java's notion of blank: only characters up to U+0020.
func isBlank(text string) bool {
	return strings.IndexFunc(text, func(c rune) bool { return c > ' ' }) < 0
}

func (p *parser) predicate(n *node, where *path, depth int) Predicate {
	kind, ok := p.discriminator(n, "kind", where, "a predicate")
	if !ok {
		return nil
	}
	switch kind {
	case "LEAF":
		return p.leaf(n, where)
	case "COMPOUND":
		return p.compound(n, where, depth)
	default:
		p.unreadable(CodeUnknownName, n.at, where.member("kind"), "unknown kind "+strconv.Quote(kind),
			`write "LEAF" or "COMPOUND"`)
		return nil
	}
}

var compoundObject = object{discriminator: "kind", keys: []string{"function", "children"}}

func (p *parser) compound(n *node, where *path, depth int) Predicate {
	if depth == MaxDepth+1 {
		p.careless(CodeDepth, n.at, where, "compounds are nested deeper than "+strconv.Itoa(MaxDepth)+" levels",
			"join the children of equal operators in one compound")
	}
	keys := p.members(n, compoundObject, where)
	c := &Compound{Operator: p.operator(keys["function"], n.at, where)}
	children := keys["children"]
	if isMissing(children) || children.kind != arrayNode || len(children.items) == 0 {
		p.unreadable(CodeShape, n.at, where.member("children"),
			"a compound needs children; some readers drop one without", "list at least one predicate")
		return nil
	}
	for i := range children.items {
		if child := p.predicate(&children.items[i], where.member("children").item(i), depth+1); child != nil {
			c.Children = append(c.Children, child)
		}
	}
	if len(c.Children) == 1 {
		return c.Children[0]
	}
	return c
}

func (p *parser) operator(n *node, parent Position, where *path) Operator {
	if !isMissing(n) && n.kind == textNode && (n.text == string(And) || n.text == string(Or)) {
		return Operator(n.text)
	}
	p.unreadable(CodeUnknownName, placeOf(n, parent), where.member("function"),
		"a compound's function is AND or OR", "write one of the two; for a NOT use the negated leaf functions")
	return ""
}

// placeOf is the place of a node, or of its parent if there is none.
func placeOf(n *node, parent Position) Position {
	if n == nil {
		return parent
	}
	return n.at
}

var leafObject = object{discriminator: "kind", keys: []string{"transform", "function", "literals"}, atOnce: true}

func (p *parser) leaf(n *node, where *path) Predicate {
	keys := p.members(n, leafObject, where)
	l := &Leaf{at: n.at}
	var transformOK bool
	if isMissing(keys["transform"]) {
		p.unreadable(CodeShape, n.at, where, `a leaf needs the key "transform"`,
			`add {"name":"FIELD_REF","fieldRef":{"index":0,"name":…,"type":…}}`)
	} else {
		l.Transform, transformOK = p.transform(keys["transform"], where.member("transform"))
	}
	functionOK := p.function(l, keys["function"], where)
	if !transformOK || !functionOK {
		return nil
	}
	p.operand(l, where)
	p.literals(l, keys["literals"], where)
	return l
}

func (p *parser) function(l *Leaf, n *node, where *path) bool {
	where = where.member("function")
	if isMissing(n) || n.kind != textNode {
		p.unreadable(CodeShape, placeOf(n, l.at), where, `a leaf needs the key "function", a string`, `write a name such as "EQUAL"`)
		return false
	}
	l.Function = n.text
	if _, ok := functions[n.text]; !ok {
		p.unreadable(CodeUnknownName, n.at, where, "unknown function "+strconv.Quote(n.text),
			suggestion(n.text, maps.Keys(functions)))
		return false
	}
	return true
}

// operand checks that the function works on the declared type.
func (p *parser) operand(l *Leaf, where *path) {
	if !l.Transform.Output().IsZero() {
		checkOperand(&p.notes, l, where)
	}
}

// checkOperand notes a function on a type it does not work on. Servers look at
// the ARRAY functions only.
func checkOperand(n *notes, l *Leaf, where *path) {
	f, t := functions[l.Function], l.Transform.Output()
	where = where.member("function")
	switch {
	case l.Transform.Name == "NULL" && l.Function != "TRUE" && l.Function != "FALSE":
		n.careless(CodeOperand, l.at, where, l.Function+" over the NULL transform is the same for every row",
			"write TRUE or FALSE, or name a column")
	case f.operand.takes(t):
	case f.operand == arrayOperand:
		n.unreadable(CodeOperand, l.at, where, l.Function+" needs an ARRAY, this is "+t.String(), "choose another function or column")
	case f.operand == textOperand:
		n.careless(CodeOperand, l.at, where, l.Function+" needs a CHAR, VARCHAR or STRING, this is "+t.String()+
			"; servers accept it and every query fails", "choose another function or CAST to STRING")
	default:
		n.careless(CodeOperand, l.at, where, "values of "+t.String()+" cannot be compared", "use IS_NULL or IS_NOT_NULL")
	}
}

func (p *parser) literals(l *Leaf, n *node, where *path) {
	if !isMissing(n) && n.kind != arrayNode {
		p.unreadable(CodeShape, n.at, where.member("literals"), `"literals" is an array`, "put the literals in brackets")
		return
	}
	if !isMissing(n) {
		l.Literals = make([]Literal, len(n.items))
	}
	checkLiteralCount(&p.notes, l, placeOf(n, l.at), where)
	for i := range l.Literals {
		l.Literals[i] = p.literal(l, &n.items[i], where.member("literals").item(i))
	}
}

func checkLiteralCount(n *notes, l *Leaf, at Position, where *path) {
	f, count := functions[l.Function], len(l.Literals)
	if count < f.min || count > f.max && f.max != noLimit || l.Literals == nil && f.max != 0 {
		n.careless(CodeLiteralCount, at, where.member("literals"),
			l.Function+" takes "+f.count()+", not "+strconv.Itoa(count), "correct the list")
	}
}

func (f function) count() string {
	switch {
	case f.max == noLimit && f.min == 0:
		return "a list of literals"
	case f.max == noLimit:
		return "at least " + strconv.Itoa(f.min) + " literal"
	case f.max == 1:
		return "1 literal"
	case f.max == 0:
		return "no literals"
	default:
		return strconv.Itoa(f.max) + " literals"
	}
}

func (p *parser) literal(l *Leaf, n *node, where *path) Literal {
	if n.kind == nullNode {
		null := Literal{Value: datatype.Null{}, at: n.at}
		checkLiteral(&p.notes, l, null, where)
		return null
	}
	t := l.literalType()
	if t.IsZero() && !l.Transform.Output().IsZero() {
		return Literal{Value: datatype.Null{}, at: n.at} // The operand was refused.
	}
	if t.IsZero() {
		p.unreadable(CodeType, n.at, where, "the type of the literal is not known", `add the key "type" to the field reference`)
		return Literal{Value: datatype.Null{}, at: n.at}
	}
	value, err := datatype.Decode(n.literal(), t)
	if err != nil {
		p.refuse(err.Refusal, CodeLiteral, n.at, where, err.Message, err.Remedy)
	}
	p.damage(n, where)
	literal := Literal{Value: value, at: n.at}
	checkLiteral(&p.notes, l, literal, where)
	return literal
}

// checkLiteral notes a literal of the right type that the function makes
// nothing of.
func checkLiteral(n *notes, l *Leaf, literal Literal, where *path) {
	f := functions[l.Function]
	switch value := literal.Value.(type) {
	case datatype.Null:
		if !f.nulls && f.max != 0 {
			n.careless(CodeNullLiteral, literal.at, where, "with a null "+l.Function+" matches no row",
				"use IS_NULL or IS_NOT_NULL for nulls")
		}
	case datatype.Text:
		if f.pattern {
			checkPattern(n, string(value), literal.at, where)
		}
	}
}

// damage notes half a surrogate pair.
func (p *parser) damage(n *node, where *path) {
	if n.damaged {
		p.careless(CodeUnicode, n.at, where, "half a surrogate pair, which servers turn into a question mark",
			"write the character itself")
	}
}

// checkPattern notes an escape that readers throw on when they evaluate LIKE.
func checkPattern(n *notes, pattern string, at Position, where *path) {
	for i := 0; i < len(pattern); i++ {
		if pattern[i] != '\\' {
			continue
		}
		if i++; i == len(pattern) || !strings.ContainsRune(`%_\`, rune(pattern[i])) {
			n.careless(CodePattern, at, where, `a backslash in a LIKE pattern escapes %, _ and \ only`,
				`write \\ for a backslash, doubled once more in JSON`)
			return
		}
	}
}

// suggestion is the remedy for an unknown name.
func suggestion(name string, known func(func(string) bool)) string {
	if near := Nearest(name, known); near != "" {
		return "did you mean " + near + "?"
	}
	return "the names are " + strings.Join(slices.Sorted(known), ", ")
}
