package datatype

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// convertText casts a text, with all that Java's parsers accept.
func convertText(text string, to Type) (Value, error) {
	var v Value
	var ok bool
	switch to.Kind {
	case KindChar, KindVarchar:
		return fitText(text, to)
	case KindBinary, KindVarbinary:
		return fitBytes(text, to)
	case KindArray, KindMap, KindRow:
		return parseNested(text, to)
	case KindBoolean:
		v, ok = readBool(text)
	case KindFloat:
		v, ok = readFloat(text)
	case KindDouble:
		v, ok = readDouble(text)
	case KindDecimal:
		v, ok = readDecimal(text, to)
	case KindDate:
		v, ok = readDate(text)
	case KindTime:
		v, ok = readTime(text)
	case KindTimestamp:
		var m Moment
		m, ok = readTimestamp(text, to.Precision)
		v = Timestamp(m)
	case KindTimestampLTZ:
		var m Moment
		m, ok = readDateTime(text, to.Precision)
		v = Instant(m)
	default:
		v, ok = readInteger(text, integerBits[to.Kind])
	}
	if !ok {
		return nil, fmt.Errorf("%s cannot be cast to %s", jsonText(text), to)
	}
	return v, nil
}

// trimJava is String.trim.
func trimJava(text string) string {
	return strings.TrimFunc(text, func(c rune) bool { return c <= ' ' })
}

var (
	trueWords  = []string{"t", "true", "y", "yes", "1"}
	falseWords = []string{"f", "false", "n", "no", "0"}
)

func readBool(text string) (Value, bool) {
	word := strings.ToLower(text)
	isTrue := slices.Contains(trueWords, word)
	return Bool(isTrue), isTrue || slices.Contains(falseWords, word)
}

var integerText = regexp.MustCompile(`^([+-]?)(\d*)(\.\d*)?$`)

// readInteger reads an integer in range. A fraction is cut off, and even the
// digits before it may be missing.
func readInteger(text string, bits int) (Value, bool) {
	parts := integerText.FindStringSubmatch(text)
	if parts == nil || parts[2] == "" && parts[3] == "" {
		return nil, false
	}
	n, err := strconv.ParseInt(parts[1]+"0"+parts[2], 10, bits)
	return Int(n), err == nil
}

// floatText is what Double.parseDouble takes, which is more than JSON and less
// than Go.
var floatText = regexp.MustCompile(
	`^[+-]?(NaN|Infinity|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[fFdD]?|(0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?\d+)[fFdD]?)$`)

func readFloat(text string) (Value, bool) {
	f, ok := parseJavaFloat(text, 32)
	return Float(f), ok
}

func readDouble(text string) (Value, bool) {
	f, ok := parseJavaFloat(text, 64)
	return Double(f), ok
}

func parseJavaFloat(text string, bits int) (float64, bool) {
	text = trimJava(text)
	switch {
	case !floatText.MatchString(text):
		return 0, false
	case strings.HasSuffix(text, "NaN"):
		return math.NaN(), true // Java lets it have a sign, Go does not.
	}
	f, _ := strconv.ParseFloat(strings.TrimRight(text, "fFdD"), bits) // Too large is infinite, in Java too.
	return f, true
}

var decimalText = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)

func readDecimal(text string, to Type) (Value, bool) {
	if !decimalText.MatchString(text) {
		return nil, false
	}
	// An exponent beyond 32 bits throws in Java; apd ends earlier, where every
	// number is zero or too large for any DECIMAL.
	if _, exponent, found := strings.Cut(strings.ToLower(text), "e"); found {
		if e, err := strconv.ParseInt(exponent, 10, 32); err != nil {
			return nil, false
		} else if e > apd.MaxExponent || e < apd.MinExponent {
			return extremeDecimal(text, e > 0, to), true
		}
	}
	d, _, err := apd.NewFromString(text)
	if err != nil {
		return nil, false
	}
	return round(d, to), true
}

// extremeDecimal is a decimal too large or too small for arithmetic.
func extremeDecimal(text string, large bool, to Type) Value {
	digits, _, _ := strings.Cut(strings.ToLower(text), "e")
	if large && strings.Trim(digits, "+-.0") != "" {
		return Null{}
	}
	return round(new(apd.Decimal), to)
}
