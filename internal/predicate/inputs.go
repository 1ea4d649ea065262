package predicate

import (
	"fmt"
	"math"
	"strconv"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// inputs are the values of a transform's inputs. Reading one as what it is not
// sets the error and gives a zero, so that functions need not look at it.
type inputs struct {
	name   string // of the transform
	option string
	values []datatype.Value
	err    error
}

func evaluate(t Transform, row Row) (*inputs, error) {
	in := &inputs{name: t.Name, option: t.Option, values: make([]datatype.Value, len(t.Inputs))}
	for i, input := range t.Inputs {
		switch input.Kind {
		case InputNull:
			in.values[i] = datatype.Null{}
		case InputField:
			v, err := columnValue(input.Field, row)
			if err != nil {
				return nil, err
			}
			in.values[i] = v
		case InputText, InputInteger:
			// An integer stays text until it is read: servers keep integers of
			// any size, and readers throw only where they need one.
			in.values[i] = datatype.Text(input.Text)
		}
	}
	return in, nil
}

func (in *inputs) count() int { return len(in.values) }

// failf notes the first problem.
func (in *inputs) failf(format string, arguments ...any) {
	if in.err == nil {
		in.err = &ReaderError{in.name + ": " + fmt.Sprintf(format, arguments...)}
	}
}

// at is an input, null if there is none: parsing counted them.
func (in *inputs) at(i int) datatype.Value {
	if i >= len(in.values) {
		return datatype.Null{}
	}
	return in.values[i]
}

func (in *inputs) text(i int) string {
	text, ok := in.at(i).(datatype.Text)
	if !ok {
		in.failf("%s is no text", spell(in.at(i)))
	}
	return string(text)
}

func (in *inputs) integer(i int) int32 {
	switch v := in.at(i).(type) {
	case datatype.Int:
		if v >= math.MinInt32 && v <= math.MaxInt32 {
			return int32(v)
		}
	case datatype.Text:
		if n, err := strconv.ParseInt(string(v), 10, 32); err == nil {
			return int32(n)
		}
	}
	in.failf("%s is no 32-bit integer", spell(in.at(i)))
	return 0
}

// date is a DATE, or its days since 1970.
func (in *inputs) date(i int) datatype.Date {
	if d, ok := in.at(i).(datatype.Date); ok {
		return d
	}
	return datatype.Date(in.integer(i))
}
