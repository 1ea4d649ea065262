package devcatalog_test

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // G505: DLF's choice.
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
)

// signedRequest is a request that was signed elsewhere: by Paimon's own clients, or by hand.
type signedRequest struct {
	Name          string    `json:"name"`
	Time          time.Time `json:"time"`
	KeyID         string    `json:"key_id"`
	Secret        string    `json:"secret"`
	SecurityToken string    `json:"security_token"`
	Request       struct {
		Method  string            `json:"method"`
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers"`
		Body    string            `json:"body"`
	} `json:"request"`
}

func signedRequests(tb testing.TB) []signedRequest {
	tb.Helper()
	text, err := os.ReadFile("testdata/signed_requests.json")
	if err != nil {
		tb.Fatal(err)
	}
	var all []signedRequest
	if err := json.Unmarshal(text, &all); err != nil {
		tb.Fatal(err)
	}
	return all
}

// openTo is a catalog whose only principal has the keys of the request, and whose clock is right but for the skew.
func (s signedRequest) openTo(tb testing.TB, skew time.Duration) http.Handler {
	tb.Helper()
	catalog, err := devcatalog.New(tb.Context(), devcatalog.Config{
		Clock: func() time.Time { return s.Time.Add(skew) },
		Seed: &devcatalog.Seed{Warehouse: "demo", Principals: []devcatalog.SeedPrincipal{{
			Name: "user:alice",
			DLF:  &devcatalog.SeedKeys{AccessKeyID: s.KeyID, AccessKeySecret: s.Secret, SecurityToken: s.SecurityToken},
		}}},
	})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := catalog.Close(); err != nil {
			tb.Error(err)
		}
	})
	return catalog.Handler()
}

// arrive is the request as a server receives it.
func (s signedRequest) arrive(tb testing.TB) *http.Request {
	tb.Helper()
	r := httptest.NewRequestWithContext(tb.Context(), s.Request.Method, s.Request.URL, strings.NewReader(s.Request.Body))
	for name, value := range s.Request.Headers {
		r.Header.Set(name, value)
	}
	return r
}

func answer(tb testing.TB, catalog http.Handler, r *http.Request) reply {
	tb.Helper()
	recorder := httptest.NewRecorder()
	catalog.ServeHTTP(recorder, r)
	return reply{tb, recorder.Code, recorder.Header(), recorder.Body.String()}
}

// isRefused checks an answer to a request that is not from whom it seems to be.
func (r reply) isRefused(because string) {
	r.t.Helper()
	r.fails(http.StatusUnauthorized, "", "")
	if !strings.Contains(r.body, because) {
		r.t.Errorf("got %s, want %q in it", r.body, because)
	}
	if strings.Contains(r.body, "Secret") || strings.Contains(r.body, "AKSECRET") || strings.Contains(r.body, "STS-TOKEN") || strings.Contains(r.body, "securityToken") {
		r.t.Errorf("a secret is in %s", r.body)
	}
}

// TestRequestsThatAreSignedRight: they are for other catalogs, which only a caller is told who is known.
func TestRequestsThatAreSignedRight(t *testing.T) {
	t.Parallel()
	all := signedRequests(t)
	if len(all) != 17 {
		t.Fatalf("there are %d signed requests", len(all))
	}
	for _, s := range all {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			if got := answer(t, s.openTo(t, 0), s.arrive(t)); got.status != http.StatusNotFound {
				t.Errorf("got %d %s", got.status, got.body)
			}
		})
	}
}

// notSigned is what each scheme leaves open to change.
var notSigned = map[string]string{"DLF4-HMAC-SHA256": "host", "acs": "host", "ACS4-HMAC-SHA256": ""}

