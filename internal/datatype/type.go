package datatype

import "slices"

// Kind is the root of a data type: what it is before lengths, nullability and
// nested types are looked at.
type Kind uint8

// The kinds of Paimon. KindNone is the kind of the zero [Type], which stands
// for "no type given".
const (
	KindNone Kind = iota
	KindChar
	KindVarchar
	KindBoolean
	KindBinary
	KindVarbinary
	KindDecimal
	KindTinyInt
	KindSmallInt
	KindInt
	KindBigInt
	KindFloat
	KindDouble
	KindDate
	KindTime
	KindTimestamp
	KindTimestampLTZ
	KindVariant
	KindBlob
	KindGeometry
	KindGeography
	KindArray
	KindMultiset
	KindVector
	KindMap
	KindRow
)

// MaxLength is the length that makes VARCHAR a STRING and VARBINARY a BYTES.
const MaxLength = 1<<31 - 1

// Type is a Paimon data type. Which of the parameters mean something follows
// from Kind; the others are zero. The zero Type stands for a missing type.
type Type struct {
	Kind    Kind
	NotNull bool
	// Length counts characters of CHAR and VARCHAR, bytes of BINARY and
	// VARBINARY, elements of VECTOR.
	Length int
	// Precision is the number of digits of DECIMAL and of fraction digits of
	// TIME, TIMESTAMP and TIMESTAMP_LTZ.
	Precision int
	// Scale is the number of digits of DECIMAL after the point.
	Scale int
	// CRS is the coordinate reference system of GEOMETRY and GEOGRAPHY.
	CRS string
	// Algorithm is the edge interpolation of GEOGRAPHY.
	Algorithm string
	// Key is the key type of MAP.
	Key *Type
	// Element is the element of ARRAY, MULTISET and VECTOR and the value of MAP.
	Element *Type
	// Fields are the fields of ROW.
	Fields []Field
}

// Field is a column of a table or a field of a ROW.
type Field struct {
	ID   int
	Name string
	Type Type
	// Description is the comment; nil when there is none.
	Description *string
	// DefaultValue is the default as Paimon keeps it, a text; nil when there
	// is none.
	DefaultValue *string
}

// String is the nullable STRING type, which every text transform gives.
func String() Type { return Type{Kind: KindVarchar, Length: MaxLength} }

// IsZero reports whether the type is missing.
func (t Type) IsZero() bool { return t.Kind == KindNone }

// IsText reports whether values of the type are character strings.
func (t Type) IsText() bool { return t.Kind == KindChar || t.Kind == KindVarchar }

// IsInteger reports whether values of the type are integers.
func (t Type) IsInteger() bool { return t.Kind >= KindTinyInt && t.Kind <= KindBigInt }

// HasLiterals reports whether Paimon can write values of the type in a
// predicate. Binary, nested and opaque types have no literal form.
func (t Type) HasLiterals() bool { return t.IsText() || literalDecoders[t.Kind] != nil }

// Equal reports whether Paimon's DataType.equals holds: kind, nullability and
// every parameter are the same, in ROW also ids, names and descriptions.
func (t Type) Equal(o Type) bool {
	return t.Kind == o.Kind && t.NotNull == o.NotNull && t.Length == o.Length &&
		t.Precision == o.Precision && t.Scale == o.Scale &&
		t.CRS == o.CRS && t.Algorithm == o.Algorithm &&
		equalPointers(t.Key, o.Key, Type.Equal) && equalPointers(t.Element, o.Element, Type.Equal) &&
		slices.EqualFunc(t.Fields, o.Fields, Field.Equal)
}

// Equal reports whether the two fields are the same to Paimon.
func (f Field) Equal(o Field) bool {
	return f.ID == o.ID && f.Name == o.Name && f.Type.Equal(o.Type) &&
		equalPointers(f.Description, o.Description, equalText) &&
		equalPointers(f.DefaultValue, o.DefaultValue, equalText)
}

func equalText(a, b string) bool { return a == b }

func equalPointers[T any](a, b *T, equal func(T, T) bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return equal(*a, *b)
}

// SameFamily reports whether literals of the two types are written the same
// way and mean the same value: CHAR and VARCHAR of any length are one family,
// every integer width is its own, a DECIMAL's scale counts, and nullability
// and temporal precision do not.
func (t Type) SameFamily(o Type) bool {
	switch {
	case t.IsText() || o.IsText():
		return t.IsText() && o.IsText()
	case t.isBytes() || o.isBytes():
		return t.isBytes() && o.isBytes()
	}
	return t.Kind == o.Kind && t.Scale == o.Scale &&
		equalPointers(t.Key, o.Key, Type.SameFamily) && equalPointers(t.Element, o.Element, Type.SameFamily)
}

func (t Type) isBytes() bool { return t.Kind == KindBinary || t.Kind == KindVarbinary }
