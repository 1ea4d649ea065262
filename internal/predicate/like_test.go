package predicate

import (
	"strings"
	"testing"
	"time"
)

func TestLike(t *testing.T) {
	tests := []struct {
		name, text, pattern string
		want                bool
	}{
		{"nothing matches the empty pattern only", "", "", true},
		{"something does not match the empty pattern", "a", "", false},
		{"a percent sign matches nothing", "", "%", true},
		{"a percent sign matches line ends", "a\nb", "a%b", true},
		{"an underscore needs a character", "", "_", false},
		{"an underscore is one code point", "a😀b", "a_b", true},
		{"an underscore is not two code points", "ae\u0301b", "a_b", false},
		{"an underscore is no line feed", "a\nb", "a_b", false},
		{"an underscore is no carriage return", "a\rb", "a_b", false},
		{"an underscore is no next line", "a\u0085b", "a_b", false},
		{"an underscore is no line separator", "a\u2028b", "a_b", false},
		{"an underscore is a vertical tab", "a\vb", "a_b", true},
		{"case matters", "A", "a", false},
		{"letters of regular expressions are letters", "a.c", "a.c", true},
		{"a dot is a dot", "abc", "a.c", false},
		{"an escaped percent sign is one", "50%", `50\%`, true},
		{"an escaped percent sign is nothing else", "500", `50\%`, false},
		{"an escaped underscore is one", "a_b", `a\_b`, true},
		{"an escaped backslash is one", `a\b`, `a\\b`, true},
		{"an escaped backslash before a wildcard", `a\xyz`, `a\\%`, true},
		{"the end is at the end", "abab", "%ab", true},
		{"the end is not taken twice", "ab", "ab%b", false},
		{"the ends do not overlap", "aba", "aba%a", false},
		{"the first place that fits is enough", "xabyabz", "%ab%z", true},
		{"wildcards at the end", "xxab", "%_b", true},
		{"too short for the end", "b", "%_b", false},
		{"two percent signs are one", "ab", "a%%b", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := like(tt.text, tt.pattern)
			if err != nil || got != tt.want {
				t.Errorf("%q LIKE %q = %t, %v, want %t", tt.text, tt.pattern, got, err, tt.want)
			}
		})
	}
}

func TestLikeRefusesBadEscapes(t *testing.T) {
	for _, pattern := range []string{`\`, `a\`, `a\b`, `%\%\`, `\é`} {
		if _, err := like("a", pattern); err == nil {
			t.Errorf("no error for %q", pattern)
		}
	}
}

func TestLikeDoesNotExplode(t *testing.T) {
	text := strings.Repeat("a", 20_000)
	for _, pattern := range []string{
		strings.Repeat("%a", 10_000) + "b",
		strings.Repeat("%_a", 10_000) + "b",
		strings.Repeat("a%", 10_000) + "_b",
	} {
		start := time.Now()
		if ok, err := like(text, pattern); ok || err != nil {
			t.Errorf("%.10s… matches: %t, %v", pattern, ok, err)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%.10s… took %v", pattern, took)
		}
	}
}

// slowLike follows the definition, one character of the pattern at a time.
func slowLike(text, pattern []rune) bool {
	if len(pattern) == 0 {
		return len(text) == 0
	}
	escaped := pattern[0] == '\\'
	if escaped {
		pattern = pattern[1:]
	}
	switch c := pattern[0]; {
	case c == '%' && !escaped:
		return slowLike(text, pattern[1:]) || len(text) > 0 && slowLike(text[1:], pattern)
	case len(text) == 0:
		return false
	case c == '_' && !escaped:
		return !strings.ContainsRune(lineTerminators, text[0]) && slowLike(text[1:], pattern[1:])
	default:
		return text[0] == c && slowLike(text[1:], pattern[1:])
	}
}

func FuzzLike(f *testing.F) {
	for _, seed := range [][2]string{
		{"APAC", "A%_C"}, {"50%", `50\%`}, {"ab", "ab%b"}, {"a\nb", "_%_"}, {"日本", "_本"}, {`\`, `\\`}, {"aab", "%a_"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, pattern string) {
		text, pattern = strings.ToValidUTF8(text, "?"), strings.ToValidUTF8(pattern, "?")
		got, err := like(text, pattern)
		if err != nil || len(text) > 12 || len(pattern) > 10 {
			return // The reference takes exponential time.
		}
		if want := slowLike([]rune(text), []rune(pattern)); got != want {
			t.Fatalf("%q LIKE %q = %t", text, pattern, got)
		}
	})
}
