package predicate

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// anyRune stands in a piece of a pattern for a character that _ matches.
const anyRune = -1

// lineTerminators are the characters that _ does not match: readers make it
// the dot of a Java pattern.
const lineTerminators = "\n\r\u0085\u2028\u2029"

// like reports whether the whole text matches a LIKE pattern: % is any run of
// characters, _ is one character but no line terminator, and a backslash takes
// the special meaning from %, _ and itself only. This is Java since 2026-08;
// Java 2.0.0 took the backslash for text in the patterns x, x%, %x and %x%
// with an x without wildcards.
//
// Between two % the first place that fits is the right one, so nothing is ever
// tried twice: the time is that of searching the text once for each piece.
func like(text, pattern string) (bool, error) {
	pieces, err := splitPattern(pattern)
	if err != nil {
		return false, err
	}
	length, ok := pieces[0].prefix(text)
	last := len(pieces) - 1
	if last == 0 {
		return ok && length == len(text), nil
	}
	for _, piece := range pieces[1:last] {
		if !ok {
			return false, nil
		}
		text = text[length:]
		length, ok = piece.find(text)
	}
	return ok && pieces[last].isSuffix(text[length:]), nil
}

// piece is what stands between two % of a pattern.
type piece struct {
	runes []rune
	// text is the piece if it has no wildcard.
	text     string
	wildcard bool
}

func splitPattern(pattern string) ([]piece, error) {
	var pieces []piece
	var current piece
	escaped := false
	for _, c := range pattern {
		switch {
		case escaped && !strings.ContainsRune(`%_\`, c):
			return nil, badEscape(pattern)
		case !escaped && c == '\\':
			escaped = true
			continue
		case !escaped && c == '%':
			pieces = append(pieces, current.sealed())
			current = piece{}
			continue
		case !escaped && c == '_':
			c = anyRune
			current.wildcard = true
		}
		escaped = false
		current.runes = append(current.runes, c)
	}
	if escaped {
		return nil, badEscape(pattern)
	}
	return append(pieces, current.sealed()), nil
}

func (p piece) sealed() piece {
	if !p.wildcard {
		p.text = string(p.runes)
	}
	return p
}

func badEscape(pattern string) error {
	return fmt.Errorf(`the LIKE pattern %q has a backslash before something else than %%, _ and \`, pattern)
}

// prefix reports whether the text begins with the piece, and in how many
// bytes.
func (p piece) prefix(text string) (length int, ok bool) {
	if !p.wildcard {
		return len(p.text), strings.HasPrefix(text, p.text)
	}
	for _, want := range p.runes {
		c, size := utf8.DecodeRuneInString(text[length:])
		if size == 0 || c != want && (want != anyRune || strings.ContainsRune(lineTerminators, c)) {
			return 0, false
		}
		length += size
	}
	return length, true
}

// find is the end of the first place where the piece stands in the text.
func (p piece) find(text string) (end int, ok bool) {
	if !p.wildcard {
		i := strings.Index(text, p.text)
		return i + len(p.text), i >= 0
	}
	for i := range text {
		if length, ok := p.prefix(text[i:]); ok {
			return i + length, true
		}
	}
	return 0, false
}

func (p piece) isSuffix(text string) bool {
	start := len(text)
	for range p.runes {
		_, size := utf8.DecodeLastRuneInString(text[:start])
		start -= size
	}
	length, ok := p.prefix(text[start:])
	return ok && length == len(text)-start
}
