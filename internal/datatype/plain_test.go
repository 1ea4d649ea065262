package datatype

import (
	"encoding/json"
	"math/big"
	"reflect"
	"strings"
	"testing"
)

// plain reads JSON as FromPlain takes it.
func plain(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestPlainNotation(t *testing.T) {
	tests := []struct{ name, typeJSON, value, want string }{
		{"null of any type", `"BYTES"`, `null`, `null`},
		{"a boolean", `"BOOLEAN"`, `true`, `true`},
		{"the largest integer", `"BIGINT"`, `9223372036854775807`, `9223372036854775807`},
		{"a float as Java writes it", `"DOUBLE"`, `10000000`, `1.0E7`},
		{"a float of 32 bits", `"FLOAT"`, `0.1`, `0.1`},
		{"not a number", `"FLOAT"`, `"NaN"`, `"NaN"`},
		{"infinity", `"DOUBLE"`, `"-Infinity"`, `"-Infinity"`},
		{"negative zero as text", `"DOUBLE"`, `"-0.0"`, `"-0.0"`},
		{"negative zero as a number", `"DOUBLE"`, `-0.0`, `"-0.0"`},
		{"a word that is a text", `"STRING"`, `"NaN"`, `"NaN"`},
		{"a decimal number", `"DECIMAL(4, 2)"`, `1.5`, `"1.50"`},
		{"a decimal text", `"DECIMAL(4, 2)"`, `"1.5e1"`, `"15.00"`},
		{"a date", `"DATE"`, `"2026-01-15"`, `"2026-01-15"`},
		{"days since 1970", `"DATE"`, `-1`, `"1969-12-31"`},
		{"a date of older servers", `"DATE"`, `[2026,1,15]`, `"2026-01-15"`},
		{"a time", `"TIME(3)"`, `"12:34"`, `"12:34:00"`},
		{"milliseconds of the day", `"TIME(3)"`, `1`, `"00:00:00.001"`},
		{"a timestamp", `"TIMESTAMP(3)"`, `"2026-01-15T12:34"`, `"2026-01-15T12:34:00"`},
		{"seconds since 1970", `"TIMESTAMP(3)"`, `-0.5`, `"1969-12-31T23:59:59.500"`},
		{"an instant in seconds", `"TIMESTAMP_LTZ(3)"`, `1.000000001`, `"1970-01-01T00:00:01.000000001Z"`},
		{"bytes", `"BINARY(2)"`, `"AP8="`, `"AP8="`},
		{"a list", `{"type":"ARRAY","element":"DATE"}`, `["2026-01-15",null]`, `["2026-01-15",null]`},
		{"a map", `{"type":"MAP","key":"BOOLEAN","value":"INT"}`, `{"true":1}`, `{"true":1}`},
		{"a multiset", `{"type":"MULTISET","element":"STRING"}`, `{"a":2}`, `{"a":2}`},
		{"a row, whatever else is there", `{"type":"ROW","fields":[{"name":"a","type":"INT"}]}`, `{"a":1,"b":2}`, `{"a":1}`},
		{"a variant", `"VARIANT"`, `[1.50,{}]`, `[1.50,{}]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			typ, err := ParseJSON([]byte(tt.typeJSON))
			if err != nil {
				t.Fatal(err)
			}
			v, err := FromPlain(plain(t, tt.value), typ)
			if err != nil {
				t.Fatal(err)
			}
			got, want := Plain(v), plain(t, tt.want)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%#v, want %#v", got, want)
			}
			again, err := FromPlain(got, typ)
			if err != nil || !reflect.DeepEqual(Plain(again), want) {
				t.Errorf("read back %v, %v", again, err)
			}
			if !json.Valid(v.AppendJSON(nil)) {
				t.Errorf("no JSON: %s", v.AppendJSON(nil))
			}
		})
	}
}

func TestFromPlainReadsTerraformNumbers(t *testing.T) {
	for text, typ := range map[string]Type{
		"0.1":                  {Kind: KindFloat},
		"9223372036854775807":  {Kind: KindBigInt},
		"-1":                   {Kind: KindTinyInt},
		"1.0E300":              {Kind: KindDouble},
		"1.0E-300":             {Kind: KindDouble},
		"9.007199254740993E15": {Kind: KindDouble},
	} {
		f, _, err := big.ParseFloat(text, 10, 512, big.ToNearestEven)
		if err != nil {
			t.Fatal(err)
		}
		v, err := FromPlain(f, typ)
		if text == "9.007199254740993E15" {
			if err == nil {
				t.Errorf("%s is no DOUBLE, read as %v", text, v)
			}
			continue
		}
		if err != nil || Plain(v) != json.Number(text) {
			t.Errorf("%s = %v, %v", text, v, err)
		}
	}
}

func TestFromPlainRefusesWhatDoesNotFit(t *testing.T) {
	tests := []struct{ typeJSON, value, reason string }{
		{`"INT"`, `1.5`, "1.5 is not a value of INT"},
		{`"INT"`, `"1"`, "an integer from"},
		{`"FLOAT"`, `16777217`, "1.6777216E7"},
		{`"FLOAT"`, `"x"`, "a finite JSON number"},
		{`"DECIMAL(3, 1)"`, `1.25`, "1 after the point"},
		{`"STRING"`, `true`, `"true"`},
		{`"DATE"`, `"2026-02-30"`, "YYYY-MM-DD"},
		{`"TIME(3)"`, `86400000`, "HH:MM:SS"},
		{`"BYTES"`, `"?"`, "base64"},
		{`{"type":"ARRAY","element":"INT"}`, `{"a":1}`, "an object is not"},
		{`{"type":"MAP","key":"INT","value":"INT"}`, `{"a":1}`, `key "a"`},
		{`{"type":"ROW","fields":[{"name":"a","type":"INT"}]}`, `{}`, `"a" is missing`},
		{`{"type":"ROW","fields":[{"name":"a","type":"INT"}]}`, `[1]`, "a list is not"},
	}
	for _, tt := range tests {
		typ, err := ParseJSON([]byte(tt.typeJSON))
		if err != nil {
			t.Fatal(err)
		}
		if v, err := FromPlain(plain(t, tt.value), typ); err == nil || !strings.Contains(err.Error(), tt.reason) {
			t.Errorf("%s of %s = %v, %v, want %s", tt.value, tt.typeJSON, v, err, tt.reason)
		}
	}
	if v, err := FromPlain(struct{}{}, String()); err == nil {
		t.Errorf("a Go struct = %v", v)
	}
}

func TestCompareOrdersAsJavaDoes(t *testing.T) {
	ordered := map[string][]string{
		`"BOOLEAN"`:          {`false`, `true`},
		`"INT"`:              {`-1`, `0`, `1`},
		`"DOUBLE"`:           {`"-Infinity"`, `-1`, `-0.0`, `0.0`, `1`, `"Infinity"`, `"NaN"`},
		`"FLOAT"`:            {`"-Infinity"`, `-1`, `-0.0`, `0.0`, `1`, `"Infinity"`, `"NaN"`},
		`"CHAR(3)"`:          {`""`, `"A"`, `"a"`, `"a "`, `"ab"`, `"é"`, `"\uffff"`, `"😀"`},
		`"DECIMAL(4, 2)"`:    {`-1`, `0`, `"0.10"`, `"0.2"`},
		`"DATE"`:             {`"1969-12-31"`, `"1970-01-01"`},
		`"TIME(3)"`:          {`"00:00"`, `"00:00:00.001"`},
		`"TIMESTAMP(9)"`:     {`"1969-12-31T23:59:59.999999999"`, `"1970-01-01T00:00:00"`, `"1970-01-01T00:00:00.000000001"`},
		`"TIMESTAMP_LTZ(9)"`: {`"1970-01-01T00:00:00Z"`, `"1970-01-01T00:00:01Z"`},
	}
	for typeJSON, texts := range ordered {
		typ, err := ParseJSON([]byte(typeJSON))
		if err != nil {
			t.Fatal(err)
		}
		values := make([]Value, len(texts))
		for i, text := range texts {
			if values[i], err = FromPlain(plain(t, text), typ); err != nil {
				t.Fatal(err)
			}
		}
		for i, a := range values {
			for j, b := range values {
				if order, ok := Compare(a, b); !ok || order != compareInts(i, j) {
					t.Errorf("%s: %s and %s compare as %d, %t", typeJSON, texts[i], texts[j], order, ok)
				}
			}
			if _, ok := Compare(a, Null{}); ok {
				t.Errorf("%s: %s compares with null", typeJSON, texts[i])
			}
		}
	}
	if _, ok := Compare(List{}, List{}); ok {
		t.Error("lists compare")
	}
}

func compareInts(i, j int) int {
	switch {
	case i < j:
		return -1
	case i > j:
		return 1
	default:
		return 0
	}
}

// FuzzConvertText casts texts to everything: the result is a value of its type.
func FuzzConvertText(f *testing.F) {
	for _, seed := range []string{
		"", "1", "-1.5e3", "NaN", "0x1p3f", "1e99999999999", "yes", "2026-1-5", "2026-02-31 24:00:00", "12:34:56.7895-01:30",
		"[1, [2], null]", "ARRAY(1)", "{a -> 1, b->}", "MAP(a,1)", "{1, x}", "\"\\,", "\xff",
	} {
		f.Add(seed)
	}
	var targets []Type
	for _, text := range []string{
		"BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(5, 2)", "DECIMAL(38, 38)", "CHAR(3)",
		"VARCHAR(2)", "BINARY(3)", "VARBINARY(2)", "DATE", "TIME(3)", "TIMESTAMP(0)", "TIMESTAMP(2)", "TIMESTAMP(9)",
		"TIMESTAMP_LTZ(6)", `{"type":"ARRAY","element":"INT ARRAY"}`, `{"type":"MAP","key":"STRING","value":"DATE"}`,
		`{"type":"ROW","fields":[{"name":"a","type":"INT"},{"name":"b","type":"STRING"}]}`,
	} {
		if typ, err := Parse(text); err == nil {
			targets = append(targets, typ)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, to := range targets {
			v, err := Convert(Text(text), String(), to)
			if err != nil || v == (Null{}) {
				continue
			}
			if to.IsText() || to.IsInteger() || to.Kind == KindDecimal {
				if _, err := FromPlain(Plain(v), to); err != nil {
					t.Fatalf("CAST(%q AS %s): %v", text, to, err)
				}
			}
			if _, err := json.Marshal(Plain(v)); err != nil {
				t.Fatalf("CAST(%q AS %s): %v", text, to, err)
			}
		}
	})
}
