package predicate

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// leafRules are about what a function makes of its operand and its list of
// literals. Messages follow the name of the function.
var leafRules = []struct {
	code            Code
	holds           func(*Leaf) bool
	message, remedy string
}{
	{CodeMatchesNothing, (*Leaf).matchesNothing, "holds for no row here", "keep it only where every row is to be hidden"},
	{CodeMatchesAll, func(l *Leaf) bool { return l.Function == "TRUE" }, "holds for every row", "leave it out"},
	{CodeMatchesAll, (*Leaf).matchesValues, "holds for every value here, but not for NULL", "write IS_NOT_NULL"},
	{CodeNullIgnored, (*Leaf).ignoresNull, "takes no notice of a null in its list", "remove it; for NULL add IS_NULL with OR"},
	{CodeCharPadding, (*Leaf).comparesChar, "compares a CHAR as it is stored, with or without blanks at the end", "write the literal as the value is stored"},
	{CodeConstant, (*Leaf).isConstant, "compares no column, so it is the same for every row", "name a column, or write TRUE or FALSE"},
	{CodeNoLiterals, func(l *Leaf) bool { return l.Literals == nil }, "has no list of literals", `add "literals":[]`},
}

func (l *Leaf) matchesNothing() bool {
	switch l.Function {
	case "FALSE":
		return true
	case "IN", "ARRAYS_OVERLAP":
		return !slices.ContainsFunc(l.Literals, func(v Literal) bool { return !v.isNull() })
	default:
		return l.Function == "BETWEEN" && l.isReversed()
	}
}

func (l *Leaf) matchesValues() bool {
	switch l.Function {
	case "NOT_IN", "ARRAY_CONTAINS_ALL":
		return len(l.Literals) == 0
	default:
		return l.Function == "NOT_BETWEEN" && l.isReversed()
	}
}

func (l *Leaf) isReversed() bool {
	if len(l.Literals) != 2 {
		return false
	}
	order, ok := datatype.Compare(l.Literals[0].Value, l.Literals[1].Value)
	return ok && order > 0
}

func (l *Leaf) ignoresNull() bool {
	return functions[l.Function].nulls && slices.ContainsFunc(l.Literals, Literal.isNull)
}

func (v Literal) isNull() bool { return v.Value == datatype.Value(datatype.Null{}) }

func (l *Leaf) comparesChar() bool {
	return len(l.Literals) > 0 && l.literalType().Kind == datatype.KindChar
}

func (l *Leaf) isConstant() bool { return l.Transform.Name != "NULL" && len(l.Transform.reads()) == 0 }

// literalRules are about one literal of a function's list.
var literalRules = []struct {
	code    Code
	holds   func(literalPlace) bool
	message func(literalPlace) string
	remedy  string
}{
	{
		CodeLongLiteral, literalPlace.isTooLong,
		func(p literalPlace) string { return p.text() + " is longer than " + p.of.String() + " can be" },
		"shorten it, or leave the condition out",
	},
	{
		CodeFloat, literalPlace.isInexact,
		func(p literalPlace) string { return "FLOAT has no " + p.text() + " but " + p.exact() },
		"write IN for EQUAL and NOT_IN for NOT_EQUAL, or a number such as 0.5 that FLOAT has",
	},
	{
		CodeZero, literalPlace.isSignedZero,
		func(literalPlace) string { return "0.0 and -0.0 are two values" },
		"compare with another number if the column can hold -0.0",
	},
	{
		CodeNewLiteral, isOneOf(datatype.KindDate, datatype.KindTime, datatype.KindTimestamp), comparison,
		"compare a CAST to STRING with a text, behind IS NOT NULL in the same AND",
	},
	{
		CodeNewLiteral, isOneOf(datatype.KindDecimal), comparison,
		"compare a CAST to STRING with a text if it is for equality, behind IS NOT NULL in the same AND",
	},
	{CodeNewLiteral, isOneOf(datatype.KindTimestampLTZ), comparison, "filter by a column of another type"},
	{
		CodeLikeEscape, literalPlace.isSimpleEscape,
		func(p literalPlace) string { return p.text() + " escapes a character of a simple pattern" },
		"write EQUAL, STARTS_WITH, ENDS_WITH or CONTAINS, which have no wildcards",
	},
}

// literalPlace is a literal with its function, its type and its index.
type literalPlace struct {
	value    datatype.Value
	function string
	of       datatype.Type
	index    int
}

func (p literalPlace) text() string { return string(p.value.AppendJSON(nil)) }

// isTooLong leaves patterns out, whose wildcards and escapes have no length.
func (p literalPlace) isTooLong() bool {
	text, ok := p.value.(datatype.Text)
	return ok && p.of.IsText() && !functions[p.function].pattern && utf8.RuneCountInString(string(text)) > p.of.Length
}

