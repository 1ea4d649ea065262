package datatype

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// ParseJSON reads a type in its JSON form: a string (see [Parse]) or the
// object of a nested type. Like Paimon it ignores unknown keys, takes the last
// of duplicate keys, finds the kind by the beginning of "type" (ARRAYLIST is an
// ARRAY) and numbers the fields of a ROW without ids depth first.
func ParseJSON(data []byte) (Type, error) {
	tree, err := decodeTree(data)
	if err != nil {
		return Type{}, fmt.Errorf("the type is not JSON: %w", err)
	}
	return newTreeParser().parse(tree)
}

// UnmarshalJSON reads the JSON form of a type, see [ParseJSON].
func (t *Type) UnmarshalJSON(data []byte) error {
	parsed, err := ParseJSON(data)
	if err != nil {
		return err
	}
	*t = parsed
	return nil
}

// UnmarshalJSON reads the JSON object of a field.
func (f *Field) UnmarshalJSON(data []byte) error {
	tree, err := decodeTree(data)
	if err != nil {
		return fmt.Errorf("the field is not JSON: %w", err)
	}
	parsed, err := newTreeParser().parseField(tree)
	if err != nil {
		return err
	}
	*f = parsed
	return nil
}

func decodeTree(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the value")
	}
	return tree, nil
}

// treeParser reads decoded JSON and counts the fields that have no id.
type treeParser struct{ lastID int }

func newTreeParser() *treeParser { return &treeParser{lastID: -1} }

func (p *treeParser) parse(tree any) (Type, error) {
	switch tree := tree.(type) {
	case string:
		return parseText(tree)
	case map[string]any:
		return p.parseObject(tree)
	default:
		return Type{}, errors.New(`a type is a JSON string such as "INT" or an object such as {"type":"ARRAY","element":"INT"}`)
	}
}

func (p *treeParser) parseObject(object map[string]any) (Type, error) {
	text, ok := object["type"].(string)
	if !ok {
		return Type{}, errors.New(`a nested type needs the key "type"`)
	}
	t := Type{Kind: nestedKind(text), NotNull: strings.Contains(text, "NOT NULL")}
	var err error
	switch t.Kind {
	case KindNone:
		err = fmt.Errorf("%q is not a nested type; use ARRAY, MULTISET, VECTOR, MAP or ROW in upper case, and a plain string for other types", text)
	case KindRow:
		t.Fields, err = p.parseFields(object)
	case KindMap:
		if t.Key, err = p.parseMember(object, "key"); err == nil {
			t.Element, err = p.parseMember(object, "value")
		}
	case KindVector:
		if t.Element, err = p.parseMember(object, "element"); err == nil {
			t.Length, err = vectorLength(*t.Element, object["length"])
		}
	default:
		t.Element, err = p.parseMember(object, "element")
	}
	if err != nil {
		return Type{}, err
	}
	return t, nil
}

func nestedKind(text string) Kind {
	for kind := KindArray; kind <= KindRow; kind++ {
		if strings.HasPrefix(text, kind.String()) {
			return kind
		}
	}
	return KindNone
}

func (p *treeParser) parseMember(object map[string]any, key string) (*Type, error) {
	member, ok := object[key]
	if !ok {
		return nil, fmt.Errorf("%v needs the key %q", object["type"], key)
	}
	t, err := p.parse(member)
	if err != nil {
		return nil, err
	}
	return &t, nil
}

func vectorLength(element Type, tree any) (int, error) {
	if err := checkVectorElement(element); err != nil {
		return 0, err
	}
	n, err := integer(tree)
	if err != nil || n < 1 {
		return 0, fmt.Errorf(`VECTOR needs a "length" from 1 to %d`, MaxLength)
	}
	return n, nil
}

func (p *treeParser) parseFields(object map[string]any) ([]Field, error) {
	list, ok := object["fields"].([]any)
	if !ok {
		return nil, errors.New(`ROW needs the key "fields", a list`)
	}
	fields := make([]Field, len(list))
	seen := make(map[string]bool, len(list))
	for i, tree := range list {
		var err error
		if fields[i], err = p.parseField(tree); err != nil {
			return nil, err
		}
		name := fields[i].Name
		if seen[name] {
			return nil, fmt.Errorf("two fields of a ROW are named %q", name)
		}
		seen[name] = true
	}
	return fields, nil
}

func (p *treeParser) parseField(tree any) (Field, error) {
	object, ok := tree.(map[string]any)
	if !ok {
		return Field{}, errors.New(`a field is a JSON object such as {"id":0,"name":"a","type":"INT"}`)
	}
	name := optionalText(object, "name")
	if name == nil {
		return Field{}, errors.New(`a field needs the key "name"`)
	}
	id, err := p.fieldID(object)
	if err != nil {
		return Field{}, fmt.Errorf("field %q: %w", *name, err)
	}
	t, err := p.parseMember(object, "type")
	if err != nil {
		return Field{}, fmt.Errorf("field %q: %w", *name, err)
	}
	return Field{
		ID: id, Name: *name, Type: *t,
		Description:  optionalText(object, "description"),
		DefaultValue: optionalText(object, "defaultValue"),
	}, nil
}

// fieldID keeps Paimon's rule: ids may be missing after given ones, but none
// may be given once one was numbered here.
func (p *treeParser) fieldID(object map[string]any) (int, error) {
	given, ok := object["id"]
	if !ok {
		p.lastID++
		return p.lastID, nil
	}
	if p.lastID >= 0 {
		return 0, errors.New("the id is given although an earlier field has none; give every id or none")
	}
	return integer(given)
}

// integer reads a 32-bit integer, also from a text as Paimon does.
func integer(tree any) (int, error) {
	var text string
	switch tree := tree.(type) {
	case json.Number:
		text = tree.String()
	case string:
		text = tree
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < math.MinInt32 || n > math.MaxInt32 {
		return 0, errors.New("a 32-bit integer expected")
	}
	return n, nil
}

// optionalText is Jackson's asText: scalars become their text, null the text
// "null".
func optionalText(object map[string]any, key string) *string {
	var text string
	switch member := object[key].(type) {
	case nil:
		if _, ok := object[key]; !ok {
			return nil
		}
		text = "null"
	case string:
		text = member
	case json.Number:
		text = member.String()
	case bool:
		text = strconv.FormatBool(member)
	}
	return &text
}
