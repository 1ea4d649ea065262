package predicate

import (
	"strconv"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// Canonical implements [Predicate].
func (l *Leaf) Canonical() string { return string(l.appendJSON(nil)) }

// Canonical implements [Predicate].
func (c *Compound) Canonical() string { return string(c.appendJSON(nil)) }

// Canonical is the text a server stores.
func (t Transform) Canonical() string { return string(t.appendJSON(nil)) }

// String is the canonical text.
func (l *Leaf) String() string { return l.Canonical() }

// String is the canonical text.
func (c *Compound) String() string { return c.Canonical() }

// String is the canonical text.
func (t Transform) String() string { return t.Canonical() }

func (c *Compound) appendJSON(dst []byte) []byte {
	dst = append(dst, `{"kind":"COMPOUND","function":"`...)
	dst = append(append(dst, c.Operator...), `","children":[`...)
	for i, child := range c.Children {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = child.appendJSON(dst)
	}
	return append(dst, "]}"...)
}

func (l *Leaf) appendJSON(dst []byte) []byte {
	dst = l.Transform.appendJSON(append(dst, `{"kind":"LEAF","transform":`...))
	dst = append(append(dst, `,"function":"`...), l.Function...)
	dst = append(dst, `","literals":`...)
	if l.Literals == nil {
		return append(dst, "null}"...)
	}
	dst = append(dst, '[')
	for i, literal := range l.Literals {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = literal.Value.AppendJSON(dst)
	}
	return append(dst, "]}"...)
}

func (t Transform) appendJSON(dst []byte) []byte {
	dst = append(append(append(dst, `{"name":"`...), t.Name...), '"')
	for _, key := range transforms[t.Name].keys {
		dst = append(append(append(dst, `,"`...), key...), `":`...)
		switch key {
		case "fieldRef":
			dst = t.Field.appendJSON(dst)
		case "type":
			dst = t.Type.AppendJSON(dst)
		case "inputs":
			dst = appendInputs(dst, t.Inputs)
		case "path":
			dst = appendNames(dst, t.Path)
		default:
			dst = datatype.AppendJSONString(dst, t.Option)
		}
	}
	return append(dst, '}')
}

func appendInputs(dst []byte, inputs []Input) []byte {
	dst = append(dst, '[')
	for i, in := range inputs {
		if i > 0 {
			dst = append(dst, ',')
		}
		switch in.Kind {
		case InputNull:
			dst = append(dst, "null"...)
		case InputText:
			dst = datatype.AppendJSONString(dst, in.Text)
		case InputInteger:
			dst = append(dst, in.Text...)
		case InputField:
			dst = in.Field.appendJSON(dst)
		}
	}
	return append(dst, ']')
}

func appendNames(dst []byte, names []string) []byte {
	dst = append(dst, '[')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = datatype.AppendJSONString(dst, name)
	}
	return append(dst, ']')
}

// appendJSON leaves out a type that is not known, so that the text reads back.
func (r *FieldRef) appendJSON(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"index":`...), int64(r.Index), 10)
	dst = datatype.AppendJSONString(append(dst, `,"name":`...), r.Name)
	if !r.Type.IsZero() {
		dst = r.Type.AppendJSON(append(dst, `,"type":`...))
	}
	return append(dst, '}')
}
