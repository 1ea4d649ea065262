package predicate

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// outcome is what a reader did with the vector of the same kind and name
// on the rows of its table. The reader is Java 2.0.0 where that knows the rule,
// a newer Java for the ARRAY functions and patterns with a backslash, and
// pypaimon 2.1.0 for what only it knows; none where nobody read it.
type outcome struct {
	Kind, Name, Reader string

	Kept   []int // rows that a filter lets through
	Shown  []any // what a mask shows
	Thrown []int // rows on which the reader throws
}

// unread is what follows from the descriptions of rules that no reader knew.
var unread = map[string]outcome{
	"not_like":               {Kept: []int{1, 2, 3, 4, 6, 8}},
	"array of date contains": {Kept: []int{0, 3}},
	"nested field":           {Shown: []any{"rome", nil, nil, "x"}},
	"nested field deep":      {Shown: []any{json.Number("41.9"), nil, nil, nil}},
	"date_trunc":             {Shown: []any{"2000-01-01", "1999-12-01", nil, "2026-01-01", "2026-01-01"}},
	"date_add":               {Shown: []any{"2000-02-07", "2000-01-07", nil, "2026-01-22", "2026-01-22"}},
}

func readOutcomes(tb testing.TB) (map[string][]Row, map[string]outcome) {
	tb.Helper()
	data, err := os.ReadFile("testdata/observed.json")
	if err != nil {
		tb.Fatal(err)
	}
	var file struct {
		Rows         map[string][]Row
		Observations []outcome
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	if err := d.Decode(&file); err != nil {
		tb.Fatal(err)
	}
	observations := map[string]outcome{}
	for _, o := range file.Observations {
		if o.Reader == "" {
			derived := unread[o.Name]
			o.Kept, o.Shown = derived.Kept, derived.Shown
		}
		observations[o.Kind+"/"+o.Name] = o
	}
	return file.Rows, observations
}

// differing names the observation that is not met, of a text that the strict
// reading refuses: the server stores a date in a form that only pypaimon reads.
const differing = "type mismatch date declared int"

// TestEveryObservation evaluates every valid vector, as it was given and as a
// server stores it, bound to its table; and in the second form those that are
// not valid but were read by somebody.
func TestEveryObservation(t *testing.T) {
	tables, vectors := readVectors(t)
	rows, observations := readOutcomes(t)
	valid := 0
	for _, v := range vectors {
		o, observed := observations[v.Kind+"/"+v.Name]
		if v.Valid {
			valid++
			if !observed {
				t.Errorf("no observation of %s", v.Name)
			}
		}
		if !observed || v.Name == differing {
			continue
		}
		t.Run(v.Kind+"/"+v.Name, func(t *testing.T) {
			if v.Kind == "predicate" {
				checkKept(t, v, o, tables[v.Table], rows[v.Table])
			} else {
				checkShown(t, v, o, tables[v.Table], rows[v.Table])
			}
		})
	}
	if valid != 149 {
		t.Errorf("%d valid vectors, want 149", valid)
	}
}

func checkKept(t *testing.T, v vector, o outcome, fields []datatype.Field, rows []Row) {
	t.Helper()
	given, findings := ParsePredicate(v.text(t))
	if given == nil {
		t.Fatal(findings)
	}
	bound, findings := given.Bind(fields)
	if bound == nil {
		t.Fatal(findings)
	}
	forms := []Predicate{bound}
	if v.Valid {
		forms = append(forms, given)
	}
	for _, p := range forms {
		var kept, thrown []int
		for i, row := range rows {
			ok, err := Matches(p, row)
			if err != nil {
				checkReaderError(t, err)
				thrown = append(thrown, i)
			} else if ok {
				kept = append(kept, i)
			}
		}
		if !slices.Equal(kept, o.Kept) || !slices.Equal(thrown, o.Thrown) {
			t.Errorf("kept %v, threw %v; %s kept %v, threw %v", kept, thrown, o.Reader, o.Kept, o.Thrown)
		}
	}
}

func checkShown(t *testing.T, v vector, o outcome, fields []datatype.Field, rows []Row) {
	t.Helper()
	given, findings := ParseTransform(v.text(t))
	b := newBinder(fields)
	bound, _ := b.transform(given, nil, true)
	if err := append(findings, b.findings...).ReadErr(); err != nil {
		t.Fatal(err)
	}
	forms := []Transform{bound}
	if v.Valid {
		forms = append(forms, given)
	}
	for _, form := range forms {
		var thrown []int
		for i, row := range rows {
			got, err := Apply(form, row)
			if err != nil {
				checkReaderError(t, err)
				thrown = append(thrown, i)
			} else if !reflect.DeepEqual(got, o.Shown[i]) {
				t.Errorf("row %d shows %#v, in %s %#v", i, got, o.Reader, o.Shown[i])
			}
		}
		if !slices.Equal(thrown, o.Thrown) {
			t.Errorf("threw %v; %s threw %v", thrown, o.Reader, o.Thrown)
		}
	}
}

func checkReaderError(t *testing.T, err error) {
	t.Helper()
	if _, thrown := errors.AsType[*ReaderError](err); !thrown {
		t.Errorf("the row is refused: %v", err)
	}
}

func TestMatches(t *testing.T) {
	const (
		array   = `{"type":"ARRAY","element":"STRING"}`
		toInt   = `{"kind":"LEAF","transform":{"name":"CAST","fieldRef":{"name":"c","type":"STRING"},"type":"INT"},"function":"EQUAL","literals":[1]}`
		notNull = `{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"name":"c","type":"STRING"}},"function":"IS_NOT_NULL","literals":[]}`
	)
	tests := []struct {
		name, predicate, row string
		want                 bool
	}{
		{"null is not unequal", leaf("c", `"INT"`, "NOT_EQUAL", `[1]`), `{"c":null}`, false},
		{"null is not outside", leaf("c", `"INT"`, "NOT_BETWEEN", `[1,2]`), `{"c":null}`, false},
		{"null is in no list", leaf("c", `"INT"`, "IN", `[null]`), `{"c":null}`, false},
		{"null is not absent from an empty list", leaf("c", `"INT"`, "NOT_IN", `[]`), `{"c":null}`, false},
		{"a value is absent from an empty list", leaf("c", `"INT"`, "NOT_IN", `[]`), `{"c":1}`, true},
		{"a null in NOT_IN hides every row", leaf("c", `"INT"`, "NOT_IN", `[2,null]`), `{"c":1}`, false},
		{"IN skips a null", leaf("c", `"INT"`, "IN", `[null,1]`), `{"c":1}`, true},
		{"a null bound holds nothing", leaf("c", `"INT"`, "BETWEEN", `[null,1]`), `{"c":1}`, false},
		{"a null bound leaves nothing outside", leaf("c", `"INT"`, "NOT_BETWEEN", `[null,1]`), `{"c":5}`, false},
		{"everything is outside reversed bounds", leaf("c", `"INT"`, "NOT_BETWEEN", `[2,1]`), `{"c":1}`, true},
		{"NOT_LIKE of null", leaf("c", `"STRING"`, "NOT_LIKE", `["a"]`), `{"c":null}`, false},

		{"texts compare by unsigned bytes", leaf("c", `"STRING"`, "GREATER_THAN", `["\ufffd"]`), `{"c":"😀"}`, true},
		{"CHAR is not padded", leaf("c", `"CHAR(3)"`, "EQUAL", `["a"]`), `{"c":"a  "}`, false},
		{"-0.0 is less than 0.0", leaf("c", `"DOUBLE"`, "LESS_THAN", `[0.0]`), `{"c":"-0.0"}`, true},
		{"NaN is greater than every number", leaf("c", `"FLOAT"`, "GREATER_THAN", `[3.4e38]`), `{"c":"NaN"}`, true},
		{"Infinity is a number", leaf("c", `"FLOAT"`, "LESS_THAN", `[0]`), `{"c":"-Infinity"}`, true},
		{"decimals compare by number", leaf("c", `"DECIMAL(10, 2)"`, "EQUAL", `["1.50"]`), `{"c":1.5}`, true},
		{"instants compare by time", leaf("c", `"TIMESTAMP_LTZ(3)"`, "GREATER_THAN", `["1970-01-01T00:00:00Z"]`), `{"c":0.001}`, true},
		{"timestamps in seconds", leaf("c", `"TIMESTAMP(3)"`, "EQUAL", `["1970-01-02T00:00:00"]`), `{"c":86400}`, true},
		{"dates in days", leaf("c", `"DATE"`, "EQUAL", `["1970-01-02"]`), `{"c":1}`, true},
		{"times in milliseconds", leaf("c", `"TIME(3)"`, "EQUAL", `["00:00:01"]`), `{"c":1000}`, true},

		{"an array does not contain a null", leaf("c", array, "ARRAY_CONTAINS", `[null]`), `{"c":[null]}`, false},
		{"an array contains all of nothing", leaf("c", array, "ARRAY_CONTAINS_ALL", `[]`), `{"c":[]}`, true},
		{"an array does not contain all with a null", leaf("c", array, "ARRAY_CONTAINS_ALL", `["a",null]`), `{"c":["a",null]}`, false},
		{"an array overlaps with a null in the list", leaf("c", array, "ARRAYS_OVERLAP", `[null,"a"]`), `{"c":["a"]}`, true},
		{"a null array contains nothing", leaf("c", array, "ARRAY_CONTAINS_ALL", `[]`), `{"c":null}`, false},

		{"only null counts for IS_NULL", leaf("c", `"DATE"`, "IS_NULL", `[]`), `{"c":"no date"}`, false},
		{"VARIANT can be null", leaf("c", `"VARIANT"`, "IS_NOT_NULL", `[]`), `{"c":{"a":1}}`, true},
		{"a guard keeps a cast from throwing", and(notNull, toInt), `{"c":null}`, false},
		{"OR ends at the first that holds", strings.Replace(and(leaf("c", `"STRING"`, "EQUAL", `["x"]`), toInt), "AND", "OR", 1), `{"c":"x"}`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, findings := ParsePredicate(tt.predicate)
			if p == nil {
				t.Fatal(findings)
			}
			got, err := Matches(p, plainRow(t, tt.row))
			if err != nil || got != tt.want {
				t.Errorf("matches = %t, %v, want %t", got, err, tt.want)
			}
		})
	}
}

