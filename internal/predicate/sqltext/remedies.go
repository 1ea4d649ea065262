package sqltext

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
)

// unexpected reports that the next token is not what is expected there.
func (p *parser) unexpected(expected, remedy string) {
	t := p.peek()
	switch other, isForeign := foreign[strings.ToUpper(t.text)]; {
	case t.kind == tokenInvalid:
		p.fail(t.start, t.text, t.remedy)
	case t.kind == tokenMistaken:
		p.fail(t.start, "double quotes mean nothing here", "write "+quotedName(t.text)+" for a column, "+quotedText(t.text)+" for a string")
	case isForeign && (t.kind == tokenSign || t.kind == tokenWord):
		remedy = other
	}
	p.fail(t.start, expected+" is expected here, not "+p.describe(t), remedy)
}

func (p *parser) describe(t token) string {
	if t.kind == tokenEnd {
		return "the end"
	}
	return p.written(t.start, t.end)
}

// written is a piece of the text for a message: cut where it is long, and with
// nothing hidden.
func (p *parser) written(start, end int) string {
	const few = 40
	piece := visible(p.sql[start:end])
	if cut := firstCells(piece, few); cut != piece {
		return cut + "…"
	}
	return piece
}

// foreign are signs and words of other languages, with what to write instead.
var foreign = map[string]string{
	"==": "write = for equality", "<=>": "write = for equality", "=>": "write >=", "=<": "write <=", "=~": "write LIKE",
	"&&": "write AND", "||": "write OR between conditions, CONCAT(…) for strings", "!": "write NOT or <>",
	"+": arithmetic, "-": arithmetic, "*": arithmetic, "/": arithmetic, "%": arithmetic,
	"--": "remove the comment", "/*": "remove the comment", ";": "remove the semicolon", "::": "write CAST(… AS …)",
	"«": "write a constant; guillemets show one that no reader takes",
	"‘": quotes, "’": quotes, "“": quotes, "”": quotes, "\u00a0": "write an ordinary blank",
	"ILIKE": "compare UPPER(…) LIKE", "RLIKE": "write LIKE", "REGEXP": "write LIKE",
	"ESCAPE": `remove it; the escape character of LIKE is always \`,
	"WHERE":  "write the condition alone", "XOR": "write AND, OR and NOT",
}

const (
	arithmetic = "compute the value beforehand; there is no arithmetic"
	quotes     = "write straight single quotes"
)

// synonyms are functions of other languages, with what to write instead.
var synonyms = map[string]string{
	"SUBSTR": "SUBSTRING", "LEN": "LENGTH", "CHAR_LENGTH": "LENGTH", "CHARACTER_LENGTH": "LENGTH",
	"UCASE": "UPPER", "LCASE": "LOWER", "LTRIM": "TRIM(LEADING FROM …)", "RTRIM": "TRIM(TRAILING FROM …)",
	"STARTSWITH": "STARTS_WITH", "ENDSWITH": "ENDS_WITH", "PAD": "LPAD or RPAD", "EXTRACT": "YEAR(…), MONTH(…) and so on",
}

func (p *parser) unknownFunction(name token) {
	names := slices.AppendSeq(slices.Collect(maps.Keys(callable)), maps.Keys(directions))
	for function, f := range forms {
		if f.shape == call || f.shape == arrayCall {
			names = append(names, function)
		}
	}
	slices.Sort(names)
	near := predicate.Nearest(name.keyword, slices.Values(names))
	remedy := "the functions are " + joined(names)
	switch {
	case synonyms[name.keyword] != "":
		remedy = "write " + synonyms[name.keyword]
	case forms[name.keyword].sign != "":
		remedy = "write it with the operator " + forms[name.keyword].sign
	case near != "":
		remedy = "did you mean " + near + "?"
	}
	p.fail(name.start, "unknown function "+p.describe(name), remedy)
}

func (p *parser) unknownColumn(name token) {
	remedy := nameRemedy(name.text, p.fields)
	dotted := name.text + "." + p.after().text
	if _, ok := p.columns[dotted]; ok && p.peek().isSign(".") {
		remedy = "write " + quotedName(dotted) + "; the dot is part of the name"
	}
	if p.peek().isSign("!") {
		remedy = "write a condition; the form with ! shows one that no reader can evaluate"
	}
	p.fail(name.start, "the table has no column "+p.describe(name), remedy)
}

// nameRemedy proposes one of the names of fields.
func nameRemedy(name string, fields []datatype.Field) string {
	const few = 20
	names := namesOf(fields)
	if near := predicate.Nearest(name, slices.Values(names)); near != "" {
		return "did you mean " + quotedName(near) + "? Names are case-sensitive"
	}
	if len(names) == 0 || len(names) > few {
		return "correct the name"
	}
	for i, name := range names {
		names[i] = quotedName(name)
	}
	return "the names are " + joined(names)
}

// expectedLiteral reports what stands where a constant is needed.
func (p *parser) expectedLiteral() {
	t := p.peek()
	remedy := "write a string in single quotes, a number, TRUE, FALSE, a date or a time"
	_, isColumn := p.columns[t.text]
	switch {
	case isTemporal(words[t.keyword]):
		remedy = "write " + examples[words[t.keyword]]
	case isColumn && (t.kind == tokenName || t.kind == tokenWord):
		remedy = "compare with constants; Paimon cannot compare two columns"
	case t.kind == tokenWord:
		remedy = "write " + quotedText(t.text) + " for a string"
	}
	p.unexpected("a constant", remedy)
}

// literalRemedy shows a literal of the type, made of the one that was written
// where that is possible.
func literalRemedy(read literal, t datatype.Type) string {
	switch class := classOf(t); {
	case class == texts:
		return "write " + quotedText(read.text)
	case class == numbers && read.kind == texts && jsonNumber.MatchString(read.text):
		return "write " + read.text
	case t.Kind == datatype.KindDecimal:
		return fmt.Sprintf("write a number with at most %d digits before and %d after the point", t.Precision-t.Scale, t.Scale)
	default:
		return "write " + examples[class]
	}
}

// examples are literals of the classes of types.
var examples = map[datatype.Kind]string{
	datatype.KindBoolean:      "TRUE or FALSE",
	numbers:                   "a number without quotes",
	datatype.KindDate:         "DATE 'YYYY-MM-DD'",
	datatype.KindTime:         "TIME 'HH:MM:SS', with at most three digits after a point",
	datatype.KindTimestamp:    "TIMESTAMP 'YYYY-MM-DD HH:MM:SS', with at most nine digits after a point",
	datatype.KindTimestampLTZ: "TIMESTAMP_LTZ 'YYYY-MM-DDTHH:MM:SSZ', in UTC and with at most nine digits after a point",
}

func operatorRemedy(left predicate.Transform) string {
	if left.Output().Kind == datatype.KindBoolean {
		return "write " + Transform(left) + " = TRUE"
	}
	return "write one of " + joined(slices.Sorted(maps.Keys(operators)))
}

// operandRemedy is for a function on a type it does not work on.
func operandRemedy(l *predicate.Leaf) string {
	switch t := l.Transform.Output(); {
	case t.Kind == datatype.KindArray:
		return "use ARRAY_CONTAINS, ARRAYS_OVERLAP or ARRAY_CONTAINS_ALL"
	case t.HasLiterals():
		return "compare it with an operator such as = or <"
	default:
		return "use IS NULL or IS NOT NULL"
	}
}

// nullRemedy says what was probably meant by a NULL.
func nullRemedy(c condition) string {
	operand := Transform(c.operand)
	switch c.function {
	case "EQUAL":
		return "write " + operand + " IS NULL"
	case "NOT_EQUAL":
		return "write " + operand + " IS NOT NULL"
	case "NOT_IN":
		return "leave NULL out; a null in " + operand + " never matches"
	default:
		return "write a value, or test with IS NULL or IS NOT NULL"
	}
}

// negationRemedies are for the functions without a negation.
var negationRemedies = map[string]string{
	"STARTS_WITH": "write NOT LIKE 'text%'", "ENDS_WITH": "write NOT LIKE '%text'", "CONTAINS": "write NOT LIKE '%text%'",
	"ARRAY_CONTAINS": wanted, "ARRAYS_OVERLAP": wanted, "ARRAY_CONTAINS_ALL": wanted,
}

const wanted = "say which elements are wanted instead"

func namesOf(fields []datatype.Field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

func quotedName(name string) string { return string(appendName(nil, name)) }

func quotedText(text string) string { return string(appendQuoted(nil, text, '\'')) }

func joined(names []string) string { return strings.Join(names, ", ") }
