package predicate

import (
	"maps"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

func (p *parser) transform(n *node, where *path) (Transform, bool) {
	name, ok := p.discriminator(n, "name", where, "a transform")
	if !ok {
		return Transform{}, false
	}
	facts, ok := transforms[name]
	if !ok {
		p.unreadable(CodeUnknownName, n.at, where.member("name"), "unknown transform "+strconv.Quote(name),
			suggestion(name, maps.Keys(transforms)))
		return Transform{}, false
	}
	before := len(p.findings)
	t := Transform{Name: name, at: n.at}
	keys := p.members(n, object{discriminator: "name", keys: facts.keys, atOnce: facts.hasInputs()}, where)
	for _, key := range facts.keys {
		p.part(&t, key, keys[key], where)
	}
	if t.Field != nil && p.findings[before:].ReadErr() == nil {
		checkField(&p.notes, t, where, datatype.RefusedByAll)
	}
	return t, p.findings[before:].ReadErr() == nil
}

// part reads one key of a transform.
func (p *parser) part(t *Transform, key string, n *node, where *path) {
	where = where.member(key)
	if isMissing(n) {
		p.unreadable(CodeShape, placeOf(n, t.at), where, t.Name+" needs the key "+strconv.Quote(key), "add it")
		return
	}
	switch key {
	case "fieldRef":
		if ref, ok := p.fieldRef(n, where); ok {
			t.Field = &ref
		}
	case "type":
		t.Type = p.dataType(n, where)
	case "inputs":
		t.Inputs = p.inputs(t, n, where)
	case "path":
		t.Path = p.path(n, where)
	default:
		t.Option = p.option(t, n, where)
	}
}

var fieldRefObject = object{keys: []string{"index", "name", "type"}}

func (p *parser) fieldRef(n *node, where *path) (FieldRef, bool) {
	if n.kind != objectNode {
		p.unreadable(CodeShape, n.at, where, "a field reference is a JSON object",
			`write {"index":0,"name":…,"type":…}`)
		return FieldRef{}, false
	}
	keys := p.members(n, fieldRefObject, where)
	ref := FieldRef{at: n.at, nameAt: placeOf(keys["name"], n.at), typeAt: placeOf(keys["type"], n.at)}
	nameOK := p.fieldName(&ref, keys["name"], where.member("name"))
	indexOK := p.fieldIndex(&ref, keys["index"], where.member("index"))
	if isMissing(keys["type"]) {
		p.careless(CodeShape, n.at, where, `a field reference needs the key "type"`, "add the type of the column")
	} else {
		ref.Type = p.dataType(keys["type"], where.member("type"))
	}
	return ref, nameOK && indexOK
}

// fieldName coerces numbers and booleans to text, as Jackson does.
func (p *parser) fieldName(ref *FieldRef, n *node, where *path) bool {
	switch {
	case isMissing(n):
		p.unreadable(CodeShape, ref.at, where, `a field reference needs the key "name"`, "add the name of the column")
		return false
	case n.kind == arrayNode || n.kind == objectNode:
		p.unreadable(CodeShape, n.at, where, "a column name is a string", "write it in double quotes")
		return false
	case n.kind != textNode:
		p.careless(CodeShape, n.at, where, "a column name is a string", "write it in double quotes")
	}
	p.damage(n, where)
	ref.Name = n.text
	return true
}

// fieldIndex coerces numeric texts and cuts fractions, as Jackson does. The
// index never matters: columns are found by name.
func (p *parser) fieldIndex(ref *FieldRef, n *node, where *path) bool {
	if isMissing(n) {
		return true
	}
	const remedy = "write the position of the column, or leave the key out"
	index, err := strconv.ParseInt(n.text, 10, 32)
	if n.kind == numberNode && err == nil {
		ref.Index = int(index)
		return true
	}
	fraction, floatErr := strconv.ParseFloat(n.text, 64)
	switch {
	case n.kind == textNode && strings.Trim(n.text, " ") == "":
	case n.kind == textNode:
		index, err = strconv.ParseInt(strings.Trim(n.text, " "), 10, 32)
		if err != nil {
			p.unreadable(CodeShape, n.at, where, "an index is a 32-bit integer", remedy)
			return false
		}
	case n.kind == numberNode && floatErr == nil && strings.ContainsAny(n.text, ".eE") &&
		fraction > math.MinInt32-1 && fraction < math.MaxInt32+1:
		index = int64(fraction)
	default:
		p.unreadable(CodeShape, n.at, where, "an index is a 32-bit integer", remedy)
		return false
	}
	p.careless(CodeShape, n.at, where, "an index is an integer; servers read "+strconv.FormatInt(index, 10), remedy)
	ref.Index = int(index)
	return true
}

func (p *parser) dataType(n *node, where *path) datatype.Type {
	t, err := datatype.ParseJSON([]byte(p.text[n.at.Offset:n.end]))
	if err != nil {
		p.unreadable(CodeType, n.at, where, err.Error(), "write a Paimon type such as STRING, INT or DECIMAL(10, 2)")
		return t
	}
	p.typeObject(n, where)
	return t
}

var (
	typeObjectKeys = object{keys: []string{
		"type", "element", "length", "key", "value", "fields", "id", "name", "description", "defaultValue",
	}}
	nestedTypeText = regexp.MustCompile(`^(ARRAY|MULTISET|VECTOR|MAP|ROW)( NOT NULL)?$`)
)

// typeObject notes what servers take in the object of a nested type without
// meaning what it seems to say: they look at the beginning of the type's name
// only, and for NOT NULL with one blank.
func (p *parser) typeObject(n *node, where *path) {
	if n.kind == arrayNode {
		for i := range n.items {
			p.typeObject(&n.items[i], where.item(i))
		}
	}
	if n.kind != objectNode {
		return
	}
	keys := p.members(n, typeObjectKeys, where)
	if name := keys["type"]; name != nil && keys["name"] == nil && name.kind == textNode && !nestedTypeText.MatchString(name.text) {
		p.careless(CodeType, name.at, where.member("type"), strconv.Quote(name.text)+" is not the name of a nested type",
			"write ARRAY, MULTISET, VECTOR, MAP or ROW, with or without NOT NULL")
	}
	for _, key := range []string{"type", "element", "key", "value", "fields"} {
		if keys[key] != nil {
			p.typeObject(keys[key], where.member(key))
		}
	}
	for _, key := range []string{"id", "length"} {
		if number := keys[key]; number != nil && number.kind != numberNode {
			p.careless(CodeType, number.at, where.member(key), strconv.Quote(key)+" is an integer", "write it without quotes")
		}
	}
}

func (p *parser) path(n *node, where *path) []string {
	names := make([]string, 0, len(n.items))
	for i := range n.items {
		if n.items[i].kind == textNode {
			names = append(names, n.items[i].text)
		}
	}
	if len(names) == 0 || len(names) != len(n.items) {
		p.unreadable(CodeShape, n.at, where, "a path is a list of field names below a ROW column", "list at least one name")
	}
	return names
}

func (p *parser) inputs(t *Transform, n *node, where *path) []Input {
	facts := transforms[t.Name]
	if n.kind != arrayNode {
		p.unreadable(CodeShape, n.at, where, `"inputs" is an array`, "put the inputs in brackets")
		return nil
	}
	inputs := make([]Input, len(n.items))
	if !checkInputCount(&p.notes, t.Name, len(inputs), n.at, where) {
		return nil
	}
	for i := range inputs {
		inputs[i] = p.input(&n.items[i], facts.input(i), where.item(i))
	}
	return inputs
}

func checkInputCount(n *notes, transform string, count int, at Position, where *path) bool {
	facts := transforms[transform]
	if count >= facts.min && (facts.variadic || count <= len(facts.inputs)) {
		return true
	}
	n.unreadable(CodeArgument, at, where, transform+" takes "+facts.count()+", not "+strconv.Itoa(count), "correct the list")
	return false
}

func (t transform) input(i int) argument { return t.inputs[min(i, len(t.inputs)-1)] }

func (t transform) count() string {
	switch most := len(t.inputs); {
	case t.variadic:
		return "at least " + strconv.Itoa(t.min) + " inputs"
	case most == t.min:
		return strconv.Itoa(most) + " inputs"
	default:
		return strconv.Itoa(t.min) + " to " + strconv.Itoa(most) + " inputs"
	}
}

func (p *parser) input(n *node, a argument, where *path) Input {
	in := Input{at: n.at, Text: n.text}
	switch {
	case n.kind == nullNode:
		return Input{Kind: InputNull, at: n.at}
	case n.kind == objectNode:
		in.Kind = InputField
		in.Field, _ = p.fieldRef(n, where)
	case n.kind == textNode:
		in.Kind = InputText
		p.damage(n, where)
	case n.kind == numberNode && !strings.ContainsAny(n.text, ".eE"):
		in.Kind = InputInteger
		if in.Text == "-0" {
			in.Text = "0" // Java's integers have no negative zero.
		}
	default:
		p.unreadable(CodeArgument, n.at, where, "this input is not accepted here", "write "+a.name)
		return in
	}
	checkInput(&p.notes, in, a, where)
	return in
}

// checkInput checks that an input may stand at its place.
func checkInput(n *notes, in Input, a argument, where *path) {
	remedy := "write " + a.name
	switch {
	case in.Kind == InputNull || in.Kind == InputText && a.text:
	case in.Kind == InputField:
		checkColumn(n, in.Field, a, where)
	case in.Kind == InputText && a.coerced:
		n.careless(CodeArgument, in.at, where, strconv.Quote(in.Text)+" is not an integer; servers keep it and queries may fail", remedy)
	case in.Kind == InputInteger && a.integer:
		if _, err := strconv.ParseInt(in.Text, 10, 32); err != nil {
			n.careless(CodeArgument, in.at, where, in.Text+" is out of the range of INT; servers keep it and queries fail", remedy)
		}
	default:
		n.unreadable(CodeArgument, in.at, where, "this input is not accepted here", remedy)
	}
}

// checkColumn checks the type of a column that is an input.
func checkColumn(n *notes, ref FieldRef, a argument, where *path) {
	const remedy = "transforms do not nest, so choose another column"
	switch {
	case ref.Type.IsZero() && !a.server(ref.Type):
		n.unreadable(CodeType, ref.at, where, "the type of the column is not known", `add the key "type"`)
	case !a.server(ref.Type):
		n.unreadable(CodeArgument, ref.typeAt, where, "the column is "+ref.Type.String()+", but "+a.name+" is needed", remedy)
	case !ref.Type.IsZero() && !a.columns(ref.Type):
		n.careless(CodeArgument, ref.typeAt, where, "the column is "+ref.Type.String()+", but "+a.name+
			" is needed; servers accept it and queries fail", remedy)
	}
}

func (p *parser) option(t *Transform, n *node, where *path) string {
	facts := transforms[t.Name]
	for ordinal, option := range facts.options {
		switch {
		case n.kind == textNode && n.text == option:
			return option
		case n.kind == numberNode && facts.ordinals && n.text == strconv.Itoa(ordinal):
			p.careless(CodeArgument, n.at, where, "a number instead of a name", "write "+strconv.Quote(option))
			return option
		}
	}
	p.unreadable(CodeArgument, n.at, where, "unknown value", "write one of "+quotedList(facts.options))
	return ""
}

// checkField checks the type of a transform's own column. A missing cast rule
// is refused as said: servers look for it when they parse, not when they bind.
func checkField(n *notes, t Transform, where *path, noCast datatype.Refusal) {
	from := t.Field.Type
	where = where.member("fieldRef")
	switch columns := transforms[t.Name].columns; {
	case t.Name == "FIELD_REF":
	case from.IsZero():
		n.unreadable(CodeType, t.Field.at, where, "the type of the column is not known", `add the key "type"`)
	case t.Name == "CAST" && !datatype.CanCast(from, t.Type):
		n.refuse(noCast, CodeCast, t.at, where, "there is no cast from "+from.String()+" to "+t.Type.String(), castRemedy(from))
	case t.Name == "NESTED_FIELD_REF" && nested(from, t.Path).IsZero():
		n.unreadable(CodeColumn, t.at, where, from.String()+" has no field "+strings.Join(t.Path, "."), "correct the path")
	case columns != nil && !columns(from):
		n.unreadable(CodeOperand, t.at, where, t.Name+" does not work on "+from.String(), "choose another column")
	}
}

func castRemedy(from datatype.Type) string {
	if datatype.CanCast(from, datatype.String()) {
		return "cast to STRING, or choose another column"
	}
	return "choose another column"
}