func TestMatchesFailsWhereReadersThrow(t *testing.T) {
	tests := []struct{ name, predicate, row, reason string }{
		{"a literal is missing", leaf("c", `"INT"`, "EQUAL", `[]`), `{"c":1}`, "EQUAL lacks a literal"},
		{"the list is missing", leaf("c", `"INT"`, "IN", `null`), `{"c":1}`, "IN lacks a literal"},
		{"text is asked of a number", leaf("c", `"INT"`, "LIKE", `[1]`), `{"c":1}`, "1 or the literal is no text"},
		{"a literal is of no type", leaf("c", `"BOOLEAN"`, "EQUAL", `["true"]`), `{"c":true}`, "cannot be compared"},
		{"a bad escape", leaf("c", `"STRING"`, "NOT_LIKE", `["a\\b"]`), `{"c":"x"}`, "backslash"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, findings := ParsePredicate(tt.predicate)
			if p == nil {
				t.Fatal(findings)
			}
			_, err := Matches(p, plainRow(t, tt.row))
			thrown, ok := errors.AsType[*ReaderError](err)
			if !ok || !strings.Contains(thrown.Reason, tt.reason) {
				t.Errorf("error %v, want %s", err, tt.reason)
			}
			null := plainRow(t, `{"c":null}`)
			if ok, err := Matches(p, null); ok || err != nil {
				t.Errorf("a null matches = %t, %v", ok, err)
			}
		})
	}
}

