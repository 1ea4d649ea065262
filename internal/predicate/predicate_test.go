package predicate

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// leaf is a leaf over a column, with the literals as JSON.
func leaf(name, typeJSON, function, literals string) string {
	return `{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":0,"name":"` + name + `","type":` + typeJSON +
		`}},"function":"` + function + `","literals":` + literals + `}`
}

func and(children ...string) string {
	return `{"kind":"COMPOUND","function":"AND","children":[` + strings.Join(children, ",") + `]}`
}

func orders(t *testing.T) []datatype.Field {
	t.Helper()
	tables, _ := readVectors(t)
	return tables["ORD"]
}

func TestFindingsNameThePlaceAndTheRemedy(t *testing.T) {
	tests := []struct {
		name, text string
		code       Code
		at         string // the text at the place, from its first occurrence on
		path       string
		message    string
		remedy     string
	}{
		{
			"syntax", "{\n  \"kind\": \"é\", \"transform\": {,}\n}", CodeSyntax, ",}\n", "",
			"a key in double quotes expected", "correct the JSON",
		},
		{"blank", "\t \n", CodeBlank, "\t", "", "blank", "write a JSON object"},
		{"not UTF-8", "{\"kind\":\n\"\xff\"}", CodeUnicode, "\xff", "", "not UTF-8", "save it"},
		{
			"literal out of range", and(leaf("region", `"STRING"`, "EQUAL", `["a"]`), leaf("qty", `"INT"`, "EQUAL", `[4294967297]`)),
			CodeLiteral, `4294967297`, "children[1].literals[0]", "servers wrap it to 1", "from -2147483648 to 2147483647",
		},
		{
			"unknown function", leaf("region", `"STRING"`, "EQUALS", `["a"]`), CodeUnknownName, `"EQUALS"`, "function",
			`unknown function "EQUALS"`, "did you mean EQUAL?",
		},
		{
			"unknown key", strings.Replace(leaf("region", `"STRING"`, "EQUAL", `["a"]`), `"literals"`, `"literal"`, 1),
			CodeUnknownKey, `"literal"`, "literal", "which servers drop", `did you mean "literals"?`,
		},
		{
			"unknown column", leaf("regoin", `"STRING"`, "EQUAL", `["a"]`), CodeColumn, `"regoin"`, "transform.fieldRef.name",
			`no column "regoin"`, `did you mean "region"?`,
		},
		{
			"column of other case", leaf("Region", `"STRING"`, "EQUAL", `["a"]`), CodeColumn, `"Region"`, "transform.fieldRef.name",
			`no column "Region"`, "case-sensitive",
		},
		{
			"declared type", leaf("qty", `"STRING"`, "EQUAL", `["5"]`), CodeDeclaredType, `"STRING"`, "transform.fieldRef.type",
			"the declared type is STRING, but column qty is INT", `write "INT"`,
		},
		{
			"pattern", leaf("region", `"STRING"`, "LIKE", `["a\\b"]`), CodePattern, `"a\\b"`, "literals[0]",
			"escapes %, _ and", `write \\`,
		},
		{
			"null literal", leaf("region", `"STRING"`, "NOT_IN", `["a",null]`), CodeNullLiteral, `null`, "literals[1]",
			"with a null NOT_IN matches no row", "use IS_NULL",
		},
		{
			"nested type", leaf("tags", `{"type":"ARRAY NOT  NULL","element":"STRING"}`, "IS_NULL", `[]`), CodeType, `"ARRAY NOT  NULL"`,
			"transform.fieldRef.type.type", "not the name of a nested type", "with or without NOT NULL",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, findings := ParsePredicate(tt.text)
			if p != nil {
				_, more := p.Bind(orders(t))
				findings = append(findings, more...)
			}
			var refused *FindingError
			if !errors.As(findings.Err(), &refused) {
				t.Fatal("no error")
			}
			f := refused.Finding
			before, _, _ := strings.Cut(tt.text, tt.at)
			line := before[strings.LastIndex(before, "\n")+1:]
			want := Position{Line: strings.Count(before, "\n") + 1, Column: utf8.RuneCountInString(line) + 1, Offset: len(before)}
			if f.Code != tt.code || f.Position != want || f.Path != tt.path {
				t.Errorf("%s at %v in %q, want %s at %v in %q", f.Code, f.Position, f.Path, tt.code, want, tt.path)
			}
			if !strings.Contains(f.Message, tt.message) || !strings.Contains(f.Remedy, tt.remedy) {
				t.Errorf("finding %s", f)
			}
		})
	}
}

