package datatype

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	maxDecimalPrecision = 38
	maxFractionDigits   = 9
	defaultCRS          = "OGC:CRS84"
)

var algorithms = []string{"spherical", "vincenty", "thomas", "andoyer", "karney"}

// Parse reads the text of a type: Paimon's SQL-like notation, or the JSON
// object of a nested type as [Type.String] prints it. It accepts what Paimon
// accepts, spellings that are not canonical included; the SQL angle notation
// of ARRAY, MAP, ROW and MULTISET is not among them. The error says what was
// expected.
func Parse(text string) (Type, error) {
	if strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") {
		return ParseJSON([]byte(text))
	}
	return parseText(text)
}

func parseText(text string) (Type, error) {
	tokens, err := tokenize(text)
	if err != nil {
		return Type{}, fmt.Errorf("%q is not a Paimon type: %w", text, err)
	}
	p := typeParser{tokens: tokens}
	t, err := p.parseType()
	if err == nil && p.peek().kind != tokenEnd {
		err = fmt.Errorf("unexpected %q after the type", p.peek().text)
	}
	if err != nil {
		return Type{}, fmt.Errorf("%q is not a Paimon type: %w", text, err)
	}
	return t, nil
}

type typeParser struct {
	tokens []token
	next   int
}

func (p *typeParser) peek() token {
	if p.next >= len(p.tokens) {
		return token{}
	}
	return p.tokens[p.next]
}

func (p *typeParser) acceptKeyword(word string) bool {
	if p.peek().keyword != word {
		return false
	}
	p.next++
	return true
}

func (p *typeParser) acceptSign(sign string) bool {
	if t := p.peek(); t.kind != tokenSign || t.text != sign {
		return false
	}
	p.next++
	return true
}

func (p *typeParser) expectSign(sign string) error {
	if !p.acceptSign(sign) {
		return fmt.Errorf("%q expected", sign)
	}
	return nil
}

func (p *typeParser) expectKeywords(words ...string) error {
	for _, word := range words {
		if !p.acceptKeyword(word) {
			return fmt.Errorf("%s expected", word)
		}
	}
	return nil
}

// parseType reads a type, its nullability and at most one ARRAY or MULTISET
// suffix.
func (p *typeParser) parseType() (Type, error) {
	t, err := p.parseWithNullability()
	if err != nil {
		return Type{}, err
	}
	var suffix Kind
	switch {
	case p.acceptKeyword("ARRAY"):
		suffix = KindArray
	case p.acceptKeyword("MULTISET"):
		suffix = KindMultiset
	default:
		return t, nil
	}
	notNull, err := p.parseNullability()
	return Type{Kind: suffix, NotNull: notNull, Element: &t}, err
}

func (p *typeParser) parseWithNullability() (Type, error) {
	word := p.peek()
	rule, ok := typeRules[word.keyword]
	if !ok {
		return Type{}, unknownType(word)
	}
	p.next++
	t := Type{Kind: rule.kind, Length: rule.length, Precision: rule.precision}
	if err := p.parseParameters(rule.parameters, &t); err != nil {
		return Type{}, err
	}
	var err error
	t.NotNull, err = p.parseNullability()
	return t, err
}

func unknownType(word token) error {
	switch word.keyword {
	case "":
		return errors.New("a type name expected")
	case "ARRAY", "MAP", "ROW", "MULTISET":
		return fmt.Errorf(`%s is written as a JSON object, for example {"type":"ARRAY","element":"INT"}`, word.keyword)
	case "TEXT", "CHARACTER":
		return fmt.Errorf("unknown type %s; use STRING, VARCHAR(n) or CHAR(n)", word.text)
	case "LONG":
		return fmt.Errorf("unknown type %s; use BIGINT", word.text)
	case "REAL":
		return fmt.Errorf("unknown type %s; use FLOAT", word.text)
	case "BOOL":
		return fmt.Errorf("unknown type %s; use BOOLEAN", word.text)
	}
	return fmt.Errorf("unknown type %s", word.text)
}

func (p *typeParser) parseNullability() (notNull bool, err error) {
	if p.acceptKeyword("NOT") {
		return true, p.expectKeywords("NULL")
	}
	p.acceptKeyword("NULL")
	return false, nil
}

type parameters uint8

const (
	none parameters = iota
	length
	decimal
	precision
	timeWithoutZone
	timestamp
	doublePrecision
	crs
	crsAndAlgorithm
	elementAndLength
)

