package sqltext

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// isHidden tells the characters that a reader of a policy would not see, or
// that change how others look: controls, line separators, bidirectional
// controls, what has no width, and code points that are no characters.
func isHidden(c rune) bool {
	if ' ' <= c && c <= '~' {
		return false
	}
	return unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point)
}

// appendQuoted appends a text in quotes, which are doubled inside it. A text
// with hidden characters is led in by an E and has escapes; only there a
// backslash is special.
func appendQuoted(dst []byte, text string, quote byte) []byte {
	if strings.ContainsFunc(text, isHidden) {
		return appendEscaped(dst, text, quote)
	}
	dst = append(dst, quote)
	for i := range len(text) {
		if text[i] == quote {
			dst = append(dst, quote)
		}
		dst = append(dst, text[i])
	}
	return append(dst, quote)
}

func appendEscaped(dst []byte, text string, quote byte) []byte {
	dst = append(dst, 'E', quote)
	for _, c := range text {
		switch i := strings.IndexRune(escapeds, c); {
		case i >= 0:
			dst = append(dst, '\\', escapes[i])
		case c == '\\' || c == rune(quote):
			dst = append(append(dst, '\\'), string(c)...)
		case isHidden(c) && c <= 0xffff:
			dst = fmt.Appendf(dst, `\u%04X`, c)
		case isHidden(c):
			dst = fmt.Appendf(dst, `\U%08X`, c)
		default:
			dst = append(dst, string(c)...)
		}
	}
	return append(dst, quote)
}

// The short escapes and what they stand for.
const (
	escapes  = "nrt"
	escapeds = "\n\r\t"
)

// appendName appends the name of a column or of a field of a ROW.
func appendName(dst []byte, name string) []byte {
	if isBare(name) && !reserved[strings.ToUpper(name)] {
		return append(dst, name...)
	}
	return appendQuoted(dst, name, '`')
}

// isBare reports whether a name needs no quotes, reserved words aside.
func isBare(name string) bool {
	for i := range len(name) {
		if !isWordByte(name[i]) {
			return false
		}
	}
	return name != "" && !isDigit(name[0])
}

func isWordByte(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// visibleJSON escapes the hidden characters of compact JSON, and », which ends
// JSON inside a text. All of them stand in JSON strings.
func visibleJSON(json []byte) []byte {
	special := func(c rune) bool { return c == '»' || isHidden(c) }
	if !bytes.ContainsFunc(json, special) {
		return json
	}
	var visible []byte
	for _, c := range string(json) {
		if !special(c) {
			visible = append(visible, string(c)...)
			continue
		}
		for _, unit := range utf16.Encode([]rune{c}) {
			visible = fmt.Appendf(visible, `\u%04X`, unit)
		}
	}
	return visible
}
