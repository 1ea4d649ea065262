package predicate

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// maxNesting bounds the levels of JSON, so that no text can exhaust the stack.
// Within MaxTextBytes about 1,250 compounds can nest, two levels each, so it is
// met only by texts that are no policy.
const maxNesting = 4096

type nodeKind uint8

const (
	nullNode nodeKind = iota
	boolNode
	numberNode
	textNode
	arrayNode
	objectNode
)

// node is a JSON value with its place. encoding/json would lose places,
// duplicate keys and the spelling of numbers.
type node struct {
	kind nodeKind
	at   Position
	// end is the offset after the value.
	end int
	// text is the decoded string, the number as written, true or false.
	text string
	// damaged is set for a string with half a surrogate pair, which Java's
	// UTF-8 encoder turns into a question mark.
	damaged bool
	items   []node
	members []member
}

type member struct {
	key   string
	at    Position
	value node
}

// literal is the node as datatype reads literals.
func (n *node) literal() any {
	switch n.kind {
	case boolNode:
		return n.text == "true"
	case numberNode:
		return json.Number(n.text)
	case textNode:
		return n.text
	case arrayNode:
		array := make([]any, len(n.items))
		for i := range n.items {
			array[i] = n.items[i].literal()
		}
		return array
	case objectNode:
		object := make(datatype.Object, len(n.members))
		for i := range n.members {
			object[i] = datatype.Member{Key: n.members[i].key, Value: n.members[i].value.literal()}
		}
		return object
	default:
		return nil
	}
}

// reader reads JSON as Jackson does with its defaults: strict syntax, no
// comments, no control characters in strings, half surrogate pairs allowed.
type reader struct {
	text   string
	offset int
	depth  int
	// place is the position of an offset already passed; positions are counted
	// on from there, so that all of them cost one pass.
	place Position
	// problem says what is wrong where reading stopped.
	problem string
}

func newReader(text string) *reader {
	return &reader{text: text, place: Position{Line: 1, Column: 1}}
}

func (r *reader) position() Position {
	passed := r.text[r.place.Offset:r.offset]
	if i := strings.LastIndexByte(passed, '\n'); i >= 0 {
		r.place.Line += strings.Count(passed, "\n")
		r.place.Column = 1
		passed = passed[i+1:]
	}
	r.place.Column += utf8.RuneCountInString(passed)
	r.place.Offset = r.offset
	return r.place
}

func (r *reader) fail(problem string) bool {
	r.problem = problem
	return false
}

func (r *reader) peek() byte {
	if r.offset >= len(r.text) {
		return 0
	}
	return r.text[r.offset]
}

func (r *reader) skipSpace() {
	for r.offset < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.offset]) >= 0 {
		r.offset++
	}
}

// readValue reads the next value. On false, problem and position say why not.
func (r *reader) readValue(n *node) bool {
	r.skipSpace()
	n.at = r.position()
	if ok := r.readUnplaced(n); !ok {
		return false
	}
	n.end = r.offset
	return true
}

func (r *reader) readUnplaced(n *node) bool {
	switch c := r.peek(); {
	case c == '{':
		return r.nested(n, objectNode, r.readMember, '}')
	case c == '[':
		return r.nested(n, arrayNode, r.readItem, ']')
	case c == '"':
		n.kind = textNode
		return r.readString(n)
	case c == '-' || '0' <= c && c <= '9':
		n.kind = numberNode
		return r.readNumber(n)
	case r.offset >= len(r.text):
		return r.fail("the JSON ends too early")
	default:
		return r.readWord(n)
	}
}

// nested reads the comma-separated elements of an object or an array.
func (r *reader) nested(n *node, kind nodeKind, readElement func(*node) bool, end byte) bool {
	n.kind = kind
	if r.depth++; r.depth > maxNesting {
		return r.fail("the JSON is nested deeper than " + strconv.Itoa(maxNesting) + " levels")
	}
	defer func() { r.depth-- }()
	r.offset++
	r.skipSpace()
	if r.peek() == end {
		r.offset++
		return true
	}
	for {
		if !readElement(n) {
			return false
		}
		r.skipSpace()
		switch r.peek() {
		case ',':
			r.offset++
		case end:
			r.offset++
			return true
		default:
			return r.fail("a comma or " + string(end) + " expected")
		}
	}
}

func (r *reader) readItem(array *node) bool {
	array.items = append(array.items, node{})
	return r.readValue(&array.items[len(array.items)-1])
}

