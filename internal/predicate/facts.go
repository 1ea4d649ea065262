package predicate

import "github.com/paimon-iac/terraform-provider-paimon/internal/datatype"

// Profile is a state of the policy language: the Paimon version a server or a
// reader was built from. Later profiles are greater.
type Profile uint8

const (
	// Java200 is the releases 1.4.2 and 2.0.0.
	Java200 Profile = iota
	// Java20260818 adds the ARRAY functions (apache/paimon#9288, #9294).
	Java20260818
	// Java9212 adds SUBSTRING and TRIM (apache/paimon#9212).
	Java9212
	// Java9640 writes temporal and decimal literals as strings
	// (apache/paimon#9640).
	Java9640
	// Java22cb5db8 adds NOT_LIKE, LENGTH and the first parts of dates.
	Java22cb5db8
	// Java9905 adds the other date and text transforms (apache/paimon#9905).
	Java9905
	// Java9423 adds NESTED_FIELD_REF (apache/paimon#9423).
	Java9423
)

// operand is the class of types a leaf function works on.
type operand uint8

const (
	anyOperand operand = iota
	scalarOperand
	textOperand
	arrayOperand
)

func (o operand) takes(t datatype.Type) bool {
	switch o {
	case scalarOperand:
		return t.HasLiterals()
	case textOperand:
		return t.IsText()
	case arrayOperand:
		return t.Kind == datatype.KindArray
	default:
		return true
	}
}

// noLimit is the greatest number of literals of a function that takes any.
const noLimit = -1

// function is what there is to know of a leaf function.
type function struct {
	min, max int // literals
	operand  operand
	// nulls says that a null literal is worth writing. Elsewhere it makes the
	// leaf match nothing.
	nulls bool
	// pattern says that the literal is a LIKE pattern.
	pattern bool
	since   Profile
}

// functions is Paimon's JSON registry of leaf functions.
var functions = map[string]function{
	"EQUAL":              {min: 1, max: 1, operand: scalarOperand},
	"NOT_EQUAL":          {min: 1, max: 1, operand: scalarOperand},
	"LESS_THAN":          {min: 1, max: 1, operand: scalarOperand},
	"LESS_OR_EQUAL":      {min: 1, max: 1, operand: scalarOperand},
	"GREATER_THAN":       {min: 1, max: 1, operand: scalarOperand},
	"GREATER_OR_EQUAL":   {min: 1, max: 1, operand: scalarOperand},
	"IS_NULL":            {},
	"IS_NOT_NULL":        {},
	"IN":                 {max: noLimit, operand: scalarOperand, nulls: true},
	"NOT_IN":             {max: noLimit, operand: scalarOperand},
	"BETWEEN":            {min: 2, max: 2, operand: scalarOperand},
	"NOT_BETWEEN":        {min: 2, max: 2, operand: scalarOperand},
	"STARTS_WITH":        {min: 1, max: 1, operand: textOperand},
	"ENDS_WITH":          {min: 1, max: 1, operand: textOperand},
	"CONTAINS":           {min: 1, max: 1, operand: textOperand},
	"LIKE":               {min: 1, max: 1, operand: textOperand, pattern: true},
	"NOT_LIKE":           {min: 1, max: 1, operand: textOperand, pattern: true, since: Java22cb5db8},
	"ARRAY_CONTAINS":     {min: 1, max: 1, operand: arrayOperand, since: Java20260818},
	"ARRAYS_OVERLAP":     {min: 1, max: noLimit, operand: arrayOperand, nulls: true, since: Java20260818},
	"ARRAY_CONTAINS_ALL": {max: noLimit, operand: arrayOperand, since: Java20260818},
	"TRUE":               {},
	"FALSE":              {},
}

// argument is what may stand at one place of a transform's inputs. A null may
// stand everywhere.
type argument struct {
	name string
	// text and integer say that a JSON string or integer may stand here;
	// coerced that a server takes a string for an integer.
	text, integer, coerced bool
	// columns are the types a column may have, server those the server lets
	// pass, although only columns can be evaluated; nil is every type.
	columns, server func(datatype.Type) bool
}

func isDate(t datatype.Type) bool { return t.Kind == datatype.KindDate }
func isInt(t datatype.Type) bool  { return t.Kind == datatype.KindInt }
func anyType(datatype.Type) bool  { return true }
func noType(datatype.Type) bool   { return false }

var (
	textArgument = argument{
		name: "a string, a CHAR or VARCHAR column, or null",
		text: true, columns: datatype.Type.IsText, server: datatype.Type.IsText,
	}
	// The server does not look at the type of SUBSTRING's source.
	sourceArgument = argument{
		name: "a string, a CHAR or VARCHAR column, or null",
		text: true, columns: datatype.Type.IsText, server: anyType,
	}
	positionArgument = argument{
		name:    "a 32-bit integer, an INT column, or null",
		integer: true, coerced: true, columns: isInt, server: datatype.Type.IsInteger,
	}
	dateArgument = argument{
		name:    "a DATE column, the days since 1970 as an integer, or null",
		integer: true, columns: isDate, server: isDate,
	}
	formatArgument = argument{
		name: "a string or null",
		text: true, columns: noType, server: noType,
	}
)

