package rest

import (
	"errors"
	"strings"
	"testing"
)

func TestSettingsThatCannotBeUsedAreNamed(t *testing.T) {
	t.Parallel()
	header := func(name, value string) Config {
		return Config{URI: "https://h", Headers: map[string]string{name: value}}
	}
	for name, test := range map[string]struct {
		config  Config
		setting string // empty when it is fine
		text    string
	}{
		"https":                  {config: Config{URI: "https://h"}},
		"upper case":             {config: Config{URI: "HTTPS://H/"}},
		"with path and slash":    {config: Config{URI: "http://h:8080/base//"}},
		"IPv6":                   {config: Config{URI: "http://[::1]:1"}},
		"empty":                  {Config{}, "uri", "must be absolute"},
		"no scheme":              {Config{URI: "h:8080"}, "uri", "must be absolute"},
		"other scheme":           {Config{URI: "ftp://h"}, "uri", "must be absolute"},
		"no host":                {Config{URI: "http://:80"}, "uri", "must be absolute"},
		"line break":             {Config{URI: "http://h\n"}, "uri", "a line break. Remove it."},
		"leading blank":          {Config{URI: " https://h"}, "uri", "begins or ends with a blank"},
		"trailing blank":         {Config{URI: "https://h\t"}, "uri", "begins or ends with a blank"},
		"version":                {Config{URI: "https://h/v1"}, "uri", "must end before /v1"},
		"version of a gateway":   {Config{URI: "https://h/base/v1/"}, "uri", "must end before /v1"},
		"a word like a version":  {config: Config{URI: "https://h/v1/base/xv1"}},
		"user":                   {Config{URI: "http://passw0rd@h"}, "uri", "must not hold a user name"},
		"query":                  {Config{URI: "http://h/?a=b"}, "uri", "end before any ? or #"},
		"empty query":            {Config{URI: "http://h/?"}, "uri", "end before any ? or #"},
		"fragment":               {Config{URI: "http://h/#a"}, "uri", "end before any ? or #"},
		"empty fragment":         {Config{URI: "http://h/#"}, "uri", "end before any ? or #"},
		"token with newline":     {Config{URI: "https://h", Token: "passw0rd\n"}, "token", "trimspace()"},
		"token with blank":       {Config{URI: "https://h", Token: " passw0rd"}, "token", "trimspace()"},
		"command without a name": {Config{URI: "https://h", TokenCommand: []string{"", "passw0rd"}}, "token_command", "The command is empty."},
		"fine header":            {config: header("User-Agent", "me")},
		"header name":            {header("a b", "passw0rd"), "headers", "is not a header name"},
		"header value":           {header("X-A", "passw0rd\r\nX-B: 1"), "headers", "X-A has a line break"},
		"own header":             {header("authorization", "passw0rd"), "headers", "Authorization is set by the provider"},
		"content header":         {header("content-md5", "passw0rd"), "headers", "Content-Md5 is set by the provider"},
		"signature header":       {header("x-acs-date", "passw0rd"), "headers", "X-Acs-Date is set by the provider"},
		"idempotency key":        {header("Idempotency-Key", "passw0rd"), "headers", "Idempotency-Key is set by the provider"},
		"twice":                  {Config{URI: "https://h", Headers: map[string]string{"X-A": "passw0rd", "x-a": "passw0rd"}}, "headers", "X-A is given twice"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := New(test.config)
			if test.setting == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			setting, ok := errors.AsType[*ConfigError](err)
			if !ok || setting.Setting != test.setting || !strings.Contains(setting.Text, test.text) {
				t.Fatalf("got %v", err)
			}
			if strings.Contains(err.Error(), "passw0rd") {
				t.Errorf("the error shows a credential: %v", err)
			}
		})
	}
}
