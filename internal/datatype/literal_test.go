package datatype

import (
	"encoding/json"
	"strings"
	"testing"
)

const (
	fine     = Refusal(99)
	client   = RefusedByClient
	server   = RefusedByServer
	everyone = RefusedByAll
)

// literal reads JSON as Decode takes it; objects keep one key only.
func literal(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	if m, ok := v.(map[string]any); ok {
		var o Object
		for key, value := range m {
			o = append(o, Member{key, value})
		}
		return o
	}
	return v
}

func TestDecodeCoercesAsServersDo(t *testing.T) {
	tests := []struct {
		typeText, literal string
		refusal           Refusal
		want              string // canonical JSON
	}{
		{"BYTES", `null`, fine, `null`},
		{"BYTES", `"YWJj"`, everyone, ``},
		{"VARIANT", `1`, everyone, ``},
		{"INT ARRAY", `[1]`, everyone, ``},

		{"BOOLEAN", `true`, fine, `true`},
		{"BOOLEAN", `"true"`, client, `"true"`},
		{"BOOLEAN", `{"a":[1,1.50,null,"x"]}`, client, `{"a":[1,1.5,null,"x"]}`},
		{"BOOLEAN", `1e400`, client, `"Infinity"`},

		{"TINYINT", `-128`, fine, `-128`},
		{"TINYINT", `128`, client, `-128`},
		{"TINYINT", `1e3`, client, `-24`},
		{"SMALLINT", `-32769`, client, `32767`},
		{"INT", `-0`, fine, `0`},
		{"INT", `4294967297`, client, `1`},
		{"INT", `1.9`, client, `1`},
		{"INT", `-1e400`, client, `-2147483648`},
		{"INT", `99999999999999999999999`, client, `-159383553`},
		{"INT", `-99999999999999999999999`, client, `159383553`},
		{"INT", `"1"`, everyone, ``},
		{"BIGINT", `9223372036854775807`, fine, `9223372036854775807`},
		{"BIGINT", `9223372036854775808`, client, `-9223372036854775808`},
		{"BIGINT", `1e400`, client, `9223372036854775807`},

		{"DOUBLE", `100`, fine, `100.0`},
		{"DOUBLE", `1e22`, fine, `1.0E22`},
		{"DOUBLE", `0.00001`, fine, `1.0E-5`},
		{"DOUBLE", `0.001`, fine, `0.001`},
		{"DOUBLE", `9999999`, fine, `9999999.0`},
		{"DOUBLE", `10000000`, fine, `1.0E7`},
		{"DOUBLE", `1.7976931348623157e308`, fine, `1.7976931348623157E308`},
		{"DOUBLE", `4.9e-324`, fine, `4.9E-324`},
		{"DOUBLE", `0.10000000000000001`, fine, `0.1`},
		{"DOUBLE", `-0.0`, fine, `-0.0`},
		{"DOUBLE", `-0`, fine, `0.0`},
		{"DOUBLE", `9007199254740993`, client, `9.007199254740992E15`},
		{"DOUBLE", `1e400`, client, `"Infinity"`},
		{"DOUBLE", `1e-400`, client, `0.0`},
		{"DOUBLE", `"NaN"`, everyone, ``},
		{"FLOAT", `1e-45`, fine, `1.4E-45`},
		{"FLOAT", `0.1`, fine, `0.1`},
		{"FLOAT", `0.30000001192092896`, fine, `0.3`},
		{"FLOAT", `16777217`, client, `1.6777216E7`},
		{"FLOAT", `1e39`, client, `"Infinity"`},
		{"FLOAT", `true`, everyone, ``},

		{"STRING", `"é"`, fine, `"é"`},
		{"STRING", `5`, client, `"5"`},
		{"STRING", `1.50`, client, `"1.5"`},
		{"STRING", `1e3`, client, `"1000.0"`},
		{"CHAR(3)", `[1,"a",[null]]`, client, `"[1, a, [null]]"`},
		{"STRING", `{"a":{"b":1}}`, client, `"{a=null}"`},

		{"DECIMAL(10, 2)", `"1.5"`, fine, `"1.50"`},
		{"DECIMAL(10, 2)", `"-0.10"`, fine, `"-0.10"`},
		{"DECIMAL(10, 2)", `"0"`, fine, `"0.00"`},
		{"DECIMAL(10, 2)", `"1.500"`, fine, `"1.50"`},
		{"DECIMAL(38, 0)", `"99999999999999999999999999999999999999"`, fine, `"99999999999999999999999999999999999999"`},
		{"DECIMAL(10, 2)", `"1.005"`, everyone, ``},
		{"DECIMAL(10, 2)", `"123456789.00"`, everyone, ``},
		{"DECIMAL(10, 2)", `"1e999999999"`, everyone, ``},
		{"DECIMAL(10, 2)", `"NaN"`, everyone, ``},
		{"DECIMAL(10, 2)", `1.5`, server, `"1.50"`},

		{"DATE", `"2026-01-15"`, fine, `"2026-01-15"`},
		{"DATE", `"1969-12-31"`, fine, `"1969-12-31"`},
		{"DATE", `"0000-02-29"`, fine, `"0000-02-29"`},
		{"DATE", `"2026-02-30"`, everyone, ``},
		{"DATE", `"2026-1-5"`, everyone, ``},
		{"DATE", `20468`, everyone, ``},
		{"DATE", `[2026,1,15]`, server, `"2026-01-15"`},
		{"DATE", `[2026,2,30]`, everyone, ``},
		{"DATE", `[2026,1]`, everyone, ``},

		{"TIME(3)", `"12:34"`, fine, `"12:34:00"`},
		{"TIME(3)", `"12:34:56.7"`, fine, `"12:34:56.700"`},
		{"TIME(9)", `"12:34:56.7891"`, client, `"12:34:56.789"`},
		{"TIME(3)", `"24:00:00"`, everyone, ``},
		{"TIME(3)", `"1:00:00"`, everyone, ``},
		{"TIME(3)", `"12:34:56."`, everyone, ``},
		{"TIME(3)", `[12,34]`, server, `"12:34:00"`},
		{"TIME(3)", `[12,34,56,789000000]`, server, `"12:34:56.789"`},
		{"TIME(3)", `[12]`, everyone, ``},
		{"TIME(3)", `[12,60]`, everyone, ``},

		{"TIMESTAMP(3)", `"2026-01-15T12:34"`, fine, `"2026-01-15T12:34:00"`},
		{"TIMESTAMP(3)", `"1969-12-31T23:59:59.999999999"`, fine, `"1969-12-31T23:59:59.999999999"`},
		{"TIMESTAMP(3)", `"2026-01-15T12:34:56.7891"`, fine, `"2026-01-15T12:34:56.789100"`},
		{"TIMESTAMP(3)", `"2026-01-15T12:34:56Z"`, everyone, ``},
		{"TIMESTAMP(3)", `"2026-01-15 12:34:56"`, everyone, ``},
		{"TIMESTAMP(3)", `"2026-01-15T12:34:56.1234567890"`, everyone, ``},
		{"TIMESTAMP(3)", `[2026,1,15,12,34,56,789000000]`, server, `"2026-01-15T12:34:56.789"`},
		{"TIMESTAMP(3)", `[2026,1]`, everyone, ``},
		{"TIMESTAMP(3)", `1768480496789`, everyone, ``},

		{"TIMESTAMP_LTZ(6)", `"2026-01-15T04:34:56.789Z"`, fine, `"2026-01-15T04:34:56.789Z"`},
		{"TIMESTAMP_LTZ(6)", `"2026-01-15T04:34:56"`, everyone, ``},
		{"TIMESTAMP_LTZ(6)", `"2026-01-15T04:34:56+08:00"`, everyone, ``},
		{"TIMESTAMP_LTZ(6)", `1768451696.789000000`, server, `"2026-01-15T04:34:56.789Z"`},
		{"TIMESTAMP_LTZ(6)", `253402300799.999999999`, server, `"9999-12-31T23:59:59.999999999Z"`},
		{"TIMESTAMP_LTZ(6)", `253402300800`, everyone, ``},
		{"TIMESTAMP_LTZ(6)", `-0.5`, server, `"1969-12-31T23:59:59.500Z"`},
	}
	for _, tt := range tests {
		t.Run(tt.typeText+" "+tt.literal, func(t *testing.T) {
			l := literal(t, tt.literal)
			if o, ok := l.(Object); ok && tt.typeText == "STRING" {
				o[0].Value = nil // Nested maps are out of what this helper reads.
			}
			v, err := Decode(l, mustParse(t, tt.typeText))
			switch {
			case err == nil && tt.refusal != fine:
				t.Fatalf("no error, want refusal %d", tt.refusal)
			case err != nil && err.Refusal != tt.refusal:
				t.Fatalf("refusal %d, want %d: %v", err.Refusal, tt.refusal, err)
			case err != nil && (err.Message == "" || err.Remedy == ""):
				t.Errorf("error without message or remedy: %v", err)
			}
			if tt.refusal == everyone {
				return
			}
			if got := string(v.AppendJSON(nil)); got != tt.want {
				t.Errorf("canonical = %s, want %s", got, tt.want)
			}
		})
	}
}

