package datatype

import (
	"cmp"
	"math"
)

// Compare orders two values of one type as Java readers do: text by its
// unsigned UTF-8 bytes and without padding CHAR, false before true, numbers by
// size, -0.0 before 0.0, and NaN equal to itself after all other numbers. It
// reports false for values that have no order: of two types, null, nested.
func Compare(a, b Value) (int, bool) {
	switch a := a.(type) {
	case Bool:
		b, ok := b.(Bool)
		return cmp.Compare(rank(bool(a)), rank(bool(b))), ok
	case Int:
		return compareTo(a, b, cmp.Compare)
	case Float:
		return compareTo(a, b, func(x, y Float) int { return compareFloats(float64(x), float64(y)) })
	case Double:
		return compareTo(a, b, func(x, y Double) int { return compareFloats(float64(x), float64(y)) })
	case Text:
		return compareTo(a, b, cmp.Compare)
	case Decimal:
		return compareTo(a, b, func(x, y Decimal) int { return x.Number.Cmp(y.Number) })
	case Date:
		return compareTo(a, b, cmp.Compare)
	case Time:
		return compareTo(a, b, cmp.Compare)
	case Timestamp:
		return compareTo(a, b, func(x, y Timestamp) int { return Moment(x).compare(Moment(y)) })
	case Instant:
		return compareTo(a, b, func(x, y Instant) int { return Moment(x).compare(Moment(y)) })
	default:
		return 0, false
	}
}

func compareTo[T Value](a T, other Value, compare func(T, T) int) (int, bool) {
	b, ok := other.(T)
	if !ok {
		return 0, false
	}
	return compare(a, b), true
}

func rank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareFloats is Java's Double.compare.
func compareFloats(a, b float64) int {
	switch {
	case math.IsNaN(a) || math.IsNaN(b):
		return cmp.Compare(rank(math.IsNaN(a)), rank(math.IsNaN(b)))
	case a == 0 && b == 0:
		return cmp.Compare(rank(math.Signbit(b)), rank(math.Signbit(a)))
	default:
		return cmp.Compare(a, b)
	}
}

func (m Moment) compare(o Moment) int {
	return cmp.Or(cmp.Compare(m.Seconds, o.Seconds), cmp.Compare(m.Nanos, o.Nanos))
}