// FuzzEvaluate looks for panics and for errors that are neither the row's nor
// the reader's.
func FuzzEvaluate(f *testing.F) {
	_, vectors := readVectors(f)
	rows, _ := readOutcomes(f)
	for _, v := range vectors {
		text := string(v.Input)
		if v.InputText != nil {
			text = *v.InputText
		}
		row, err := json.Marshal(rows[v.Table][0])
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, string(row))
	}
	f.Fuzz(func(t *testing.T, text, rowText string) {
		var row Row
		d := json.NewDecoder(strings.NewReader(rowText))
		d.UseNumber()
		if d.Decode(&row) != nil {
			return
		}
		if p, _ := ParsePredicate(text); p != nil {
			ok, err := Matches(p, row)
			checkEvaluationError(t, err)
			if again, _ := Matches(p, row); again != ok || ok && err != nil {
				t.Fatalf("matches = %t and %t, %v", ok, again, err)
			}
		}
		if u, findings := ParseTransform(text); findings.ReadErr() == nil {
			shown, err := Apply(u, row)
			checkEvaluationError(t, err)
			if _, err := json.Marshal(shown); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func checkEvaluationError(t *testing.T, err error) {
	t.Helper()
	_, inRow := errors.AsType[*RowError](err)
	_, thrown := errors.AsType[*ReaderError](err)
	if err != nil && !inRow && !thrown {
		t.Fatalf("unexpected error %v", err)
	}
}

func BenchmarkMatches(b *testing.B) {
	row := Row{"region": "EMEA", "qty": json.Number("7")}
	for name, text := range map[string]string{"small": smallFilter, "30KiB": halfFilter(), "60KiB": largeFilter()} {
		b.Run(name, func(b *testing.B) {
			p, findings := ParsePredicate(text)
			if p == nil {
				b.Fatal(findings)
			}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if ok, err := Matches(p, row); ok || err != nil {
					b.Fatal(ok, err)
				}
			}
		})
	}
}

// halfFilter is half of largeFilter.
func halfFilter() string {
	text := largeFilter()
	half := strings.LastIndex(text[:len(text)/2], `,{"kind"`)
	return text[:half] + "]}"
}
