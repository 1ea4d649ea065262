package provider

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// These tests log in to the dev catalog, which checks signatures by code of its own.

const keysSeed = `
principals:
  - {name: "user:admin", manages: true, dlf: {access_key_id: the-id, access_key_secret: s3cr3t-key, security_token: s3cr3t-sts}}
  - {name: "role:analyst"}
`

// token is the document with the key of the seed.
const keysDocument = `{"AccessKeyId":"the-id","AccessKeySecret":"s3cr3t-key","SecurityToken":"s3cr3t-sts","Expiration":"2099-01-01T00:00:00Z"}`

// analystGrant is a grant on sales.orders.
func analystGrant() object {
	return object{"resource_type": "TABLE", "database": "sales", "table": "orders", "access": "SELECT", "principal": "role:analyst"}
}

// livesWell creates, reads and destroys a policy and a permission in one walk.
func livesWell(t *testing.T, w *walk) {
	t.Helper()
	for typeName, config := range map[string]object{
		"paimon_permission": analystGrant(),
		"paimon_row_filter_policy": {
			"database": "sales", "table": "orders", "principal": "role:analyst",
			"predicate": `{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":1,"name":"region","type":"STRING"}},"function":"EQUAL","literals":["EU"]}`,
		},
	} {
		state := w.create(typeName, config)
		read, diags := w.read(typeName, state)
		wantNoErrors(t, diags)
		if read == nil {
			t.Errorf("%s is not there", typeName)
		}
		gone, _, diags := w.apply(typeName, state, nil, w.plan(typeName, state, nil, nil))
		wantNoErrors(t, diags)
		if gone != nil {
			t.Errorf("%s is still there", typeName)
		}
	}
}

func TestKeysOfDLFLogInWithEachAlgorithm(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(file, []byte(keysDocument), 0o600); err != nil {
		t.Fatal(err)
	}
	metadata := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPut:
			_, _ = io.WriteString(w, "a-session")
		case r.Header.Get("X-Aliyun-Ecs-Metadata-Token") != "a-session":
			w.WriteHeader(http.StatusForbidden)
		case r.URL.Path == "/ram/":
			_, _ = io.WriteString(w, "a-role")
		case r.URL.Path == "/ram/a-role":
			_, _ = io.WriteString(w, keysDocument)
		}
	}))
	t.Cleanup(metadata.Close)
	for name, source := range map[string]struct {
		block       object
		environment map[string]string
	}{
		"key":      {object{"dlf_access_key_id": "the-id", "dlf_access_key_secret": "s3cr3t-key", "dlf_security_token": "s3cr3t-sts"}, nil},
		"variable": {object{"token_provider": "dlf"}, map[string]string{"ALIBABA_CLOUD_ACCESS_KEY_ID": "the-id", "ALIBABA_CLOUD_ACCESS_KEY_SECRET": "s3cr3t-key", "ALIBABA_CLOUD_SECURITY_TOKEN": "s3cr3t-sts"}},
		"file":     {object{"dlf_token_path": file}, nil},
		"instance": {object{"dlf_token_loader": "ecs", "dlf_ecs_metadata_url": metadata.URL + "/ram"}, nil},
	} {
		for _, algorithm := range []string{"default", "openapi", "openapi-v4"} {
			t.Run(name+" "+algorithm, func(t *testing.T) {
				t.Parallel()
				c := startCatalog(t, salesSeed+keysSeed)
				c.environment = map[string]string{"PAIMON_DLF_REGION": "cn-hangzhou", "PAIMON_DLF_SIGNING_ALGORITHM": algorithm}
				maps.Copy(c.environment, source.environment)
				livesWell(t, startWalkWith(t, c, source.block))
			})
		}
	}
}

func TestAnAttemptThatIsRepeatedHasASignatureOfItsOwn(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed+keysSeed)
	// The catalog sees every request, and refuses a nonce that it has seen; the answer to every third gets lost.
	var asked atomic.Int32
	catalog := c.record.next
	c.record.next = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1)%3 == 0 {
			catalog.ServeHTTP(httptest.NewRecorder(), r)
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		catalog.ServeHTTP(w, r)
	})
	w := startWalkWith(t, c, object{"dlf_access_key_id": "the-id", "dlf_access_key_secret": "s3cr3t-key", "dlf_security_token": "s3cr3t-sts", "dlf_signing_algorithm": "openapi"})
	w.create("paimon_permission", analystGrant())
	if n := asked.Load(); n < 4 {
		t.Errorf("only %d requests", n)
	}
}