// typeRules says for every keyword that starts a type what it means alone and
// which parameters may follow.
var typeRules = map[string]struct {
	kind              Kind
	parameters        parameters
	length, precision int
}{
	"STRING":        {kind: KindVarchar, length: MaxLength},
	"VARCHAR":       {kind: KindVarchar, parameters: length, length: 1},
	"CHAR":          {kind: KindChar, parameters: length, length: 1},
	"BYTES":         {kind: KindVarbinary, length: MaxLength},
	"VARBINARY":     {kind: KindVarbinary, parameters: length, length: 1},
	"BINARY":        {kind: KindBinary, parameters: length, length: 1},
	"DECIMAL":       {kind: KindDecimal, parameters: decimal, precision: 10},
	"DEC":           {kind: KindDecimal, parameters: decimal, precision: 10},
	"NUMERIC":       {kind: KindDecimal, parameters: decimal, precision: 10},
	"TINYINT":       {kind: KindTinyInt},
	"SMALLINT":      {kind: KindSmallInt},
	"INT":           {kind: KindInt},
	"INTEGER":       {kind: KindInt},
	"BIGINT":        {kind: KindBigInt},
	"FLOAT":         {kind: KindFloat},
	"DOUBLE":        {kind: KindDouble, parameters: doublePrecision},
	"BOOLEAN":       {kind: KindBoolean},
	"DATE":          {kind: KindDate},
	"TIME":          {kind: KindTime, parameters: timeWithoutZone},
	"TIMESTAMP":     {kind: KindTimestamp, parameters: timestamp, precision: 6},
	"TIMESTAMP_LTZ": {kind: KindTimestampLTZ, parameters: precision, precision: 6},
	"VARIANT":       {kind: KindVariant},
	"BLOB":          {kind: KindBlob},
	"GEOMETRY":      {kind: KindGeometry, parameters: crs},
	"GEOGRAPHY":     {kind: KindGeography, parameters: crsAndAlgorithm},
	"VECTOR":        {kind: KindVector, parameters: elementAndLength},
}

func (p *typeParser) parseParameters(which parameters, t *Type) error {
	switch which {
	case length:
		return p.parseOptional(func() error { return p.parseInt(&t.Length, 1, MaxLength) })
	case decimal:
		return p.parseOptional(func() error { return p.parsePrecisionAndScale(t) })
	case precision:
		return p.parseFractionDigits(t)
	case timeWithoutZone:
		return p.parseTime(t)
	case timestamp:
		return p.parseTimestamp(t)
	case doublePrecision:
		p.acceptKeyword("PRECISION")
		return nil
	case crs, crsAndAlgorithm:
		return p.parseGeo(t)
	case elementAndLength:
		return p.parseVector(t)
	default:
		return nil
	}
}

// parseOptional reads what may stand in parentheses after a type name.
func (p *typeParser) parseOptional(inside func() error) error {
	if !p.acceptSign("(") {
		return nil
	}
	if err := inside(); err != nil {
		return err
	}
	return p.expectSign(")")
}

func (p *typeParser) parseInt(into *int, least, most int) error {
	t := p.peek()
	n, err := strconv.Atoi(t.text)
	if t.kind != tokenNumber || err != nil || n < least || n > most {
		return fmt.Errorf("an integer from %d to %d expected", least, most)
	}
	p.next++
	*into = n
	return nil
}

func (p *typeParser) parsePrecisionAndScale(t *Type) error {
	if err := p.parseInt(&t.Precision, 1, maxDecimalPrecision); err != nil {
		return err
	}
	if !p.acceptSign(",") {
		return nil
	}
	return p.parseInt(&t.Scale, 0, t.Precision)
}

func (p *typeParser) parseFractionDigits(t *Type) error {
	return p.parseOptional(func() error { return p.parseInt(&t.Precision, 0, maxFractionDigits) })
}

func (p *typeParser) parseTime(t *Type) error {
	if err := p.parseFractionDigits(t); err != nil {
		return err
	}
	if p.acceptKeyword("WITHOUT") {
		return p.expectKeywords("TIME", "ZONE")
	}
	return nil
}

// parseTimestamp also takes a lone WITH, which Paimon's parser swallows before
// it looks for LOCAL.
func (p *typeParser) parseTimestamp(t *Type) error {
	if err := p.parseTime(t); err != nil {
		return err
	}
	if p.acceptKeyword("WITH") && p.acceptKeyword("LOCAL") {
		t.Kind = KindTimestampLTZ
		return p.expectKeywords("TIME", "ZONE")
	}
	return nil
}

func (p *typeParser) parseGeo(t *Type) error {
	t.CRS = defaultCRS
	if t.Kind == KindGeography {
		t.Algorithm = algorithms[0]
	}
	return p.parseOptional(func() error {
		name := p.peek()
		if name.kind != tokenWord && name.kind != tokenQuoted {
			return fmt.Errorf("a coordinate reference system such as %s expected", defaultCRS)
		}
		p.next++
		t.CRS = name.text
		if t.Kind != KindGeography || !p.acceptSign(",") {
			return nil
		}
		t.Algorithm = strings.ToLower(p.peek().text)
		if !slices.Contains(algorithms, t.Algorithm) {
			return fmt.Errorf("one of %s expected", strings.Join(algorithms, ", "))
		}
		p.next++
		return nil
	})
}

func (p *typeParser) parseVector(t *Type) error {
	if err := p.expectSign("<"); err != nil {
		return err
	}
	element, err := p.parseType()
	if err != nil {
		return err
	}
	if err := checkVectorElement(element); err != nil {
		return err
	}
	t.Element = &element
	if err := p.expectSign(","); err != nil {
		return err
	}
	if err := p.parseInt(&t.Length, 1, MaxLength); err != nil {
		return err
	}
	return p.expectSign(">")
}

func checkVectorElement(t Type) error {
	if t.Kind == KindBoolean || t.IsInteger() || t.Kind == KindFloat || t.Kind == KindDouble {
		return nil
	}
	return fmt.Errorf("%s cannot be the element of a VECTOR; use BOOLEAN, an integer type, FLOAT or DOUBLE", t)
}
