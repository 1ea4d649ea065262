package sqltext

import (
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
)

// shape is the syntax of a condition on x.
type shape uint8

const (
	call      shape = iota // NAME(x, v)
	arrayCall              // NAME(x, ARRAY[v, …])
	infix                  // x SIGN v
	postfix                // x SIGN
	list                   // x SIGN (v, …)
	bounds                 // x SIGN v AND v
	constant               // NAME, or NAME(x)
)

// form is how a leaf function is written.
type form struct {
	shape shape
	// sign is the operator; a call is written with the name of the function.
	sign string
	// negation is the function that NOT makes of this one; empty where Paimon
	// has none. A null matches neither, as in SQL.
	negation string
	// mirror is the function that means the same with the sides exchanged.
	mirror string
}

var forms = map[string]form{
	"EQUAL":              {shape: infix, sign: "=", negation: "NOT_EQUAL", mirror: "EQUAL"},
	"NOT_EQUAL":          {shape: infix, sign: "<>", negation: "EQUAL", mirror: "NOT_EQUAL"},
	"LESS_THAN":          {shape: infix, sign: "<", negation: "GREATER_OR_EQUAL", mirror: "GREATER_THAN"},
	"LESS_OR_EQUAL":      {shape: infix, sign: "<=", negation: "GREATER_THAN", mirror: "GREATER_OR_EQUAL"},
	"GREATER_THAN":       {shape: infix, sign: ">", negation: "LESS_OR_EQUAL", mirror: "LESS_THAN"},
	"GREATER_OR_EQUAL":   {shape: infix, sign: ">=", negation: "LESS_THAN", mirror: "LESS_OR_EQUAL"},
	"LIKE":               {shape: infix, sign: "LIKE", negation: "NOT_LIKE"},
	"NOT_LIKE":           {shape: infix, sign: "NOT LIKE", negation: "LIKE"},
	"IS_NULL":            {shape: postfix, sign: "IS NULL", negation: "IS_NOT_NULL"},
	"IS_NOT_NULL":        {shape: postfix, sign: "IS NOT NULL", negation: "IS_NULL"},
	"IN":                 {shape: list, sign: "IN", negation: "NOT_IN"},
	"NOT_IN":             {shape: list, sign: "NOT IN", negation: "IN"},
	"BETWEEN":            {shape: bounds, sign: "BETWEEN", negation: "NOT_BETWEEN"},
	"NOT_BETWEEN":        {shape: bounds, sign: "NOT BETWEEN", negation: "BETWEEN"},
	"STARTS_WITH":        {shape: call},
	"ENDS_WITH":          {shape: call},
	"CONTAINS":           {shape: call},
	"ARRAY_CONTAINS":     {shape: call},
	"ARRAYS_OVERLAP":     {shape: arrayCall},
	"ARRAY_CONTAINS_ALL": {shape: arrayCall},
	"TRUE":               {shape: constant, negation: "FALSE"},
	"FALSE":              {shape: constant, negation: "TRUE"},
}

// operators are the leaf functions by sign.
var operators = func() map[string]string {
	functions := map[string]string{"!=": "NOT_EQUAL"}
	for function, f := range forms {
		if f.sign != "" {
			functions[f.sign] = function
		}
	}
	return functions
}()

// opposite is the operator that NOT makes of AND and OR.
var opposite = map[predicate.Operator]predicate.Operator{predicate.And: predicate.Or, predicate.Or: predicate.And}

// pads are the names of the transform PAD by its direction.
var pads = map[string]string{"LEFT": "LPAD", "RIGHT": "RPAD"}

// directions are the values of PAD by its names.
var directions = map[string]string{"LPAD": "LEFT", "RPAD": "RIGHT"}

// callable are the transforms that are written as NAME(…).
var callable = func() map[string]bool {
	names := make(map[string]bool)
	for name := range predicate.TransformNames() {
		names[name] = true
	}
	for _, name := range []string{"FIELD_REF", "NESTED_FIELD_REF", "NULL", "PAD"} {
		delete(names, name)
	}
	return names
}()

// temporals are the words that start a literal.
const temporals = "DATE TIME TIMESTAMP TIMESTAMP_LTZ"

// reserved are the words that a column can be named in back quotes only.
var reserved = func() map[string]bool {
	words := make(map[string]bool)
	for word := range strings.FieldsSeq("AND ARRAY AS BETWEEN BOTH CAST E FALSE FOR FROM IN IS LEADING LIKE NOT NULL " +
		"OR PLACING SELECT TRAILING TRUE " + temporals) {
		words[word] = true
	}
	return words
}()
