package datatype

import (
	"encoding/json"
	"math/big"
	"strconv"
)

// appendJackson appends a literal as Jackson writes it back after reading it
// without a type.
func appendJackson(dst []byte, literal any) []byte {
	switch literal := literal.(type) {
	case string:
		return AppendJSONString(dst, literal)
	case json.Number:
		if !isInteger(literal.String()) {
			return appendFloatJSON(dst, javaDouble(literal.String()), 64)
		}
		return appendJava(dst, literal)
	case []any:
		dst = append(dst, '[')
		for i, item := range literal {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJackson(dst, item)
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		for i, m := range asMap(literal) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendJSONString(dst, m.Key)
			dst = appendJackson(append(dst, ':'), m.Value)
		}
		return append(dst, '}')
	default:
		return appendJava(dst, literal)
	}
}

// appendJava appends the toString of the Java value Jackson reads from a
// literal: numbers are normalised, [a, b] is a list and {a=1} is a map.
func appendJava(dst []byte, literal any) []byte {
	switch literal := literal.(type) {
	case bool:
		return strconv.AppendBool(dst, literal)
	case string:
		return append(dst, literal...)
	case json.Number:
		if !isInteger(literal.String()) {
			return append(dst, javaFloat(javaDouble(literal.String()), 64)...)
		}
		n, _ := new(big.Int).SetString(literal.String(), 10)
		return n.Append(dst, 10)
	case []any:
		dst = append(dst, '[')
		for i, item := range literal {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = appendJava(dst, item)
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		for i, m := range asMap(literal) {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = append(append(dst, m.Key...), '=')
			dst = appendJava(dst, m.Value)
		}
		return append(dst, '}')
	default:
		return append(dst, "null"...)
	}
}

// asMap keeps the first place and the last value of every key, as a Java map
// does.
func asMap(object Object) Object {
	places := make(map[string]int, len(object))
	members := make(Object, 0, len(object))
	for _, m := range object {
		if i, seen := places[m.Key]; seen {
			members[i].Value = m.Value
			continue
		}
		places[m.Key] = len(members)
		members = append(members, m)
	}
	return members
}

// jsonText quotes a literal in a message, cut where it gets long.
func jsonText(literal any) string {
	const most = 60
	text := []rune(string(appendJackson(nil, literal)))
	if len(text) > most {
		text = append(text[:most], '…')
	}
	return string(text)
}
