package predicate

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
)

// plainRow reads a row from JSON.
func plainRow(t *testing.T, text string) Row {
	t.Helper()
	var row Row
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&row); err != nil {
		t.Fatal(err)
	}
	return row
}

func TestEveryNameCanBeEvaluated(t *testing.T) {
	if got, want := slices.Sorted(maps.Keys(tests)), slices.Sorted(maps.Keys(functions)); !slices.Equal(got, want) {
		t.Errorf("tests of %v, want %v", got, want)
	}
	if got, want := slices.Sorted(maps.Keys(computations)), slices.Sorted(maps.Keys(transforms)); !slices.Equal(got, want) {
		t.Errorf("computations of %v, want %v", got, want)
	}
}

func TestApply(t *testing.T) {
	const (
		s  = `{"name":"s","type":"STRING"}`
		d  = `{"name":"d","type":"DATE"}`
		ts = `{"name":"ts","type":"TIMESTAMP(3)"}`
		n  = `{"name":"n","type":"INT"}`
	)
	of := func(name, column string) string { return `{"name":"` + name + `","fieldRef":` + column + `}` }
	inputs := func(name, list string) string { return `{"name":"` + name + `","inputs":[` + list + `]}` }
	tests := []struct {
		name, transform, row string
		want                 string // JSON
	}{
		{"CONCAT of nothing is empty", inputs("CONCAT", ``), `{}`, `""`},
		{"CONCAT with a null is null", inputs("CONCAT", s+`,"x"`), `{"s":null}`, `null`},
		{"CONCAT_WS keeps empty texts and skips nulls", inputs("CONCAT_WS", `"-","a",null,"",`+s), `{"s":"b"}`, `"a--b"`},
		{"CONCAT_WS of nulls is empty", inputs("CONCAT_WS", `"-",null`), `{}`, `""`},
		{"UPPER maps to several characters", inputs("UPPER", `"straße ŉ"`), `{}`, `"STRASSE ʼN"`},
		{"LOWER has the final sigma", inputs("LOWER", `"ΑΣ İI Σ ΑΣΑ"`), `{}`, `"ας i̇i σ ασα"`},
		{"LENGTH counts code points", inputs("LENGTH", `"日😀"`), `{}`, `2`},
		{"BIT_LENGTH counts the bits of UTF-8", inputs("BIT_LENGTH", `"日😀"`), `{}`, `56`},

		{"SUBSTRING to the end", inputs("SUBSTRING", s+`,2`), `{"s":"日本語"}`, `"本語"`},
		{"SUBSTRING with a length", inputs("SUBSTRING", s+`,2,1`), `{"s":"日本語"}`, `"本"`},
		{"SUBSTRING from zero is from one", inputs("SUBSTRING", s+`,0,2`), `{"s":"abc"}`, `"ab"`},
		{"SUBSTRING from the end", inputs("SUBSTRING", s+`,-2`), `{"s":"abc"}`, `"bc"`},
		{"SUBSTRING from before the start of a short text", inputs("SUBSTRING", s+`,-4`), `{"s":"abc"}`, `"abc"`},
		{"SUBSTRING counts what lies before the text", inputs("SUBSTRING", s+`,-4,2`), `{"s":"abc"}`, `"a"`},
		{"SUBSTRING of length zero", inputs("SUBSTRING", s+`,1,0`), `{"s":"abc"}`, `""`},
		{"SUBSTRING of negative length", inputs("SUBSTRING", s+`,1,-1`), `{"s":"abc"}`, `""`},
		{"SUBSTRING from behind the end", inputs("SUBSTRING", s+`,9`), `{"s":"abc"}`, `""`},
		{"SUBSTRING of the longest length", inputs("SUBSTRING", s+`,3,2147483647`), `{"s":"abc"}`, `"c"`},
		{"SUBSTRING at a column", inputs("SUBSTRING", s+`,`+n), `{"s":"abc","n":3}`, `"c"`},
		{"SUBSTRING at a text", inputs("SUBSTRING", s+`,"2"`), `{"s":"abc"}`, `"bc"`},
		{"SUBSTRING of a null does not read its position", inputs("SUBSTRING", s+`,99999999999`), `{"s":null}`, `null`},

		{"TRIM takes off blanks only", `{"name":"TRIM","inputs":["\t x "],"trimFlag":"BOTH"}`, `{}`, `"\t x"`},
		{"TRIM takes off a set", `{"name":"TRIM","inputs":["xyax","yx"],"trimFlag":"LEADING"}`, `{}`, `"ax"`},
		{"TRIM at the end", `{"name":"TRIM","inputs":["xax😀","😀x"],"trimFlag":"TRAILING"}`, `{}`, `"xa"`},
		{"TRIM of an empty set", `{"name":"TRIM","inputs":[" x ",""],"trimFlag":"BOTH"}`, `{}`, `" x "`},
		{"PAD at the left", `{"name":"PAD","inputs":["é",6,"ab"],"direction":"LEFT"}`, `{}`, `"ababaé"`},
		{"PAD at the right", `{"name":"PAD","inputs":["é",4,"ab"],"direction":"RIGHT"}`, `{}`, `"éaba"`},
		{"PAD cuts", `{"name":"PAD","inputs":["日本語",2,"*"],"direction":"LEFT"}`, `{}`, `"日本"`},
		{"PAD with nothing", `{"name":"PAD","inputs":["abc",9,""],"direction":"LEFT"}`, `{}`, `"abc"`},
		{"PAD to less than nothing", `{"name":"PAD","inputs":["abc",-1,"*"],"direction":"LEFT"}`, `{}`, `""`},
		{"OVERLAY as long as the replacement", inputs("OVERLAY", `"abcdef","XY",2`), `{}`, `"aXYdef"`},
		{"OVERLAY with a length", inputs("OVERLAY", `"abcdef","XY",2,4`), `{}`, `"aXYf"`},
		{"OVERLAY of nothing inserts", inputs("OVERLAY", `"abcdef","XY",2,0`), `{}`, `"aXYbcdef"`},
		{"OVERLAY with a negative length", inputs("OVERLAY", `"abcdef","XY",2,-1`), `{}`, `"aXYdef"`},
		{"OVERLAY behind the end", inputs("OVERLAY", `"ab","XY",9`), `{}`, `"abXY"`},
		{"OVERLAY wraps at 32 bits", inputs("OVERLAY", `"ab","XY",-2147483648`), `{}`, `"abXYab"`},
		{"TRANSLATE deletes and replaces", inputs("TRANSLATE", `"a-b-c","abc-","xyz"`), `{}`, `"xyz"`},
		{"TRANSLATE counts the first of duplicates", inputs("TRANSLATE", `"aa","aa","xy"`), `{}`, `"xx"`},
		{"TRANSLATE to NUL deletes", inputs("TRANSLATE", `"ab","a","\u0000"`), `{}`, `"b"`},

		{"YEAR", of("YEAR", d), `{"d":"2024-12-30"}`, `2024`},
		{"YEAR_OF_WEEK", of("YEAR_OF_WEEK", d), `{"d":"2024-12-30"}`, `2025`},
		{"WEEK", of("WEEK", d), `{"d":"2024-12-30"}`, `1`},
		{"MONTH", of("MONTH", d), `{"d":"2024-12-30"}`, `12`},
		{"QUARTER", of("QUARTER", d), `{"d":"2024-12-30"}`, `4`},
		{"DAY", of("DAY", d), `{"d":"2024-12-30"}`, `30`},
		{"DAY_OF_YEAR", of("DAY_OF_YEAR", d), `{"d":"2024-12-30"}`, `365`},
		{"WEEKDAY of a Monday", of("WEEKDAY", d), `{"d":"2024-12-30"}`, `0`},
		{"ISO_DAY_OF_WEEK of a Monday", of("ISO_DAY_OF_WEEK", d), `{"d":"2024-12-30"}`, `1`},
		{"DAY_OF_WEEK of a Monday", of("DAY_OF_WEEK", d), `{"d":"2024-12-30"}`, `2`},
		{"ISO_DAY_OF_WEEK of a Sunday", of("ISO_DAY_OF_WEEK", d), `{"d":"2024-12-29"}`, `7`},
		{"DAY_OF_WEEK of a Sunday", of("DAY_OF_WEEK", d), `{"d":"2024-12-29"}`, `1`},
		{"HOUR of a date", of("HOUR", d), `{"d":"2024-12-30"}`, `0`},
		{"HOUR", of("HOUR", ts), `{"ts":"1969-12-31T23:59:58.5"}`, `23`},
		{"MINUTE", of("MINUTE", ts), `{"ts":"1969-12-31T23:59:58.5"}`, `59`},
		{"SECOND", of("SECOND", ts), `{"ts":"1969-12-31T23:59:58.5"}`, `58`},
		{"a part of a null", of("YEAR", d), `{"d":null}`, `null`},

		{"DATE_ADD over the end of a month", inputs("DATE_ADD", d+`,1`), `{"d":"2024-02-29"}`, `"2024-03-01"`},
		{"DATE_ADD of a negative number to days", inputs("DATE_ADD", `0,-1`), `{}`, `"1969-12-31"`},
		{"DATE_DIFF is the first minus the second", inputs("DATE_DIFF", d+`,0`), `{"d":"1970-02-01"}`, `31`},
		{"DATE_TRUNC to Monday", inputs("DATE_TRUNC", d+`,"week"`), `{"d":"2026-01-15"}`, `"2026-01-12"`},
		{"DATE_TRUNC to the month", inputs("DATE_TRUNC", d+`,"MM"`), `{"d":"2026-05-31"}`, `"2026-05-01"`},
		{"DATE_TRUNC to the quarter", inputs("DATE_TRUNC", d+`,"Quarter"`), `{"d":"2026-05-31"}`, `"2026-04-01"`},
		{"DATE_TRUNC to the year", inputs("DATE_TRUNC", d+`,"yyyy"`), `{"d":"2026-05-31"}`, `"2026-01-01"`},
		{"DATE_TRUNC to something else is null", inputs("DATE_TRUNC", d+`,"DAY"`), `{"d":"2026-05-31"}`, `null`},

		{"a decimal keeps its digits", of("FIELD_REF", `{"name":"x","type":"DECIMAL(38, 2)"}`), `{"x":12345678901234567890.5}`, `"12345678901234567890.50"`},
		{"an integer beyond 2^53", of("FIELD_REF", `{"name":"x","type":"BIGINT"}`), `{"x":9007199254740993}`, `9007199254740993`},
		{"-0.0 is text", of("FIELD_REF", `{"name":"x","type":"DOUBLE"}`), `{"x":-0.0}`, `"-0.0"`},
		{"NaN is text", of("FIELD_REF", `{"name":"x","type":"FLOAT"}`), `{"x":"NaN"}`, `"NaN"`},
		{"binary is base64", of("FIELD_REF", `{"name":"x","type":"BYTES"}`), `{"x":"AP8="}`, `"AP8="`},
		{"VARIANT is handed on", of("FIELD_REF", `{"name":"x","type":"VARIANT"}`), `{"x":{"a":[1.50]}}`, `{"a":[1.50]}`},
		{
			"nested values", of("FIELD_REF", `{"name":"x","type":{"type":"MAP","key":"INT","value":{"type":"ARRAY","element":"DECIMAL(3, 1)"}}}`),
			`{"x":{"7":[1,null]}}`, `{"7":["1.0",null]}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u, findings := ParseTransform(tt.transform)
			if err := findings.ReadErr(); err != nil {
				t.Fatal(err)
			}
			v, err := Apply(u, plainRow(t, tt.row))
			if err != nil {
				t.Fatal(err)
			}
			got := new(strings.Builder)
			e := json.NewEncoder(got)
			e.SetEscapeHTML(false)
			if err := e.Encode(v); err != nil {
				t.Fatal(err)
			}
			if strings.TrimSpace(got.String()) != tt.want {
				t.Errorf("shows %s, want %s", got, tt.want)
			}
		})
	}
}

func TestErrorsTellTheRowFromTheReader(t *testing.T) {
	const s = `{"name":"s","type":"STRING"}`
	tests := []struct {
		name, transform, row string
		column               string // of a RowError
		reason               string
	}{
		{"missing column", `{"name":"UPPER","inputs":[` + s + `]}`, `{"t":"x"}`, "s", "no value"},
		{"wrong type", `{"name":"UPPER","inputs":[` + s + `]}`, `{"s":5}`, "s", `5 is not a value of STRING; write "5"`},
		{"out of range", `{"name":"FIELD_REF","fieldRef":{"name":"n","type":"TINYINT"}}`, `{"n":128}`, "n", "an integer from -128 to 127"},
		{"inside of a list", `{"name":"FIELD_REF","fieldRef":{"name":"l","type":{"type":"ARRAY","element":"INT"}}}`, `{"l":[1,"x"]}`, "l", "element 1"},
		{
			"missing field of a path",
			`{"name":"NESTED_FIELD_REF","path":["b"],"fieldRef":{"name":"r","type":{"type":"ROW","fields":[{"name":"b","type":"INT"}]}}}`,
			`{"r":{"a":1}}`, "r.b", "no value",
		},
		{"cast of null", `{"name":"CAST","fieldRef":` + s + `,"type":"INT"}`, `{"s":null}`, "", "CAST(s AS INT): CAST of NULL: Java readers throw"},
		{"cast of a word", `{"name":"CAST","fieldRef":` + s + `,"type":"INT"}`, `{"s":"x"}`, "", `"x" cannot be cast to INT`},
		{"a position that is none", `{"name":"SUBSTRING","inputs":[` + s + `,"x"]}`, `{"s":"abc"}`, "", "SUBSTRING: x is no 32-bit integer"},
		{"a position out of range", `{"name":"SUBSTRING","inputs":[` + s + `,2147483648]}`, `{"s":"abc"}`, "", "no 32-bit integer"},
		{"endless padding", `{"name":"PAD","inputs":[` + s + `,2147483647,"*"],"direction":"LEFT"}`, `{"s":"abc"}`, "", "not supported here"},
		{"endless blanks", `{"name":"CAST","fieldRef":` + s + `,"type":"CHAR(2147483647)"}`, `{"s":"abc"}`, "", "not supported here"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u, findings := ParseTransform(tt.transform)
			if err := findings.ReadErr(); err != nil {
				t.Fatal(err)
			}
			_, err := Apply(u, plainRow(t, tt.row))
			inRow, _ := errors.AsType[*RowError](err)
			_, thrown := errors.AsType[*ReaderError](err)
			switch {
			case inRow == nil && !thrown:
				t.Fatalf("error %v", err)
			case inRow != nil && inRow.Column != tt.column, inRow == nil && tt.column != "":
				t.Errorf("error %v, want one of column %q", err, tt.column)
			}
			if !strings.Contains(err.Error(), tt.reason) {
				t.Errorf("error %v, want %s", err, tt.reason)
			}
		})
	}
}
