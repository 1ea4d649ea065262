package predicate

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// vector is one observed text. Server is what the create path built from the
// classes of apache/paimon#9212 answered, nil where it was not run; Canonical
// is what it stored. Texts that need a later profile have a MinProfile, and
// their canonical text is derived from the sources.
type vector struct {
	Kind       string
	Name       string
	Table      string
	OnColumn   *string
	Input      json.RawMessage
	InputText  *string     `json:"input_text"`
	InputGen   *repetition `json:"input_gen"`
	Valid      bool
	Server     *bool
	MinProfile string `json:"min_profile"`
	Canonical  string

	Equivalent    []json.RawMessage
	NotEquivalent []json.RawMessage `json:"not_equivalent"`
}

type repetition struct {
	Prefix, Repeat, Suffix string
	Body                   string
	RepeatPrefix           string `json:"repeat_prefix"`
	RepeatSuffix           string `json:"repeat_suffix"`
	Times                  int
}

func (v vector) text(t *testing.T) string {
	t.Helper()
	switch {
	case v.InputText != nil:
		return *v.InputText
	case v.InputGen != nil:
		g := v.InputGen
		return g.Prefix + strings.Repeat(g.Repeat, g.Times) + g.Suffix +
			strings.Repeat(g.RepeatPrefix, g.Times) + g.Body + strings.Repeat(g.RepeatSuffix, g.Times)
	default:
		return compact(t, v.Input)
	}
}

func compact(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func readVectors(tb testing.TB) (map[string][]datatype.Field, []vector) {
	tb.Helper()
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		tb.Fatal(err)
	}
	var file struct {
		Tables  map[string][]datatype.Field
		Vectors []vector
	}
	if err := json.Unmarshal(data, &file); err != nil {
		tb.Fatal(err)
	}
	return file.Tables, file.Vectors
}

// excluded names the vectors that are not met. It is empty: every one is.
var excluded []string

// TestVectors reads every text strictly and as the server with the newest
// profile.
//
// The vectors tell the answer of a server of #9212. Where a vector has a
// MinProfile and is valid, the newest profile accepts what that server did not
// know, and the newest wins; everywhere else the observed answer holds.
func TestVectors(t *testing.T) {
	tables, vectors := readVectors(t)
	if len(vectors) != 357 {
		t.Fatalf("%d vectors, want 357", len(vectors))
	}
	for _, v := range vectors {
		t.Run(v.Kind+"/"+v.Name, func(t *testing.T) {
			if slices.Contains(excluded, v.Name) {
				t.Fatal("the vector is excluded")
			}
			got := read(t, v, v.text(t), tables[v.Table])
			if (got.strict == nil) != v.Valid {
				t.Errorf("strict error = %v, want valid = %t", got.strict, v.Valid)
			}
			accepted := v.Valid
			if v.Server != nil && v.MinProfile == "" {
				accepted = *v.Server
			}
			if (got.server == nil) != accepted {
				t.Fatalf("server error = %v, want accepted = %t", got.server, accepted)
			}
			if accepted && v.Canonical != "" && got.stored != v.Canonical {
				t.Errorf("stored\n %s, want\n %s", got.stored, v.Canonical)
			}
			if v.Valid && v.Canonical != "" && got.canonical != v.Canonical {
				t.Errorf("canonical\n %s, want\n %s", got.canonical, v.Canonical)
			}
		})
	}
}

// result is what the two readings made of a text.
type result struct {
	strict, server    error
	canonical, stored string
}

func read(t *testing.T, v vector, text string, fields []datatype.Field) result {
	t.Helper()
	var r result
	switch {
	case v.Kind == "predicate":
		p, findings := ParsePredicate(text)
		if p != nil {
			bound, more := p.Bind(fields)
			if findings = append(findings, more...); bound != nil {
				r.canonical = bound.Canonical()
			}
		}
		r.strict = findings.Err()
		r.stored, r.server = StorePredicate(text, fields)
	case v.OnColumn != nil:
		u, findings := ParseTransform(text)
		if findings.ReadErr() == nil {
			bound, more := u.Bind(fields, *v.OnColumn)
			findings = append(findings, more...)
			r.canonical = bound.Canonical()
		}
		r.strict = findings.Err()
		r.stored, r.server = StoreTransform(text, fields, *v.OnColumn)
	default:
		// The vector is about the transform alone, which masks nothing.
		u, findings := ParseTransform(text)
		if findings.ReadErr() == nil {
			b := newBinder(fields)
			bound, _ := b.transform(u, nil, true)
			findings = append(findings, b.findings...)
			r.canonical = bound.Canonical()
		}
		r.strict, r.server, r.stored = findings.Err(), findings.ServerErr(), r.canonical
	}
	return r
}

func TestVectorsEqualByMeaning(t *testing.T) {
	tables, vectors := readVectors(t)
	for _, v := range vectors {
		same := SamePredicate
		if v.Kind == "transform" {
			same = SameTransform
		}
		text := v.text(t)
		for _, other := range v.Equivalent {
			if !same(text, compact(t, other)) {
				t.Errorf("%s: differs from %s", v.Name, other)
			}
		}
		for _, other := range v.NotEquivalent {
			if same(text, compact(t, other)) {
				t.Errorf("%s: is the same as %s", v.Name, other)
			}
		}
		if stored := read(t, v, text, tables[v.Table]); stored.strict == nil && !same(text, stored.stored) {
			t.Errorf("%s: differs from what is stored, %s", v.Name, stored.stored)
		}
	}
}
