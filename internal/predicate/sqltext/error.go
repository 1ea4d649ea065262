package sqltext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
)

// Error says why a text does not compile: the first thing that is wrong.
type Error struct {
	predicate.Position
	Message string
	// Remedy says what to write instead.
	Remedy string
	// Excerpt is the line of the text, cut where it is long, and a caret under
	// the place on a second line.
	Excerpt string
}

// Error is the place, the message, the excerpt and the remedy. The excerpt is
// indented: Terraform wraps other lines.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s\n\n  %s\n\n%s",
		e.Line, e.Column, e.Message, strings.ReplaceAll(e.Excerpt, "\n", "\n  "), e.Remedy)
}

func newError(sql string, offset int, message, remedy string) *Error {
	at := positionOf(sql, offset)
	before := sql[strings.LastIndexByte(sql[:offset], '\n')+1 : offset]
	after, _, _ := strings.Cut(sql[offset:], "\n")
	return &Error{Position: at, Message: message, Remedy: remedy, Excerpt: excerpt(before, strings.TrimSuffix(after, "\r"))}
}

func positionOf(sql string, offset int) predicate.Position {
	before := sql[:offset]
	return predicate.Position{
		Line:   1 + strings.Count(before, "\n"),
		Column: 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]),
		Offset: offset,
	}
}

// An excerpt and its indentation fit a terminal of 80 columns.
const (
	excerptCells = 75
	cellsBefore  = 50
)

// excerpt shows a line around the place between before and after. A tab is
// shown as one blank and a hidden character as a replacement, so that the
// caret stands where it should on every screen.
func excerpt(before, after string) string {
	before, after = visible(before), visible(after)
	if cut := lastCells(before, cellsBefore); cut != before {
		before = "…" + cut
	}
	if cut := firstCells(after, excerptCells-cellCount(before)); cut != after {
		after = cut + "…"
	}
	return before + after + "\n" + strings.Repeat(" ", cellCount(before)) + "^"
}

func visible(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\t':
			return ' '
		case isHidden(c):
			return utf8.RuneError
		default:
			return c
		}
	}, text)
}

// firstCells is the longest beginning of a text within a number of cells.
func firstCells(text string, most int) string {
	for i, c := range text {
		if most -= cells(c); most < 0 {
			return text[:i]
		}
	}
	return text
}

// lastCells is the longest end of a text within a number of cells.
func lastCells(text string, most int) string {
	for i := len(text); i > 0; {
		c, size := utf8.DecodeLastRuneInString(text[:i])
		if most -= cells(c); most < 0 {
			return text[i:]
		}
		i -= size
	}
	return text
}

func cellCount(text string) int {
	count := 0
	for _, c := range text {
		count += cells(c)
	}
	return count
}

// cells is how many columns of a terminal a character takes.
func cells(c rune) int {
	if unicode.In(c, unicode.Mn, unicode.Me) {
		return 0
	}
	switch width.LookupRune(c).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	default:
		return 1
	}
}