func TestEachChangeOfASignedRequestIsNoticed(t *testing.T) {
	t.Parallel()
	for _, s := range signedRequests(t) {
		changes := map[string]func(r *signedRequest){
			"method": func(r *signedRequest) { r.Request.Method = http.MethodPut },
			"path":   func(r *signedRequest) { r.Request.URL = strings.Replace(r.Request.URL, "/v1/", "/v1/x", 1) + "x" },
			"query": func(r *signedRequest) {
				r.Request.URL += map[bool]string{true: "&", false: "?"}[strings.Contains(r.Request.URL, "?")] + "more=1"
			},
			"host":          func(r *signedRequest) { r.Request.URL = strings.Replace(r.Request.URL, "//", "//x", 1) },
			"body":          func(r *signedRequest) { r.Request.Body += " " },
			"secret":        func(r *signedRequest) { r.Secret += "x" },
			"access key ID": func(r *signedRequest) { r.KeyID += "x" },
			"token asked":   func(r *signedRequest) { r.SecurityToken += "x" },
			"token sent": func(r *signedRequest) {
				r.Request.Headers["x-dlf-security-token"], r.Request.Headers["x-acs-security-token"] = "x", "x"
			},
		}
		for name, value := range s.Request.Headers {
			changes["another "+name] = func(r *signedRequest) { r.Request.Headers[name] = value + "x" }
			changes["no "+name] = func(r *signedRequest) { delete(r.Request.Headers, name) }
		}
		scheme, _, _ := strings.Cut(s.Request.Headers["Authorization"], " ")
		catalog := s.openTo(t, 0)
		for name, change := range changes {
			t.Run(s.Name+"/"+name, func(t *testing.T) {
				t.Parallel()
				changed := s
				changed.Request.Headers = maps.Clone(s.Request.Headers)
				change(&changed)
				want := http.StatusUnauthorized
				if name == notSigned[scheme] {
					want = http.StatusNotFound
				}
				asked := catalog
				if changed.KeyID != s.KeyID || changed.Secret != s.Secret || changed.SecurityToken != s.SecurityToken {
					asked = changed.openTo(t, 0)
				}
				if got := answer(t, asked, changed.arrive(t)); got.status != want {
					t.Errorf("got %d %s, want %d", got.status, got.body, want)
				}
			})
		}
	}
}

func TestEachPartOfTheAuthorizationCounts(t *testing.T) {
	t.Parallel()
	for _, s := range signedRequests(t) {
		authorization, catalog := s.Request.Headers["Authorization"], s.openTo(t, 0)
		// Each word gets another character: scheme, names and values.
		for _, at := range regexp.MustCompile(`[\w+/.-]{3,}=?`).FindAllStringIndex(authorization, -1) {
			changed := s
			changed.Request.Headers = maps.Clone(s.Request.Headers)
			changed.Request.Headers["Authorization"] = authorization[:at[0]+1] + "7" + authorization[at[0]+2:]
			if changed.Request.Headers["Authorization"] == authorization {
				continue
			}
			if got := answer(t, catalog, changed.arrive(t)); got.status != http.StatusUnauthorized {
				t.Errorf("%s: got %d for %s", s.Name, got.status, changed.Request.Headers["Authorization"])
			}
		}
	}
}

// TestAnotherProtocolIsRefused: these headers are signed like all others, but other values would be another protocol.
func TestAnotherProtocolIsRefused(t *testing.T) {
	t.Parallel()
	constants := map[string]string{
		"x-dlf-version": "v1", "x-dlf-content-sha256": "UNSIGNED-PAYLOAD", "x-acs-version": "2026-01-18",
		"x-acs-signature-version": "1.0", "x-acs-signature-method": "HMAC-SHA1", "Accept": "application/json",
	}
	seen := map[string]bool{}
	for _, s := range signedRequests(t) {
		headers, catalog := s.Request.Headers, s.openTo(t, 0)
		for name := range headers {
			want, constant := constants[name]
			if !constant {
				continue
			}
			seen[name] = true
			s.Request.Headers = maps.Clone(headers)
			s.Request.Headers[name] = "other"
			answer(t, catalog, s.arrive(t)).isRefused(`is \"other\" and has to be \"` + want)
		}
	}
	if len(seen) != len(constants) {
		t.Errorf("only %v are in the requests", seen)
	}
}

