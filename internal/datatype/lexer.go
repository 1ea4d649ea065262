package datatype

import (
	"fmt"
	"strings"
	"unicode"
)

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenNumber
	tokenQuoted
	tokenSign
)

// token is a piece of a type text: a word, a number, a quoted text or one of
// the signs.
type token struct {
	kind tokenKind
	text string
	// keyword is the word in upper case; empty for other tokens.
	keyword string
}

const signs = "<>(),."

// tokenize cuts a type text as Paimon does: words end at white space or at a
// sign only, so "INTNOT" and "OGC:CRS84" are one word each, and keywords are
// compared in upper case as Java maps it (the dotless ı is an I).
func tokenize(text string) ([]token, error) {
	var tokens []token
	runes := []rune(text)
	for i := 0; i < len(runes); {
		c := runes[i]
		switch {
		case isJavaSpace(c):
			i++
		case strings.ContainsRune(signs, c):
			tokens = append(tokens, token{kind: tokenSign, text: string(c)})
			i++
		case c == '\'' || c == '`':
			quoted, next, ok := quotedText(runes, i)
			if !ok {
				return nil, fmt.Errorf("the quotation that starts with %s does not end", string(runes[i:]))
			}
			tokens = append(tokens, token{kind: tokenQuoted, text: quoted})
			i = next
		case isDigit(c):
			end := scan(runes, i, isDigit)
			tokens = append(tokens, token{kind: tokenNumber, text: string(runes[i:end])})
			i = end
		default:
			end := scan(runes, i, isWordRune)
			word := string(runes[i:end])
			tokens = append(tokens, token{kind: tokenWord, text: word, keyword: strings.ToUpper(word)})
			i = end
		}
	}
	return tokens, nil
}

func scan(runes []rune, i int, in func(rune) bool) int {
	for i < len(runes) && in(runes[i]) {
		i++
	}
	return i
}

// quotedText reads a quotation whose quote sign is doubled inside it.
func quotedText(runes []rune, i int) (text string, next int, ok bool) {
	quote := runes[i]
	var b strings.Builder
	for i++; i < len(runes); i++ {
		if runes[i] != quote {
			b.WriteRune(runes[i])
			continue
		}
		if i+1 >= len(runes) || runes[i+1] != quote {
			return b.String(), i + 1, true
		}
		b.WriteRune(quote)
		i++
	}
	return "", i, false
}

func isDigit(c rune) bool { return '0' <= c && c <= '9' }

func isWordRune(c rune) bool { return !isJavaSpace(c) && !strings.ContainsRune(signs, c) }

// isJavaSpace is Java's Character.isWhitespace: Unicode separators but the
// non-breaking ones, and the control characters that separate.
func isJavaSpace(c rune) bool {
	switch c {
	case '\u00a0', '\u2007', '\u202f':
		return false
	case '\t', '\n', '\v', '\f', '\r', 0x1c, 0x1d, 0x1e, 0x1f:
		return true
	}
	return unicode.Is(unicode.Z, c)
}

// quoteCRS quotes a reference system that would not be read back as one word.
func quoteCRS(crs string) string {
	tokens, err := tokenize(crs)
	if err == nil && len(tokens) == 1 && tokens[0].kind == tokenWord && tokens[0].text == crs {
		return crs
	}
	return "'" + strings.ReplaceAll(crs, "'", "''") + "'"
}
