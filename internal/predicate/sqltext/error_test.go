package sqltext_test

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate/sqltext"
)

var update = flag.Bool("update", false, "write what the errors are to testdata")

// TestErrors compares the errors of texts with those in testdata, to the
// letter: a text, a line of dashes, its error, and a line of equals signs.
func TestErrors(t *testing.T) {
	t.Run("predicates", func(t *testing.T) {
		checkErrors(t, "testdata/predicate_errors.txt", func(sql string, fields []datatype.Field) error {
			_, err := sqltext.ParsePredicate(sql, fields)
			return err
		})
	})
	t.Run("transforms", func(t *testing.T) {
		checkErrors(t, "testdata/transform_errors.txt", func(sql string, fields []datatype.Field) error {
			_, err := sqltext.ParseTransform(sql, fields)
			return err
		})
	})
}

func checkErrors(t *testing.T, file string, parse func(string, []datatype.Field) error) {
	t.Helper()
	const end, middle = "\n====\n", "\n----\n"
	fields := allFields(t)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var actual strings.Builder
	for block := range strings.SplitSeq(strings.TrimSuffix(string(data), end), end) {
		sql, want, _ := strings.Cut(block, middle)
		err := parse(sql, fields)
		if err == nil {
			t.Errorf("%s\nhas no error", sql)
			continue
		}
		if err.Error() != want && !*update {
			t.Errorf("%s\ngot\n%s\nwant\n%s", sql, err, want)
		}
		actual.WriteString(sql + middle + err.Error() + end)
	}
	if *update {
		if err := os.WriteFile(file, []byte(actual.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestErrorsStandUnderTheirPlace has the texts that a file would not keep.
func TestErrorsStandUnderTheirPlace(t *testing.T) {
	long := strings.Repeat("long ", 40)
	tests := []struct{ name, sql, place, excerpt string }{
		{"tab", "\tregion\t== 'a'", "line 1, column 9", " region == 'a'\n        ^"},
		{"Windows lines", "qty = 1 AND\r\n  qty == 2\r\nOR qty = 3", "line 2, column 7", "  qty == 2\n      ^"},
		{"wide", "region = '日本' == 1", "line 1, column 15", "region = '日本' == 1\n                ^"},
		{"combining", "region = 'e\u0301' == 1", "line 1, column 15", "region = 'e\u0301' == 1\n             ^"},
		{"hidden", "region = '\u202e' == 1", "line 1, column 14", "region = '\ufffd' == 1\n             ^"},
		{"not UTF-8", "region = '\xff'", "line 1, column 11", "region = '\ufffd'\n          ^"},
		{"end after a line", "qty =\n", "line 2, column 1", "\n^"},
		{
			"long", "region = '" + long + "' == '" + long + "'", "line 1, column 213",
			"…" + strings.Repeat("long ", 10)[2:] + "' == '" + strings.Repeat("long ", 4) + "…\n" + strings.Repeat(" ", 51) + "^",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := sqltext.ParsePredicate(tt.sql, allFields(t))
			var failure *sqltext.Error
			if !errors.As(err, &failure) {
				t.Fatalf("error = %v", err)
			}
			if failure.Excerpt != tt.excerpt || !strings.HasPrefix(failure.Error(), tt.place+": ") {
				t.Errorf("got\n%s\nwant %s\n%s", failure, tt.place, tt.excerpt)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	fields := allFields(t)
	deep := func(levels int) string {
		return strings.Repeat("qty = 1 AND (qty = 2 OR (", levels/2) + "qty = 3 AND qty = 4" + strings.Repeat("))", levels/2)
	}
	tests := []struct{ name, sql, message string }{
		{"deep enough", deep(30), ""},
		{"too deep", deep(32), "nested 33 deep"},
		{"parentheses", strings.Repeat("(", 256) + "qty = 1" + strings.Repeat(")", 256), ""},
		{"too many parentheses", strings.Repeat("(", 257) + "qty = 1" + strings.Repeat(")", 257), "deeper than 256"},
		{"hostile parentheses", strings.Repeat("(", 200_000), "deeper than 256"},
		{"hostile negations", strings.Repeat("NOT ", 50_001) + "qty = 1", ""},
		{"large list", "qty IN (1" + strings.Repeat(", 1", 20_000) + ")", ""},
		{"too large a list", "qty IN (1" + strings.Repeat(", 1", 40_000) + ")", "bytes of JSON"},
		{"too large a text", strings.Repeat(" ", 300_000) + "qty = 1", "the text has 300007 bytes"},
		{"hostile type", "CAST(region AS " + strings.Repeat(`{"type":"ARRAY","element":`, 9000) + ") = 1", "JSON of a type"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := sqltext.ParsePredicate(tt.sql, fields)
			if (err == nil) != (tt.message == "") || err != nil && !strings.Contains(err.Error(), tt.message) {
				t.Errorf("error = %v, want %q", err, tt.message)
			}
		})
	}
}
