package sqltext

import "github.com/paimon-iac/terraform-provider-paimon/internal/predicate"

// Transform is the text of a column mask, in one line.
func Transform(t predicate.Transform) string { return string(appendTransform(nil, t)) }

func appendTransform(dst []byte, t predicate.Transform) []byte {
	switch t.Name {
	case "NULL":
		return append(dst, "NULL"...)
	case "FIELD_REF", "NESTED_FIELD_REF":
		return appendColumn(dst, t)
	case "CAST":
		dst = appendName(append(dst, "CAST("...), t.Field.Name)
		return append(append(append(dst, " AS "...), visibleJSON([]byte(t.Type.String()))...), ')')
	case "TRIM":
		return appendTrim(dst, t)
	case "OVERLAY":
		return appendKeywords(append(dst, "OVERLAY("...), t.Inputs, []string{"", " PLACING ", " FROM ", " FOR "})
	case "PAD":
		return appendArguments(append(dst, pads[t.Option]...), t)
	default:
		return appendArguments(append(dst, t.Name...), t)
	}
}

func appendColumn(dst []byte, t predicate.Transform) []byte {
	dst = appendName(dst, t.Field.Name)
	for _, name := range t.Path {
		dst = appendName(append(dst, '.'), name)
	}
	return dst
}

// appendTrim writes the characters to trim, which are the second input, first.
func appendTrim(dst []byte, t predicate.Transform) []byte {
	dst = append(append(append(dst, "TRIM("...), t.Option...), ' ')
	for _, characters := range t.Inputs[1:] {
		dst = append(appendInput(dst, characters), ' ')
	}
	return append(appendInput(append(dst, "FROM "...), t.Inputs[0]), ')')
}

// appendKeywords appends inputs, each after the keyword of its place.
func appendKeywords(dst []byte, inputs []predicate.Input, keywords []string) []byte {
	for i, in := range inputs {
		dst = appendInput(append(dst, keywords[i]...), in)
	}
	return append(dst, ')')
}

func appendArguments(dst []byte, t predicate.Transform) []byte {
	dst = append(dst, '(')
	if t.Field != nil {
		dst = appendName(dst, t.Field.Name)
	}
	for i, in := range t.Inputs {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = appendInput(dst, in)
	}
	return append(dst, ')')
}

func appendInput(dst []byte, in predicate.Input) []byte {
	switch in.Kind {
	case predicate.InputText:
		return appendQuoted(dst, in.Text, '\'')
	case predicate.InputInteger:
		return append(dst, in.Text...)
	case predicate.InputField:
		return appendName(dst, in.Field.Name)
	default:
		return append(dst, "NULL"...)
	}
}
