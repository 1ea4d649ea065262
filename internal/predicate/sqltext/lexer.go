package sqltext

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokenEnd      tokenKind = iota
	tokenWord               // a keyword, a function or the name of a column
	tokenName               // `a name`
	tokenText               // 'a text'
	tokenNumber             // a number as JSON writes it
	tokenSign               // an operator or punctuation
	tokenObject             // a JSON object, which nested types are written as
	tokenMistaken           // "double quotes", which mean nothing here
	tokenInvalid            // what is none of these; text and remedy say why
)

// token is a piece of the text from start to end.
type token struct {
	kind       tokenKind
	start, end int
	// text is the word, the sign, the number, or what is in the quotes.
	text string
	// keyword is a word in upper case.
	keyword string
	// remedy is what to write instead of an invalid token.
	remedy string
}

func (t token) isSign(sign string) bool { return t.kind == tokenSign && t.text == sign }

// lexer cuts a text into tokens.
type lexer struct {
	text   string
	offset int
}

// tokenize cuts a text up to its end or to the first invalid token, which the
// parser reports when it comes to it.
func tokenize(text string) []token {
	l := lexer{text: text}
	for tokens := []token(nil); ; {
		l.skipSpace()
		start := l.offset
		t := l.token()
		t.start, t.end = max(t.start, start), l.offset
		if tokens = append(tokens, t); t.kind == tokenEnd || t.kind == tokenInvalid {
			return tokens
		}
	}
}

func (l *lexer) skipSpace() {
	rest := l.text[l.offset:]
	l.offset += len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))
}

func (l *lexer) token() token {
	rest := l.text[l.offset:]
	switch c, _ := utf8.DecodeRuneInString(rest); {
	case rest == "":
		return token{kind: tokenEnd}
	case quotations[rest[0]] != tokenEnd:
		return l.quoted(false)
	case c == '{':
		return l.object()
	case startsEscaped(rest):
		l.offset++
		return l.quoted(true)
	case startsNumber(rest):
		return l.number()
	case isWordRune(c):
		return l.word()
	default:
		return l.sign()
	}
}

func startsEscaped(text string) bool {
	return len(text) > 1 && (text[0] == 'E' || text[0] == 'e') && (text[1] == '\'' || text[1] == '`')
}

func startsNumber(text string) bool {
	digits := strings.TrimLeft(text, "+-.")
	return digits != "" && isDigit(digits[0]) && len(text)-len(digits) < 2
}

func invalid(problem, remedy string) token {
	return token{kind: tokenInvalid, text: problem, remedy: remedy}
}

// quotations are what a quote begins.
var quotations = map[byte]tokenKind{'\'': tokenText, '`': tokenName, '"': tokenMistaken}

// quoted reads up to the quote that is not doubled.
func (l *lexer) quoted(escaped bool) token {
	quote := l.text[l.offset]
	var b strings.Builder
	for l.offset++; l.offset < len(l.text); l.offset++ {
		switch c := l.text[l.offset]; {
		case c == quote && !strings.HasPrefix(l.text[l.offset+1:], string(rune(quote))):
			l.offset++
			return token{kind: quotations[quote], text: b.String()}
		case c == quote:
			l.offset++
			b.WriteByte(quote)
		case c == '\\' && escaped:
			c, size := unescape(l.text[l.offset:])
			if size == 0 {
				t := invalid("unknown escape", `the escapes are \n, \r, \t, \\, \', \`+"`, "+`\uXXXX and \UXXXXXXXX`)
				t.start = l.offset
				return t
			}
			l.offset += size - 1
			b.WriteRune(c)
		default:
			b.WriteByte(c)
		}
	}
	return invalid("the quotation does not end", "close it with "+string(rune(quote))+"; inside, double the sign")
}

// unescape reads the escape that a text starts with; its size is 0 if it is
// none.
func unescape(text string) (c rune, size int) {
	if len(text) < 2 {
		return 0, 0
	}
	switch text[1] {
	case '\\', '\'', '`':
		return rune(text[1]), 2
	case 'u':
		return unescapeHex(text, 4)
	case 'U':
		return unescapeHex(text, 8)
	}
	if i := strings.IndexByte(escapes, text[1]); i >= 0 {
		return rune(escapeds[i]), 2
	}
	return 0, 0
}

func unescapeHex(text string, digits int) (c rune, size int) {
	size = len(`\u`) + digits
	if len(text) < size {
		return 0, 0
	}
	n, err := strconv.ParseUint(text[len(`\u`):size], 16, 32)
	if err != nil || n > unicode.MaxRune || !utf8.ValidRune(rune(n)) {
		return 0, 0
	}
	return rune(n), size
}

// object reads a JSON object.
func (l *lexer) object() token {
	var raw json.RawMessage
	if err := json.NewDecoder(strings.NewReader(l.text[l.offset:])).Decode(&raw); err != nil {
		return invalid("the JSON of a type is expected: "+err.Error(), `write a type such as {"type":"ARRAY","element":"INT"}`)
	}
	l.offset += len(raw)
	return token{kind: tokenObject, text: string(raw)}
}

var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// number takes everything that looks like a part of the number, so that 1x is
// one mistake and not two tokens.
func (l *lexer) number() token {
	start := l.offset
	for l.offset++; l.offset < len(l.text); l.offset++ {
		c := l.text[l.offset]
		isExponentSign := (c == '+' || c == '-') && (l.text[l.offset-1]|' ') == 'e'
		if !isWordByte(c) && c != '.' && !isExponentSign {
			break
		}
	}
	text := l.text[start:l.offset]
	if !jsonNumber.MatchString(text) {
		return invalid(text+" is not a number", "write digits, with a point or an exponent between them: 12, -0.5, 1.0E7")
	}
	return token{kind: tokenNumber, text: text}
}

func isWordRune(c rune) bool {
	return c == '_' || unicode.In(c, unicode.L, unicode.Nd, unicode.M)
}

func (l *lexer) word() token {
	rest := l.text[l.offset:]
	word := rest[:len(rest)-len(strings.TrimLeftFunc(rest, isWordRune))]
	l.offset += len(word)
	if !isBare(word) {
		return invalid("a name with other characters than A to Z, a to z, 0 to 9 and _",
			"write "+quotedName(word)+" for a column, "+quotedText(word)+" for a string")
	}
	return token{kind: tokenWord, text: word, keyword: strings.ToUpper(word)}
}

// longSigns are the signs of several characters. Those that are none of ours
// are here to be one mistake each.
var longSigns = []string{"<=>", "<>", "!=", "<=", ">=", "==", "=>", "=<", "||", "&&", "--", "/*", "=~", "::"}

func (l *lexer) sign() token {
	rest := l.text[l.offset:]
	_, size := utf8.DecodeRuneInString(rest)
	sign := rest[:size]
	for _, long := range longSigns {
		if strings.HasPrefix(rest, long) {
			sign = long
			break
		}
	}
	l.offset += len(sign)
	return token{kind: tokenSign, text: sign}
}
