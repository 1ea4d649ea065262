package sqltext_test

import (
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate/sqltext"
)

// checkPredicate checks that the texts of a valid predicate compile to what a
// server stores for it.
func checkPredicate(t *testing.T, p predicate.Predicate, fields []datatype.Field) {
	t.Helper()
	bound, findings := p.Bind(fields)
	if bound == nil {
		t.Fatalf("%s does not fit the table: %v", p.Canonical(), findings)
	}
	// A list of literals that is missing means the same as an empty one, which
	// all readers take.
	want := strings.ReplaceAll(bound.Canonical(), `"literals":null`, `"literals":[]`)
	for _, sql := range []string{sqltext.Predicate(p), sqltext.PredicateLines(p)} {
		compiled, err := sqltext.ParsePredicate(sql, fields)
		if err != nil {
			t.Fatalf("%s\n%v", p.Canonical(), err)
		}
		if compiled.Canonical() != want || !compiled.Equal(bound) {
			t.Fatalf("%s\ncompiles to %s\nwant        %s", sql, compiled.Canonical(), want)
		}
		checkStrict(t, compiled, fields)
	}
}

// checkStrict checks that a predicate is one a careful client accepts.
func checkStrict(t *testing.T, p predicate.Predicate, fields []datatype.Field) {
	t.Helper()
	read, findings := predicate.ParsePredicate(p.Canonical())
	if err := findings.Err(); err != nil {
		t.Fatalf("%s is not acceptable: %v", p.Canonical(), err)
	}
	bound, findings := read.Bind(fields)
	if err := findings.Err(); err != nil || bound.Canonical() != p.Canonical() {
		t.Fatalf("%s is not bound: %v", p.Canonical(), err)
	}
}

// checkTransform is checkPredicate for a transform.
func checkTransform(t *testing.T, u predicate.Transform, fields []datatype.Field) {
	t.Helper()
	sql := sqltext.Transform(u)
	compiled, err := sqltext.ParseTransform(sql, fields)
	if err != nil {
		t.Fatalf("%s\n%v", u.Canonical(), err)
	}
	if !compiled.Equal(u) {
		t.Fatalf("%s\ncompiles to %s\nwant        %s", sql, compiled.Canonical(), u.Canonical())
	}
	if _, findings := predicate.ParseTransform(compiled.Canonical()); findings.Err() != nil {
		t.Fatalf("%s is not acceptable: %v", compiled.Canonical(), findings.Err())
	}
}
