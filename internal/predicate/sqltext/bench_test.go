package sqltext_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate/sqltext"
)

// BenchmarkPolicy measures everything that is done with the text of a policy,
// of one condition and of about 4, 16 and 60 KiB: the time per byte stays the
// same.
func BenchmarkPolicy(b *testing.B) {
	fields := allFields(b)
	for _, conditions := range []int{1, 24, 96, 364} {
		sql := strings.Repeat("region = 'APAC' AND qty BETWEEN 1 AND 10 OR ", conditions/2) + "UPPER(region) LIKE 'A%'"
		p, err := sqltext.ParsePredicate(sql, fields)
		if err != nil {
			b.Fatal(err)
		}
		json := p.Canonical()
		operations := []struct {
			name string
			do   func() bool
		}{
			{"parse", func() bool { q, _ := predicate.ParsePredicate(json); return q != nil }},
			{"canonicalise", func() bool { return p.Canonical() != "" }},
			{"equal", func() bool { return predicate.SamePredicate(json, json+" ") }},
			{"render", func() bool { return sqltext.Predicate(p) != "" }},
			{"compile", func() bool { _, err := sqltext.ParsePredicate(sql, fields); return err == nil }},
		}
		for _, operation := range operations {
			b.Run(fmt.Sprintf("%s/%d", operation.name, len(json)), func(b *testing.B) {
				b.SetBytes(int64(len(json)))
				b.ReportAllocs()
				for b.Loop() {
					if !operation.do() {
						b.Fatal("failed")
					}
				}
			})
		}
	}
}
