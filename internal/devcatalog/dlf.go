package devcatalog

import (
	"crypto/hmac"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// dateWindow is how far the date of a signed request may lie from the catalog's clock, on both sides. What real DLF
// accepts is documented nowhere; fifteen minutes are what Alibaba Cloud's other services and Amazon's take.
const dateWindow = 15 * time.Minute

// keyHolder is a principal that signs its requests.
type keyHolder struct {
	keys   SeedKeys
	caller caller
}

// claim is what the Authorization header of a signed request says.
type claim struct {
	keyID string
	// day and region are the scope of the key that signs. HMAC-SHA1 has none.
	day, region string
	// signedHeaders are the names that ACS4-HMAC-SHA256 lists.
	signedHeaders string
	signature     string
}

// parseClaim reads the header without the name of the scheme.
func parseClaim(form *regexp.Regexp, text string) (claim, bool) {
	match := form.FindStringSubmatch(text)
	if match == nil {
		return claim{}, false
	}
	group := func(name string) string {
		if i := form.SubexpIndex(name); i >= 0 {
			return match[i]
		}
		return ""
	}
	return claim{group("key"), group("day"), group("region"), group("headers"), group("signature")}, true
}

// verify tells the caller by the signature of its request. Everything is taken from the request as it was received.
func (d *directory) verify(s scheme, authorization string, r *http.Request, body []byte, now time.Time) (caller, error) {
	claimed, ok := parseClaim(s.authorization, authorization)
	if !ok {
		return caller{}, notSigned("The Authorization header does not have the form of its scheme, %s.", s.form)
	}
	holder, ok := d.byKey[claimed.keyID]
	if !ok {
		return caller{}, notSigned("There is no access key ID %q here.", claimed.keyID)
	}
	date, err := s.checkDate(r, claimed, now)
	if err != nil {
		return caller{}, err
	}
	if err := s.checkHeaders(r, body, holder.keys); err != nil {
		return caller{}, err
	}
	headers := s.headers(r)
	if want := strings.Join(headers, ";"); claimed.signedHeaders != "" && claimed.signedHeaders != want {
		return caller{}, notSigned("The signed headers are %s and have to be %s.", claimed.signedHeaders, want)
	}
	signed := s.canonical(r, headers)
	signature := s.sign(signed, r, claimed, holder.keys.AccessKeySecret)
	if !d.anySignature && !hmac.Equal([]byte(signature), []byte(claimed.signature)) {
		return caller{}, notSigned("The signature is not that of access key ID %q and this request, which to the catalog is\n%s",
			claimed.keyID, withoutToken(signed, holder.keys))
	}
	if s.nonce && !d.nonces.take(claimed.keyID+" "+r.Header.Get(nonceHeader), date.Add(dateWindow), now) {
		return caller{}, notSigned("Specified signature nonce was used already: every attempt has to be signed anew.")
	}
	return holder.caller, nil
}

func notSigned(format string, args ...any) *failure {
	return &failure{status: http.StatusUnauthorized, message: fmt.Sprintf(format, args...)}
}

// withoutToken makes what was signed fit for logs.
func withoutToken(signed string, keys SeedKeys) string {
	if keys.SecurityToken == "" {
		return signed
	}
	return strings.ReplaceAll(signed, keys.SecurityToken, "(security token)")
}

// checkDate refuses requests from another time, which somebody may have kept.
func (s scheme) checkDate(r *http.Request, claimed claim, now time.Time) (time.Time, error) {
	text := r.Header.Get(s.dateHeader)
	date, err := time.Parse(s.dateLayout, text)
	switch apart := date.Sub(now).Abs(); {
	case err != nil:
		return date, notSigned("%s is %q and not of the form %s.", s.dateHeader, text, s.dateLayout)
	case apart > dateWindow:
		return date, notSigned("The request is dated %s, the clock of the catalog says %s: more than %v apart.",
			date.Format(time.RFC3339), now.UTC().Format(time.RFC3339), dateWindow)
	case claimed.day != "" && claimed.day != date.Format("20060102"):
		return date, notSigned("The credential is for the day %s, and %s is %s.", claimed.day, s.dateHeader, text)
	default:
		return date, nil
	}
}

// checkHeaders compares what a signature covers with what it stands for: the body, the versions, the key.
func (s scheme) checkHeaders(r *http.Request, body []byte, keys SeedKeys) error {
	want := maps.Clone(s.constants)
	if len(body) > 0 {
		want["Content-Type"] = "application/json"
	}
	name, digest := s.digest(body)
	want[name] = digest
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got := headerValue(r, name); got != want[name] {
			return notSigned("%s is %q and has to be %q.", name, got, want[name])
		}
	}
	if headerValue(r, s.stsHeader) != keys.SecurityToken {
		return notSigned("%s is not the security token of access key ID %q.", s.stsHeader, keys.AccessKeyID)
	}
	if s.nonce && r.Header.Get(nonceHeader) == "" {
		return notSigned("%s is missing.", nonceHeader)
	}
	return nil
}

// nonces are what was signed with, for as long as the dates of its requests are good.
type nonces struct {
	mutex sync.Mutex
	until map[string]time.Time
	swept time.Time
}

// take says whether the nonce is new.
func (n *nonces) take(nonce string, until, now time.Time) bool {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if now.Sub(n.swept) > dateWindow {
		maps.DeleteFunc(n.until, func(_ string, until time.Time) bool { return until.Before(now) })
		n.swept = now
	}
	_, used := n.until[nonce]
	n.until[nonce] = until
	return !used
}
