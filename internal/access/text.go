package access

import (
	"strconv"
	"strings"
	"unicode/utf16"
)

// IsBlank is the contract's notion of blank, Java's trim().isEmpty(): nothing but characters up to U+0020.
func IsBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > ' ' })
}

func utf16Length(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

func quote(text string) string {
	return strconv.Quote(text)
}

// oneOf says what to use of some names that are not none.
func oneOf[T ~string](names []T) string {
	if len(names) == 1 {
		return "Use " + string(names[0])
	}
	return "Use one of " + list(names)
}

// list joins names for a message: "A, B and C".
func list[T ~string](names []T) string {
	var b strings.Builder
	for i, name := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			b.WriteString(" and ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(string(name))
	}
	return b.String()
}
