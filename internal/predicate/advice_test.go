package predicate

import (
	"strings"
	"testing"
)

// castOf is a leaf over a CAST of a column.
func castOf(name, typeJSON, to, function, literals string) string {
	return strings.NewReplacer(
		`"FIELD_REF"`, `"CAST"`,
		`}},"function"`, `},"type":"`+to+`"},"function"`,
	).Replace(leaf(name, typeJSON, function, literals))
}

func codesOf(findings Findings) string {
	codes := make([]string, len(findings))
	for i, f := range findings {
		if codes[i] = string(f.Code); f.Severity != Warning || f.Message == "" || f.Remedy == "" {
			codes[i] += "!"
		}
	}
	return strings.Join(codes, " ")
}

func codesOfRemarks(remarks []Remark) string {
	var told Findings
	for _, r := range remarks {
		told = append(told, r.Finding)
	}
	return codesOf(told)
}

func TestAdviceOnFilters(t *testing.T) {
	nested := `{"kind":"LEAF","transform":{"name":"CAST","fieldRef":{"index":1,"name":"region","type":"STRING"},"type":{"type":"ARRAY","element":"INT"}},"function":"IS_NOT_NULL","literals":[]}`
	upper := `{"kind":"LEAF","transform":{"name":"UPPER","inputs":["TEXT"]},"function":"EQUAL","literals":["X"]}`
	tests := []struct {
		name, text string
		// advice is told whichever readers there are, remarks of pypaimon 2.1.
		advice, remarks string
	}{
		{"plain", leaf("region", `"STRING"`, "EQUAL", `["a"]`), "", ""},
		{"nothing in a list", leaf("qty", `"INT"`, "IN", `[]`), "matches-nothing", ""},
		{"only null in a list", leaf("qty", `"INT"`, "IN", `[null]`), "matches-nothing null-ignored", ""},
		{"reversed integers", leaf("qty", `"INT"`, "NOT_BETWEEN", `[2,1]`), "matches-all", ""},
		{"reversed dates", leaf("created", `"DATE"`, "BETWEEN", `["2026-01-02","2026-01-01"]`), "matches-nothing", ""},
		{"reversed decimals", leaf("amount", `"DECIMAL(10, 2)"`, "BETWEEN", `["10","9"]`), "matches-nothing", ""},
		{"reversed texts", leaf("region", `"STRING"`, "BETWEEN", `["b","a"]`), "matches-nothing", ""},
		{"bounds in order", leaf("ts", `"TIMESTAMP(3)"`, "BETWEEN", `["2026-01-01T00:00:00","2026-01-01T00:00:00"]`), "", ""},
		{"as long as the column", leaf("note", `"VARCHAR(20)"`, "EQUAL", `["éééééééééééééééééééé"]`), "", ""},
		{"longer than the column", leaf("note", `"VARCHAR(20)"`, "STARTS_WITH", `["123456789012345678901"]`), "long-literal", ""},
		{"pattern longer than the column", leaf("note", `"VARCHAR(20)"`, "LIKE", `["%12345678901234567890"]`), "", ""},
		{"CHAR", leaf("code", `"CHAR(3)"`, "IN", `["abc","abcd"]`), "char-padding long-literal", ""},
		{"CHAR and no literal", leaf("code", `"CHAR(3)"`, "IS_NULL", `[]`), "", ""},
		{"inexact FLOAT", leaf("ratio", `"FLOAT"`, "BETWEEN", `[0.1,0.5]`), "float", "float"},
		{"inexact FLOAT in a list", leaf("ratio", `"FLOAT"`, "NOT_IN", `[0.1]`), "", ""},
		{"FLOAT that is a long double", leaf("ratio", `"FLOAT"`, "EQUAL", `[16777216]`), "", ""},
		{"inexact DOUBLE", leaf("score", `"DOUBLE"`, "EQUAL", `[0.1]`), "", ""},
		{"letter of two", strings.Replace(upper, "TEXT", "ŉ", 1), "case-mapping constant", "case-mapping"},
		{"letter of one", strings.Replace(upper, "TEXT", "é", 1), "constant", ""},
		{"final sigma", strings.NewReplacer("TEXT", "ΟΣ", "UPPER", "LOWER").Replace(upper), "case-mapping constant", "case-mapping"},
		{"number to text", castOf("score", `"DOUBLE"`, "STRING", "EQUAL", `["1.0"]`), "", "float-cast"},
		{"text to number", castOf("region", `"STRING"`, "INT", "EQUAL", `[1]`), "text-cast", "text-cast"},
		{"text to bytes", castOf("region", `"STRING"`, "BYTES", "IS_NULL", `[]`), "", ""},
		{"text to array", nested, "text-cast", "text-cast nested-cast"},
		{"text to shorter text", castOf("note", `"VARCHAR(20)"`, "VARCHAR(3)", "EQUAL", `["a"]`), "cast-length", "cast-length"},
		{"text to longer text", castOf("note", `"VARCHAR(20)"`, "VARCHAR(30)", "EQUAL", `["a"]`), "", ""},
		{"text to longer CHAR", castOf("note", `"VARCHAR(20)"`, "CHAR(30)", "IS_NULL", `[]`), "cast-length", "cast-length"},
		{"CHAR to longer CHAR", castOf("code", `"CHAR(3)"`, "CHAR(30)", "IS_NULL", `[]`), "cast-length", "cast-length"},
		{"CHAR to itself", castOf("code", `"CHAR(3)"`, "CHAR(3)", "IS_NULL", `[]`), "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bound := bind(t, tt.text, orders(t))
			advice := Advise(bound)
			remarks := CheckEngines(bound, []Engine{EnginePyPaimon21})
			if got := codesOf(advice); got != tt.advice {
				t.Errorf("advice %q, want %q", got, tt.advice)
			}
			if got := codesOfRemarks(remarks); got != tt.remarks {
				t.Errorf("remarks %q, want %q", got, tt.remarks)
			}
			for _, f := range advice.Except(remarks) {
				if strings.Contains(tt.remarks, string(f.Code)) {
					t.Errorf("%s is told twice", f.Code)
				}
			}
		})
	}
}

