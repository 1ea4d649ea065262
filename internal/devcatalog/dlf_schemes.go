package devcatalog

import (
	"crypto/hmac"
	"crypto/md5"  //nolint:gosec // G501: DLF's choice.
	"crypto/sha1" //nolint:gosec // G505: DLF's choice.
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// scheme is one of the three ways to sign for Alibaba Cloud DLF. They are written from the description of the protocol
// alone and share no code with the provider's signer, which is tested by them.
type scheme struct {
	// form is how an Authorization header looks, and authorization reads what follows the name of the scheme.
	form          string
	authorization *regexp.Regexp
	dateHeader    string
	dateLayout    string
	// stsHeader has the security token of keys that are good for a while only.
	stsHeader string
	// nonce says that a request has one, which is good for one request.
	nonce bool
	// constants are headers that have the same value in every request.
	constants map[string]string
	// digest is the header that ties the body to what is signed.
	digest func(body []byte) (header, value string)
	// headers are the names of the headers that are signed, canonical is the request as it is signed with them, and sign
	// its signature.
	headers   func(r *http.Request) []string
	canonical func(r *http.Request, headers []string) string
	sign      func(canonical string, r *http.Request, c claim, secret string) string
}

const (
	nonceHeader = "X-Acs-Signature-Nonce"
	acsVersion  = "2026-01-18"
	// scoped is how the headers of both HMAC-SHA256 schemes begin.
	scoped = `^Credential=(?P<key>[^/,]+)/(?P<day>\d{8})/(?P<region>[a-z0-9-]+)/DlfNext/aliyun_v4_request,`
)

// schemes are the schemes by the first word of their Authorization header.
var schemes = map[string]scheme{
	// dlf.signing-algorithm default.
	"DLF4-HMAC-SHA256": {
		form:          "DLF4-HMAC-SHA256 Credential=<key ID>/<day>/<region>/DlfNext/aliyun_v4_request,Signature=<hex>",
		authorization: regexp.MustCompile(scoped + `Signature=(?P<signature>[0-9a-f]{64})$`),
		dateHeader:    "X-Dlf-Date",
		dateLayout:    "20060102T150405Z",
		stsHeader:     "X-Dlf-Security-Token",
		constants:     map[string]string{"X-Dlf-Version": "v1", "X-Dlf-Content-Sha256": "UNSIGNED-PAYLOAD"},
		digest:        contentMD5,
		headers:       dlf4Headers,
		canonical:     canonicalDLF4,
		sign: func(canonical string, r *http.Request, c claim, secret string) string {
			scope := c.day + "/" + c.region + "/DlfNext/aliyun_v4_request"
			text := lines("DLF4-HMAC-SHA256", r.Header.Get("X-Dlf-Date"), scope, hexSHA256(canonical))
			return hex.EncodeToString(scopedHMAC(c, secret, text))
		},
	},
	// dlf.signing-algorithm openapi.
	"acs": {
		form:          "acs <key ID>:<base64>",
		authorization: regexp.MustCompile(`^(?P<key>[^:]+):(?P<signature>[A-Za-z0-9+/]+=*)$`),
		dateHeader:    "Date",
		dateLayout:    http.TimeFormat,
		stsHeader:     "X-Acs-Security-Token",
		nonce:         true,
		constants: map[string]string{
			"Accept": "application/json", "X-Acs-Version": acsVersion, "X-Acs-Signature-Version": "1.0", "X-Acs-Signature-Method": "HMAC-SHA1",
		},
		digest:    contentMD5,
		headers:   acsHeaders,
		canonical: canonicalROA,
		sign: func(canonical string, _ *http.Request, _ claim, secret string) string {
			return base64.StdEncoding.EncodeToString(mac(sha1.New, secret, canonical))
		},
	},
	// dlf.signing-algorithm openapi-v4.
	"ACS4-HMAC-SHA256": {
		form:          "ACS4-HMAC-SHA256 Credential=<key ID>/<day>/<region>/DlfNext/aliyun_v4_request,SignedHeaders=<names>,Signature=<hex>",
		authorization: regexp.MustCompile(scoped + `SignedHeaders=(?P<headers>[a-z0-9;-]+),Signature=(?P<signature>[0-9a-f]{64})$`),
		dateHeader:    "X-Acs-Date",
		dateLayout:    "2006-01-02T15:04:05Z",
		stsHeader:     "X-Acs-Security-Token",
		nonce:         true,
		constants:     map[string]string{"X-Acs-Version": acsVersion},
		digest:        contentSHA256,
		headers:       acs4Headers,
		canonical:     canonicalACS4,
		sign: func(canonical string, _ *http.Request, c claim, secret string) string {
			return hex.EncodeToString(scopedHMAC(c, secret, lines("ACS4-HMAC-SHA256", hexSHA256(canonical))))
		},
	},
}

// dlf4Headers are the headers that DLF4-HMAC-SHA256 knows and that are there. The host is none of them.
func dlf4Headers(r *http.Request) []string {
	names := []string{"content-md5", "content-type", "x-dlf-content-sha256", "x-dlf-date", "x-dlf-security-token", "x-dlf-version"}
	return slices.DeleteFunc(names, func(name string) bool { return r.Header.Values(name) == nil })
}

// acsHeaders are the headers of Alibaba Cloud's gateway.
func acsHeaders(r *http.Request) []string {
	var names []string
	for name := range r.Header {
		if name = strings.ToLower(name); strings.HasPrefix(name, "x-acs-") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func acs4Headers(r *http.Request) []string {
	names := append(acsHeaders(r), "host")
	if r.Header.Values("Content-Type") != nil {
		names = append(names, "content-type")
	}
	slices.Sort(names)
	return names
}

func canonicalDLF4(r *http.Request, headers []string) string {
	query := canonicalQuery(r, func(key, value string) string { return withValue(key, formEncoded(value)) })
	return lines(r.Method, r.URL.EscapedPath(), query, headerLines(r, headers), "UNSIGNED-PAYLOAD")
}

// canonicalROA has the path and the query as they are meant, not as they are sent.
func canonicalROA(r *http.Request, headers []string) string {
	// A path that cannot be decoded has no resource either, and no signature that fits.
	resource, _ := url.QueryUnescape(r.URL.EscapedPath())
	if query := canonicalQuery(r, withValue); query != "" {
		resource += "?" + query
	}
	return lines(r.Method, headerValue(r, "Accept"), headerValue(r, "Content-MD5"), headerValue(r, "Content-Type"), headerValue(r, "Date"),
		headerLines(r, headers), resource)
}

func canonicalACS4(r *http.Request, headers []string) string {
	query := canonicalQuery(r, func(key, value string) string {
		return percentEncoded(key, rfc3986) + "=" + percentEncoded(value, rfc3986)
	})
	return lines(r.Method, r.URL.EscapedPath(), query, headerLines(r, headers), "", strings.Join(headers, ";"), headerValue(r, "X-Acs-Content-Sha256"))
}

func lines(text ...string) string { return strings.Join(text, "\n") }

func headerLines(r *http.Request, names []string) string {
	signed := make([]string, len(names))
	for i, name := range names {
		signed[i] = name + ":" + headerValue(r, name)
	}
	return lines(signed...)
}

// headerValue is the value of a header; that of the host is kept elsewhere.
func headerValue(r *http.Request, name string) string {
	if name == "host" {
		return r.Host
	}
	return strings.TrimSpace(strings.Join(r.Header.Values(name), ","))
}

// canonicalQuery writes the decoded parameters of the query, sorted by their keys.
func canonicalQuery(r *http.Request, pair func(key, value string) string) string {
	var pairs []string
	query := r.URL.Query()
	for _, key := range slices.Sorted(maps.Keys(query)) {
		for _, value := range query[key] {
			pairs = append(pairs, pair(key, value))
		}
	}
	return strings.Join(pairs, "&")
}

// withValue leaves the sign away where there is no value.
func withValue(key, value string) string {
	if value == "" {
		return key
	}
	return key + "=" + value
}

// What percent-encoding leaves as it is, beside letters and digits.
const (
	rfc3986 = "-._~"
	javaURL = "-._*"
)

// formEncoded is what java.net.URLEncoder makes of a text. DLF4-HMAC-SHA256 signs this form, whatever was sent.
func formEncoded(text string) string {
	return strings.ReplaceAll(percentEncoded(text, javaURL+" "), " ", "+")
}

func percentEncoded(text, kept string) string {
	var encoded strings.Builder
	for _, c := range []byte(text) {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte(kept, c) >= 0 {
			encoded.WriteByte(c)
		} else {
			fmt.Fprintf(&encoded, "%%%02X", c)
		}
	}
	return encoded.String()
}

// contentMD5 is empty without a body: then there is no such header.
func contentMD5(body []byte) (header, value string) {
	if len(body) == 0 {
		return "Content-MD5", ""
	}
	sum := md5.Sum(body) //nolint:gosec // G401: DLF's choice.
	return "Content-MD5", base64.StdEncoding.EncodeToString(sum[:])
}

func contentSHA256(body []byte) (header, value string) {
	return "X-Acs-Content-Sha256", hexSHA256(string(body))
}

func hexSHA256(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// scopedHMAC signs with a key that is good for one day and region.
func scopedHMAC(c claim, secret, text string) []byte {
	key := "aliyun_v4" + secret
	for _, part := range []string{c.day, c.region, "DlfNext", "aliyun_v4_request"} {
		key = string(mac(sha256.New, key, part))
	}
	return mac(sha256.New, key, text)
}

func mac(algorithm func() hash.Hash, key, text string) []byte {
	m := hmac.New(algorithm, []byte(key))
	// A hash takes everything.
	_, _ = m.Write([]byte(text))
	return m.Sum(nil)
}
