package datatype

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cockroachdb/apd/v3"
)

// MaxPadding is how long a text or binary value may get by padding here.
// Types allow two thousand times as much, of which nobody would see the end.
const MaxPadding = 1 << 20

// ErrNullCast is the error of a CAST whose value is NULL: Java readers throw a
// NullPointerException.
var ErrNullCast = errors.New("CAST of NULL: Java readers throw a NullPointerException")

// Convert is CAST as the Java readers of 2.0.0 compute it. Where they throw it
// is an error; a decimal that has too many digits is [Null]. The time zone, in
// Java that of the process, is UTC.
func Convert(v Value, from, to Type) (Value, error) {
	if !CanCast(from, to) {
		return nil, fmt.Errorf("there is no cast from %s to %s", from, to)
	}
	switch v := v.(type) {
	case Null:
		// Java hands the value of a timestamp on without touching it, unless
		// fraction digits have to go.
		if from.Kind == to.Kind && from.isTemporal() && from.Precision <= to.Precision {
			return Null{}, nil
		}
		return nil, ErrNullCast
	case Bool:
		return convertBool(bool(v), to)
	case Int:
		return convertInteger(int64(v), to)
	case Float:
		return convertFloat(float64(v), 32, to)
	case Double:
		return convertFloat(float64(v), 64, to)
	case Decimal:
		return convertDecimal(v.Number, from, to)
	case Text:
		return convertText(string(v), to)
	case Bytes:
		return convertBytes(string(v), to)
	case Date:
		return convertDate(v, to), nil
	case Time:
		return convertTime(v, from, to), nil
	case Timestamp:
		return convertMoment(Moment(v), from, to), nil
	case Instant:
		return convertMoment(Moment(v), from, to), nil
	case List, Map, Record:
		text, err := nestedText(v, from)
		return Text(text), err
	default:
		return nil, fmt.Errorf("a value of %s was expected", from)
	}
}

func convertBool(b bool, to Type) (Value, error) {
	if to.IsText() {
		return fitText(strconv.FormatBool(b), to)
	}
	return convertInteger(int64(rank(b)), to)
}

func convertInteger(n int64, to Type) (Value, error) {
	switch to.Kind {
	case KindBoolean:
		return Bool(n != 0), nil
	case KindFloat:
		return Float(n), nil
	case KindDouble:
		return Double(n), nil
	case KindDecimal:
		return round(apd.New(n, 0), to), nil
	case KindTimestamp:
		return Timestamp{Seconds: n}, nil
	case KindTimestampLTZ:
		return Instant{Seconds: n}, nil
	case KindChar, KindVarchar:
		return fitText(strconv.FormatInt(n, 10), to)
	default:
		return narrow(n, to), nil
	}
}

// narrow keeps the low bits, as Java does: integers wrap.
func narrow(n int64, to Type) Int {
	unused := 64 - integerBits[to.Kind]
	return Int(n << unused >> unused)
}

func convertFloat(f float64, bits int, to Type) (Value, error) {
	switch to.Kind {
	case KindFloat:
		return Float(f), nil
	case KindDouble:
		return Double(f), nil
	case KindDecimal:
		// Java makes a double of a FLOAT first, so 0.1 gets all its digits.
		d := decimalOf(f, 64)
		if d == nil || d.Form != apd.Finite {
			return nil, fmt.Errorf("%s has no DECIMAL", javaFloat(f, bits))
		}
		return round(d, to), nil
	case KindChar, KindVarchar:
		return fitText(javaFloat(f, bits), to)
	default:
		if math.IsNaN(f) {
			return Int(0), nil
		}
		return narrow(saturate(f, max(integerBits[to.Kind], 32)), to), nil
	}
}

// mostCompactDigits is the precision up to which Java keeps a DECIMAL in a
// long.
const mostCompactDigits = 18

func convertDecimal(d *apd.Decimal, from, to Type) (Value, error) {
	switch to.Kind {
	case KindFloat:
		return Float(decimalFloat(d, from)), nil
	case KindDouble:
		return Double(decimalFloat(d, from)), nil
	case KindDecimal:
		return round(d, to), nil
	case KindChar, KindVarchar:
		return fitText(d.Text('f'), to)
	default:
		whole, _, _ := strings.Cut(d.Text('f'), ".")
		return narrow(lowBits(whole), to), nil
	}
}

// decimalFloat divides a compact decimal by its scale, as Java does, which may
// round twice.
func decimalFloat(d *apd.Decimal, from Type) float64 {
	if from.Precision <= mostCompactDigits && d.Coeff.IsInt64() {
		f := float64(d.Coeff.Int64()) / math.Pow10(from.Scale)
		if d.Negative {
			return -f
		}
		return f
	}
	f, _ := strconv.ParseFloat(d.Text('e'), 64)
	return f
}

// round gives the decimal the scale of the type, rounding half away from zero,
// and [Null] if it then has more digits than the type.
func round(d *apd.Decimal, t Type) Value {
	digits, exponent := uint32(t.Precision), -int32(t.Scale) //nolint:gosec // Both are at most 38.
	leading := d.NumDigits() + int64(d.Exponent)             // The place of the first digit.
	switch {
	case d.IsZero() || leading < int64(exponent):
		return Decimal{apd.New(0, exponent)}
	case leading > int64(t.Precision-t.Scale):
		return Null{}
	}
	context := apd.BaseContext.WithPrecision(digits + 1)
	context.Rounding = apd.RoundHalfUp
	rounded := new(apd.Decimal)
	if _, err := context.Quantize(rounded, d, exponent); err != nil || rounded.NumDigits() > int64(digits) {
		return Null{}
	}
	rounded.Negative = rounded.Negative && !rounded.IsZero()
	return Decimal{rounded}
}

func convertBytes(data string, to Type) (Value, error) {
	if to.IsText() {
		// No length applies. Java shows a replacement character for what is
		// no UTF-8.
		return Text(string([]rune(data))), nil
	}
	return fitBytes(data, to)
}

// fitText cuts a text to the length of the type and pads it with blanks if the
// type is CHAR.
func fitText(text string, to Type) (Value, error) {
	if len(text) > to.Length {
		text = firstRunes(text, to.Length)
	}
	if to.Kind != KindChar {
		return Text(text), nil
	}
	missing := to.Length - utf8.RuneCountInString(text)
	if missing > MaxPadding {
		return nil, fmt.Errorf("padding to %s is not supported here", to)
	}
	return Text(text + strings.Repeat(" ", missing)), nil
}

func firstRunes(text string, most int) string {
	for i := range text {
		if most == 0 {
			return text[:i]
		}
		most--
	}
	return text
}

// fitBytes cuts binary data to the length of the type and pads it with zeros
// if the type is BINARY.
func fitBytes(data string, to Type) (Value, error) {
	data = data[:min(len(data), to.Length)]
	if to.Kind != KindBinary {
		return Bytes(data), nil
	}
	missing := to.Length - len(data)
	if missing > MaxPadding {
		return nil, fmt.Errorf("padding to %s is not supported here", to)
	}
	return Bytes(data + strings.Repeat("\x00", missing)), nil
}
