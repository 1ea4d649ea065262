package predicate

import (
	"math"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// concat of nothing is an empty text, as in Java; in pypaimon it is null.
func concat(in *inputs) datatype.Value {
	var b strings.Builder
	for i := range in.count() {
		b.WriteString(in.text(i))
	}
	return datatype.Text(b.String())
}

// upper and lower map as Unicode says, with the mappings to several characters
// (straße, STRASSE) and the final sigma that Java has and pypaimon has not.
func upper(in *inputs) datatype.Value {
	return datatype.Text(cases.Upper(language.Und).String(in.text(0)))
}

func lower(in *inputs) datatype.Value {
	return datatype.Text(cases.Lower(language.Und).String(in.text(0)))
}

func length(in *inputs) datatype.Value {
	return datatype.Int(utf8.RuneCountInString(in.text(0)))
}

func bitLength(in *inputs) datatype.Value { return datatype.Int(len(in.text(0)) * 8) }

// substring takes positions as SQL does since apache/paimon#9329; before,
// those below one threw.
func substring(in *inputs) datatype.Value {
	most := int32(math.MaxInt32)
	if in.count() > 2 {
		most = in.integer(2)
	}
	return datatype.Text(slice(in.text(0), in.integer(1), most))
}

// slice is a part of a text, in characters: the first has position 1 and also
// 0, a negative one counts from the end. The part of it that lies before the
// text counts for the length.
func slice(text string, position, length int32) string {
	runes := []rune(text)
	start := int64(position) - 1
	switch {
	case position == 0:
		start = 0
	case position < 0:
		start = int64(len(runes)) + int64(position)
	}
	// Java saturates the end.
	end := min(start+int64(length), math.MaxInt32)
	start, end = max(start, 0), min(end, int64(len(runes)))
	if start >= end {
		return ""
	}
	return string(runes[start:end])
}

// trim takes off the characters of the second input, a set; blanks only if
// there is none.
func trim(in *inputs) datatype.Value {
	set := " "
	if in.count() > 1 {
		set = in.text(1)
	}
	trimmed := in.text(0)
	if in.option != "TRAILING" {
		trimmed = strings.TrimLeft(trimmed, set)
	}
	if in.option != "LEADING" {
		trimmed = strings.TrimRight(trimmed, set)
	}
	return datatype.Text(trimmed)
}

// translate replaces characters by those at the same place of the third input
// and deletes those that have none there, or a NUL. Of duplicates the first
// counts.
func translate(in *inputs) datatype.Value {
	to := []rune(in.text(2))
	mapping := make(map[rune]rune)
	for i, c := range []rune(in.text(1)) {
		if _, seen := mapping[c]; seen {
			continue
		}
		mapping[c] = -1 // strings.Map deletes it.
		if i < len(to) && to[i] != 0 {
			mapping[c] = to[i]
		}
	}
	return datatype.Text(strings.Map(func(c rune) rune {
		if mapped, ok := mapping[c]; ok {
			return mapped
		}
		return c
	}, in.text(0)))
}

// overlay replaces as many characters as the replacement has, if the length is
// negative or missing. Positions wrap at 32 bits, as in Java.
func overlay(in *inputs) datatype.Value {
	text, replacement, position := in.text(0), in.text(1), in.integer(2)
	replaced := int32(-1)
	if in.count() > 3 {
		replaced = in.integer(3)
	}
	if replaced < 0 {
		replaced = int32(utf8.RuneCountInString(replacement)) //nolint:gosec // No text is that long.
	}
	return datatype.Text(slice(text, 1, position-1) + replacement + slice(text, position+replaced, math.MaxInt32))
}

// pad cuts a text that is longer, and one that there is nothing to pad with.
func pad(in *inputs) datatype.Value {
	text, want, padding := in.text(0), in.integer(1), in.text(2)
	missing := int(want) - utf8.RuneCountInString(text)
	if missing <= 0 || padding == "" {
		return datatype.Text(slice(text, 1, want))
	}
	if missing > datatype.MaxPadding {
		in.failf("padding by %d characters is not supported here", missing)
		return datatype.Null{}
	}
	unit := []rune(padding)
	filled := strings.Repeat(padding, missing/len(unit)) + string(unit[:missing%len(unit)])
	if in.option == "LEFT" {
		return datatype.Text(filled + text)
	}
	return datatype.Text(text + filled)
}
