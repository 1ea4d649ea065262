package datatype

import "slices"

var (
	integers   = []Kind{KindTinyInt, KindSmallInt, KindInt, KindBigInt}
	numbers    = slices.Concat(integers, []Kind{KindFloat, KindDouble, KindDecimal})
	texts      = []Kind{KindChar, KindVarchar}
	byteKinds  = []Kind{KindBinary, KindVarbinary}
	timestamps = []Kind{KindTimestamp, KindTimestampLTZ}
	containers = []Kind{KindArray, KindMap, KindRow}
)

// casts lists Paimon's cast rules: to which kinds each kind can be cast.
// Nullability, length and precision never decide whether a rule exists, with
// the one exception in CanCast.
var casts = map[Kind][]Kind{
	KindBoolean:      slices.Concat(numbers, texts),
	KindTinyInt:      slices.Concat([]Kind{KindBoolean}, numbers, texts),
	KindSmallInt:     slices.Concat([]Kind{KindBoolean}, numbers, texts),
	KindInt:          slices.Concat([]Kind{KindBoolean}, numbers, texts, timestamps),
	KindBigInt:       slices.Concat([]Kind{KindBoolean}, numbers, texts, timestamps),
	KindFloat:        slices.Concat(numbers, texts),
	KindDouble:       slices.Concat(numbers, texts),
	KindDecimal:      slices.Concat(numbers, texts),
	KindChar:         fromText,
	KindVarchar:      fromText,
	KindBinary:       slices.Concat(texts, byteKinds),
	KindVarbinary:    slices.Concat(texts, byteKinds),
	KindDate:         slices.Concat([]Kind{KindVarchar}, timestamps),
	KindTime:         slices.Concat([]Kind{KindVarchar}, timestamps),
	KindTimestamp:    fromTimestamp,
	KindTimestampLTZ: fromTimestamp,
	KindArray:        texts,
	KindMap:          texts,
	KindRow:          texts,
}

var (
	fromText = slices.Concat([]Kind{KindBoolean, KindDate, KindTime},
		numbers, texts, byteKinds, timestamps, containers)
	fromTimestamp = slices.Concat([]Kind{KindInt, KindBigInt, KindVarchar, KindDate, KindTime}, timestamps)
)

// CanCast reports whether Paimon has a cast rule from one type to another.
// Temporal values can be cast to STRING but to no other VARCHAR or CHAR, and
// not every type can be cast to itself.
func CanCast(from, to Type) bool {
	if from.isTemporal() && to.IsText() && to.Length != MaxLength {
		return false
	}
	return slices.Contains(casts[from.Kind], to.Kind)
}

func (t Type) isTemporal() bool { return t.Kind >= KindDate && t.Kind <= KindTimestampLTZ }
