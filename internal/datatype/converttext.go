package datatype

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// convertText casts a text, with all that Java's parsers accept.
func convertText(text string, to Type) (Value, error) {
	switch to.Kind {
	case KindChar, KindVarchar:
		return fitText(text, to)
	case KindBinary, KindVarbinary:
		return fitBytes(text, to)
	case KindArray, KindMap, KindRow:
		return parseNested(text, to)
	default:
		v, ok := textReaders[to.Kind](text, to)
		if !ok {
			return nil, fmt.Errorf("%s cannot be cast to %s", jsonText(text), to)
		}
		return v, nil
	}
}

var textReaders = map[Kind]func(text string, to Type) (Value, bool){
	KindBoolean:      readBool,
	KindTinyInt:      readInteger,
	KindSmallInt:     readInteger,
	KindInt:          readInteger,
	KindBigInt:       readInteger,
	KindFloat:        readFloat,
	KindDouble:       readFloat,
	KindDecimal:      readDecimal,
	KindDate:         readDate,
	KindTime:         readTime,
	KindTimestamp:    readTimestamp,
	KindTimestampLTZ: readInstant,
}

// trimJava is String.trim.
func trimJava(text string) string {
	return strings.TrimFunc(text, func(c rune) bool { return c <= ' ' })
}

var (
	trueWords  = []string{"t", "true", "y", "yes", "1"}
	falseWords = []string{"f", "false", "n", "no", "0"}
)

func readBool(text string, _ Type) (Value, bool) {
	word := strings.ToLower(text)
	isTrue := slices.Contains(trueWords, word)
	return Bool(isTrue), isTrue || slices.Contains(falseWords, word)
}

var integerText = regexp.MustCompile(`^([+-]?)(\d*)(\.\d*)?$`)

// readInteger reads an integer in range. A fraction is cut off, and even the
// digits before it may be missing.
func readInteger(text string, to Type) (Value, bool) {
	parts := integerText.FindStringSubmatch(text)
	if parts == nil || parts[2] == "" && parts[3] == "" {
		return nil, false
	}
	n, err := strconv.ParseInt(parts[1]+"0"+parts[2], 10, integerBits[to.Kind])
	return Int(n), err == nil
}

// floatText is what Double.parseDouble takes, which is more than JSON and less
// than Go.
var floatText = regexp.MustCompile(
	`^[+-]?(NaN|Infinity|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[fFdD]?|(0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?\d+)[fFdD]?)$`)

// readFloat reads a number of any size: what is too large is infinite.
func readFloat(text string, to Type) (Value, bool) {
	text = trimJava(text)
	if !floatText.MatchString(text) {
		return nil, false
	}
	if strings.HasSuffix(text, "NaN") {
		text = "NaN" // Java lets it have a sign, Go does not.
	}
	number := strings.TrimRight(text, "fFdD")
	if to.Kind == KindFloat {
		f, _ := strconv.ParseFloat(number, 32)
		return Float(f), true
	}
	f, _ := strconv.ParseFloat(number, 64)
	return Double(f), true
}

var decimalText = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)

func readDecimal(text string, to Type) (Value, bool) {
	if !decimalText.MatchString(text) {
		return nil, false
	}
	// apd refuses the exponents that are far from every DECIMAL; rounding looks
	// at the exponent first and needs no digits for them.
	digits, exponent, scientific := strings.Cut(strings.ToLower(text), "e")
	d, _, err := apd.NewFromString(digits)
	if err != nil {
		return nil, false
	}
	if scientific {
		e, err := strconv.ParseInt(exponent, 10, 32)
		if err != nil {
			return nil, false
		}
		d.Exponent += int32(min(max(e, -1e9), 1e9))
	}
	return round(d, to), true
}
