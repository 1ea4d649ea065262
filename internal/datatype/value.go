package datatype

import (
	"math"
	"strconv"

	"github.com/cockroachdb/apd/v3"
)

// Value is the value of a literal or a row. That of a literal is one of
// [Null], [Bool], [Int], [Float], [Double], [Text], [Decimal], [Date], [Time],
// [Timestamp], [Instant] and [Verbatim], and knows its canonical JSON form by
// itself. Rows also have [Bytes], [List], [Map], [Record] and [Opaque].
type Value interface {
	// AppendJSON appends the form Paimon's servers write since
	// apache/paimon#9640: temporal values and decimals are strings.
	AppendJSON(dst []byte) []byte
	value()
}

type (
	// Null is the null literal, which every type has.
	Null struct{}
	// Bool is a BOOLEAN.
	Bool bool
	// Int is an integer of any width.
	Int int64
	// Float is a FLOAT.
	Float float32
	// Double is a DOUBLE.
	Double float64
	// Text is a CHAR, VARCHAR or STRING.
	Text string
	// Decimal is a DECIMAL, at the scale of its type. The number it points to
	// must not be changed.
	Decimal struct{ Number *apd.Decimal }
	// Date is a DATE, in days since 1970-01-01.
	Date int32
	// Time is a TIME, in milliseconds of the day: Paimon keeps no more.
	Time int32
	// Timestamp is a TIMESTAMP: date and time of day without a zone.
	Timestamp Moment
	// Instant is a TIMESTAMP_LTZ: a point on the time line.
	Instant Moment
	// Verbatim is compact JSON that no type explains. Servers keep it where
	// they check nothing, a text for a BOOLEAN column for example.
	Verbatim string
)

// Moment counts from 1970-01-01T00:00:00: in UTC for an [Instant], on the
// local clock for a [Timestamp].
type Moment struct {
	Seconds int64
	// Nanos is from 0 to 999,999,999.
	Nanos int32
}

func (Null) value()      {}
func (Bool) value()      {}
func (Int) value()       {}
func (Float) value()     {}
func (Double) value()    {}
func (Text) value()      {}
func (Decimal) value()   {}
func (Date) value()      {}
func (Time) value()      {}
func (Timestamp) value() {}
func (Instant) value()   {}
func (Verbatim) value()  {}

// AppendJSON implements [Value].
func (Null) AppendJSON(dst []byte) []byte { return append(dst, "null"...) }

// AppendJSON implements [Value].
func (v Bool) AppendJSON(dst []byte) []byte { return strconv.AppendBool(dst, bool(v)) }

// AppendJSON implements [Value].
func (v Int) AppendJSON(dst []byte) []byte { return strconv.AppendInt(dst, int64(v), 10) }

// AppendJSON implements [Value].
func (v Float) AppendJSON(dst []byte) []byte { return appendFloatJSON(dst, float64(v), 32) }

// AppendJSON implements [Value].
func (v Double) AppendJSON(dst []byte) []byte { return appendFloatJSON(dst, float64(v), 64) }

// AppendJSON implements [Value].
func (v Text) AppendJSON(dst []byte) []byte { return AppendJSONString(dst, string(v)) }

// AppendJSON implements [Value].
func (v Decimal) AppendJSON(dst []byte) []byte { return AppendJSONString(dst, v.Number.Text('f')) }

// AppendJSON implements [Value].
func (v Date) AppendJSON(dst []byte) []byte { return appendQuoted(dst, v.String()) }

// AppendJSON implements [Value].
func (v Time) AppendJSON(dst []byte) []byte { return appendQuoted(dst, v.String()) }

// AppendJSON implements [Value].
func (v Timestamp) AppendJSON(dst []byte) []byte { return appendQuoted(dst, v.String()) }

// AppendJSON implements [Value].
func (v Instant) AppendJSON(dst []byte) []byte { return appendQuoted(dst, v.String()) }

// AppendJSON implements [Value].
func (v Verbatim) AppendJSON(dst []byte) []byte { return append(dst, v...) }

func appendQuoted(dst []byte, text string) []byte {
	return append(append(append(dst, '"'), text...), '"')
}

// EqualValues reports whether two literals mean the same value, whatever types
// they were declared with: numbers compare by the number their canonical text
// spells, so 100 and 100.0 are equal, and so are a FLOAT and a DOUBLE 0.1. As
// in Paimon -0.0 and 0.0 differ. A number never equals a text.
func EqualValues(a, b Value) bool {
	x, y := number(a), number(b)
	if x == nil || y == nil {
		return a == b
	}
	return x.Negative == y.Negative && x.Cmp(y) == 0
}

// number is the exact decimal that the canonical text of a number spells, nil
// for other values.
func number(v Value) *apd.Decimal {
	switch v := v.(type) {
	case Int:
		return apd.New(int64(v), 0)
	case Float:
		return decimalOf(float64(v), 32)
	case Double:
		return decimalOf(float64(v), 64)
	case Decimal:
		return v.Number
	default:
		return nil
	}
}

func decimalOf(f float64, bits int) *apd.Decimal {
	if math.IsInf(f, 0) {
		return &apd.Decimal{Form: apd.Infinite, Negative: f < 0}
	}
	d, _, err := apd.NewFromString(strconv.FormatFloat(f, 'e', -1, bits))
	if err != nil {
		return nil
	}
	return d
}
