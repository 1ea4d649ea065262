package wire_test

import (
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

func TestNamesInPaths(t *testing.T) {
	t.Parallel()
	tests := []struct{ raw, name, prefix string }{
		{"plain-1._X", "plain-1._X", "plain-1._X"},
		{"a b", "a%20b", "a+b"},
		{" ", "%20", "+"},
		{"a/b", "a%2Fb", "a%2Fb"},
		{"a+b", "a%2Bb", "a%2Bb"},
		{"a%b", "a%25b", "a%25b"},
		{"a%20b", "a%2520b", "a%2520b"},
		{"a%2Ab~", "a%252Ab~", "a%252Ab%7E"},
		{"t$branch_b1", "t%24branch_b1", "t%24branch_b1"},
		{"a*b", "a%2Ab", "a*b"},
		{"a~b", "a~b", "a%7Eb"},
		{"a:b@c", "a%3Ab%40c", "a%3Ab%40c"},
		{"é", "%C3%A9", "%C3%A9"},
		{"日本", "%E6%97%A5%E6%9C%AC", "%E6%97%A5%E6%9C%AC"},
		{"🦀", "%F0%9F%A6%80", "%F0%9F%A6%80"},
		{"a&b=c", "a%26b%3Dc", "a%26b%3Dc"},
		{"a?b#c", "a%3Fb%23c", "a%3Fb%23c"},
		{"(a)'!\"", "%28a%29%27%21%22", "%28a%29%27%21%22"},
		{`a\b;c,d`, "a%5Cb%3Bc%2Cd", "a%5Cb%3Bc%2Cd"},
		{"line\nfeed\x00", "line%0Afeed%00", "line%0Afeed%00"},
		{"", "", ""},
	}
	for _, test := range tests {
		t.Run(test.raw, func(t *testing.T) {
			t.Parallel()
			if got := wire.EncodeName(test.raw); got != test.name {
				t.Errorf("name: got %s, want %s", got, test.name)
			}
			if got := wire.EncodePrefix(test.raw); got != test.prefix {
				t.Errorf("prefix: got %s, want %s", got, test.prefix)
			}
			for _, segment := range []string{test.name, test.prefix} {
				if got, err := wire.DecodeName(segment); err != nil || got != test.raw {
					t.Errorf("%s: decoded %q, %v, want %q", segment, got, err, test.raw)
				}
			}
		})
	}
}

func TestBadEscapesAreNoNames(t *testing.T) {
	t.Parallel()
	for _, segment := range []string{"%", "a%2", "%zz"} {
		if got, err := wire.DecodeName(segment); err == nil {
			t.Errorf("%s: got %q, want an error", segment, got)
		}
	}
}
