package rest

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/rest/dlf"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

var testKeys = dlf.Credentials{AccessKeyID: "an-id", AccessKeySecret: "a-secret", SecurityToken: "a-token"}

// signedWith are the settings for signing with an algorithm.
func signedWith(algorithm string) *DLF {
	return &DLF{Region: "cn-hangzhou", Algorithm: algorithm, Keys: testKeys}
}

// moment is when a signed request says that it was signed, and its nonce.
func moment(t *testing.T, header http.Header) (signed time.Time, nonce string) {
	t.Helper()
	for name, layout := range map[string]string{"X-Dlf-Date": "20060102T150405Z", "X-Acs-Date": time.RFC3339, "Date": http.TimeFormat} {
		if text := header.Get(name); text != "" {
			parsed, err := time.Parse(layout, text)
			if err != nil {
				t.Fatal(err)
			}
			return parsed, header.Get("X-Acs-Signature-Nonce")
		}
	}
	t.Fatalf("no date in %v", header)
	return time.Time{}, ""
}

// wantSignature signs what a server saw in its own right.
func wantSignature(t *testing.T, algorithm string, operation wire.Operation, path string, r *http.Request, body string) {
	t.Helper()
	signed, nonce := moment(t, r.Header)
	request := dlf.Request{Method: r.Method, Host: r.Host, Path: path, Query: r.URL.Query(), Action: operation.Action}
	if body != "" {
		request.Body = []byte(body)
	}
	want := dlf.Signer{Algorithm: dlf.Algorithm(algorithm), Region: "cn-hangzhou"}.Sign(request, testKeys, signed, nonce)
	for name, value := range want {
		if got := r.Header.Get(name); got != value && name != "host" {
			t.Errorf("%s of %s %s: got %q, want %q", name, r.Method, r.URL, got, value)
		}
	}
}

func TestEveryAttemptIsSignedAnew(t *testing.T) {
	t.Parallel()
	for _, algorithm := range dlf.Algorithms() {
		t.Run(algorithm, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				times, nonces, bodies := make(map[time.Time]bool), make(map[string]bool), make(map[string]bool)
				answer := answers(says(503, ""), says(429, ""), says(200, ""))
				c := inBubble(t, func(w http.ResponseWriter, r *http.Request) {
					body, _ := io.ReadAll(r.Body)
					wantSignature(t, algorithm, wire.GrantPermission, "/v1/p/permissions/grant", r, string(body))
					signed, nonce := moment(t, r.Header)
					times[signed], nonces[nonce], bodies[string(body)] = true, true, true
					answer(w, r)
				})
				c.credentials = signedWith(algorithm).credentials("", dlf.Signer{Algorithm: dlf.Algorithm(algorithm), Region: "cn-hangzhou"})
				if err := grantCall(t.Context(), c); err != nil {
					t.Fatal(err)
				}
				if len(times) != 3 || len(bodies) != 1 {
					t.Errorf("signed at %v, with the bodies %v", times, bodies)
				}
				if want := map[string]int{"default": 1, "openapi": 3, "openapi-v4": 3}[algorithm]; len(nonces) != want {
					t.Errorf("nonces %v", nonces)
				}
			})
		})
	}
}

