package datatype

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// FromPlain reads a value of a type in the notation of rows, which people
// write: what a literal of the type is, and for the types without literals
//
//   - BINARY, VARBINARY and BLOB in base64,
//   - ARRAY and VECTOR as a []any,
//   - MAP and ROW as a map[string]any, the keys of a MAP as text; so is a
//     MULTISET with the counts of its elements,
//   - any value for VARIANT and the geometries.
//
// Numbers are [json.Number] or [*big.Float]; NaN, Infinity, -Infinity and -0.0
// may be text. Temporal values may be numbers too: a DATE in days and a
// TIMESTAMP in seconds since 1970, a TIME in milliseconds of the day. Nothing
// is rounded or coerced: what does not fit the type is an error.
func FromPlain(plain any, t Type) (Value, error) {
	if f, ok := plain.(*big.Float); ok {
		plain = exactNumber(f)
	}
	if plain == nil {
		return Null{}, nil
	}
	switch t.Kind {
	case KindBinary, KindVarbinary, KindBlob:
		return bytesFromPlain(plain, t)
	case KindArray, KindVector:
		return listFromPlain(plain, t)
	case KindMap, KindMultiset:
		return mapFromPlain(plain, t)
	case KindRow:
		return recordFromPlain(plain, t)
	case KindVariant, KindGeometry, KindGeography:
		return Opaque{plain}, nil
	default:
		return scalarFromPlain(plain, t)
	}
}

// Plain is the value in the notation that [FromPlain] reads: nil, a bool, a
// [json.Number], a string, a []any or a map[string]any. Decimals and temporal
// values are strings.
func Plain(v Value) any {
	switch v := v.(type) {
	case nil, Null:
		return nil
	case Bool:
		return bool(v)
	case Int:
		return json.Number(strconv.FormatInt(int64(v), 10))
	case Float:
		return plainFloat(float64(v), 32)
	case Double:
		return plainFloat(float64(v), 64)
	case Text:
		return string(v)
	case Decimal:
		return v.Number.Text('f')
	case Bytes:
		return base64.StdEncoding.EncodeToString([]byte(v))
	case List:
		list := make([]any, len(v))
		for i, element := range v {
			list[i] = Plain(element)
		}
		return list
	case Map:
		object := make(map[string]any, len(v))
		for _, e := range v {
			object[plainKey(e.Key)] = Plain(e.Value)
		}
		return object
	case Record:
		object := make(map[string]any, len(v))
		for _, field := range v {
			object[field.Name] = Plain(field.Value)
		}
		return object
	case Opaque:
		return v.Plain
	default: // Temporal values are quoted text in JSON.
		return strings.Trim(string(v.AppendJSON(nil)), `"`)
	}
}

// plainFloat is a number where every notation of numbers can hold it.
func plainFloat(f float64, bits int) any {
	text := javaFloat(f, bits)
	if math.IsNaN(f) || math.IsInf(f, 0) || f == 0 && math.Signbit(f) {
		return text
	}
	return json.Number(text)
}

func plainKey(key Value) string {
	if text, ok := Plain(key).(string); ok {
		return text
	}
	return string(key.AppendJSON(nil))
}

// exactNumber spells a number with the digits it was parsed from.
func exactNumber(f *big.Float) any {
	const mostIntegerBits = 256
	switch {
	case f == nil:
		return nil
	case f.IsInf():
		return f.String()
	case f.IsInt() && f.MantExp(nil) <= mostIntegerBits:
		return json.Number(f.Text('f', -1))
	default:
		return json.Number(f.Text('e', -1))
	}
}

func notOfType(plain any, t Type, remedy string) error {
	var found string
	switch plain := plain.(type) {
	case bool, string, json.Number:
		found = jsonText(plain)
	case []any:
		found = "a list"
	case map[string]any:
		found = "an object"
	default:
		found = fmt.Sprintf("a Go %T", plain)
	}
	return fmt.Errorf("%s is not a value of %s; write %s", found, t, remedy)
}

