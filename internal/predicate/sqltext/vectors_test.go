package sqltext_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate/sqltext"
)

// vector is an observed policy of package predicate. SQL is how it is written,
// empty for most of those that are not valid.
type vector struct {
	Kind, Name, Table string

	Input     json.RawMessage
	InputText *string `json:"input_text"`
	Valid     bool
	SQL       string
}

// text is the JSON of the policy, empty where it is generated.
func (v vector) text() string {
	if v.InputText != nil {
		return *v.InputText
	}
	return string(v.Input)
}

func readJSON(tb testing.TB, file string, into any) {
	tb.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		tb.Fatal(err)
	}
}

type tables map[string][]datatype.Field

func readVectors(tb testing.TB) (tables, []vector) {
	tb.Helper()
	var file struct {
		Tables  tables
		Vectors []vector
	}
	readJSON(tb, "../testdata/vectors.json", &file)
	var renderings map[string]map[string]string
	readJSON(tb, "testdata/renderings.json", &renderings)
	for i, v := range file.Vectors {
		file.Vectors[i].SQL = renderings[v.Kind][v.Name]
	}
	return file.Tables, file.Vectors
}

func TestRenderings(t *testing.T) {
	_, vectors := readVectors(t)
	tested := 0
	for _, v := range vectors {
		if v.SQL == "" {
			continue
		}
		tested++
		if got := render(t, v); got != v.SQL {
			t.Errorf("%s %q:\n got %s\nwant %s", v.Kind, v.Name, got, v.SQL)
		}
	}
	if tested != 122 {
		t.Errorf("%d renderings tested, want 122", tested)
	}
}

func render(t *testing.T, v vector) string {
	t.Helper()
	if v.Kind == "predicate" {
		p, findings := predicate.ParsePredicate(v.text())
		if p == nil {
			t.Fatal(findings)
		}
		return sqltext.Predicate(p)
	}
	u, findings := predicate.ParseTransform(v.text())
	if err := findings.ReadErr(); err != nil {
		t.Fatal(err)
	}
	return sqltext.Transform(u)
}

// TestValidVectorsRoundTrip compiles what every valid policy is rendered as,
// in one line and in several.
func TestValidVectorsRoundTrip(t *testing.T) {
	tables, vectors := readVectors(t)
	tested := 0
	for _, v := range vectors {
		if !v.Valid || v.text() == "" {
			continue
		}
		tested++
		if v.Kind == "predicate" {
			p, _ := predicate.ParsePredicate(v.text())
			checkPredicate(t, p, tables[v.Table])
		} else {
			u, _ := predicate.ParseTransform(v.text())
			checkTransform(t, u, tables[v.Table])
		}
	}
	if tested < 146 {
		t.Errorf("%d vectors tested", tested)
	}
}
