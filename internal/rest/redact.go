package rest

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// shortestSecret spares values such as "true" and "sales", whose removal would garble every message.
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
	if c.config.Token != "" {
		text = strings.ReplaceAll(text, c.config.Token, "[removed]")
	}
	var secrets []string
	for _, headers := range []map[string]string{c.config.Headers, c.session.headers} {
		for _, value := range headers {
			secrets = append(secrets, value)
		}
	}
	// The longest first, since one may be part of another.
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, secret := range secrets {
		if len(secret) >= shortestSecret {
			text = strings.ReplaceAll(text, secret, "[removed]")
		}
	}
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