func TestValuesAreEqualByValue(t *testing.T) {
	tests := []struct {
		typeA, a, typeB, b string
		want               bool
	}{
		{"INT", `5`, "BIGINT", `5`, true},
		{"INT", `5`, "DOUBLE", `5.0`, true},
		{"INT", `5`, "STRING", `"5"`, false},
		{"STRING", `5`, "STRING", `"5"`, true},
		{"BIGINT", `9007199254740993`, "DOUBLE", `9007199254740992`, false},
		{"FLOAT", `0.1`, "DOUBLE", `0.1`, true},
		{"FLOAT", `0.3`, "FLOAT", `0.30000001192092896`, true},
		{"DOUBLE", `0.0`, "DOUBLE", `-0.0`, false},
		{"INT", `0`, "DOUBLE", `-0.0`, false},
		{"DOUBLE", `1e400`, "DOUBLE", `1e500`, true},
		{"DOUBLE", `1e400`, "DOUBLE", `-1e400`, false},
		{"DECIMAL(10, 2)", `"1.5"`, "DECIMAL(12, 4)", `"1.50"`, true},
		{"DECIMAL(10, 2)", `"1.5"`, "DECIMAL(10, 2)", `1.5`, true},
		{"DECIMAL(10, 2)", `"1.5"`, "DECIMAL(10, 2)", `"1.51"`, false},
		{"DATE", `"2026-01-15"`, "DATE", `[2026,1,15]`, true},
		{"TIMESTAMP(3)", `"2026-01-15T12:34"`, "TIMESTAMP(6)", `"2026-01-15T12:34:00.000"`, true},
		{"TIMESTAMP(3)", `"2026-01-15T12:34"`, "TIMESTAMP_LTZ(3)", `"2026-01-15T12:34Z"`, false},
		{"STRING", `null`, "INT", `null`, true},
		{"STRING", `null`, "STRING", `""`, false},
		{"BOOLEAN", `true`, "BOOLEAN", `"true"`, false},
	}
	for _, tt := range tests {
		a, _ := Decode(literal(t, tt.a), mustParse(t, tt.typeA))
		b, _ := Decode(literal(t, tt.b), mustParse(t, tt.typeB))
		if got := EqualValues(a, b); got != tt.want || EqualValues(b, a) != tt.want {
			t.Errorf("%s %s equal to %s %s = %t, want %t", tt.typeA, tt.a, tt.typeB, tt.b, got, tt.want)
		}
	}
}

func TestObjectsInTextsAreJavaMaps(t *testing.T) {
	object := Object{{"a", json.Number("1")}, {"b", Object{{"c", true}}}, {"a", "last"}}
	v, err := Decode(object, String())
	if err == nil || v != Text("{a=last, b={c=true}}") {
		t.Errorf("value = %v, %v", v, err)
	}
}
