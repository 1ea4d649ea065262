package datatype

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// appendFloatJSON appends a float as Jackson does: Java's notation, and as a
// string where JSON has no number.
func appendFloatJSON(dst []byte, f float64, bits int) []byte {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return appendQuoted(dst, javaFloat(f, bits))
	}
	return append(dst, javaFloat(f, bits)...)
}

// javaFloat is Java's Double.toString and Float.toString: at least one
// fraction digit, and scientific notation below 1E-3 and from 1E7 on. The
// digits are the shortest that give the value back, as in Java since 19.
func javaFloat(f float64, bits int) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	if size := math.Abs(f); size == 0 || size >= 1e-3 && size < 1e7 {
		return withFraction(strconv.FormatFloat(f, 'f', -1, bits))
	}
	text := strconv.FormatFloat(f, 'e', -1, bits)
	if !strings.ContainsRune(text, '.') {
		// Of two digits Java takes the nearest, which differs from a zero where
		// numbers are sparse: 4.9E-324.
		text = strconv.FormatFloat(f, 'e', 1, bits)
	}
	// Java's exponents have neither a plus nor a leading zero.
	return strings.NewReplacer("e+0", "E", "e+", "E", "e-0", "E-", "e-", "E-").Replace(text)
}

func withFraction(digits string) string {
	if strings.ContainsRune(digits, '.') {
		return digits
	}
	return digits + ".0"
}

// isInteger reports whether the text of a JSON number is an integer to
// Jackson: one without a point and an exponent.
func isInteger(text string) bool { return !strings.ContainsAny(text, ".eE") }

// javaDouble is the double Jackson reads from the text of a number; too large
// ones become infinite.
func javaDouble(text string) float64 {
	if isInteger(text) && strings.TrimLeft(text, "-0") == "" {
		return 0 // An integer -0 has no sign in Java.
	}
	f, _ := strconv.ParseFloat(text, 64)
	return f
}

// javaFloat32 is Number.floatValue: integers round once, other numbers were a
// double before.
func javaFloat32(text string) float32 {
	if !isInteger(text) {
		return float32(javaDouble(text))
	}
	f, _ := strconv.ParseFloat(text, 32)
	if f == 0 {
		return 0
	}
	return float32(f)
}

// javaInteger is Number.byteValue, shortValue, intValue or longValue: integers
// keep their low bits, other numbers are cut to an int or a long first, which
// ends at its limits.
func javaInteger(text string, bits int) int64 {
	var n int64
	if isInteger(text) {
		n = lowBits(text)
	} else {
		n = saturate(javaDouble(text), max(bits, 32))
	}
	unused := 64 - bits
	return n << unused >> unused
}

func lowBits(text string) int64 {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return 0
	}
	return int64(n.And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64()) //nolint:gosec // Java wraps like this
}

func saturate(f float64, bits int) int64 {
	limit := math.Ldexp(1, bits-1)
	switch {
	case f >= limit:
		return 1<<(bits-1) - 1
	case f <= -limit:
		return -1 << (bits - 1)
	default:
		return int64(f)
	}
}

// spells reports whether the text of a number is what f looks like at that
// many digits. So 0.1, and 0.30000001192092896 for a FLOAT, spell a value;
// 16777217 for a FLOAT, 1e400 and 1e-400 do not.
func spells(text string, f float64, bits int) bool {
	if math.IsInf(f, 0) {
		return false
	}
	digits, exponent, ok := scientific(text)
	if !ok {
		return false
	}
	fDigits, fExponent, ok := scientific(strconv.FormatFloat(f, 'e', max(len(digits), 1)-1, bits))
	return ok && digits == fDigits && exponent == fExponent
}

// scientific splits a number into its digits without zeros at both ends and
// the exponent of the first digit. Zero has no digits.
func scientific(text string) (digits string, exponent int, ok bool) {
	mantissa := strings.TrimPrefix(text, "-")
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		e, err := strconv.ParseInt(mantissa[i+1:], 10, 32)
		if err != nil {
			return "", 0, false
		}
		mantissa, exponent = mantissa[:i], int(e)
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "", 0, true
	}
	exponent += len(digits) - len(fraction) - 1
	return strings.TrimRight(digits, "0"), exponent, true
}

// Fits reports whether the decimal can be written as DECIMAL(p, s) without
// rounding.
func (v Decimal) Fits(t Type) bool { return rescale(v.Number, t) != nil }

// rescale gives the decimal exactly t.Scale fraction digits, nil if that needs
// rounding or more digits than t has.
func rescale(d *apd.Decimal, t Type) *apd.Decimal {
	if d.Form != apd.Finite {
		return nil
	}
	// The exponent is looked at first, so that 1e999999999 costs nothing.
	if d.IsZero() {
		return apd.New(0, int32(-t.Scale)) //nolint:gosec // a scale is at most 38
	}
	var reduced apd.Decimal
	reduced.Reduce(d)
	if int(reduced.Exponent) < -t.Scale || reduced.NumDigits()+int64(reduced.Exponent) > int64(t.Precision-t.Scale) {
		return nil
	}
	result := new(apd.Decimal)
	context := apd.BaseContext.WithPrecision(uint32(t.Precision))                  //nolint:gosec // at most 38
	if _, err := context.Quantize(result, &reduced, int32(-t.Scale)); err != nil { //nolint:gosec // at most 38
		return nil
	}
	return result
}
