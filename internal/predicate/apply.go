package predicate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// Apply is what a column mask shows for a row, in the notation of
// [datatype.Plain]. See [Matches] for the semantics and the errors.
func Apply(t Transform, row Row) (any, error) {
	v, err := t.value(row)
	if err != nil {
		return nil, err
	}
	return datatype.Plain(v), nil
}

func (t Transform) value(row Row) (datatype.Value, error) {
	compute, ok := computations[t.Name]
	if !ok {
		return nil, &ReaderError{"unknown transform " + t.Name}
	}
	return compute(t, row)
}

// A computation is what a transform does with a row.
type computation func(t Transform, row Row) (datatype.Value, error)

// computations are the transforms by name.
var computations = map[string]computation{
	"FIELD_REF":        fieldValue,
	"NESTED_FIELD_REF": nestedValue,
	"CAST":             castValue,
	"NULL":             func(Transform, Row) (datatype.Value, error) { return datatype.Null{}, nil },

	"CONCAT":     ofInputs(concat),
	"CONCAT_WS":  concatWS,
	"UPPER":      ofInputs(upper),
	"LOWER":      ofInputs(lower),
	"SUBSTRING":  ofInputs(substring),
	"TRIM":       ofInputs(trim),
	"LENGTH":     ofInputs(length),
	"BIT_LENGTH": ofInputs(bitLength),
	"TRANSLATE":  ofInputs(translate),
	"OVERLAY":    ofInputs(overlay),
	"PAD":        ofInputs(pad),

	"DATE_ADD":   ofInputs(dateAdd),
	"DATE_DIFF":  ofInputs(dateDiff),
	"DATE_TRUNC": ofInputs(dateTrunc),

	"YEAR":            ofTime(time.Time.Year),
	"MONTH":           ofTime(month),
	"DAY":             ofTime(time.Time.Day),
	"HOUR":            ofTime(time.Time.Hour),
	"MINUTE":          ofTime(time.Time.Minute),
	"SECOND":          ofTime(time.Time.Second),
	"QUARTER":         ofTime(quarter),
	"DAY_OF_YEAR":     ofTime(time.Time.YearDay),
	"WEEKDAY":         ofTime(weekday),
	"ISO_DAY_OF_WEEK": ofTime(isoDayOfWeek),
	"DAY_OF_WEEK":     ofTime(dayOfWeek),
	"WEEK":            ofTime(week),
	"YEAR_OF_WEEK":    ofTime(yearOfWeek),
}

func fieldValue(t Transform, row Row) (datatype.Value, error) {
	if t.Field == nil {
		return nil, &ReaderError{t.Name + " lacks its column"}
	}
	return columnValue(*t.Field, row)
}

func columnValue(ref FieldRef, row Row) (datatype.Value, error) {
	plain, err := row.plain(ref.Name)
	if err != nil {
		return nil, err
	}
	return typed(plain, ref.Type, ref.Name)
}

func typed(plain any, t datatype.Type, column string) (datatype.Value, error) {
	if t.IsZero() {
		return nil, &RowError{column, "its type is not declared"}
	}
	v, err := datatype.FromPlain(plain, t)
	if err != nil {
		return nil, &RowError{column, err.Error()}
	}
	return v, nil
}

// nestedValue follows the path without a look at the rest of the column. A
// null on the way is the result.
func nestedValue(t Transform, row Row) (datatype.Value, error) {
	if t.Field == nil {
		return nil, &ReaderError{t.Name + " lacks its column"}
	}
	plain, err := row.plain(t.Field.Name)
	if err != nil {
		return nil, err
	}
	at := t.Field.Name
	for _, name := range t.Path {
		if plain == nil {
			return datatype.Null{}, nil
		}
		object, ok := plain.(map[string]any)
		if !ok {
			return nil, &RowError{at, "a ROW is an object of its fields"}
		}
		at += "." + name
		if plain, ok = object[name]; !ok {
			return nil, &RowError{at, "the row has no value for it; write null for NULL"}
		}
	}
	return typed(plain, t.Output(), at)
}

func castValue(t Transform, row Row) (datatype.Value, error) {
	v, err := fieldValue(t, row)
	if err != nil {
		return nil, err
	}
	result, err := datatype.Convert(v, t.Field.Type, t.Type)
	if err != nil {
		return nil, &ReaderError{fmt.Sprintf("CAST(%s AS %s): %v", t.Field.Name, t.Type, err)}
	}
	return result, nil
}

// ofInputs is a function of inputs that is null if one of them is.
func ofInputs(compute func(*inputs) datatype.Value) computation {
	return func(t Transform, row Row) (datatype.Value, error) {
		in, err := evaluate(t, row)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(in.values, isNull) {
			return datatype.Null{}, nil
		}
		v := compute(in)
		return v, in.err
	}
}

// concatWS skips nulls after the separator.
func concatWS(t Transform, row Row) (datatype.Value, error) {
	in, err := evaluate(t, row)
	if err != nil {
		return nil, err
	}
	if in.count() == 0 || isNull(in.values[0]) {
		return datatype.Null{}, nil
	}
	separator := in.text(0)
	var parts []string
	for i := 1; i < in.count(); i++ {
		if !isNull(in.values[i]) {
			parts = append(parts, in.text(i))
		}
	}
	return datatype.Text(strings.Join(parts, separator)), in.err
}
