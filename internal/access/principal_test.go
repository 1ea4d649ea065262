package access_test

import (
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

func TestPrincipals(t *testing.T) {
	t.Parallel()
	const (
		blank = `principal: The principal must not be blank. Write it as the catalog knows it, such as "role:analyst".`
		long  = " UTF-16 code units long; at most 128 are allowed. Use the shorter name that the catalog knows."
	)
	tests := map[string]struct {
		principal string
		want      string
	}{
		"plain":                        {"role:analyst", ""},
		"ARN":                          {"acs:ram::1234567890:role/analyst", ""},
		"never trimmed":                {"  x ", ""},
		"only slashes":                 {"/", ""},
		"128 ASCII":                    {strings.Repeat("x", 128), ""},
		"129 ASCII":                    {strings.Repeat("x", 129), "principal: The principal is 129" + long},
		"128 of three bytes":           {strings.Repeat("本", 128), ""},
		"129 of three bytes":           {strings.Repeat("本", 129), "principal: The principal is 129" + long},
		"64 emoji":                     {strings.Repeat("🦀", 64), ""},
		"65 emoji":                     {strings.Repeat("🦀", 65), "principal: The principal is 130" + long},
		"63 emoji and two":             {strings.Repeat("🦀", 63) + "xx", ""},
		"63 emoji and three":           {strings.Repeat("🦀", 63) + "xxx", "principal: The principal is 129" + long},
		"last character of one unit":   {strings.Repeat("\uffff", 128), ""},
		"first character of two units": {strings.Repeat("\U00010000", 65), "principal: The principal is 130" + long},

		"empty":                {"", blank},
		"spaces":               {"   ", blank},
		"control characters":   {"\x00\x01\t\r\n\x1f", blank},
		"long but blank":       {strings.Repeat(" ", 200), blank},
		"no-break space":       {"\u00a0", ""},
		"ideographic space":    {"\u3000", ""},
		"delete character":     {"\x7f", ""},
		"next line":            {"\u0085", ""},
		"zero width space":     {"\u200b", ""},
		"byte that is no text": {"\xff", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.want == "" {
				wantProblems(t, access.CheckPrincipal(test.principal))
				return
			}
			wantProblems(t, access.CheckPrincipal(test.principal), test.want)
		})
	}
}

func TestBlankIsWhatJavaTrimsAway(t *testing.T) {
	t.Parallel()
	for r := range rune(0x3001) {
		if got, want := access.IsBlank(string(r)), r <= 0x20; got != want {
			t.Errorf("%U: blank %t, want %t", r, got, want)
		}
	}
}