func scalarFromPlain(plain any, t Type) (Value, error) {
	if v, ok := wordFromPlain(plain, t); ok {
		return v, nil
	}
	if v, ok := countFromPlain(plain, t); ok {
		return v, nil
	}
	v, refused := Decode(plain, t)
	if refused != nil && refused.Refusal != RefusedByServer {
		return nil, notOfType(plain, t, strings.TrimPrefix(refused.Remedy, "write "))
	}
	return v, nil
}

// wordFromPlain reads the floats that JSON or Terraform have no number for.
func wordFromPlain(plain any, t Type) (Value, bool) {
	word, ok := plain.(string)
	if !ok || !slices.Contains([]string{"NaN", "Infinity", "-Infinity", "-0.0"}, word) {
		return nil, false
	}
	f, err := strconv.ParseFloat(word, 64)
	switch {
	case err != nil:
		return nil, false
	case t.Kind == KindFloat:
		return Float(f), true
	default:
		return Double(f), t.Kind == KindDouble
	}
}

// countFromPlain reads temporal values that are numbers.
func countFromPlain(plain any, t Type) (Value, bool) {
	n, ok := plain.(json.Number)
	if !ok {
		return nil, false
	}
	count, err := strconv.ParseInt(n.String(), 10, 32)
	switch t.Kind {
	case KindDate:
		return Date(count), err == nil
	case KindTime:
		return Time(count), err == nil && count >= 0 && count < secondsPerDay*1000
	case KindTimestamp:
		m, ok := parseEpochSeconds(n.String())
		return Timestamp(m), ok
	default:
		return nil, false
	}
}

func bytesFromPlain(plain any, t Type) (Value, error) {
	if text, ok := plain.(string); ok {
		if data, err := base64.StdEncoding.DecodeString(text); err == nil {
			return Bytes(data), nil
		}
	}
	return nil, notOfType(plain, t, "the bytes in base64")
}

func listFromPlain(plain any, t Type) (Value, error) {
	items, ok := plain.([]any)
	if !ok {
		return nil, notOfType(plain, t, "a list")
	}
	list := make(List, len(items))
	for i, item := range items {
		var err error
		if list[i], err = FromPlain(item, *t.Element); err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
	}
	return list, nil
}

func mapFromPlain(plain any, t Type) (Value, error) {
	object, ok := plain.(map[string]any)
	if !ok {
		return nil, notOfType(plain, t, "an object")
	}
	key, value := t.Key, t.Element
	if t.Kind == KindMultiset {
		key, value = t.Element, &Type{Kind: KindInt}
	}
	entries := make(Map, 0, len(object))
	for _, name := range slices.Sorted(maps.Keys(object)) {
		k, err := keyFromPlain(name, *key)
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", name, err)
		}
		v, err := FromPlain(object[name], *value)
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", name, err)
		}
		entries = append(entries, Entry{k, v})
	}
	return entries, nil
}

// keyFromPlain reads a key, which is text even where values are numbers.
func keyFromPlain(name string, t Type) (Value, error) {
	switch {
	case t.IsInteger() || t.Kind == KindFloat || t.Kind == KindDouble:
		if v, err := FromPlain(json.Number(name), t); err == nil {
			return v, nil
		}
	case t.Kind == KindBoolean && (name == "true" || name == "false"):
		return Bool(name == "true"), nil
	}
	return FromPlain(name, t)
}

func recordFromPlain(plain any, t Type) (Value, error) {
	object, ok := plain.(map[string]any)
	if !ok {
		return nil, notOfType(plain, t, "an object")
	}
	record := make(Record, len(t.Fields))
	for i, field := range t.Fields {
		item, ok := object[field.Name]
		if !ok {
			return nil, fmt.Errorf("the field %q is missing", field.Name)
		}
		v, err := FromPlain(item, field.Type)
		if err != nil {
			return nil, fmt.Errorf("field %q: %w", field.Name, err)
		}
		record[i] = NamedValue{field.Name, v}
	}
	return record, nil
}
