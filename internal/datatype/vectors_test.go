package datatype

import (
	"encoding/json"
	"os"
	"testing"
)

// vector is the answer of Paimon's own parser to a type in JSON.
type vector struct {
	Input     json.RawMessage
	Valid     bool
	Canonical string
}

func readVectors(tb testing.TB) []vector {
	tb.Helper()
	data, err := os.ReadFile("testdata/types.json")
	if err != nil {
		tb.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(data, &vectors); err != nil {
		tb.Fatal(err)
	}
	return vectors
}

func TestTypeVectors(t *testing.T) {
	vectors := readVectors(t)
	if len(vectors) != 133 {
		t.Fatalf("%d vectors, want 133", len(vectors))
	}
	for _, v := range vectors {
		t.Run(string(v.Input), func(t *testing.T) {
			parsed, err := ParseJSON(v.Input)
			if (err == nil) != v.Valid {
				t.Fatalf("valid = %t, want %t (%v)", err == nil, v.Valid, err)
			}
			if !v.Valid {
				return
			}
			if got := string(parsed.AppendJSON(nil)); got != v.Canonical {
				t.Errorf("canonical = %s, want %s", got, v.Canonical)
			}
			again, err := Parse(parsed.String())
			if err != nil || !again.Equal(parsed) {
				t.Errorf("Parse(%q) = %v, %v, want the same type", parsed.String(), again, err)
			}
		})
	}
}
