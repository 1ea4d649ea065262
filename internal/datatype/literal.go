package datatype

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
)

// Object is a JSON object of a literal, in the order it was written.
type Object []Member

// Member is a key of an [Object] with its value.
type Member struct {
	Key   string
	Value any
}

// Refusal says who refuses a literal.
type Refusal uint8

const (
	// RefusedByClient is a literal that Paimon's servers coerce, silently
	// changing it, so that a careful client refuses it.
	RefusedByClient Refusal = iota
	// RefusedByServer is one that the newest servers refuse too and older ones
	// wrote.
	RefusedByServer
	// RefusedByAll is one of which nobody can tell what value is meant.
	RefusedByAll
)

// LiteralError says what is wrong with a literal and what to write instead.
type LiteralError struct {
	Refusal Refusal
	Message string
	Remedy  string
}

func (e *LiteralError) Error() string { return e.Message + "; " + e.Remedy }

// Decode reads the JSON literal of a type. A literal is nil, a bool, a
// [json.Number], a string, a []any of literals or an [Object].
//
// Beside an error the value still is what a Paimon server makes of the literal
// (5 is "5" as a STRING, 128 wraps to -128 as a TINYINT), unless the error is
// RefusedByAll. Decimals must fit their type without rounding; years are 0 to
// 9999.
func Decode(literal any, t Type) (Value, *LiteralError) {
	if literal == nil {
		return Null{}, nil
	}
	if t.IsText() {
		return decodeText(literal)
	}
	decode := literalDecoders[t.Kind]
	if decode == nil {
		return nil, unreadable("a value of type "+t.String()+" cannot be written in a predicate",
			"test it with IS_NULL or IS_NOT_NULL only")
	}
	return decode(literal, t)
}

var literalDecoders = map[Kind]func(any, Type) (Value, *LiteralError){
	KindBoolean:      decodeBool,
	KindTinyInt:      decodeInt,
	KindSmallInt:     decodeInt,
	KindInt:          decodeInt,
	KindBigInt:       decodeInt,
	KindFloat:        decodeFloat,
	KindDouble:       decodeDouble,
	KindDecimal:      decodeDecimal,
	KindDate:         decodeDate,
	KindTime:         decodeTime,
	KindTimestamp:    decodeTimestamp,
	KindTimestampLTZ: decodeInstant,
}

func careless(message, remedy string) *LiteralError {
	return &LiteralError{Refusal: RefusedByClient, Message: message, Remedy: remedy}
}

func unreadable(message, remedy string) *LiteralError {
	return &LiteralError{Refusal: RefusedByAll, Message: message, Remedy: remedy}
}

func outdated(form, remedy string) *LiteralError {
	return &LiteralError{
		Refusal: RefusedByServer,
		Message: form + " is the form of servers before apache/paimon#9640",
		Remedy:  remedy,
	}
}

func decodeBool(literal any, _ Type) (Value, *LiteralError) {
	if b, ok := literal.(bool); ok {
		return Bool(b), nil
	}
	return Verbatim(appendJackson(nil, literal)), careless(
		jsonText(literal)+" is not a BOOLEAN: servers store it and every query fails", "write true or false")
}

func decodeText(literal any) (Value, *LiteralError) {
	if s, ok := literal.(string); ok {
		return Text(s), nil
	}
	text := Text(appendJava(nil, literal))
	return text, careless(jsonText(literal)+" is not a string: servers store it as text",
		"write "+string(text.AppendJSON(nil)))
}

var integerBits = map[Kind]int{KindTinyInt: 8, KindSmallInt: 16, KindInt: 32, KindBigInt: 64}

func decodeInt(literal any, t Type) (Value, *LiteralError) {
	bits := integerBits[t.Kind]
	limits := strconv.Itoa(-1<<(bits-1)) + " to " + strconv.Itoa(1<<(bits-1)-1)
	remedy := "write an integer from " + limits
	n, ok := literal.(json.Number)
	if !ok {
		return nil, unreadable(jsonText(literal)+" is not a number", remedy)
	}
	coerced := Int(javaInteger(n.String(), bits))
	if !isInteger(n.String()) {
		return coerced, careless(n.String()+" is not written as an integer: servers cut it to "+
			strconv.FormatInt(int64(coerced), 10), remedy)
	}
	if _, err := strconv.ParseInt(n.String(), 10, bits); err != nil {
		return coerced, careless(n.String()+" is out of the range of "+t.Kind.String()+
			": servers wrap it to "+strconv.FormatInt(int64(coerced), 10), remedy)
	}
	return coerced, nil
}

func decodeFloat(literal any, _ Type) (Value, *LiteralError) {
	n, ok := literal.(json.Number)
	if !ok {
		return nil, notANumber(literal)
	}
	f := Float(javaFloat32(n.String()))
	if !spells(n.String(), float64(f), 32) {
		return f, inexact(n, "FLOAT", f)
	}
	return f, nil
}

func decodeDouble(literal any, _ Type) (Value, *LiteralError) {
	n, ok := literal.(json.Number)
	if !ok {
		return nil, notANumber(literal)
	}
	d := Double(javaDouble(n.String()))
	if !spells(n.String(), float64(d), 64) {
		return d, inexact(n, "DOUBLE", d)
	}
	return d, nil
}

func notANumber(literal any) *LiteralError {
	return unreadable(jsonText(literal)+" is not a number", "write a finite JSON number")
}

