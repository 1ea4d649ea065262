package rest

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// signatures are in the Authorization header of every request to DLF.
var signatures = regexp.MustCompile(`(\bSignature=|\bacs \S+:)[0-9A-Za-z+/=]+`)

// shortestSecret spares values of headers such as "true" and "sales", whose removal would garble every message.
const shortestSecret = 6

// longestMessage bounds how much of a foreign text is shown, in bytes.
const longestMessage = 2048

// redact makes a text of a server fit for errors and logs: without the credentials that this client sends, which
// servers and proxies echo, in one line without control and format characters, which a terminal would obey, and of bounded
// length.
func (c *Client) redact(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		default:
			return r
		}
	}, text)
	secrets := c.credentials.secrets()
	for _, headers := range []map[string]string{c.config.Headers, c.session.headers} {
		for _, value := range headers {
			if len(value) >= shortestSecret {
				secrets = append(secrets, value)
			}
		}
	}
	// The longest first, since one may be part of another.
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, secret := range secrets {
		text = strings.ReplaceAll(text, secret, "[removed]")
	}
	text = signatures.ReplaceAllString(text, "${1}[removed]")
	return cut(text, longestMessage)
}

// redactedError shows an error without credentials. Errors of the transport quote what the server sent, too.
type redactedError struct {
	text string
	err  error
}

func (e *redactedError) Error() string { return e.text }

func (e *redactedError) Unwrap() error { return e.err }

func (c *Client) redactError(err error) error {
	return &redactedError{c.redact(err.Error()), err}
}

func cut(text string, length int) string {
	if len(text) <= length {
		return text
	}
	for length > 0 && !utf8.RuneStart(text[length]) {
		length--
	}
	return text[:length] + " …"
}