// A gateway sees the address's own path, the catalog behind it does not.
func TestTheSignedPathIsTheCatalogs(t *testing.T) {
	t.Parallel()
	for _, algorithm := range dlf.Algorithms() {
		t.Run(algorithm, func(t *testing.T) {
			t.Parallel()
			catalog := newServer(t, nil)
			catalog.handler = func(w http.ResponseWriter, r *http.Request) {
				// The gateway takes the path off.
				if !strings.HasPrefix(r.URL.EscapedPath(), "/gateway/v1/") {
					t.Errorf("the path is %s", r.URL.EscapedPath())
				}
				path := strings.TrimPrefix(r.URL.EscapedPath(), "/gateway")
				if path == "/v1/config" {
					wantSignature(t, algorithm, wire.GetConfig, path, r, "")
					says(200, `{"defaults":{"prefix":"a b~*"}}`)(w, r)
					return
				}
				wantSignature(t, algorithm, wire.ListPolicies, path, r, "")
				says(200, noPolicies)(w, r)
			}
			c := catalog.client(t, func(c *Config) {
				c.Token, c.DLF = "", signedWith(algorithm)
				c.URI += "/gateway/"
				c.Warehouse = "a b~*"
			})
			if _, err := c.Policies(t.Context(), "d b~*", "t/1", PolicyFilter{Principal: "role:a b~*+"}); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// net/http repeats reads by itself when a kept connection breaks under them. What it repeats it does not sign.
func TestNoNonceIsSentTwice(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := make(map[string]int)
	asked := 0
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked++
		again := asked%2 == 0
		seen[r.Header.Get("X-Acs-Signature-Nonce")]++
		mu.Unlock()
		if again {
			hangUp(w, r)
		}
		_, _ = io.WriteString(w, noPermissions)
	})
	c := s.client(t, func(c *Config) { c.Token, c.DLF, c.Headers = "", signedWith("openapi"), nil })
	for range 20 {
		if err := c.call(t.Context(), wire.ListPermissions, nil, nil, nil, &struct{}{}); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) < 39 {
		t.Errorf("%d nonces", len(seen))
	}
	for nonce, times := range seen {
		if times > 1 {
			t.Errorf("%s was sent %d times", nonce, times)
		}
	}
	for _, request := range s.seen() {
		if request.header.Get("Content-Length") != "" || request.header.Get("Transfer-Encoding") != "" || request.body != "" {
			t.Errorf("a read has a body: %v", request.header)
		}
	}
}

func TestARotatedKeyIsUsedAtOnce(t *testing.T) {
	t.Parallel()
	document := func(id string) string {
		return `{"AccessKeyId":"` + id + `","AccessKeySecret":"s","SecurityToken":"token-of-` + id + `","Expiration":"2099-01-01T00:00:00Z"}`
	}
	name := newFile(t, document("one"))
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Dlf-Security-Token") == "token-of-two" {
			writeFile(t, name, document("three")) // while the request is on its way
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	c := s.client(t, func(c *Config) { c.Token, c.DLF = "", &DLF{Region: "r", Algorithm: "default", TokenFile: name} })
	for _, content := range []string{document("one"), document("two"), `{"Acc`} {
		writeFile(t, name, content)
		if err := createCall(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, request := range s.seen() {
		got = append(got, strings.TrimPrefix(request.header.Get("X-Dlf-Security-Token"), "token-of-"))
	}
	if want := []string{"one", "two", "three", "three"}; !slices.Equal(got, want) {
		t.Errorf("sent %q", got)
	}
}

func TestAKeyOfAnInstanceIsAskedForOnce(t *testing.T) {
	t.Parallel()
	metadata := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = io.WriteString(w, `{"AccessKeyId":"id","AccessKeySecret":"s","SecurityToken":"sts","Expiration":"2099-01-01T00:00:00Z"}`)
	})
	for allow, failure := range map[bool]string{true: "", false: "dlf_token_loader: the metadata service gives no session token (status 404); where there is only the older service without them, set dlf_ecs_allow_imdsv1 = true"} {
		s := newServer(t, says(200, noPermissions))
		c := s.client(t, func(c *Config) {
			c.Token = ""
			c.DLF = &DLF{Region: "r", Algorithm: "openapi", Metadata: &dlf.Metadata{URL: metadata.URL, Role: "a-role", AllowTokenless: allow}}
			c.Source = "dlf_token_loader"
		})
		err := errors.Join(listCall(t.Context(), c), grantCall(t.Context(), c))
		if failure == "" && (err != nil || s.seen()[1].header.Get("X-Acs-Security-Token") != "sts") {
			t.Errorf("got %v", err)
		}
		if failure != "" && (err == nil || !strings.Contains(err.Error(), failure) || len(s.handshakes()) > 0) {
			t.Errorf("got %v", err)
		}
	}
	gets := 0
	for _, request := range metadata.seen() {
		if request.method == http.MethodGet {
			gets++
		}
	}
	if gets != 1 {
		t.Errorf("the keys were asked for %d times", gets)
	}
}

func TestClocksThatAreFarApartAreToldOf(t *testing.T) {
	t.Parallel()
	at := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	const hint = "a signature is good for a short time only: set the clock"
	for name, test := range map[string]struct {
		status int
		date   string
		dlf    *DLF
		hint   string // empty for none
	}{
		"behind":             {401, at(20 * time.Minute), signedWith("default"), "the clock of this machine is 20m0s behind the server's, and " + hint},
		"ahead":              {403, at(-48 * time.Hour), signedWith("openapi"), "the clock of this machine is 48h0m0s ahead of the server's, and " + hint},
		"a little":           {401, at(4 * time.Minute), signedWith("default"), ""},
		"another error":      {400, at(time.Hour), signedWith("default"), ""},
		"no date":            {401, "never", signedWith("default"), ""},
		"without signatures": {401, at(time.Hour), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, says(test.status, about("", "", "0"), "Date", test.date))
			err := grantCall(t.Context(), s.client(t, func(c *Config) {
				if c.DLF = test.dlf; c.DLF != nil {
					c.Token = ""
				}
			}))
			if err == nil || (test.hint != "") != strings.Contains(err.Error(), hint) || !strings.Contains(err.Error(), test.hint) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestSettingsForSigningThatCannotBeUsedAreNamed(t *testing.T) {
	t.Parallel()
	keys := testKeys
	keys.AccessKeySecret = "passw0rd\n"
	for name, test := range map[string]struct {
		uri     string
		dlf     DLF
		setting string // empty when it is fine
		text    string
	}{
		"inside a VPC":               {"http://cn-hangzhou-vpc.dlf.aliyuncs.com", DLF{Keys: testKeys}, "", ""},
		"public":                     {"https://dlfnext.cn-hangzhou.aliyuncs.com:443/", DLF{Keys: testKeys}, "", ""},
		"public without TLS":         {"http://dlfnext.cn-hangzhou.aliyuncs.com", DLF{Keys: testKeys}, "uri", "answer https only"},
		"newer name inside a VPC":    {"http://dlfnext-vpc.cn-hangzhou.aliyuncs.com", DLF{Keys: testKeys}, "", ""},
		"gateway":                    {"https://gateway.example.com", DLF{Keys: testKeys}, "dlf_signing_algorithm", "gateway.example.com is no address of DLF"},
		"gateway with an algorithm":  {"https://my-gateway.example.com", DLF{Keys: testKeys, Algorithm: "default"}, "dlf_region", "Set dlf_region."},
		"gateway with a region":      {"https://gateway.example.com", DLF{Keys: testKeys, Region: "r"}, "dlf_signing_algorithm", "Set dlf_signing_algorithm"},
		"gateway that needs no more": {"https://gateway.example.com", DLF{Keys: testKeys, Algorithm: "openapi"}, "", ""},
		"gateway with both":          {"https://gateway.example.com", DLF{Keys: testKeys, Algorithm: "openapi-v4", Region: "r"}, "", ""},
		"a line break in the key":    {"https://dlfnext.cn-hangzhou.aliyuncs.com", DLF{Keys: keys}, "dlf_access_key_secret", "trimspace()"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := New(Config{URI: test.uri, DLF: &test.dlf})
			setting, ok := errors.AsType[*ConfigError](err)
			switch {
			case test.setting == "" && err != nil:
				t.Fatal(err)
			case test.setting != "" && (!ok || setting.Setting != test.setting || !strings.Contains(setting.Text, test.text) || strings.Contains(err.Error(), "passw0rd")):
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestAGatewayThatTellsNeitherAlgorithmNorRegionIsToldOfBoth(t *testing.T) {
	t.Parallel()
	_, err := New(Config{URI: "https://gateway.example.com", DLF: &DLF{Keys: testKeys}})
	if err == nil || !strings.Contains(err.Error(), "Set dlf_signing_algorithm") || !strings.Contains(err.Error(), "Set dlf_region.") {
		t.Errorf("got %v", err)
	}
}

func TestARoleThatTheInstanceDoesNotHaveIsNamed(t *testing.T) {
	t.Parallel()
	metadata := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPut {
			w.WriteHeader(http.StatusNotFound)
		}
	})
	for role, failure := range map[string]string{
		"MyRol": `dlf_token_loader: the instance has no RAM role "MyRol" (dlf_ecs_role_name)`,
		"":      "dlf_token_loader: the metadata service names no RAM role; is one attached to the instance?",
	} {
		s := newServer(t, says(200, noPermissions))
		err := listCall(t.Context(), s.client(t, func(c *Config) {
			c.Token, c.Source = "", "dlf_token_loader"
			c.DLF = &DLF{Region: "r", Algorithm: "openapi", Metadata: &dlf.Metadata{URL: metadata.URL, Role: role}}
		}))
		if err == nil || !strings.Contains(err.Error(), failure) {
			t.Errorf("%q: got %v", role, err)
		}
	}
}

func TestAnAddressTellsHowToSign(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		host string
		dlf  DLF
		want dlf.Signer
	}{
		{"cn-hangzhou-vpc.dlf.aliyuncs.com", DLF{}, dlf.Signer{Algorithm: dlf.Default, Region: "cn-hangzhou"}},
		{"dlfnext.us-east-1.aliyuncs.com", DLF{}, dlf.Signer{Algorithm: dlf.OpenAPI, Region: "us-east-1"}},
		{"dlfnext.us-east-1.aliyuncs.com", DLF{Algorithm: "openapi-v4"}, dlf.Signer{Algorithm: dlf.OpenAPIv4, Region: "us-east-1"}},
		{"dlfnext.us-east-1.aliyuncs.com", DLF{Algorithm: "default", Region: "r"}, dlf.Signer{Algorithm: dlf.Default, Region: "r"}},
	} {
		if got := test.dlf.signer(test.host); got != test.want {
			t.Errorf("%s: got %+v", test.host, got)
		}
	}
}
