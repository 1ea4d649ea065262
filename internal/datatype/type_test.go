package datatype

import (
	"encoding/json"
	"strings"
	"testing"
)

func mustParse(t *testing.T, text string) Type {
	t.Helper()
	parsed, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestTypesAreEqualOnlyWithEveryParameter(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"STRING", "VARCHAR(2147483647)", true},
		{"STRING", "STRING NOT NULL", false},
		{"VARCHAR(20)", "VARCHAR(19)", false},
		{"CHAR(3)", "VARCHAR(3)", false},
		{"DECIMAL(10, 2)", "DECIMAL(10, 3)", false},
		{"TIMESTAMP(3)", "TIMESTAMP(6)", false},
		{"GEOMETRY(EPSG:4326)", "GEOMETRY", false},
		{"INT ARRAY", `{"type":"ARRAY","element":"INT"}`, true},
		{"INT ARRAY", "INT NOT NULL ARRAY", false},
		{
			`{"type":"ROW","fields":[{"id":1,"name":"a","type":"INT"}]}`,
			`{"type":"ROW","fields":[{"id":2,"name":"a","type":"INT"}]}`, false,
		},
		{
			`{"type":"ROW","fields":[{"id":1,"name":"a","type":"INT","description":""}]}`,
			`{"type":"ROW","fields":[{"id":1,"name":"a","type":"INT"}]}`, false,
		},
		{
			`{"type":"MAP","key":"INT","value":"STRING"}`,
			`{"type":"MAP","key":"INT NOT NULL","value":"STRING"}`, false,
		},
	}
	for _, tt := range tests {
		if got := mustParse(t, tt.a).Equal(mustParse(t, tt.b)); got != tt.want {
			t.Errorf("%s equal to %s = %t, want %t", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestFamiliesAreWhereLiteralsMeanTheSame(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"CHAR(3)", "STRING NOT NULL", true},
		{"BINARY(3)", "BYTES", true},
		{"INT", "BIGINT", false},
		{"FLOAT", "DOUBLE", false},
		{"DECIMAL(10, 2)", "DECIMAL(12, 2)", true},
		{"DECIMAL(10, 2)", "DECIMAL(10, 3)", false},
		{"TIMESTAMP(3)", "TIMESTAMP(6) NOT NULL", true},
		{"TIMESTAMP(3)", "TIMESTAMP_LTZ(3)", false},
		{"CHAR(3) ARRAY", "STRING ARRAY", true},
		{"INT ARRAY", "BIGINT ARRAY", false},
		{"STRING", "INT", false},
		{"BYTES", "STRING", false},
	}
	for _, tt := range tests {
		a, b := mustParse(t, tt.a), mustParse(t, tt.b)
		if a.SameFamily(b) != tt.want || b.SameFamily(a) != tt.want {
			t.Errorf("%s of the family of %s = %t, want %t", tt.a, tt.b, !tt.want, tt.want)
		}
	}
}

// TestCastRules counts the rules of each type against Paimon's table, over one
// type of every spelling that can be told apart.
func TestCastRules(t *testing.T) {
	all := []string{
		"BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(10, 2)",
		"CHAR(3)", "VARCHAR(3)", "STRING", "BINARY(3)", "BYTES", "DATE", "TIME(3)", "TIMESTAMP(3)", "TIMESTAMP_LTZ(3)",
		"INT ARRAY", `{"type":"MAP","key":"INT","value":"INT"}`, `{"type":"ROW","fields":[]}`,
		"INT MULTISET", "VARIANT", "BLOB",
	}
	const (
		numbers = "TINYINT SMALLINT INT BIGINT FLOAT DOUBLE DECIMAL "
		texts   = "CHAR VARCHAR STRING "
		instant = "TIMESTAMP TIMESTAMP_LTZ "
	)
	want := map[string]string{
		"BOOLEAN": numbers + texts,
		"TINYINT": "BOOLEAN " + numbers + texts, "SMALLINT": "BOOLEAN " + numbers + texts,
		"INT": "BOOLEAN " + numbers + texts + instant, "BIGINT": "BOOLEAN " + numbers + texts + instant,
		"FLOAT": numbers + texts, "DOUBLE": numbers + texts, "DECIMAL(10, 2)": numbers + texts,
		"BINARY(3)": texts + "BINARY BYTES", "BYTES": texts + "BINARY BYTES",
		"DATE": "STRING " + instant, "TIME(3)": "STRING " + instant,
		"TIMESTAMP(3)":     "INT BIGINT STRING DATE TIME " + instant,
		"TIMESTAMP_LTZ(3)": "INT BIGINT STRING DATE TIME " + instant,
		"INT ARRAY":        texts, `{"type":"MAP","key":"INT","value":"INT"}`: texts, `{"type":"ROW","fields":[]}`: texts,
	}
	for _, text := range []string{"CHAR(3)", "VARCHAR(3)", "STRING"} {
		want[text] = "BOOLEAN " + numbers + texts + "BINARY BYTES DATE TIME " + instant + "ARRAY MAP ROW"
	}
	for _, from := range all {
		for _, to := range all {
			target := mustParse(t, to)
			name := target.Kind.String()
			switch to {
			case "STRING", "BYTES":
				name = to
			}
			rule := strings.Contains(" "+want[from]+" ", " "+name+" ")
			if got := CanCast(mustParse(t, from), target); got != rule {
				t.Errorf("cast from %s to %s = %t, want %t", from, to, got, rule)
			}
		}
	}
}

func TestFieldsOfATableReadAndPrint(t *testing.T) {
	const text = `[{"id":0,"name":"id","type":"BIGINT NOT NULL","description":"key"},` +
		`{"id":3,"name":"tags","type":{"type":"ARRAY","element":"STRING"},"defaultValue":"[]"}]`
	var fields []Field
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(fields)
	if err != nil || string(again) != text {
		t.Errorf("fields = %s, %v, want %s", again, err, text)
	}
	if got := fields[1].Type.String(); got != `{"type":"ARRAY","element":"STRING"}` {
		t.Errorf("String() = %s", got)
	}
}

func TestTypeErrorsSayWhatToWrite(t *testing.T) {
	tests := map[string]string{
		`TEXT`:                "use STRING",
		`ARRAY<INT>`:          `{"type":"ARRAY","element":"INT"}`,
		`VARCHAR(0)`:          "from 1 to 2147483647",
		`INT NOT`:             "NULL expected",
		`INT STRING`:          `unexpected "STRING"`,
		`{"type":"STRING"}`:   "not a nested type",
		`{"type":"ARRAY"}`:    `needs the key "element"`,
		`{"type":"ARRAY"} {}`: "text after the value",
		`VECTOR<STRING, 3>`:   "cannot be the element",
		`GEOMETRY('x`:         "does not end",
	}
	for text, want := range tests {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%s) = %v, want an error with %q", text, err, want)
		}
	}
}

func TestReferenceSystemsAreQuotedOnlyWhereNeeded(t *testing.T) {
	tests := map[string]string{
		"GEOMETRY('EPSG:4326')":      "GEOMETRY(EPSG:4326)",
		"GEOMETRY('4326')":           "GEOMETRY('4326')",
		"GEOMETRY('it''s one')":      "GEOMETRY('it''s one')",
		"GEOGRAPHY('a b', VINCENTY)": "GEOGRAPHY('a b', vincenty)",
	}
	for text, want := range tests {
		if got := mustParse(t, text).String(); got != want {
			t.Errorf("%s is printed %s, want %s", text, got, want)
		}
	}
}