// output says what type a transform gives.
type output uint8

const (
	textOutput output = iota
	intOutput
	dateOutput
	booleanOutput
	fieldOutput // the type of the column
	typeOutput  // the key "type"
	leafOutput  // the type at the end of the key "path"
)

// transform is what there is to know of a transform.
type transform struct {
	// keys are the keys after "name", in canonical order.
	keys []string
	// inputs are the places of the key "inputs"; with variadic the last one
	// repeats. At least min of them must be there.
	inputs   []argument
	min      int
	variadic bool
	// options are the values of the key after "inputs", ordinals says that the
	// server also takes their numbers.
	options  []string
	ordinals bool
	// columns are the types of the key "fieldRef"; nil is every type.
	columns func(datatype.Type) bool
	output  output
	since   Profile
}

// hasInputs tells the transforms that Jackson builds from all their keys at
// once, so that a duplicate after the last of them is an error.
func (t transform) hasInputs() bool { return len(t.keys) > 0 && t.keys[0] == "inputs" }

var (
	inputsOnly = []string{"inputs"}
	fieldOnly  = []string{"fieldRef"}
)

// hasDate tells the types a part of a date can be taken from; Java refuses
// TIMESTAMP_LTZ.
func hasDate(t datatype.Type) bool {
	return t.Kind == datatype.KindDate || t.Kind == datatype.KindTimestamp
}

func datePart(since Profile) transform {
	return transform{keys: fieldOnly, columns: hasDate, output: intOutput, since: since}
}

// transforms is Paimon's JSON registry of transforms. Transforms do not nest.
// The inputs of DATE_DIFF are assumed; no implementation of it was seen.
var transforms = map[string]transform{
	"FIELD_REF": {keys: fieldOnly, output: fieldOutput},
	"CAST":      {keys: []string{"fieldRef", "type"}, output: typeOutput},
	"NULL":      {output: booleanOutput},
	"CONCAT":    {keys: inputsOnly, inputs: []argument{textArgument}, variadic: true},
	"CONCAT_WS": {keys: inputsOnly, inputs: []argument{textArgument}, min: 2, variadic: true},
	"UPPER":     {keys: inputsOnly, inputs: []argument{textArgument}, min: 1},
	"LOWER":     {keys: inputsOnly, inputs: []argument{textArgument}, min: 1},
	"SUBSTRING": {
		keys: inputsOnly, inputs: []argument{sourceArgument, positionArgument, positionArgument}, min: 2,
		since: Java9212,
	},
	"TRIM": {
		keys: []string{"inputs", "trimFlag"}, inputs: []argument{textArgument, textArgument}, min: 1,
		options: []string{"LEADING", "TRAILING", "BOTH"}, since: Java9212,
	},
	"LENGTH":          {keys: inputsOnly, inputs: []argument{textArgument}, min: 1, output: intOutput, since: Java22cb5db8},
	"YEAR":            datePart(Java22cb5db8),
	"MONTH":           datePart(Java22cb5db8),
	"DAY":             datePart(Java22cb5db8),
	"HOUR":            datePart(Java22cb5db8),
	"MINUTE":          datePart(Java22cb5db8),
	"SECOND":          datePart(Java22cb5db8),
	"QUARTER":         datePart(Java9905),
	"DAY_OF_YEAR":     datePart(Java9905),
	"WEEKDAY":         datePart(Java9905),
	"ISO_DAY_OF_WEEK": datePart(Java9905),
	"DAY_OF_WEEK":     datePart(Java9905),
	"WEEK":            datePart(Java9905),
	"YEAR_OF_WEEK":    datePart(Java9905),
	"BIT_LENGTH":      {keys: inputsOnly, inputs: []argument{textArgument}, min: 1, output: intOutput, since: Java9905},
	"TRANSLATE": {
		keys: inputsOnly, inputs: []argument{textArgument, textArgument, textArgument}, min: 3,
		since: Java9905,
	},
	"OVERLAY": {
		keys:   inputsOnly,
		inputs: []argument{textArgument, textArgument, positionArgument, positionArgument}, min: 3,
		since: Java9905,
	},
	"PAD": {
		keys: []string{"inputs", "direction"}, inputs: []argument{textArgument, positionArgument, textArgument}, min: 3,
		options: []string{"LEFT", "RIGHT"}, ordinals: true, since: Java9905,
	},
	"DATE_ADD":         {keys: inputsOnly, inputs: []argument{dateArgument, positionArgument}, min: 2, output: dateOutput, since: Java9905},
	"DATE_DIFF":        {keys: inputsOnly, inputs: []argument{dateArgument, dateArgument}, min: 2, output: intOutput, since: Java9905},
	"DATE_TRUNC":       {keys: inputsOnly, inputs: []argument{dateArgument, formatArgument}, min: 2, output: dateOutput, since: Java9905},
	"NESTED_FIELD_REF": {keys: []string{"fieldRef", "path"}, output: leafOutput, since: Java9423},
}
