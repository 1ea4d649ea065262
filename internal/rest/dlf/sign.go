package dlf

import (
	"crypto/hmac"
	"crypto/md5"  //nolint:gosec // the algorithms prescribe it
	"crypto/sha1" //nolint:gosec // the algorithms prescribe it
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Request is what is signed of a request.
type Request struct {
	Method string
	Host   string // with the port, as the Host header has it
	Path   string // escaped, as it is sent
	Query  url.Values
	Body   []byte // nil for none
	Action string // the operation's name at Alibaba Cloud
}

// Signer signs for one region.
type Signer struct {
	Algorithm Algorithm
	Region    string
}

// The constants of the algorithms.
const (
	product    = "DlfNext"
	terminator = "aliyun_v4_request"
	apiVersion = "2026-01-18"
	mediaType  = "application/json"
	// unsignedPayload stands for the body: the default algorithm protects it by its MD5 alone.
	unsignedPayload = "UNSIGNED-PAYLOAD"
)

// Sign returns the headers to add to a request. The nonce must never have been used before; two of the algorithms send it.
func (s Signer) Sign(r Request, c Credentials, now time.Time, nonce string) map[string]string {
	now = now.UTC()
	switch s.Algorithm {
	case OpenAPI:
		return signOpenAPI(r, c, now, nonce)
	case OpenAPIv4:
		return s.signOpenAPIv4(r, c, now, nonce)
	default:
		return s.signDefault(r, c, now)
	}
}

// signDefault is DLF4-HMAC-SHA256.
func (s Signer) signDefault(r Request, c Credentials, now time.Time) map[string]string {
	date := now.Format("20060102T150405Z")
	headers := map[string]string{
		"x-dlf-date":           date,
		"x-dlf-content-sha256": unsignedPayload,
		"x-dlf-version":        "v1",
	}
	if r.Body != nil {
		headers["content-type"] = mediaType
		headers["content-md5"] = md5Of(r.Body)
	}
	if c.SecurityToken != "" {
		headers["x-dlf-security-token"] = c.SecurityToken
	}
	lines := []string{r.Method, r.Path, joinQuery(r.Query, unlessEmpty(javaEscape))}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		lines = append(lines, name+":"+strings.TrimSpace(headers[name]))
	}
	canonical := strings.Join(append(lines, unsignedPayload), "\n")

	scope := s.scope(now)
	signature := s.signature(c, now, strings.Join([]string{"DLF4-HMAC-SHA256", date, scope, sha256Of([]byte(canonical))}, "\n"))
	headers["authorization"] = "DLF4-HMAC-SHA256 Credential=" + c.AccessKeyID + "/" + scope + ",Signature=" + signature
	return headers
}

// signOpenAPI is the older way of Alibaba Cloud's RESTful APIs, "ROA" with HMAC-SHA1.
func signOpenAPI(r Request, c Credentials, now time.Time, nonce string) map[string]string {
	signed := map[string]string{
		"x-acs-signature-method":  "HMAC-SHA1",
		"x-acs-signature-nonce":   nonce,
		"x-acs-signature-version": "1.0",
		"x-acs-version":           apiVersion,
	}
	if c.SecurityToken != "" {
		signed["x-acs-security-token"] = c.SecurityToken
	}
	headers := map[string]string{
		"date":   now.Format(http.TimeFormat),
		"accept": mediaType,
	}
	if r.Body != nil {
		headers["content-type"] = mediaType
		headers["content-md5"] = md5Of(r.Body)
	}
	var text strings.Builder
	for _, line := range []string{r.Method, headers["accept"], headers["content-md5"], headers["content-type"], headers["date"]} {
		text.WriteString(line + "\n")
	}
	for _, name := range slices.Sorted(maps.Keys(signed)) {
		text.WriteString(name + ":" + strings.TrimSpace(signed[name]) + "\n")
	}
	text.WriteString(unescape(r.Path))
	if len(r.Query) > 0 {
		text.WriteString("?" + joinQuery(r.Query, unlessEmpty(asIs)))
	}
	mac := hmac.New(sha1.New, []byte(c.AccessKeySecret))
	mac.Write([]byte(text.String()))

	maps.Copy(headers, signed)
	headers["authorization"] = "acs " + c.AccessKeyID + ":" + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return headers
}

// signOpenAPIv4 is ACS4-HMAC-SHA256.
func (s Signer) signOpenAPIv4(r Request, c Credentials, now time.Time, nonce string) map[string]string {
	headers := map[string]string{
		"host":                  r.Host,
		"x-acs-date":            now.Format("2006-01-02T15:04:05Z"),
		"x-acs-content-sha256":  sha256Of(r.Body),
		"x-acs-signature-nonce": nonce,
		"x-acs-version":         apiVersion,
	}
	if r.Action != "" {
		headers["x-acs-action"] = r.Action
	}
	if r.Body != nil {
		headers["content-type"] = mediaType
	}
	if c.SecurityToken != "" {
		headers["x-acs-security-token"] = c.SecurityToken
	}
	names := slices.Sorted(maps.Keys(headers))
	var block strings.Builder
	for _, name := range names {
		block.WriteString(name + ":" + strings.TrimSpace(headers[name]) + "\n")
	}
	signed := strings.Join(names, ";")
	canonical := strings.Join([]string{
		r.Method, r.Path, joinQuery(r.Query, always(rfc3986Escape)), block.String(), signed, headers["x-acs-content-sha256"],
	}, "\n")

	signature := s.signature(c, now, "ACS4-HMAC-SHA256\n"+sha256Of([]byte(canonical)))
	headers["authorization"] = "ACS4-HMAC-SHA256 Credential=" + c.AccessKeyID + "/" + s.scope(now) + ",SignedHeaders=" + signed + ",Signature=" + signature
	return headers
}

// scope is what a signature of the default and v4 algorithms is good for.
func (s Signer) scope(now time.Time) string {
	return strings.Join([]string{day(now), s.Region, product, terminator}, "/")
}

// signature signs a text with the key of a day, a region and the product.
func (s Signer) signature(c Credentials, now time.Time, text string) string {
	key := []byte("aliyun_v4" + c.AccessKeySecret)
	for _, part := range []string{day(now), s.Region, product, terminator, text} {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(part))
		key = mac.Sum(nil)
	}
	return hex.EncodeToString(key)
}

func day(now time.Time) string { return now.Format("20060102") }

func md5Of(body []byte) string {
	sum := md5.Sum(body) //nolint:gosec // the algorithms prescribe it
	return base64.StdEncoding.EncodeToString(sum[:])
}

func sha256Of(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
