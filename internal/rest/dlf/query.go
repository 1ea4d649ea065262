package dlf

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// joinQuery writes a query in the order of its names.
func joinQuery(query url.Values, pair func(name, value string) string) string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(query)) {
		pairs = append(pairs, pair(name, query.Get(name)))
	}
	return strings.Join(pairs, "&")
}

// unlessEmpty leaves the sign of equality out in front of nothing. Names are never escaped.
func unlessEmpty(escape func(string) string) func(name, value string) string {
	return func(name, value string) string {
		if value == "" {
			return name
		}
		return name + "=" + escape(value)
	}
}

func always(escape func(string) string) func(name, value string) string {
	return func(name, value string) string { return escape(name) + "=" + escape(value) }
}

func asIs(text string) string { return text }

// javaForm turns Go's form encoding into that of java.net.URLEncoder, which Paimon's own client signs with. The two
// differ in these characters; what is sent may differ from both, since servers decode before they verify.
var javaForm = strings.NewReplacer("%2A", "*", "~", "%7E")

func javaEscape(text string) string { return javaForm.Replace(url.QueryEscape(text)) }

func rfc3986Escape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

// unescape decodes a path as a form, in which a plus is a space. A path that is no such text stays as it is.
func unescape(path string) string {
	if decoded, err := url.QueryUnescape(path); err == nil {
		return decoded
	}
	return path
}
