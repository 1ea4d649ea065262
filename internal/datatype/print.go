package datatype

import "strconv"

// keywords are the names of the kinds in Paimon's type notation.
var keywords = [...]string{
	KindChar: "CHAR", KindVarchar: "VARCHAR", KindBoolean: "BOOLEAN",
	KindBinary: "BINARY", KindVarbinary: "VARBINARY", KindDecimal: "DECIMAL",
	KindTinyInt: "TINYINT", KindSmallInt: "SMALLINT", KindInt: "INT", KindBigInt: "BIGINT",
	KindFloat: "FLOAT", KindDouble: "DOUBLE",
	KindDate: "DATE", KindTime: "TIME", KindTimestamp: "TIMESTAMP", KindTimestampLTZ: "TIMESTAMP_LTZ",
	KindVariant: "VARIANT", KindBlob: "BLOB", KindGeometry: "GEOMETRY", KindGeography: "GEOGRAPHY",
	KindArray: "ARRAY", KindMultiset: "MULTISET", KindVector: "VECTOR", KindMap: "MAP", KindRow: "ROW",
}

// String returns the keyword of the kind, empty for KindNone.
func (k Kind) String() string {
	if int(k) >= len(keywords) {
		return ""
	}
	return keywords[k]
}

// String returns the canonical text of the type: the SQL-like notation of an
// atomic type such as "VARCHAR(20) NOT NULL", the compact JSON object of a
// nested one. [Parse] reads both.
func (t Type) String() string {
	if t.isNested() {
		return string(t.AppendJSON(nil))
	}
	return t.atomicText()
}

// AppendJSON appends the canonical JSON form of the type: a string for an
// atomic type, an object for a nested one, null for the missing type.
func (t Type) AppendJSON(dst []byte) []byte {
	switch {
	case t.IsZero():
		return append(dst, "null"...)
	case t.isNested():
		return t.appendObject(dst)
	default:
		return AppendJSONString(dst, t.atomicText())
	}
}

// MarshalJSON returns the canonical JSON form of the type.
func (t Type) MarshalJSON() ([]byte, error) { return t.AppendJSON(nil), nil }

func (t Type) isNested() bool { return t.Kind >= KindArray }

func (t Type) atomicText() string {
	text := t.nullableText()
	if t.NotNull {
		text += " NOT NULL"
	}
	return text
}

func (t Type) nullableText() string {
	name := t.Kind.String()
	switch t.Kind {
	case KindVarchar, KindVarbinary, KindChar, KindBinary:
		switch {
		case t.Kind == KindVarchar && t.Length == MaxLength:
			return "STRING"
		case t.Kind == KindVarbinary && t.Length == MaxLength:
			return "BYTES"
		}
		return name + "(" + strconv.Itoa(t.Length) + ")"
	case KindDecimal:
		return name + "(" + strconv.Itoa(t.Precision) + ", " + strconv.Itoa(t.Scale) + ")"
	case KindTime, KindTimestamp:
		return name + "(" + strconv.Itoa(t.Precision) + ")"
	case KindTimestampLTZ:
		return "TIMESTAMP(" + strconv.Itoa(t.Precision) + ") WITH LOCAL TIME ZONE"
	case KindGeometry:
		return name + "(" + quoteCRS(t.CRS) + ")"
	case KindGeography:
		return name + "(" + quoteCRS(t.CRS) + ", " + t.Algorithm + ")"
	default:
		return name
	}
}

func (t Type) appendObject(dst []byte) []byte {
	dst = append(dst, `{"type":"`...)
	dst = append(dst, t.Kind.String()...)
	if t.NotNull {
		dst = append(dst, " NOT NULL"...)
	}
	dst = append(dst, '"')
	switch t.Kind {
	case KindMap:
		dst = t.Key.AppendJSON(append(dst, `,"key":`...))
		dst = t.Element.AppendJSON(append(dst, `,"value":`...))
	case KindRow:
		dst = append(dst, `,"fields":[`...)
		for i, f := range t.Fields {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = f.AppendJSON(dst)
		}
		dst = append(dst, ']')
	default:
		dst = t.Element.AppendJSON(append(dst, `,"element":`...))
		if t.Kind == KindVector {
			dst = strconv.AppendInt(append(dst, `,"length":`...), int64(t.Length), 10)
		}
	}
	return append(dst, '}')
}

// AppendJSON appends the canonical JSON object of the field.
func (f Field) AppendJSON(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"id":`...), int64(f.ID), 10)
	dst = AppendJSONString(append(dst, `,"name":`...), f.Name)
	dst = f.Type.AppendJSON(append(dst, `,"type":`...))
	if f.Description != nil {
		dst = AppendJSONString(append(dst, `,"description":`...), *f.Description)
	}
	if f.DefaultValue != nil {
		dst = AppendJSONString(append(dst, `,"defaultValue":`...), *f.DefaultValue)
	}
	return append(dst, '}')
}

// MarshalJSON returns the canonical JSON object of the field.
func (f Field) MarshalJSON() ([]byte, error) { return f.AppendJSON(nil), nil }

// AppendJSONString appends s as a JSON string the way Paimon's servers write
// it (Jackson's defaults): raw UTF-8, short escapes where JSON has them,
// upper-case hex for the other control characters and nothing else escaped.
// encoding/json differs in U+2028, U+2029, <, >, & and the case of the hex.
func AppendJSONString(dst []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	dst = append(dst, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		if short := shortEscapes[c]; short != 0 {
			dst = append(dst, '\\', short)
		} else {
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

var shortEscapes = ['\\' + 1]byte{
	'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't',
}