func TestAdviceOnMasks(t *testing.T) {
	const (
		phone = `{"name":"phone_number","type":"STRING"}`
		email = `{"name":"email","type":"STRING"}`
	)
	tests := []struct {
		name, text, onColumn    string
		advice, java20, python2 string
	}{
		{"constant", `{"name":"CONCAT","inputs":["****"]}`, "email", "", "", ""},
		{"NULL", `{"name":"NULL"}`, "active", "", "", ""},
		{"itself", `{"name":"CONCAT","inputs":[` + email + `]}`, "email", "identity", "", ""},
		{"from its beginning", `{"name":"SUBSTRING","inputs":[` + email + `,1]}`, "email", "identity", "newer", ""},
		{"a part", `{"name":"SUBSTRING","inputs":[` + email + `,1,3]}`, "email", "", "newer", ""},
		{"the end", `{"name":"SUBSTRING","inputs":[` + email + `,-4]}`, "email", "short-whole", "newer", ""},
		{"nothing", `{"name":"SUBSTRING","inputs":[` + email + `,1,0]}`, "email", "always-empty", "newer", ""},
		{"null separator", `{"name":"CONCAT_WS","inputs":[null,` + email + `]}`, "email", "always-null", "", ""},
		{"null among others", `{"name":"CONCAT_WS","inputs":["-",null,` + email + `]}`, "email", "", "", ""},
		{"another, twice", `{"name":"CONCAT","inputs":[` + phone + `,` + email + `,` + phone + `]}`, "email", "", "unselected", ""},
		{"a part of a date", `{"name":"YEAR","fieldRef":{"name":"born","type":"DATE"}}`, "age", "", "newer", "date-part"},
		{"NULL for NOT NULL", `{"name":"CAST","fieldRef":` + email + `,"type":"STRING NOT NULL"}`, "name_nn", "not-null", "null-cast unselected", ""},
		{"cut", `{"name":"CAST","fieldRef":{"name":"name_nn","type":"STRING NOT NULL"},"type":"VARCHAR(20)"}`, "vc20", "mask-length", "unselected", "mask-length"},
	}
	tables, _ := readVectors(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u, findings := ParseTransform(tt.text)
			bound, more := u.Bind(tables["CUS"], tt.onColumn)
			if err := append(findings, more...).Err(); err != nil {
				t.Fatal(err)
			}
			if got := codesOf(AdviseMask(bound, tt.onColumn)); got != tt.advice {
				t.Errorf("advice %q, want %q", got, tt.advice)
			}
			if got := codesOfRemarks(CheckMask(bound, tt.onColumn, []Engine{EngineJava20})); got != tt.java20 {
				t.Errorf("java-2.0 %q, want %q", got, tt.java20)
			}
			if got := codesOfRemarks(CheckMask(bound, tt.onColumn, []Engine{EnginePyPaimon21})); got != tt.python2 {
				t.Errorf("pypaimon-2.1 %q, want %q", got, tt.python2)
			}
		})
	}
}
