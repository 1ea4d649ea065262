package wire

import (
	"net/url"
	"strings"
)

// EncodeName encodes a database, table, view or function name as one path segment. A space becomes %20 and a plus
// %2B, the only spelling that servers with form decoding and servers with RFC 3986 decoding read alike.
func EncodeName(name string) string {
	return strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
}

// javaForm turns Go's form encoding into that of java.net.URLEncoder, which differs in these two characters.
var javaForm = strings.NewReplacer("%2A", "*", "~", "%7E")

// EncodePrefix encodes the catalog prefix as one path segment in Java's form (a space is +), since servers compare
// it as raw text with what Paimon's own client sends.
func EncodePrefix(prefix string) string {
	return javaForm.Replace(url.QueryEscape(prefix))
}

// DecodeName decodes one path segment as Paimon's servers do: both + and %20 are a space.
func DecodeName(segment string) (string, error) {
	return url.QueryUnescape(segment)
}