// isInexact tells the FLOATs whose text is another number in double precision.
// It leaves lists out: every reader makes their literals FLOAT.
func (p literalPlace) isInexact() bool {
	f, ok := p.value.(datatype.Float)
	double, err := strconv.ParseFloat(p.text(), 64)
	return ok && err == nil && functions[p.function].max != noLimit && double != float64(f)
}

// exact is the number that a FLOAT is.
func (p literalPlace) exact() string {
	f, _ := p.value.(datatype.Float)
	return strconv.FormatFloat(float64(f), 'g', -1, 64)
}

// isSignedZero tells the comparisons with a zero for which the sign of the
// other zero counts: x > 0.0 is the same for both.
func (p literalPlace) isSignedZero() bool {
	zero, err := strconv.ParseFloat(p.text(), 64)
	if err != nil || zero != 0 || !isFloat(p.of) {
		return false
	}
	switch p.function {
	case "LESS_THAN", "GREATER_OR_EQUAL":
		return !math.Signbit(zero)
	case "GREATER_THAN", "LESS_OR_EQUAL":
		return math.Signbit(zero)
	case "BETWEEN", "NOT_BETWEEN":
		return math.Signbit(zero) == (p.index == 1)
	default:
		return true
	}
}

func isOneOf(kinds ...datatype.Kind) func(literalPlace) bool {
	return func(p literalPlace) bool {
		return slices.Contains(kinds, p.of.Kind) && p.value != datatype.Value(datatype.Null{})
	}
}

func comparison(p literalPlace) string { return "a " + p.of.Kind.String() + " is compared" }

// simplePattern is a LIKE pattern for which Java has a shortcut.
var simplePattern = regexp.MustCompile(`(?s)^%?[^%_]*%?$`)