func TestAGatewayWithAPrivateAuthorityThatAsksForACertificate(t *testing.T) {
	t.Parallel()
	certificate, key := newClientCertificate(t)
	known := x509.NewCertPool()
	known.AppendCertsFromPEM([]byte(certificate))
	c := startCatalog(t, salesSeed+keysSeed)
	gateway := httptest.NewUnstartedServer(http.StripPrefix("/gateway", c.record))
	gateway.TLS = &tls.Config{MinVersion: tls.VersionTLS12, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: known}
	gateway.StartTLS()
	t.Cleanup(gateway.Close)
	folder := t.TempDir()
	files := map[string]string{
		"ca.pem":   string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: gateway.Certificate().Raw})),
		"cert.pem": certificate,
		"key.pem":  key,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	signing := object{
		"uri": gateway.URL + "/gateway/", "dlf_access_key_id": "the-id", "dlf_access_key_secret": "s3cr3t-key", "dlf_security_token": "s3cr3t-sts",
		"dlf_region": "cn-hangzhou", "dlf_signing_algorithm": "openapi-v4",
	}
	for _, block := range []object{
		{"ca_certificate": files["ca.pem"], "client_certificate": certificate, "client_key": key},
		{
			"ca_certificate_file": filepath.Join(folder, "ca.pem"), "client_certificate_file": filepath.Join(folder, "cert.pem"),
			"client_key_file": filepath.Join(folder, "key.pem"),
		},
	} {
		maps.Copy(block, signing)
		livesWell(t, startWalkWith(t, c, block))
	}
}

// newClientCertificate is a certificate that signed itself, and its key.
func newClientCertificate(t *testing.T) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}))
}

// A token that ends in the middle of an apply, again and again, is replaced under way.
func TestTokensThatEndDuringAnApply(t *testing.T) {
	t.Parallel()
	for name, setting := range map[string]func(file string) object{
		"file":    func(file string) object { return object{"token_file": file} },
		"command": func(file string) object { return object{"token_command": []string{"cat", file}} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const grants, workers, life = 60, 6, 25
			file := filepath.Join(t.TempDir(), "token")
			c := startCatalog(t, salesSeed)
			var mu sync.Mutex
			issued, taken, refused := 0, 0, 0
			issue := func() {
				issued++
				if err := os.WriteFile(file, fmt.Appendf(nil, "token-%d\n", issued), 0o600); err != nil {
					t.Error(err)
				}
			}
			issue()
			c.record.intercept(func(r *http.Request) http.HandlerFunc {
				mu.Lock()
				defer mu.Unlock()
				if r.Header.Get("Authorization") != fmt.Sprintf("Bearer token-%d", issued) {
					refused++
					return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }
				}
				if taken++; taken%life == 0 {
					issue()
				}
				return nil
			})
			w := startWalkWith(t, c, setting(file))
			var group sync.WaitGroup
			for worker := range workers {
				group.Go(func() {
					for i := worker; i < grants; i += workers {
						config := analystGrant()
						config["principal"] = fmt.Sprintf("role:%d", i)
						plan := w.plan("paimon_permission", nil, config, nil)
						_, _, diags := w.apply("paimon_permission", nil, config, plan)
						for _, d := range append(plan.diags, diags...) {
							t.Errorf("%s: %s", d.Summary, d.Detail)
						}
					}
				})
			}
			group.Wait()
			c.record.intercept(nil)
			if n := len(c.permissions(onOrders("TABLE"))); n != grants || issued < 3 || name == "command" && refused == 0 {
				t.Errorf("%d permissions, %d tokens, %d refusals", n, issued, refused)
			}
		})
	}
}

// No part of a key gets into a log, a plan, a state or a message.
func TestAccCLIKeysStayOut(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed+keysSeed)
	f := newProject(t, c, grantOf("p", "role:analyst", ""))
	f.environment = append(f.environment, "PAIMON_TOKEN_PROVIDER=dlf", "PAIMON_DLF_SIGNING_ALGORITHM=default", "ALIBABA_CLOUD_REGION=cn-hangzhou",
		"ALIBABA_CLOUD_ACCESS_KEY_ID=the-id", "ALIBABA_CLOUD_ACCESS_KEY_SECRET=s3cr3t-key", "ALIBABA_CLOUD_SECURITY_TOKEN=s3cr3t-sts",
		"TF_LOG=TRACE", "TF_LOG_PATH="+filepath.Join(f.path, "trace.log"))
	printed := f.run(0, "plan", "-out=saved") + f.run(0, "apply", "saved")
	c.record.intercept(func(*http.Request) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Date", "Fri, 01 Jan 2049 00:00:00 GMT")
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, r.Header.Get("Authorization")+" "+r.Header.Get("X-Dlf-Security-Token")) //nolint:gosec // no browser reads it
		}
	})
	refusal := f.run(1, "plan")
	wantPrinted(t, refusal, "the clock of this machine is", "behind the server's")
	for name, text := range map[string]string{"output": printed + refusal, "log": f.read("trace.log"), "plan": f.run(0, "show", "-json", "saved"), "state": f.read("terraform.tfstate")} {
		if i := strings.Index(text, "s3cr3t-"); i >= 0 {
			t.Errorf("a secret is in the %s: …%s…", name, text[max(0, i-300):min(len(text), i+60)])
		}
		if name != "log" && strings.Contains(text, "Signature=") && !strings.Contains(text, "Signature=[removed]") {
			t.Errorf("a signature is in the %s", name)
		}
	}
}