func TestParsingGoesOnAfterAnError(t *testing.T) {
	text := and(leaf("a", `"STRING"`, "NOPE", `[]`), leaf("b", `"STRING"`, "EQUAL", `[]`), leaf("c", `"TEXT"`, "IS_NULL", `[]`))
	_, findings := ParsePredicate(text)
	var paths []string
	for _, f := range findings.Errors() {
		paths = append(paths, f.Path)
	}
	want := "children[0].function children[1].literals children[2].transform.fieldRef.type"
	if got := strings.Join(paths, " "); got != want || len(findings.Warnings()) != 0 {
		t.Errorf("errors at %s, want %s", got, want)
	}
}

func TestServerStoresWhatJacksonReads(t *testing.T) {
	stored := func(literals string) string {
		return strings.Replace(leaf("region", `"STRING"`, "EQUAL", literals), `"index":0`, `"index":1`, 1)
	}
	tests := []struct{ name, text, want string }{
		{"column name from a text with an escape", leaf(`reg\u0069on`, `"STRING"`, "EQUAL", `["a"]`), stored(`["a"]`)},
		{"last duplicate of a field reference", strings.Replace(leaf("nope", `"STRING"`, "EQUAL", `["a"]`), `"type"`, `"name":"region","type"`, 1), stored(`["a"]`)},
		{"declared INT in a STRING column", leaf("region", `"INT"`, "EQUAL", `[1.9]`), stored(`["1"]`)},
		{"declared DATE in a STRING column", leaf("region", `"DATE"`, "EQUAL", `["1970-01-11"]`), stored(`["10"]`)},
		{"declared DOUBLE in a STRING column", leaf("region", `"DOUBLE"`, "EQUAL", `[1e400]`), stored(`["Infinity"]`)},
		{"declared DECIMAL in a STRING column", leaf("region", `"DECIMAL(10, 2)"`, "EQUAL", `["1.5"]`), stored(`["1.50"]`)},
		{"null of any declared type", leaf("region", `"BYTES"`, "IN", `[null]`), strings.Replace(stored(`[null]`), "EQUAL", "IN", 1)},
		{
			"TIMESTAMP declared for a TIMESTAMP_LTZ column",
			leaf("ltz", `"TIMESTAMP(3)"`, "EQUAL", `["2026-01-15T12:34:56"]`),
			`{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":7,"name":"ltz","type":"TIMESTAMP(6) WITH LOCAL TIME ZONE"}},"function":"EQUAL","literals":["2026-01-15T12:34:56Z"]}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := StorePredicate(tt.text, orders(t))
			if err != nil || got != tt.want {
				t.Errorf("stored %s, %v, want %s", got, err, tt.want)
			}
			if p, findings := ParsePredicate(tt.text); tt.name != "column name from a text with an escape" {
				_, more := p.Bind(orders(t))
				if append(findings, more...).Err() == nil && !strings.Contains(tt.name, "null") {
					t.Error("the strict reading accepts it")
				}
			}
		})
	}
}

func TestServerRefusesWhatItCannotWrite(t *testing.T) {
	for _, text := range []string{
		leaf("created", `"STRING"`, "EQUAL", `["2026-01-15"]`),
		leaf("amount", `"INT"`, "EQUAL", `[5]`),
		leaf("ts", `"STRING"`, "EQUAL", `["a"]`),
		leaf("tags", `"STRING"`, "EQUAL", `["a"]`),
		leaf("region", `{"type":"ARRAY","element":"STRING"}`, "ARRAY_CONTAINS", `["a"]`),
	} {
		if stored, err := StorePredicate(text, orders(t)); err == nil {
			t.Errorf("%s is stored as %s", text, stored)
		}
	}
}

func TestOldEncodingsAreReadFromAListingOnly(t *testing.T) {
	tests := []struct{ typeText, old, now string }{
		{`"DATE"`, `[[2026,1,15]]`, `["2026-01-15"]`},
		{`"TIME(3)"`, `[[12,34,56,789000000]]`, `["12:34:56.789"]`},
		{`"TIMESTAMP(3)"`, `[[2026,1,15,12,34]]`, `["2026-01-15T12:34:00"]`},
		{`"TIMESTAMP(3) WITH LOCAL TIME ZONE"`, `[1768480496.789000000]`, `["2026-01-15T12:34:56.789Z"]`},
		{`"DECIMAL(10, 2)"`, `[1.5]`, `["1.50"]`},
	}
	for _, tt := range tests {
		old, now := leaf("c", tt.typeText, "EQUAL", tt.old), leaf("c", tt.typeText, "EQUAL", tt.now)
		p, findings := ParsePredicate(old)
		if findings.ReadErr() != nil || findings.ServerErr() == nil {
			t.Errorf("%s: read error %v, server error %v", tt.old, findings.ReadErr(), findings.ServerErr())
			continue
		}
		if p.Canonical() != now || !SamePredicate(old, now) {
			t.Errorf("%s is read as %s", tt.old, p)
		}
	}
}

func TestSamePredicateComparesMeaning(t *testing.T) {
	region := leaf("region", `"STRING"`, "EQUAL", `["5"]`)
	tests := []struct {
		name, a, b string
		want       bool
	}{
		{"number of a STRING column", region, leaf("region", `"STRING"`, "EQUAL", `[5]`), true},
		{"stale nullability", region, leaf("region", `"STRING NOT NULL"`, "EQUAL", `["5"]`), true},
		{"stale width", leaf("q", `"INT"`, "EQUAL", `[5]`), leaf("q", `"BIGINT"`, "EQUAL", `[5]`), true},
		{"number and text", region, leaf("region", `"INT"`, "EQUAL", `[5]`), false},
		{"other column", region, leaf("region2", `"STRING"`, "EQUAL", `["5"]`), false},
		{"other function", region, leaf("region", `"STRING"`, "NOT_EQUAL", `["5"]`), false},
		{"order of children", and(region, region, leaf("a", `"INT"`, "IS_NULL", `[]`)), and(region, leaf("a", `"INT"`, "IS_NULL", `[]`), region), false},
		{"single child", and(and(region)), region, true},
		{"null and empty list of IN", leaf("a", `"INT"`, "IN", `null`), leaf("a", `"INT"`, "IN", `[]`), false},
		{"null and empty list of TRUE", leaf("a", `"INT"`, "TRUE", `null`), leaf("a", `"INT"`, "TRUE", `[]`), true},
		{"trailing text", region + " x", region, true},
		{"unreadable and identical", "{", "{", true},
		{"unreadable and other", "{", "[", false},
		{"unreadable and readable", "{", region, false},
		{"leaf and compound", region, and(region, region), false},
	}
	for _, tt := range tests {
		if SamePredicate(tt.a, tt.b) != tt.want || SamePredicate(tt.b, tt.a) != tt.want {
			t.Errorf("%s: same = %t, want %t", tt.name, !tt.want, tt.want)
		}
	}
}

func TestSameTransformComparesMeaning(t *testing.T) {
	const email = `{"index":2,"name":"email","type":"STRING"}`
	tests := []struct {
		name, a, b string
		want       bool
	}{
		{"index and type", `{"name":"UPPER","inputs":[` + email + `]}`, `{"inputs":[{"name":"email","type":"CHAR(3)"}],"name":"UPPER"}`, true},
		{"cast nullability", `{"name":"CAST","fieldRef":` + email + `,"type":"STRING"}`, `{"name":"CAST","fieldRef":` + email + `,"type":"STRING NOT NULL"}`, false},
		{"cast spelling", `{"name":"CAST","fieldRef":` + email + `,"type":"INTEGER"}`, `{"name":"CAST","fieldRef":` + email + `,"type":"INT"}`, true},
		{"text and number", `{"name":"SUBSTRING","inputs":["a","2"]}`, `{"name":"SUBSTRING","inputs":["a",2]}`, false},
		{"flag", `{"name":"TRIM","inputs":["a"],"trimFlag":"BOTH"}`, `{"name":"TRIM","inputs":["a"],"trimFlag":"LEADING"}`, false},
		{"ordinal of a direction", `{"name":"PAD","inputs":["a",2,"b"],"direction":1}`, `{"name":"PAD","inputs":["a",2,"b"],"direction":"RIGHT"}`, true},
		{"null and empty text", `{"name":"CONCAT","inputs":[null]}`, `{"name":"CONCAT","inputs":[""]}`, false},
		{"unreadable", `{"name":"SHA256"}`, `{"name":"SHA256" }`, false},
		{"unreadable and identical", `{"name":"SHA256"}`, `{"name":"SHA256"}`, true},
	}
	for _, tt := range tests {
		if SameTransform(tt.a, tt.b) != tt.want || SameTransform(tt.b, tt.a) != tt.want {
			t.Errorf("%s: same = %t, want %t", tt.name, !tt.want, tt.want)
		}
	}
}

func TestMaskOfAnotherTypeOffersACast(t *testing.T) {
	tables, _ := readVectors(t)
	u, findings := ParseTransform(`{"name":"UPPER","inputs":[{"name":"email","type":"STRING"}]}`)
	if findings.Err() != nil {
		t.Fatal(findings)
	}
	_, findings = u.Bind(tables["CUS"], "vc20")
	const cast = `{"name":"CAST","fieldRef":{"index":2,"name":"email","type":"STRING"},"type":"VARCHAR(20)"}`
	err := findings.ServerErr()
	if err == nil || !strings.Contains(err.Error(), "the mask gives STRING, but column vc20 is VARCHAR(20)") ||
		!strings.Contains(err.Error(), cast) {
		t.Fatalf("error %v", err)
	}
	if _, err := StoreTransform(cast, tables["CUS"], "vc20"); err != nil {
		t.Errorf("the offered cast is refused: %v", err)
	}
}

func TestHostileTextsAreRefused(t *testing.T) {
	compound := `{"kind":"COMPOUND","function":"OR","children":[`
	for name, text := range map[string]string{
		"nested arrays":    `{"x":` + strings.Repeat("[", MaxTextBytes-10),
		"nested compounds": strings.Repeat(compound, (MaxTextBytes-1)/len(compound)),
		"nested types":     `{"name":"CAST","type":` + strings.Repeat(`{"element":`, 5000),
		"too large":        strings.Repeat(" ", MaxTextBytes) + "{}",
		"vectors":          `{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"name":"a","type":"` + strings.Repeat("VECTOR<", 8000) + `"}}}`,
		"huge exponent":    leaf("a", `"DECIMAL(10, 2)"`, "EQUAL", `["1e2147483647"]`),
	} {
		if p, findings := ParsePredicate(text); p != nil || findings.ServerErr() == nil {
			t.Errorf("%s: read as %v", name, p)
		}
		if _, findings := ParseTransform(text); findings.ServerErr() == nil {
			t.Errorf("%s: read as a transform", name)
		}
	}
}

func TestDeepCompoundsAreStoredButNotWritten(t *testing.T) {
	text := leaf("qty", `"INT"`, "IS_NULL", `[]`)
	for range 200 {
		text = and(leaf("qty", `"INT"`, "IS_NULL", `[]`), text)
	}
	_, findings := ParsePredicate(text)
	if len(findings) != 1 || findings[0].Code != CodeDepth {
		t.Errorf("findings %v", findings)
	}
	if _, err := StorePredicate(text, orders(t)); err != nil {
		t.Error(err)
	}
}

// TestProfilesOfTheVectors ties the column "since" of the facts to what was
// observed of each version.
func TestProfilesOfTheVectors(t *testing.T) {
	profiles := map[string]Profile{
		"java-2026-08-18": Java20260818, "java-9212": Java9212, "java-22cb5db8": Java22cb5db8,
		"java-9905": Java9905, "java-9423": Java9423,
	}
	_, vectors := readVectors(t)
	checked := 0
	for _, v := range vectors {
		since, ok := profiles[v.MinProfile]
		if !ok {
			continue
		}
		text := v.text(t)
		var newest Profile
		if v.Kind == "transform" {
			u, _ := ParseTransform(text)
			newest = transforms[u.Name].since
		} else if p, _ := ParsePredicate(text); p != nil {
			l, ok := p.(*Leaf)
			if !ok {
				t.Fatalf("%s: not a leaf", v.Name)
			}
			newest = max(functions[l.Function].since, transforms[l.Transform.Name].since)
		}
		if checked++; newest != since {
			t.Errorf("%s: since profile %d, want %d", v.Name, newest, since)
		}
	}
	if checked < 20 {
		t.Errorf("only %d vectors checked", checked)
	}
}

func TestEveryTransformStoresItsOwnCanonicalText(t *testing.T) {
	const (
		text  = `{"index":1,"name":"region","type":"STRING"}`
		date  = `{"index":5,"name":"created","type":"DATE"}`
		field = `{"index":2,"name":"qty","type":"INT"}`
	)
	samples := map[string]string{
		"FIELD_REF": `"fieldRef":` + field, "CAST": `"fieldRef":` + field + `,"type":"STRING"`, "NULL": "",
		"CONCAT": `"inputs":[` + text + `,"a",null]`, "CONCAT_WS": `"inputs":["-",` + text + `]`,
		"UPPER": `"inputs":["a"]`, "LOWER": `"inputs":[null]`, "SUBSTRING": `"inputs":["a",` + field + `,-4]`,
		"TRIM": `"inputs":["a","b"],"trimFlag":"BOTH"`, "LENGTH": `"inputs":[` + text + `]`, "BIT_LENGTH": `"inputs":["a"]`,
		"TRANSLATE": `"inputs":[` + text + `,"a","b"]`, "OVERLAY": `"inputs":[` + text + `,"*",4,4]`,
		"PAD": `"inputs":[` + text + `,10,"*"],"direction":"LEFT"`, "DATE_ADD": `"inputs":[` + date + `,7]`,
		"DATE_DIFF": `"inputs":[` + date + `,20468]`, "DATE_TRUNC": `"inputs":[` + date + `,"MONTH"]`,
		"NESTED_FIELD_REF": `"fieldRef":{"index":0,"name":"r","type":{"type":"ROW","fields":[{"id":1,"name":"a","type":"INT"}]}},"path":["a"]`,
	}
	for name, facts := range transforms {
		sample, ok := samples[name]
		if !ok && facts.columns != nil {
			sample = `"fieldRef":` + date
		} else if !ok {
			t.Errorf("%s has no sample", name)
		}
		text := `{"name":"` + name + `",` + sample + `}`
		if sample == "" {
			text = `{"name":"` + name + `"}`
		}
		u, findings := ParseTransform(text)
		if findings.Err() != nil || u.Canonical() != text || u.Output().IsZero() {
			t.Errorf("%s is read as %s: %v", text, u, findings)
		}
	}
}