func inexact(n json.Number, kind string, v Value) *LiteralError {
	stored := string(v.AppendJSON(nil))
	if strings.HasPrefix(stored, `"`) {
		return careless(n.String()+" is out of the range of "+kind+
			": servers store "+stored+", which no query can read", "write a smaller number")
	}
	return careless(n.String()+" is not a value of "+kind+": servers store "+stored, "write "+stored)
}

func decodeDecimal(literal any, t Type) (Value, *LiteralError) {
	remedy := "write a string with at most " + strconv.Itoa(t.Precision-t.Scale) + " digits before and " +
		strconv.Itoa(t.Scale) + " after the point"
	switch literal := literal.(type) {
	case string:
		if v, ok := parseDecimal(literal, t); ok {
			return v, nil
		}
	case json.Number:
		if v, ok := parseDecimal(literal.String(), t); ok {
			return v, outdated("a number for "+t.Kind.String(), "write "+string(v.AppendJSON(nil)))
		}
	}
	return nil, unreadable(jsonText(literal)+" is not a value of "+t.String(), remedy)
}

// parseDecimal reads plain or scientific notation. Servers would round what
// does not fit the scale and turn what does not fit the precision into a null
// that matches nothing, so neither is taken for a value.
func parseDecimal(text string, t Type) (Decimal, bool) {
	if strings.Trim(text, "+-.0123456789eE") != "" {
		return Decimal{}, false
	}
	d, _, err := apd.NewFromString(text)
	if err != nil {
		return Decimal{}, false
	}
	d = rescale(d, t)
	return Decimal{d}, d != nil
}

func decodeDate(literal any, _ Type) (Value, *LiteralError) {
	const remedy = `write "YYYY-MM-DD"`
	switch literal := literal.(type) {
	case string:
		if v, ok := parseDate(literal); ok {
			return v, nil
		}
	case []any:
		if v, ok := dateFromParts(intParts(literal)); ok {
			return v, outdated("an array for DATE", "write "+string(v.AppendJSON(nil)))
		}
	}
	return nil, unreadable(jsonText(literal)+" is not a DATE", remedy)
}

func decodeTime(literal any, _ Type) (Value, *LiteralError) {
	const remedy = `write "HH:MM:SS" or "HH:MM:SS.fff"`
	switch literal := literal.(type) {
	case string:
		if clock, ok := parseClock(literal); ok {
			v := Time(clock.Milliseconds()) //nolint:gosec // of one day
			if clock%time.Millisecond != 0 {
				return v, careless(jsonText(literal)+" has more than milliseconds: servers store "+v.String(), remedy)
			}
			return v, nil
		}
	case []any:
		if clock, ok := clockFromParts(intParts(literal)); ok {
			v := Time(clock.Milliseconds()) //nolint:gosec // of one day
			return v, outdated("an array for TIME", "write "+string(v.AppendJSON(nil)))
		}
	}
	return nil, unreadable(jsonText(literal)+" is not a TIME", remedy)
}

func decodeTimestamp(literal any, _ Type) (Value, *LiteralError) {
	const remedy = `write "YYYY-MM-DDTHH:MM:SS" with up to nine fraction digits and without a zone`
	switch literal := literal.(type) {
	case string:
		if m, ok := parseMoment(literal); ok {
			return Timestamp(m), nil
		}
	case []any:
		if m, ok := momentFromParts(intParts(literal)); ok {
			v := Timestamp(m)
			return v, outdated("an array for TIMESTAMP", "write "+string(v.AppendJSON(nil)))
		}
	}
	return nil, unreadable(jsonText(literal)+" is not a TIMESTAMP", remedy)
}

func decodeInstant(literal any, _ Type) (Value, *LiteralError) {
	const remedy = `write "YYYY-MM-DDTHH:MM:SSZ", in UTC and with up to nine fraction digits`
	switch literal := literal.(type) {
	case string:
		if local, ok := strings.CutSuffix(literal, "Z"); ok {
			if m, ok := parseMoment(local); ok {
				return Instant(m), nil
			}
		}
	case json.Number:
		if m, ok := parseEpochSeconds(literal.String()); ok {
			v := Instant(m)
			return v, outdated("a number for TIMESTAMP_LTZ", "write "+string(v.AppendJSON(nil)))
		}
	}
	return nil, unreadable(jsonText(literal)+" is not an instant", remedy)
}

// parseEpochSeconds reads seconds since 1970 with up to nine fraction digits.
func parseEpochSeconds(text string) (Moment, bool) {
	const secondDigits = 12 // enough for the year 9999
	d, ok := parseDecimal(text, Type{Precision: secondDigits + maxFractionDigits, Scale: maxFractionDigits})
	if !ok {
		return Moment{}, false
	}
	all := d.Number.Coeff.MathBigInt()
	if d.Number.Negative {
		all.Neg(all)
	}
	seconds, nanos := all.DivMod(all, big.NewInt(1e9), new(big.Int))
	m := Moment{Seconds: seconds.Int64(), Nanos: int32(nanos.Int64())} //nolint:gosec // less than 1e9
	return m, inYears(m.utc().Year())
}

// intParts are the integers of a JSON array, nil if it holds anything else.
func intParts(array []any) []int {
	parts := make([]int, len(array))
	for i, item := range array {
		n, ok := item.(json.Number)
		if !ok {
			return nil
		}
		part, err := strconv.Atoi(n.String())
		if err != nil || part > math.MaxInt32 || part < 0 {
			return nil
		}
		parts[i] = part
	}
	return parts
}
