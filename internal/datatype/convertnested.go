package datatype

import (
	"errors"
	"fmt"
	"strings"
)

// nestedText is the text of a nested value: [a, b], {k -> v} or {a, b}. The
// length of the target does not apply.
func nestedText(v Value, t Type) (string, error) {
	var parts []string
	add := func(v Value, t Type) error {
		text, err := elementText(v, t)
		parts = append(parts, text)
		return err
	}
	switch v := v.(type) {
	case List:
		for _, element := range v {
			if err := add(element, *t.Element); err != nil {
				return "", err
			}
		}
		return "[" + strings.Join(parts, ", ") + "]", nil
	case Map:
		for _, e := range v {
			key, err := elementText(e.Key, *t.Key)
			if err != nil {
				return "", err
			}
			if err := add(e.Value, *t.Element); err != nil {
				return "", err
			}
			parts[len(parts)-1] = key + " -> " + parts[len(parts)-1]
		}
	case Record:
		for i, field := range v {
			if err := add(field.Value, t.Fields[i].Type); err != nil {
				return "", err
			}
		}
	}
	return "{" + strings.Join(parts, ", ") + "}", nil
}

func elementText(v Value, t Type) (string, error) {
	if v == (Null{}) {
		return "null", nil
	}
	converted, err := Convert(v, t, String())
	text, _ := converted.(Text)
	return string(text), err
}

// parseNested reads what nestedText writes, and the notation of SQL functions:
// ARRAY(a, b), MAP(k, v), STRUCT(a, b). Nothing is quoted: quotes and
// backslashes only keep commas from separating, and a MAP loses them together
// with what the backslashes escape.
func parseNested(text string, to Type) (Value, error) {
	text = trimJava(text)
	if to.Kind == KindMap && strings.EqualFold(text, "null") {
		return Null{}, nil
	}
	var v Value
	var err error
	switch to.Kind {
	case KindArray:
		v, err = parseList(text, *to.Element)
	case KindMap:
		v, err = parseMap(text, *to.Key, *to.Element)
	default:
		v, err = parseRecord(text, to.Fields)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be cast to %s: %w", jsonText(text), to, err)
	}
	return v, nil
}

func parseList(text string, element Type) (Value, error) {
	content, _, ok := contents(text, "[]", "ARRAY")
	if !ok {
		return nil, errors.New("[a, b] or ARRAY(a, b) expected")
	}
	list := List{}
	for _, item := range splitItems(content, false) {
		v, err := parseElement(item, element)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

func parseRecord(text string, fields []Field) (Value, error) {
	content, _, ok := contents(text, "{}", "STRUCT")
	if !ok {
		return nil, errors.New("{a, b} or STRUCT(a, b) expected")
	}
	items := splitItems(content, false)
	if content != "" && len(items) != len(fields) {
		return nil, fmt.Errorf("%d fields expected, found %d", len(fields), len(items))
	}
	record := make(Record, len(fields))
	for i, field := range fields {
		record[i] = NamedValue{field.Name, Null{}}
		if content == "" {
			continue
		}
		v, err := parseElement(items[i], field.Type)
		if err != nil {
			return nil, err
		}
		record[i].Value = v
	}
	return record, nil
}

func parseMap(text string, key, value Type) (Value, error) {
	content, called, ok := contents(text, "{}", "MAP")
	if !ok {
		return nil, errors.New("{k -> v} or MAP(k, v) expected")
	}
	pairs := splitItems(content, true)
	if !called {
		items := pairs
		pairs = nil
		for _, item := range items {
			k, v, ok := cutArrow(trimJava(item))
			if !ok {
				return nil, fmt.Errorf("k -> v expected, found %s", jsonText(item))
			}
			pairs = append(pairs, k, v)
		}
	}
	if len(pairs)%2 != 0 {
		return nil, errors.New("a key without a value")
	}
	entries := Map{}
	places := map[string]int{}
	for i := 0; i < len(pairs); i += 2 {
		k, err := parseElement(pairs[i], key)
		if err != nil {
			return nil, err
		}
		v, err := parseElement(pairs[i+1], value)
		if err != nil {
			return nil, err
		}
		if at, seen := places[plainKey(k)]; seen {
			entries[at].Value = v // The last one counts.
			continue
		}
		places[plainKey(k)] = len(entries)
		entries = append(entries, Entry{k, v})
	}
	return entries, nil
}

func parseElement(text string, t Type) (Value, error) {
	text = trimJava(text)
	if !CanCast(String(), t) {
		return nil, fmt.Errorf("there is no cast to %s", t)
	}
	if text == "null" {
		return Null{}, nil
	}
	return convertText(text, t)
}

// lineTerminators are what a dot does not match in Java's patterns, with which
// Paimon takes containers apart.
const lineTerminators = "\n\r\u0085\u2028\u2029"

// contents is what is between the brackets, or the parentheses after the word,
// which called reports.
func contents(text, brackets, word string) (content string, called, ok bool) {
	if len(text) >= len(brackets) && text[0] == brackets[0] && text[len(text)-1] == brackets[1] {
		content = text[1 : len(text)-1]
	} else {
		if len(text) < len(word) || !strings.EqualFold(text[:len(word)], word) {
			return "", false, false
		}
		text = strings.TrimLeft(text[len(word):], " \t\n\v\f\r")
		if len(text) < len("()") || text[0] != '(' || text[len(text)-1] != ')' {
			return "", false, false
		}
		content, called = text[1:len(text)-1], true
	}
	return trimJava(content), called, !strings.ContainsAny(content, lineTerminators)
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

// cutArrow splits at the first arrow that has something before it.
func cutArrow(entry string) (key, value string, ok bool) {
	if entry == "" {
		return "", "", false
	}
	i := strings.Index(entry[1:], "->") + 1
	if i == 0 || i+len("->") == len(entry) {
		return "", "", false
	}
	return entry[:i], entry[i+len("->"):], true
}