func (p literalPlace) isSimpleEscape() bool {
	text, ok := p.value.(datatype.Text)
	return ok && p.function == "LIKE" && strings.Contains(string(text), `\`) && simplePattern.MatchString(string(text))
}

// transformRules are about a transform wherever it stands. Messages follow its
// name.
var transformRules = []struct {
	code            Code
	holds           func(Transform) bool
	message, remedy string
}{
	{CodeAlwaysNull, Transform.isAlwaysNull, "of a null is NULL for every row", "remove the null"},
	{CodeEmptyConcat, func(t Transform) bool { return t.Name == "CONCAT" && len(t.Inputs) == 0 }, "of nothing is the empty string", `concatenate ""`},
	{CodeCaseMapping, Transform.mapsSpecialLetters, "of this text does not map letters one to one", "write the text as it is to be"},
}

// isAlwaysNull knows the places where a null decides; CONCAT_WS skips others.
func (t Transform) isAlwaysNull() bool {
	at := slices.IndexFunc(t.Inputs, func(in Input) bool { return in.Kind == InputNull })
	return at == 0 || at > 0 && (t.Name == "CONCAT" || t.Name == "SUBSTRING")
}

// mapsSpecialLetters reports whether the text holds a letter whose upper or
// lower case is more than one letter or depends on its place.
func (t Transform) mapsSpecialLetters() bool {
	return slices.ContainsFunc(t.Inputs, func(in Input) bool {
		switch t.Name {
		case "UPPER":
			return cases.Upper(language.Und).String(in.Text) != strings.ToUpper(in.Text)
		case "LOWER":
			return cases.Lower(language.Und).String(in.Text) != strings.ToLower(in.Text)
		default:
			return false
		}
	})
}

// castRules are about the types of a CAST.
var castRules = []struct {
	code   Code
	holds  func(from, to datatype.Type) bool
	remedy string
}{
	{CodeTextCast, func(from, to datatype.Type) bool {
		return from.IsText() && !to.IsText() && to.Kind != datatype.KindBinary && to.Kind != datatype.KindVarbinary
	}, "make sure that every text converts"},
	{CodeFloatCast, func(from, to datatype.Type) bool { return isFloat(from) && to.IsText() }, "leave the number a number"},
	{CodeNestedCast, func(_, to datatype.Type) bool { return to.Kind >= datatype.KindArray }, "cast to a type that is not nested"},
	{CodeNestedText, func(from, to datatype.Type) bool { return from.Kind >= datatype.KindArray && to.IsText() }, "cast a column that is not nested"},
	{CodeBytesCast, func(from, to datatype.Type) bool {
		return to.IsText() && (from.Kind == datatype.KindBinary || from.Kind == datatype.KindVarbinary)
	}, "make sure that every value is UTF-8"},
	{CodeTimeText, func(from, to datatype.Type) bool {
		return from.Kind == datatype.KindTime && to.IsText()
	}, "leave the time a time, or compare it by LIKE without its fraction"},
	{CodeInstantText, func(from, to datatype.Type) bool {
		return from.Kind == datatype.KindTimestampLTZ && to.IsText()
	}, "cast a TIMESTAMP"},
	{CodeZoneCast, takesTimeZone, "run every reader in UTC, or cast neither from nor to TIMESTAMP_LTZ"},
	{CodeIntegerCast, func(from, to datatype.Type) bool { return isFloat(from) && isInteger(to) }, "make sure that every number fits"},
	{CodeDecimalCast, func(from, to datatype.Type) bool { return isFloat(from) && to.Kind == datatype.KindDecimal }, "cast a DECIMAL"},
	{CodeSecondsInt, func(from, to datatype.Type) bool { return isTimestamp(from) && to.Kind == datatype.KindInt }, "leave the time a time"},
	{CodeSecondsCast, func(from, to datatype.Type) bool {
		return isTimestamp(from) && from.Precision > 0 && to.Kind == datatype.KindBigInt
	}, "leave the time a time"},
	{CodeDayCast, func(from, to datatype.Type) bool {
		return from.Kind == datatype.KindTimestamp && to.Kind == datatype.KindDate
	}, "make sure that nothing is before 1970"},
	{CodeClockCast, func(from, to datatype.Type) bool {
		return from.Kind == datatype.KindTimestamp && to.Kind == datatype.KindTime
	}, "make sure that nothing is before 1970"},
	{CodeDigitsCast, losesDigits, "leave the timestamp its digits"},
}

func isFloat(t datatype.Type) bool {
	return t.Kind == datatype.KindFloat || t.Kind == datatype.KindDouble
}

func isInteger(t datatype.Type) bool {
	return slices.Contains([]datatype.Kind{datatype.KindTinyInt, datatype.KindSmallInt, datatype.KindInt, datatype.KindBigInt}, t.Kind)
}

func isTimestamp(t datatype.Type) bool {
	return t.Kind == datatype.KindTimestamp || t.Kind == datatype.KindTimestampLTZ
}

// takesTimeZone reports whether a CAST goes between an instant and what a clock
// shows. Numbers count from one instant, and a TIME becomes one in UTC.
func takesTimeZone(from, to datatype.Type) bool {
	shown := []datatype.Kind{datatype.KindChar, datatype.KindVarchar, datatype.KindDate, datatype.KindTimestamp}
	switch datatype.KindTimestampLTZ {
	case from.Kind:
		return to.Kind == datatype.KindTime || slices.Contains(shown, to.Kind)
	case to.Kind:
		return slices.Contains(shown, from.Kind)
	default:
		return false
	}
}

// losesDigits leaves out the cut of milliseconds to seconds, which all readers
// do alike.
func losesDigits(from, to datatype.Type) bool {
	return isTimestamp(from) && isTimestamp(to) && to.Precision < from.Precision && (to.Precision > 0 || from.Precision > 3)
}

// maskRules are about a transform as a mask. Messages follow its name.
var maskRules = []struct {
	code            Code
	holds           func(t Transform, onColumn string) bool
	message, remedy string
}{
	{CodeIdentity, Transform.isIdentity, "shows the masked column itself", "hide something of it, or drop the mask"},
	{CodeAlwaysEmpty, func(t Transform, _ string) bool {
		length, ok := t.position(2)
		return ok && length <= 0
	}, "of no characters is always empty", "ask for at least one character"},
	{CodeShortWhole, func(t Transform, _ string) bool {
		begin, ok := t.position(1)
		return ok && begin < 0
	}, "from the end shows a value whole that is not longer", "make sure that values are longer"},
	{CodeNullsInNotNull, func(t Transform, _ string) bool {
		return t.Name == "CAST" && t.Type.NotNull && !t.Field.Type.NotNull
	}, "may give NULL to a column that is NOT NULL", "cast a NOT NULL column"},
}

// isIdentity reports whether the mask shows its own column: masks must give
// the very type of the column, so a CAST of it changes nothing.
func (t Transform) isIdentity(onColumn string) bool {
	if !slices.Equal(t.reads(), []string{onColumn}) {
		return false
	}
	switch t.Name {
	case "FIELD_REF", "CAST":
		return true
	case "CONCAT":
		return len(t.Inputs) == 1
	case "SUBSTRING":
		begin, ok := t.position(1)
		return ok && len(t.Inputs) == 2 && (begin == 0 || begin == 1)
	default:
		return false
	}
}

// position is an integer among the inputs of SUBSTRING.
func (t Transform) position(i int) (int, bool) {
	if t.Name != "SUBSTRING" || i >= len(t.Inputs) || t.Inputs[i].Kind != InputInteger {
		return 0, false
	}
	n, err := strconv.Atoi(t.Inputs[i].Text)
	return n, err == nil
}