func (r *reader) readMember(object *node) bool {
	r.skipSpace()
	at := r.position()
	if r.peek() != '"' {
		return r.fail("a key in double quotes expected")
	}
	var key node
	if !r.readString(&key) {
		return false
	}
	r.skipSpace()
	if r.peek() != ':' {
		return r.fail("a colon expected")
	}
	r.offset++
	object.members = append(object.members, member{key: key.text, at: at})
	return r.readValue(&object.members[len(object.members)-1].value)
}

func (r *reader) readWord(n *node) bool {
	for _, word := range []struct {
		text string
		kind nodeKind
	}{{"null", nullNode}, {"true", boolNode}, {"false", boolNode}} {
		if strings.HasPrefix(r.text[r.offset:], word.text) {
			n.kind, n.text = word.kind, word.text
			r.offset += len(word.text)
			return r.endOfWord()
		}
	}
	return r.fail("a JSON value expected")
}

// endOfWord refuses a number or a word that runs on, such as nullx or 1x.
func (r *reader) endOfWord() bool {
	if r.offset < len(r.text) && !strings.ContainsRune(" \t\r\n,]}", rune(r.peek())) {
		return r.fail("unexpected character in a value")
	}
	return true
}

func (r *reader) readNumber(n *node) bool {
	start := r.offset
	if r.peek() == '-' {
		r.offset++
	}
	leadingZero := r.peek() == '0'
	if digits := r.skipDigits(); digits == 0 || leadingZero && digits > 1 {
		return r.fail("a number without leading zeros expected")
	}
	if r.peek() == '.' {
		r.offset++
		if r.skipDigits() == 0 {
			return r.fail("a digit expected after the decimal point")
		}
	}
	if c := r.peek(); c == 'e' || c == 'E' {
		r.offset++
		if c := r.peek(); c == '+' || c == '-' {
			r.offset++
		}
		if r.skipDigits() == 0 {
			return r.fail("a digit expected in the exponent")
		}
	}
	n.text = r.text[start:r.offset]
	return r.endOfWord()
}

func (r *reader) skipDigits() int {
	start := r.offset
	for c := r.peek(); '0' <= c && c <= '9'; c = r.peek() {
		r.offset++
	}
	return r.offset - start
}

func (r *reader) readString(n *node) bool {
	r.offset++
	start := r.offset
	var decoded []byte
	for r.offset < len(r.text) {
		switch c := r.text[r.offset]; {
		case c == '"':
			n.text = r.text[start:r.offset]
			if decoded != nil {
				n.text = string(append(decoded, n.text...))
			}
			r.offset++
			return true
		case c < ' ':
			return r.fail("a control character in a string; escape it")
		case c == '\\':
			decoded = append(decoded, r.text[start:r.offset]...)
			var ok bool
			if decoded, ok = r.readEscape(decoded, n); !ok {
				return false
			}
			start = r.offset
		default:
			r.offset++
		}
	}
	return r.fail("the string does not end")
}

const (
	escapes  = `"\/bfnrt`
	escapeds = "\"\\/\b\f\n\r\t"
)

func (r *reader) readEscape(dst []byte, n *node) ([]byte, bool) {
	r.offset++
	if r.peek() == 'u' {
		r.offset--
		return r.readUnicode(dst, n)
	}
	i := strings.IndexByte(escapes, r.peek())
	if r.offset >= len(r.text) || i < 0 {
		return nil, r.fail("unknown escape in a string")
	}
	r.offset++
	return append(dst, escapeds[i]), true
}

// readUnicode reads \uXXXX, two of them where they are a surrogate pair.
func (r *reader) readUnicode(dst []byte, n *node) ([]byte, bool) {
	first, ok := r.codeUnit()
	if !ok {
		return nil, r.fail(`four hexadecimal digits expected after \u`)
	}
	r.offset += len(`\uXXXX`)
	if !utf16.IsSurrogate(first) {
		return utf8.AppendRune(dst, first), true
	}
	if second, ok := r.codeUnit(); ok {
		if pair := utf16.DecodeRune(first, second); pair != utf8.RuneError {
			r.offset += len(`\uXXXX`)
			return utf8.AppendRune(dst, pair), true
		}
	}
	n.damaged = true
	return append(dst, '?'), true
}

// codeUnit looks at the \uXXXX that follows, if one does.
func (r *reader) codeUnit() (rune, bool) {
	rest, ok := strings.CutPrefix(r.text[r.offset:], `\u`)
	if !ok || len(rest) < 4 {
		return 0, false
	}
	unit, err := strconv.ParseUint(rest[:4], 16, 16)
	return rune(unit), err == nil
}
