package sqltext_test

import (
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate/sqltext"
)

func leafJSON(name, typeJSON, function, literals string) string {
	return `{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":0,"name":"` + name + `","type":` + typeJSON +
		`}},"function":"` + function + `","literals":` + literals + `}`
}

// TestStoredMistakes renders what servers keep although no reader can evaluate
// it. None of the texts compiles.
func TestStoredMistakes(t *testing.T) {
	tests := []struct{ name, json, want string }{
		{"too many literals", leafJSON("region", `"STRING"`, "EQUAL", `["a","b"]`), "EQUAL!(region, 'a', 'b')"},
		{"no literals", leafJSON("region", `"STRING"`, "EQUAL", `[]`), "EQUAL!(region)"},
		{"literals missing", leafJSON("region", `"STRING"`, "IN", `null`), "IN!(region, «null»)"},
		{"literals of a unary function", leafJSON("region", `"STRING"`, "IS_NULL", `["a"]`), "IS_NULL!(region, 'a')"},
		{"literals of a constant", leafJSON("region", `"STRING"`, "TRUE", `["a"]`), "TRUE!(region, 'a')"},
		{"wrong type", leafJSON("qty", `"INT"`, "STARTS_WITH", `[1]`), "STARTS_WITH!(qty, 1)"},
		{"not comparable", leafJSON("bin", `"BYTES"`, "EQUAL", `[null]`), "EQUAL!(bin, NULL)"},
		{"no BOOLEAN", leafJSON("paid", `"BOOLEAN"`, "EQUAL", `["tr\u202eue»"]`), `paid = «"tr\u202Eue\u00BB"»`},
		{"object for a BOOLEAN", leafJSON("paid", `"BOOLEAN"`, "IN", `[{"a":[1]}]`), `paid IN («{"a":[1]}»)`},
		{"infinite", leafJSON("score", `"DOUBLE"`, "EQUAL", `[1e999]`), `score = «"Infinity"»`},
		{"null that matches nothing", leafJSON("qty", `"INT"`, "BETWEEN", `[null,1]`), "qty BETWEEN NULL AND 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, findings := predicate.ParsePredicate(tt.json)
			if p == nil {
				t.Fatal(findings)
			}
			if got := sqltext.Predicate(p); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if _, err := sqltext.ParsePredicate(tt.want, allFields(t)); err == nil {
				t.Errorf("%s compiles", tt.want)
			}
		})
	}
}

// TestHiddenCharactersShow renders characters that a reviewer would not see.
func TestHiddenCharactersShow(t *testing.T) {
	tests := []struct{ name, text, inString, inName string }{
		{"plain", "a", `'a'`, "a"},
		{"quotes", "it's `x`", `'it''s ` + "`x`'", "`it's ``x```"},
		{"quotes and a line", "'`\\\n", `E'\'` + "`" + `\\\n'`, "E`'\\`\\\\\\n`"},
		{"controls", "\x00\t\r\x1b\x7f\u0085", `E'\u0000\t\r\u001B\u007F\u0085'`, "E`\\u0000\\t\\r\\u001B\\u007F\\u0085`"},
		{"separators", "\u2028\u2029", `E'\u2028\u2029'`, "E`\\u2028\\u2029`"},
		{"bidirectional", "\u202e\u2066\u200f\u061c", `E'\u202E\u2066\u200F\u061C'`, "E`\\u202E\\u2066\\u200F\\u061C`"},
		{"no width", "\u200b\u200d\ufeff\u00ad\u2060\ufe0f\u3164", `E'\u200B\u200D\uFEFF\u00AD\u2060\uFE0F\u3164'`, "E`\\u200B\\u200D\\uFEFF\\u00AD\\u2060\\uFE0F\\u3164`"},
		{"tags", "\U000E0041", `E'\U000E0041'`, "E`\\U000E0041`"},
		{"no characters", "\ufdd0\U0010ffff", `E'\uFDD0\U0010FFFF'`, "E`\\uFDD0\\U0010FFFF`"},
		{"wide", "日本", `'日本'`, "`日本`"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fields := allFields(t)
			fields[0].Name, fields[0].Type = tt.text, fields[1].Type
			p := &predicate.Leaf{
				Transform: predicate.Transform{Name: "UPPER", Inputs: []predicate.Input{
					{Kind: predicate.InputField, Field: predicate.FieldRef{Name: tt.text, Type: fields[0].Type}},
				}},
				Function: "EQUAL",
				Literals: []predicate.Literal{{Value: textValue(tt.text)}},
			}
			want := "UPPER(" + tt.inName + ") = " + tt.inString
			if got := sqltext.Predicate(p); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			checkPredicate(t, p, fields)
		})
	}
}

func TestLongPredicatesHaveOneConditionALine(t *testing.T) {
	short := "region = 'a' AND qty = 1 OR paid = TRUE"
	long := "region = 'a' AND (note = 'b' AND (note = 'c' OR qty = 1 AND paid = TRUE)) AND region IN ('" +
		strings.Repeat("x", 100) + "')"
	lines := `region = 'a'
AND (
  note = 'b'
  AND (
    note = 'c'
    OR (
      qty = 1
      AND paid = TRUE
    )
  )
)
AND region IN ('` + strings.Repeat("x", 100) + `')`
	for sql, want := range map[string]string{short: short, long: lines} {
		p, err := sqltext.ParsePredicate(sql, allFields(t))
		if err != nil {
			t.Fatal(err)
		}
		if got := sqltext.PredicateLines(p); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		checkPredicate(t, p, allFields(t))
	}
}
