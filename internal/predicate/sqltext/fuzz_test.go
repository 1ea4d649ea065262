package sqltext_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate/sqltext"
)

// seed adds the renderings of a kind of vector and the texts with errors.
func seed(f *testing.F, kind, errorFile string) {
	f.Helper()
	_, vectors := readVectors(f)
	for _, v := range vectors {
		if v.Kind == kind && v.SQL != "" {
			f.Add(v.SQL)
		}
	}
	data, err := os.ReadFile(errorFile)
	if err != nil {
		f.Fatal(err)
	}
	for block := range strings.SplitSeq(string(data), "\n====\n") {
		sql, _, _ := strings.Cut(block, "\n----\n")
		f.Add(sql)
	}
}

// FuzzParsePredicate compiles any text: an error points into the text, and
// what compiles is acceptable and has a text that compiles to the same.
func FuzzParsePredicate(f *testing.F) {
	seed(f, "predicate", "testdata/predicate_errors.txt")
	fields := allFields(f)
	f.Fuzz(func(t *testing.T, sql string) {
		p, err := sqltext.ParsePredicate(sql, fields)
		if err != nil {
			checkError(t, sql, err)
			return
		}
		checkStrict(t, p, fields)
		checkPredicate(t, p, fields)
		checkVisible(t, sqltext.Predicate(p))
	})
}

// FuzzParseTransform is FuzzParsePredicate for masks.
func FuzzParseTransform(f *testing.F) {
	seed(f, "transform", "testdata/transform_errors.txt")
	fields := allFields(f)
	f.Fuzz(func(t *testing.T, sql string) {
		u, err := sqltext.ParseTransform(sql, fields)
		if err != nil {
			checkError(t, sql, err)
			return
		}
		checkTransform(t, u, fields)
		checkVisible(t, sqltext.Transform(u))
	})
}

// FuzzRender renders whatever can be read from JSON. The text of what is valid
// compiles to what a server stores.
func FuzzRender(f *testing.F) {
	_, vectors := readVectors(f)
	for _, v := range vectors {
		f.Add(v.text())
	}
	fields := allFields(f)
	f.Fuzz(func(t *testing.T, json string) {
		if p, findings := predicate.ParsePredicate(json); p != nil {
			checkVisible(t, sqltext.Predicate(p))
			checkVisible(t, strings.ReplaceAll(sqltext.PredicateLines(p), "\n", " "))
			_, more := p.Bind(fields)
			if append(findings, more...).Err() == nil {
				checkPredicate(t, p, fields)
			}
		}
		u, findings := predicate.ParseTransform(json)
		if findings.ReadErr() != nil {
			return
		}
		checkVisible(t, sqltext.Transform(u))
		// A transform is bound as the operand of a condition, which any type
		// suits.
		_, more := (&predicate.Leaf{Transform: u, Function: "TRUE"}).Bind(fields)
		if append(findings, more...).Err() == nil {
			checkTransform(t, u, fields)
		}
	})
}

func checkError(t *testing.T, sql string, err error) {
	t.Helper()
	var failure *sqltext.Error
	if !errors.As(err, &failure) {
		t.Fatalf("%T", err)
	}
	if failure.Offset > len(sql) || failure.Line < 1 || failure.Column < 1 || failure.Message == "" || failure.Remedy == "" {
		t.Fatalf("%#v", failure)
	}
	line, caret, _ := strings.Cut(failure.Excerpt, "\n")
	if strings.TrimLeft(caret, " ") != "^" || utf8.RuneCountInString(line) > len(sql)+2 {
		t.Fatalf("excerpt %q", failure.Excerpt)
	}
	checkVisible(t, line)
}

// checkVisible checks that a text hides nothing.
func checkVisible(t *testing.T, text string) {
	t.Helper()
	for _, c := range text {
		if unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point) {
			t.Fatalf("%q holds %U", text, c)
		}
	}
}
