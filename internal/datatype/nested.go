package datatype

import "encoding/json"

// The values that rows have and literals have not.
type (
	// Bytes is a BINARY, VARBINARY or BLOB.
	Bytes string
	// List is an ARRAY or a VECTOR.
	List []Value
	// Map is a MAP or a MULTISET, which maps elements to counts. Keys differ.
	Map []Entry
	// Record is a ROW, its fields in the order of the type.
	Record []NamedValue
	// Opaque is a value of a type that nothing can be computed with, as it was
	// given.
	Opaque struct{ Plain any }
)

// Entry is a key of a [Map] with its value.
type Entry struct{ Key, Value Value }

// NamedValue is a field of a [Record] with its value.
type NamedValue struct {
	Name  string
	Value Value
}

func (Bytes) value()  {}
func (List) value()   {}
func (Map) value()    {}
func (Record) value() {}
func (Opaque) value() {}

// AppendJSON implements [Value].
func (v Bytes) AppendJSON(dst []byte) []byte { return appendPlain(dst, v) }

// AppendJSON implements [Value].
func (v List) AppendJSON(dst []byte) []byte { return appendPlain(dst, v) }

// AppendJSON implements [Value].
func (v Map) AppendJSON(dst []byte) []byte { return appendPlain(dst, v) }

// AppendJSON implements [Value].
func (v Record) AppendJSON(dst []byte) []byte { return appendPlain(dst, v) }

// AppendJSON implements [Value].
func (v Opaque) AppendJSON(dst []byte) []byte { return appendPlain(dst, v) }

// appendPlain serves the values that Paimon has no JSON for: the plain notation
// is ours.
func appendPlain(dst []byte, v Value) []byte {
	text, err := json.Marshal(Plain(v))
	if err != nil {
		return append(dst, "null"...) // A caller's own type inside an Opaque.
	}
	return append(dst, text...)
}
