package datatype

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// nestedText is the text of a nested value: [a, b], {k -> v} or {a, b}. The
// length of the target does not apply.
func nestedText(v Value, t Type) (string, error) {
	var parts []string
	var problems []error
	text := func(v Value, t Type) string {
		text, err := elementText(v, t)
		problems = append(problems, err)
		return text
	}
	brackets := shapes[t.Kind].brackets
	switch v := v.(type) {
	case List:
		for _, element := range v {
			parts = append(parts, text(element, *t.Element))
		}
	case Map:
		for _, e := range v {
			parts = append(parts, text(e.Key, *t.Key)+" -> "+text(e.Value, *t.Element))
		}
	case Record:
		for i, field := range v {
			parts = append(parts, text(field.Value, t.Fields[i].Type))
		}
	}
	return brackets[:1] + strings.Join(parts, ", ") + brackets[1:], errors.Join(problems...)
}

func elementText(v Value, t Type) (string, error) {
	if v == (Null{}) {
		return "null", nil
	}
	converted, err := Convert(v, t, String())
	text, _ := converted.(Text)
	return string(text), err
}

// shapes are the two notations of nested values: in brackets, and as a call of
// a SQL function.
var shapes = map[Kind]struct{ brackets, function string }{
	KindArray: {"[]", "ARRAY"},
	KindMap:   {"{}", "MAP"},
	KindRow:   {"{}", "STRUCT"},
}

// parseNested reads what nestedText writes, and ARRAY(a, b), MAP(k, v) and
// STRUCT(a, b). Nothing is quoted: quotes and backslashes only keep commas
// from separating, and a MAP loses them together with what the backslashes
// escape.
func parseNested(text string, to Type) (Value, error) {
	text = trimJava(text)
	if to.Kind == KindMap && strings.EqualFold(text, "null") {
		return Null{}, nil
	}
	v, err := parseContents(text, to)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be cast to %s: %w", jsonText(text), to, err)
	}
	return v, nil
}

func parseContents(text string, to Type) (Value, error) {
	shape := shapes[to.Kind]
	content, called, ok := contents(text, shape.brackets, shape.function)
	if !ok {
		return nil, errors.New("neither " + shape.brackets + " nor " + shape.function + "() is around it")
	}
	items := splitItems(content, to.Kind == KindMap)
	switch to.Kind {
	case KindArray:
		return parseList(items, *to.Element)
	case KindRow:
		if content == "" {
			items = slices.Repeat([]string{"null"}, len(to.Fields))
		}
		return parseRecord(items, to.Fields)
	default:
		if !called {
			var err error
			if items, err = splitArrows(items); err != nil {
				return nil, err
			}
		}
		return parseMap(items, *to.Key, *to.Element)
	}
}

func parseList(items []string, element Type) (Value, error) {
	list := make(List, len(items))
	for i, item := range items {
		var err error
		if list[i], err = parseElement(item, element); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func parseRecord(items []string, fields []Field) (Value, error) {
	if len(items) != len(fields) {
		return nil, fmt.Errorf("%d fields expected, found %d", len(fields), len(items))
	}
	record := make(Record, len(fields))
	for i, field := range fields {
		v, err := parseElement(items[i], field.Type)
		if err != nil {
			return nil, err
		}
		record[i] = NamedValue{field.Name, v}
	}
	return record, nil
}

// parseMap reads keys and values that alternate. Of equal keys the last one
// counts.
func parseMap(items []string, key, value Type) (Value, error) {
	if len(items)%2 != 0 {
		return nil, errors.New("a key without a value")
	}
	entries := Map{}
	places := map[string]int{}
	for i := 0; i < len(items); i += 2 {
		k, keyErr := parseElement(items[i], key)
		v, valueErr := parseElement(items[i+1], value)
		if err := errors.Join(keyErr, valueErr); err != nil {
			return nil, err
		}
		if at, seen := places[plainKey(k)]; seen {
			entries[at].Value = v
			continue
		}
		places[plainKey(k)] = len(entries)
		entries = append(entries, Entry{k, v})
	}
	return entries, nil
}

func parseElement(text string, t Type) (Value, error) {
	text = trimJava(text)
	switch {
	case !CanCast(String(), t):
		return nil, fmt.Errorf("there is no cast to %s", t)
	case text == "null":
		return Null{}, nil
	default:
		return convertText(text, t)
	}
}

// lineTerminators are what a dot does not match in Java's patterns, with which
// Paimon takes nested values apart.
const lineTerminators = "\n\r\u0085\u2028\u2029"

// contents is what is between the brackets, or the parentheses of the call,
// which called reports.
func contents(text, brackets, function string) (content string, called, ok bool) {
	if content, ok = within(text, brackets); !ok {
		if len(text) < len(function) || !strings.EqualFold(text[:len(function)], function) {
			return "", false, false
		}
		content, ok = within(strings.TrimLeft(text[len(function):], " \t\n\v\f\r"), "()")
		called = true
	}
	return trimJava(content), called, ok && !strings.ContainsAny(content, lineTerminators)
}

func within(text, brackets string) (string, bool) {
	if len(text) < len(brackets) || text[0] != brackets[0] || text[len(text)-1] != brackets[1] {
		return "", false
	}
	return text[1 : len(text)-1], true
}

// splitItems splits at commas outside of brackets and quotes; empty items
// vanish. With unquote, quotes and escapes are dropped.
func splitItems(content string, unquote bool) []string {
	var items []string
	var item strings.Builder
	end := func() {
		if item.Len() > 0 {
			items = append(items, item.String())
			item.Reset()
		}
	}
	depth := 0
	quoted, escaped := false, false
	for _, c := range content {
		drop := false
		switch {
		case escaped:
			escaped, drop = false, unquote
		case c == '\\':
			escaped, drop = true, unquote
		case c == '"':
			quoted, drop = !quoted, unquote
		case quoted:
		case strings.ContainsRune("[{(", c):
			depth++
		case strings.ContainsRune("]})", c):
			depth = max(depth-1, 0)
		case c == ',' && depth == 0:
			end()
			continue
		}
		if !drop {
			item.WriteRune(c)
		}
	}
	end()
	return items
}

// splitArrows makes a key and a value of each item. An arrow with nothing
// before it belongs to the key.
func splitArrows(items []string) ([]string, error) {
	const arrow = "->"
	var pairs []string
	for _, item := range items {
		item = trimJava(item)
		after := strings.Index(item[min(1, len(item)):], arrow) + 1
		if after == 0 || after+len(arrow) == len(item) {
			return nil, errors.New("k -> v expected, found " + jsonText(item))
		}
		pairs = append(pairs, item[:after], item[after+len(arrow):])
	}
	return pairs, nil
}
