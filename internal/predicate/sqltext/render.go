package sqltext

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
)

// lineWidth is the number of characters from which [PredicateLines] breaks.
const lineWidth = 100

// Predicate is the text of a row filter in one line.
//
// A condition that a server stores although no reader can evaluate it is
// written as EQUAL!(region, 'a', 'b'), a literal that no type explains as its
// JSON in «guillemets». The parser refuses both.
func Predicate(p predicate.Predicate) string { return string(appendPredicate(nil, p)) }

// PredicateLines is the text of a row filter in one line if it has at most 100
// characters, and else with every condition on a line of its own, led by its
// operator. Every group is in parentheses then, and its lines are indented.
func PredicateLines(p predicate.Predicate) string {
	line := Predicate(p)
	if utf8.RuneCountInString(line) <= lineWidth {
		return line
	}
	return string(appendLines(nil, p, "\n"))
}

func appendPredicate(dst []byte, p predicate.Predicate) []byte {
	switch p := p.(type) {
	case *predicate.Leaf:
		return appendLeaf(dst, p)
	case *predicate.Compound:
		return appendCompound(dst, p)
	default:
		return dst
	}
}

// appendCompound puts a group of the same operator in parentheses too: servers
// keep such a tree, and so does the parser.
func appendCompound(dst []byte, c *predicate.Compound) []byte {
	for i, child := range c.Children {
		if i > 0 {
			dst = append(append(append(dst, ' '), c.Operator...), ' ')
		}
		if group, ok := child.(*predicate.Compound); ok && (c.Operator == predicate.And || group.Operator == predicate.Or) {
			dst = append(appendCompound(append(dst, '('), group), ')')
		} else {
			dst = appendPredicate(dst, child)
		}
	}
	return dst
}

// appendLines begins new lines with newline, which holds the indentation.
func appendLines(dst []byte, p predicate.Predicate, newline string) []byte {
	c, ok := p.(*predicate.Compound)
	if !ok {
		return appendPredicate(dst, p)
	}
	for i, child := range c.Children {
		if i > 0 {
			dst = append(append(append(dst, newline...), c.Operator...), ' ')
		}
		if _, ok := child.(*predicate.Compound); ok {
			inner := newline + "  "
			dst = appendLines(append(append(dst, '('), inner...), child, inner)
			dst = append(append(dst, newline...), ')')
		} else {
			dst = appendPredicate(dst, child)
		}
	}
	return dst
}

func appendLeaf(dst []byte, l *predicate.Leaf) []byte {
	f, known := forms[l.Function]
	if !known || isMalformed(l) {
		return appendMalformed(dst, l)
	}
	switch f.shape {
	case call, arrayCall:
		return appendCall(dst, l, f)
	case constant:
		return appendConstant(dst, l)
	default:
		dst = appendTransform(dst, l.Transform)
		dst = append(append(dst, ' '), f.sign...)
		return appendRight(dst, l, f)
	}
}

// isMalformed tells a leaf whose parts do not go together.
func isMalformed(l *predicate.Leaf) bool {
	for _, finding := range l.Check() {
		if finding.Code == predicate.CodeLiteralCount || finding.Code == predicate.CodeOperand {
			return true
		}
	}
	return false
}

// appendMalformed keeps the difference between a list of literals that is
// missing and an empty one, as servers do.
func appendMalformed(dst []byte, l *predicate.Leaf) []byte {
	dst = append(append(dst, l.Function...), "!("...)
	dst = appendTransform(dst, l.Transform)
	for _, literal := range l.Literals {
		dst = appendValue(append(dst, ", "...), literal.Value)
	}
	if l.Literals == nil {
		dst = append(dst, ", «null»"...)
	}
	return append(dst, ')')
}

func appendCall(dst []byte, l *predicate.Leaf, f form) []byte {
	dst = append(append(dst, l.Function...), '(')
	dst = append(appendTransform(dst, l.Transform), ", "...)
	if f.shape == call {
		return append(appendValues(dst, l.Literals, ", "), ')')
	}
	return append(appendValues(append(dst, "ARRAY["...), l.Literals, ", "), "])"...)
}

// appendConstant leaves the NULL transform out, over which TRUE and FALSE are
// usually written.
func appendConstant(dst []byte, l *predicate.Leaf) []byte {
	dst = append(dst, l.Function...)
	if l.Transform.Name == "NULL" {
		return dst
	}
	return append(appendTransform(append(dst, '('), l.Transform), ')')
}

// appendRight appends what stands right of the operator.
func appendRight(dst []byte, l *predicate.Leaf, f form) []byte {
	switch f.shape {
	case list:
		return append(appendValues(append(dst, " ("...), l.Literals, ", "), ')')
	case postfix:
		return dst
	default:
		return appendValues(append(dst, ' '), l.Literals, " AND ")
	}
}

func appendValues(dst []byte, literals []predicate.Literal, separator string) []byte {
	for i, literal := range literals {
		if i > 0 {
			dst = append(dst, separator...)
		}
		dst = appendValue(dst, literal.Value)
	}
	return dst
}

func appendValue(dst []byte, v datatype.Value) []byte {
	switch v := v.(type) {
	case datatype.Text:
		return appendQuoted(dst, string(v), '\'')
	case datatype.Decimal:
		return append(dst, v.Number.Text('f')...)
	case datatype.Date:
		return appendTemporal(dst, datatype.KindDate, v.String())
	case datatype.Time:
		return appendTemporal(dst, datatype.KindTime, v.String())
	case datatype.Timestamp:
		return appendTemporal(dst, datatype.KindTimestamp, strings.Replace(v.String(), "T", " ", 1))
	case datatype.Instant:
		return appendTemporal(dst, datatype.KindTimestampLTZ, v.String())
	case datatype.Null, datatype.Bool:
		return append(dst, bytes.ToUpper(v.AppendJSON(nil))...)
	case datatype.Verbatim:
		return appendVerbatim(dst, v.AppendJSON(nil))
	default:
		return appendNumber(dst, v)
	}
}

func appendTemporal(dst []byte, kind datatype.Kind, text string) []byte {
	dst = append(append(dst, kind.String()...), ' ')
	return appendQuoted(dst, text, '\'')
}

// appendNumber uses the notation servers store. They store infinite numbers as
// JSON strings, which no reader takes back.
func appendNumber(dst []byte, v datatype.Value) []byte {
	json := v.AppendJSON(nil)
	if json[0] == '"' {
		return appendVerbatim(dst, json)
	}
	return append(dst, json...)
}

func appendVerbatim(dst, json []byte) []byte {
	return append(append(append(dst, "«"...), visibleJSON(json)...), "»"...)
}
