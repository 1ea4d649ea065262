package predicate

import (
	"slices"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// seed adds the text of every vector of a kind.
func seed(f *testing.F, kind string) {
	f.Helper()
	_, vectors := readVectors(f)
	for _, v := range vectors {
		if v.Kind != kind {
			continue
		}
		if v.InputText != nil {
			f.Add(*v.InputText)
		} else if v.Input != nil {
			f.Add(string(v.Input))
		}
	}
}

func FuzzParsePredicate(f *testing.F) {
	seed(f, "predicate")
	tables, _ := readVectors(f)
	f.Fuzz(func(t *testing.T, text string) {
		p, findings := ParsePredicate(text)
		if (p == nil) != (findings.ReadErr() != nil) {
			t.Fatalf("predicate %v with findings %v", p, findings)
		}
		if p == nil {
			return
		}
		if !p.Equal(p) {
			t.Fatalf("%s does not equal itself", p.Canonical())
		}
		if findings.ServerErr() == nil && !holdsVerbatim(p) {
			checkFixedPoint(t, p)
		}
		for _, fields := range tables {
			bound, more := p.Bind(fields)
			strict := append(findings, more...).Err() == nil
			stored, err := StorePredicate(text, fields)
			if strict && err != nil {
				t.Fatalf("strict accepts what the server refuses: %v", err)
			}
			if !strict {
				continue
			}
			if !p.Equal(bound) || stored != bound.Canonical() {
				t.Fatalf("stored %s, bound %s", stored, bound.Canonical())
			}
			checkFixedPoint(t, bound)
		}
	})
}

func checkFixedPoint(t *testing.T, p Predicate) {
	t.Helper()
	canonical := p.Canonical()
	if len(canonical) > MaxTextBytes {
		return
	}
	again, findings := ParsePredicate(canonical)
	if again == nil {
		t.Fatalf("the canonical text %s cannot be read: %v", canonical, findings)
	}
	if again.Canonical() != canonical || !p.Equal(again) || !again.Equal(p) {
		t.Fatalf("canonical text changed from\n %s to\n %s", canonical, again.Canonical())
	}
}

// holdsVerbatim tells predicates whose canonical text no reader takes back:
// servers write "Infinity" for numbers that are too large, and an object for a
// BOOLEAN whose numbers they did so in.
func holdsVerbatim(p Predicate) bool {
	switch p := p.(type) {
	case *Compound:
		return slices.ContainsFunc(p.Children, holdsVerbatim)
	case *Leaf:
		for _, l := range p.Literals {
			_, verbatim := l.Value.(datatype.Verbatim)
			if verbatim || strings.Contains(string(l.Value.AppendJSON(nil)), "Infinity") {
				return true
			}
		}
	}
	return false
}

func FuzzParseTransform(f *testing.F) {
	seed(f, "transform")
	tables, _ := readVectors(f)
	f.Fuzz(func(t *testing.T, text string) {
		u, findings := ParseTransform(text)
		if findings.ReadErr() != nil {
			return
		}
		if !u.Equal(u) {
			t.Fatalf("%s does not equal itself", u.Canonical())
		}
		canonical := u.Canonical()
		again, more := ParseTransform(canonical)
		if len(canonical) <= MaxTextBytes && (more.ReadErr() != nil || again.Canonical() != canonical || !u.Equal(again)) {
			t.Fatalf("canonical text changed from\n %s to\n %s: %v", canonical, again.Canonical(), more)
		}
		for _, fields := range tables {
			for _, field := range fields {
				bound, more := u.Bind(fields, field.Name)
				stored, err := StoreTransform(text, fields, field.Name)
				if append(findings, more...).Err() != nil {
					continue
				}
				if err != nil || stored != bound.Canonical() || !u.Equal(bound) {
					t.Fatalf("stored %s (%v), bound %s", stored, err, bound.Canonical())
				}
			}
		}
	})
}
