package predicate

import (
	"strings"
	"testing"
)

const smallFilter = `{"kind":"COMPOUND","function":"AND","children":[` +
	`{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":1,"name":"region","type":"STRING"}},"function":"EQUAL","literals":["APAC"]},` +
	`{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":2,"name":"qty","type":"INT"}},"function":"BETWEEN","literals":[1,10]}]}`

// largeFilter is close to MaxTextBytes: a flat OR of leaves.
func largeFilter() string {
	const leaf = `{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":2,"name":"qty","type":"INT"}},"function":"EQUAL","literals":[1234567]}`
	leaves := (MaxTextBytes - 100) / (len(leaf) + 1)
	return `{"kind":"COMPOUND","function":"OR","children":[` + leaf + strings.Repeat(","+leaf, leaves-1) + `]}`
}

func BenchmarkParseAndCanonical(b *testing.B) {
	for name, text := range map[string]string{"small": smallFilter, "60KiB": largeFilter()} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				p, findings := ParsePredicate(text)
				if findings.Err() != nil || p.Canonical() != text {
					b.Fatal(findings)
				}
			}
		})
	}
}

func BenchmarkStorePredicate(b *testing.B) {
	tables, _ := readVectors(b)
	text := largeFilter()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := StorePredicate(text, tables["ORD"]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSamePredicate(b *testing.B) {
	other := strings.Replace(smallFilter, `"index":1`, `"index":7`, 1)
	b.ReportAllocs()
	for b.Loop() {
		if !SamePredicate(smallFilter, other) {
			b.Fatal("not the same")
		}
	}
}