func TestARefusedSignatureIsExplained(t *testing.T) {
	t.Parallel()
	named := map[string]signedRequest{}
	for _, s := range signedRequests(t) {
		named[s.Name] = s
	}
	for because, c := range map[string]struct {
		of     string
		skew   time.Duration
		change func(r *signedRequest)
	}{
		`which to the catalog is\nPOST\n/v1/clg-paimon-1/permissions/grant`: {
			"openapi-v4-post-grant-sts-action", 0, func(r *signedRequest) { r.Secret += "x" },
		},
		`x-acs-security-token:(security token)\n`: {
			"openapi-post-grant-sts", 0, func(r *signedRequest) { r.Secret += "x" },
		},
		`There is no access key ID \"AKID\" here.`:                                   {"default-post-grant", 0, func(r *signedRequest) { r.KeyID = "other" }},
		`dated 2026-01-02T03:04:05Z, the clock of the catalog says 2026-01-02T03:19`: {"default-post-grant", 15*time.Minute + time.Second, nil},
		`more than 15m0s apart`:                                                      {"openapi-get-config-warehouse", -15*time.Minute - time.Second, nil},
		`X-Acs-Security-Token is not the security token of access key ID \"AKID\"`: {
			"openapi-post-grant-sts", 0, func(r *signedRequest) { r.SecurityToken = "" },
		},
		`The credential is for the day 20260102, and X-Dlf-Date is 20260101T030405Z.`: {"default-post-grant", -24 * time.Hour, func(r *signedRequest) {
			r.Request.Headers["x-dlf-date"] = "20260101T030405Z"
		}},
		`X-Acs-Date is \"noon\" and not of the form`: {"openapi-v4-post-body-action", 0, func(r *signedRequest) {
			r.Request.Headers["x-acs-date"] = "noon"
		}},
		`Content-MD5 is \"tO6bKkL9XDHGuFdvLu+K8A==\" and has to be`: {"default-post-grant", 0, func(r *signedRequest) { r.Request.Body += " " }},
		`Content-Type is \"application/json; charset=UTF-8\" and has to be`: {"default-post-grant", 0, func(r *signedRequest) {
			r.Request.Headers["Content-Type"] = "application/json; charset=UTF-8"
		}},
		`X-Acs-Version is \"2019-01-01\" and has to be \"2026-01-18\"`: {"openapi-get-config-warehouse", 0, func(r *signedRequest) {
			r.Request.Headers["x-acs-version"] = "2019-01-01"
		}},
		`X-Acs-Signature-Nonce is missing`: {"openapi-get-config-warehouse", 0, func(r *signedRequest) {
			delete(r.Request.Headers, "x-acs-signature-nonce")
		}},
		`The signed headers are host;x-acs-date and have to be content-type;host;x-acs-action`: {"openapi-v4-post-body-action", 0, func(r *signedRequest) {
			r.Request.Headers["Authorization"] = regexp.MustCompile("SignedHeaders=[^,]*").ReplaceAllString(r.Request.Headers["Authorization"], "SignedHeaders=host;x-acs-date")
		}},
		`does not have the form of its scheme, acs <key ID>:<base64>.`: {"openapi-get-config-warehouse", 0, func(r *signedRequest) {
			r.Request.Headers["Authorization"] = "acs AKID"
		}},
	} {
		t.Run(because, func(t *testing.T) {
			t.Parallel()
			s := named[c.of]
			s.Request.Headers = maps.Clone(s.Request.Headers)
			if c.change != nil {
				c.change(&s)
			}
			answer(t, s.openTo(t, c.skew), s.arrive(t)).isRefused(because)
		})
	}
}

func TestClocksMayDifferALittle(t *testing.T) {
	t.Parallel()
	for _, s := range signedRequests(t) {
		for _, skew := range []time.Duration{-15 * time.Minute, 15 * time.Minute} {
			if got := answer(t, s.openTo(t, skew), s.arrive(t)); got.status != http.StatusNotFound {
				t.Errorf("%s, %v apart: got %d %s", s.Name, skew, got.status, got.body)
			}
		}
	}
}

// TestARequestThatIsSentAgain: only the schemes with a nonce can tell.
func TestARequestThatIsSentAgain(t *testing.T) {
	t.Parallel()
	for _, s := range signedRequests(t) {
		catalog := s.openTo(t, 0)
		answer(t, catalog, s.arrive(t))
		switch again := answer(t, catalog, s.arrive(t)); {
		case !strings.HasPrefix(s.Name, "default"):
			again.isRefused("nonce was used already")
		case again.status != http.StatusNotFound:
			t.Errorf("%s: got %d %s", s.Name, again.status, again.body)
		}
	}
}

