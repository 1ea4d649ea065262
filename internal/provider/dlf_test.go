package provider

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// The dev catalog checks signatures by code of its own, so what is signed wrong here is refused there.

// signersSeed has names with all that is encoded in more than one way in paths, queries and signatures.
const signersSeed = `
warehouse: demo
principals:
  - {name: "user:static", manages: true, dlf: {access_key_id: static-id, access_key_secret: static-secret}}
  - {name: "user:temporary", manages: true, dlf: {access_key_id: temporary-id, access_key_secret: temporary-secret, security_token: temporary/token==}}
  - {name: "` + oddPrincipal + `"}
databases:
  - name: sales
    tables:
      - name: "` + oddTable + `"
        options: {query-auth.enabled: "true"}
        columns: [{name: region, type: STRING}]
`

const (
	oddPrincipal = "role:a b*c~d/ü+%&="
	oddTable     = "all or*ders~ü+%&="
)

// signatureSchemes are the first words of what each algorithm signs.
var signatureSchemes = map[string]string{"default": "DLF4-HMAC-SHA256", "openapi": "acs", "openapi-v4": "ACS4-HMAC-SHA256"}

func signing(algorithm string, more object) object {
	block := object{"token_provider": "dlf", "dlf_signing_algorithm": algorithm, "dlf_region": "cn-hangzhou"}
	maps.Copy(block, more)
	return block
}

var staticKeys = object{"dlf_access_key_id": "static-id", "dlf_access_key_secret": "static-secret"}

func oddPermission() object {
	return object{"resource_type": "TABLE", "database": "sales", "table": oddTable, "access": "SELECT", "principal": oddPrincipal}
}

func oddFilter() object {
	return object{"database": "sales", "table": oddTable, "principal": oddPrincipal, "predicate": `{"kind":"LEAF","transform":{"name":"FIELD_REF",` +
		`"fieldRef":{"index":0,"name":"region","type":"STRING"}},"function":"EQUAL","literals":["EU"]}`}
}

func TestTheCatalogAcceptsWhatEachAlgorithmSigns(t *testing.T) {
	t.Parallel()
	tokenFile := filepath.Join(t.TempDir(), "token.json")
	document := `{"AccessKeyId": "temporary-id", "AccessKeySecret": "temporary-secret", "SecurityToken": "temporary/token=="}`
	if err := os.WriteFile(tokenFile, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	for algorithm, scheme := range signatureSchemes {
		for name, keys := range map[string]object{
			"access key": staticKeys,
			"temporary key": {
				"dlf_access_key_id": "temporary-id", "dlf_access_key_secret": "temporary-secret", "dlf_security_token": "temporary/token==",
			},
			"token file": {"dlf_token_path": tokenFile},
		} {
			t.Run(algorithm+"/"+name, func(t *testing.T) {
				t.Parallel()
				c := startCatalog(t, signersSeed)
				seen := seenSchemes(c)
				livesAndDies(t, c, signing(algorithm, keys))
				if got := seen(); !reflect.DeepEqual(got, []string{scheme}) {
					t.Errorf("requests are signed by %v, want %s", got, scheme)
				}
			})
		}
	}
}

// seenSchemes notes how the requests to a catalog are signed.
func seenSchemes(c *catalog) func() []string {
	var mu sync.Mutex
	var seen []string
	c.record.intercept(func(r *http.Request) http.HandlerFunc {
		mu.Lock()
		defer mu.Unlock()
		scheme, _, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !slices.Contains(seen, scheme) {
			seen = append(seen, scheme)
		}
		return nil
	})
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return seen
	}
}

// livesAndDies creates, reads and destroys a permission and a policy, in one walk each, as Terraform does.
func livesAndDies(t *testing.T, c *catalog, block object) {
	t.Helper()
	for typeName, config := range map[string]object{"paimon_permission": oddPermission(), "paimon_row_filter_policy": oddFilter()} {
		created := startWalkWith(t, c, block).create(typeName, config)
		w := startWalkWith(t, c, block)
		read, diags := w.read(typeName, created)
		wantNoErrors(t, diags)
		if !reflect.DeepEqual(read, created) {
			t.Errorf("created %v, read %v", created, read)
		}
		plan := w.plan(typeName, created, nil, nil)
		wantNoErrors(t, plan.diags)
		_, _, diags = w.apply(typeName, created, nil, plan)
		wantNoErrors(t, diags)
		if left, diags := startWalkWith(t, c, block).read(typeName, created); left != nil || len(diags) > 0 {
			t.Errorf("%v is left, %v", left, diags)
		}
	}
}

func TestAGatewayMayTakeAPathOffSignedRequests(t *testing.T) {
	t.Parallel()
	for algorithm := range signatureSchemes {
		t.Run(algorithm, func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, signersSeed)
			gateway := httptest.NewServer(http.StripPrefix("/data/paimon", c.record))
			t.Cleanup(gateway.Close)
			c.url = gateway.URL + "/data/paimon"
			livesAndDies(t, c, signing(algorithm, staticKeys))
		})
	}
}

func TestEveryAttemptIsSignedAnew(t *testing.T) {
	t.Parallel()
	for algorithm := range signatureSchemes {
		t.Run(algorithm, func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, signersSeed)
			var once sync.Once
			repeated := false
			c.record.intercept(func(r *http.Request) (lost http.HandlerFunc) {
				if strings.HasSuffix(r.URL.Path, "/permissions") {
					once.Do(func() {
						repeated = true
						lost = func(w http.ResponseWriter, r *http.Request) {
							// The catalog has seen the nonce, and its answer does not come through.
							c.record.next.ServeHTTP(httptest.NewRecorder(), r)
							w.WriteHeader(http.StatusServiceUnavailable)
						}
					})
				}
				return lost
			})
			livesAndDies(t, c, signing(algorithm, staticKeys))
			if !repeated {
				t.Error("no request had to be repeated")
			}
		})
	}
}

func TestSignaturesThatTheCatalogRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		keys    object
		time    string
		message string
	}{
		"wrong secret": {
			object{"dlf_access_key_id": "static-id", "dlf_access_key_secret": "guessed"}, "", `The signature is not that of access key ID "static-id"`,
		},
		"unknown key": {object{"dlf_access_key_id": "stranger", "dlf_access_key_secret": "static-secret"}, "", `There is no access key ID "stranger" here`},
		"missing security token": {
			object{"dlf_access_key_id": "temporary-id", "dlf_access_key_secret": "temporary-secret"}, "", `is not the security token of access key ID`,
		},
		"clocks apart": {staticKeys, "2026-01-01T00:00:00Z", `the clock of this machine is`},
	} {
		for algorithm := range signatureSchemes {
			t.Run(name+"/"+algorithm, func(t *testing.T) {
				t.Parallel()
				clock := &clock{time: time.Now()}
				if test.time != "" {
					clock.set(test.time)
				}
				w := startWalkWith(t, startCatalog(t, signersSeed, at(clock)), signing(algorithm, test.keys))
				plan := w.plan("paimon_permission", nil, oddPermission(), nil)
				wantDiagnostic(t, plan.diags, tfprotov6.DiagnosticSeverityError, test.message)
			})
		}
	}
}