const signersSeed = `
warehouse: demo
principals:
  - {name: "user:alice", manages: true, token: alice, dlf: {access_key_id: AKID, access_key_secret: AKSECRET, security_token: STS-TOKEN}}
  - {name: "user:bob", dlf: {access_key_id: BOB, access_key_secret: AKSECRET}}
databases: [{name: sales, tables: [{name: orders, columns: [{name: id, type: INT}]}]}]
`

// sendSigned signs a GET without a query by HMAC-SHA1, the shortest of the three.
func (s *server) sendSigned(keyID, securityToken, nonce string, date time.Time, path string, more ...string) reply {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.base+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	text := []string{"GET", "application/json", "", "", date.UTC().Format(http.TimeFormat)}
	headers := append(more,
		"x-acs-security-token", securityToken, "x-acs-signature-method", "HMAC-SHA1",
		"x-acs-signature-nonce", nonce, "x-acs-signature-version", "1.0", "x-acs-version", "2026-01-18")
	for i := 0; i < len(headers); i += 2 {
		if headers[i+1] != "" {
			request.Header.Set(headers[i], headers[i+1])
			text = append(text, headers[i]+":"+headers[i+1])
		}
	}
	mac := hmac.New(sha1.New, []byte("AKSECRET"))
	mac.Write([]byte(strings.Join(append(text, path), "\n")))
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Date", date.UTC().Format(http.TimeFormat))
	request.Header.Set("Authorization", "acs "+keyID+":"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	got, err := s.do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	return got
}

func TestASignerIsThePrincipalWithItsKeys(t *testing.T) {
	t.Parallel()
	s := start(t, signersSeed)
	const permissions, databases = "/v1/demo/permissions", "/v1/demo/databases"
	s.sendSigned("AKID", "STS-TOKEN", "1", time.Now(), databases).is(`{"databases":["sales"],"nextPageToken":null}`)
	s.sendSigned("BOB", "", "1", time.Now(), databases).is(`{"databases":["sales"],"nextPageToken":null}`)
	s.as("alice").send(http.MethodGet, "/databases", "").is(`{"databases":["sales"],"nextPageToken":null}`)
	s.sendSigned("BOB", "", "2", time.Now(), permissions).fails(400, "", "")
	s.sendSigned("AKID", "", "3", time.Now(), databases).isRefused("not the security token")
	s.sendSigned("BOB", "STS-TOKEN", "4", time.Now(), databases).isRefused("not the security token")
}

func TestANonceIsFreeAgainWhenItsDateIsOver(t *testing.T) {
	t.Parallel()
	s, clock := startWithClock(t, signersSeed)
	now := time.Unix(0, clock.Load())
	send := func(after time.Duration) reply {
		clock.Store(now.Add(after).UnixNano())
		return s.sendSigned("BOB", "", "nonce", now.Add(after), "/v1/demo/databases")
	}
	send(0).is(`{"databases":["sales"],"nextPageToken":null}`)
	send(15 * time.Minute).isRefused("nonce was used already")
	send(15*time.Minute + 15*time.Minute + time.Second).is(`{"databases":["sales"],"nextPageToken":null}`)
}

func TestTheActionHasToBeTheOperation(t *testing.T) {
	t.Parallel()
	s := start(t, signersSeed)
	s.sendSigned("BOB", "", "1", time.Now(), "/v1/demo/databases", "x-acs-action", "ListDatabases").is(`{"databases":["sales"],"nextPageToken":null}`)
	s.sendSigned("BOB", "", "2", time.Now(), "/v1/demo/databases", "x-acs-action", "ListTables").fails(400, "", "")
}

// FuzzAuthorization looks for headers that the catalog does not survive, or that let somebody in.
func FuzzAuthorization(f *testing.F) {
	catalogs := map[string]http.Handler{}
	all := signedRequests(f)
	for i, s := range all {
		catalogs[s.Name] = s.openTo(f, 0)
		f.Add(i, s.Request.Headers["Authorization"])
	}
	f.Fuzz(func(t *testing.T, i int, authorization string) {
		s := all[((i%len(all))+len(all))%len(all)]
		r := s.arrive(t)
		r.Header.Set("Authorization", authorization)
		status := answer(t, catalogs[s.Name], r).status
		if status != http.StatusUnauthorized && authorization != s.Request.Headers["Authorization"] {
			t.Errorf("%s: got %d with %q", s.Name, status, authorization)
		}
	})
}
