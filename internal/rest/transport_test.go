package rest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// newSecureServer is a server with TLS, whose authority no system knows, and the certificate of that authority.
func newSecureServer(t *testing.T, change ...func(*httptest.Server)) (*httptest.Server, string) {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Protocol", r.Proto)
		if r.URL.Path == "/v1/config" {
			says(200, `{"defaults":{"prefix":"p"}}`)(w, r)
			return
		}
		says(200, noPermissions)(w, r)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.EnableHTTP2 = true
	for _, f := range change {
		f(s)
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s, pemText("CERTIFICATE", s.Certificate().Raw)
}

func pemText(kind string, content []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}))
}

// newIdentity is a certificate that signed itself, and its key.
func newIdentity(t *testing.T) (parsed *x509.Certificate, certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "terraform"},
		NotAfter:     time.Now().Add(time.Hour),
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	if parsed, err = x509.ParseCertificate(raw); err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return parsed, pemText("CERTIFICATE", raw), pemText("PRIVATE KEY", encoded)
}

// ask makes a call with a configuration.
func ask(t *testing.T, config Config) error {
	t.Helper()
	c, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	if transport, ok := c.transport.(*http.Transport); ok {
		t.Cleanup(transport.CloseIdleConnections)
	}
	return listCall(t.Context(), c)
}

func TestOnlyTrustedServersAreTalkedTo(t *testing.T) {
	t.Parallel()
	s, authority := newSecureServer(t)
	_, another, _ := newIdentity(t)
	old, _ := newSecureServer(t, func(s *httptest.Server) {
		s.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11} //nolint:gosec // it is there to be refused
	})
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	for name, test := range map[string]struct {
		uri     string
		tls     TLS
		failure string // empty for success
	}{
		"by text":          {s.URL, TLS{CACertificate: PEM{Text: authority}}, ""},
		"by file":          {s.URL, TLS{CACertificate: PEM{File: newFile(t, authority)}}, ""},
		"one of two":       {s.URL, TLS{CACertificate: PEM{Text: another + "\n" + authority}}, ""},
		"unchecked":        {s.URL, TLS{SkipVerify: true}, ""},
		"unknown":          {s.URL, TLS{}, "certificate signed by unknown authority; set ca_certificate or ca_certificate_file to the certificate of the authority"},
		"another":          {s.URL, TLS{CACertificate: PEM{Text: another}}, "certificate signed by unknown authority"},
		"too old":          {old.URL, TLS{SkipVerify: true}, "protocol version"},
		"by another name":  {strings.Replace(s.URL, "127.0.0.1", "localhost", 1), TLS{CACertificate: PEM{Text: authority}}, "not localhost; uri has to have a name that is in the certificate"},
		"no TLS at all":    {"https://" + plain.Listener.Addr().String(), TLS{}, "HTTP response to HTTPS client; write http:// in uri"},
		"unchecked by any": {strings.Replace(s.URL, "127.0.0.1", "localhost", 1), TLS{SkipVerify: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := ask(t, Config{URI: test.uri, TLS: test.tls, MaxRetries: 1})
			if (test.failure == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), test.failure) {
				t.Errorf("got %v", err)
			}
			if noAnswer, ok := errors.AsType[*NoAnswerError](err); ok && noAnswer.Attempts != 1 {
				t.Errorf("tried %d times", noAnswer.Attempts)
			}
		})
	}
}

func TestAClientProvesWhoItIs(t *testing.T) {
	t.Parallel()
	parsed, certificate, key := newIdentity(t)
	_, stranger, strangersKey := newIdentity(t)
	s, authority := newSecureServer(t, func(s *httptest.Server) {
		known := x509.NewCertPool()
		known.AddCert(parsed)
		s.TLS = &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: known}
	})
	for name, test := range map[string]struct {
		certificate, key PEM
		works            bool
	}{
		"by text":             {PEM{Text: certificate}, PEM{Text: key}, true},
		"by file":             {PEM{File: newFile(t, certificate)}, PEM{File: newFile(t, key)}, true},
		"key and certificate": {PEM{Text: certificate}, PEM{File: newFile(t, key+certificate)}, true},
		"not at all":          {PEM{}, PEM{}, false},
		"as a stranger":       {PEM{Text: stranger}, PEM{Text: strangersKey}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := ask(t, Config{URI: s.URL, TLS: TLS{CACertificate: PEM{Text: authority}, ClientCertificate: test.certificate, ClientKey: test.key}})
			if test.works != (err == nil) {
				t.Errorf("got %v", err)
			}
		})
	}
	// The alert may come too late to be seen, after the request could not be written.
	for alert, test := range map[string]struct {
		tls  TLS
		hint string
	}{
		"certificate required":          {TLS{}, "; set client_certificate and client_key"},
		"unknown certificate authority": {TLS{ClientCertificate: PEM{File: "f"}}, "; the server does not trust client_certificate"},
		"handshake failure":             {TLS{}, "handshake failure"},
	} {
		err := (&Client{config: Config{TLS: test.tls}}).withHint(errors.New("remote error: tls: " + alert))
		if !strings.HasPrefix(err.Error()[strings.LastIndex(err.Error(), alert)+len(alert):], strings.TrimPrefix(test.hint, alert)) {
			t.Errorf("got %v", err)
		}
	}
}

func TestCertificatesThatCannotBeUsedAreNamed(t *testing.T) {
	t.Parallel()
	_, certificate, key := newIdentity(t)
	_, _, otherKey := newIdentity(t)
	missing := filepath.Join(t.TempDir(), "missing")
	secret := strings.Split(otherKey, "\n")[1]
	for name, test := range map[string]struct {
		tls     TLS
		setting string
		text    string
	}{
		"no PEM":                {TLS{CACertificate: PEM{Text: "ca.pem"}}, "ca_certificate", "no certificate that can be read"},
		"a key as certificate":  {TLS{CACertificate: PEM{Text: otherKey}}, "ca_certificate", "no certificate that can be read"},
		"one of two broken":     {TLS{CACertificate: PEM{Text: certificate + pemText("CERTIFICATE", []byte("x"))}}, "ca_certificate", "no certificate that can be read"},
		"no file":               {TLS{CACertificate: PEM{File: missing}}, "ca_certificate_file", "cannot be read: open " + missing},
		"an empty file":         {TLS{CACertificate: PEM{File: newFile(t, "")}}, "ca_certificate_file", "is empty"},
		"no PEM in the file":    {TLS{CACertificate: PEM{File: newFile(t, "x")}}, "ca_certificate_file", "no certificate that can be read"},
		"no key":                {TLS{ClientCertificate: PEM{Text: certificate}}, "client_certificate", "needs its key"},
		"no certificate":        {TLS{ClientKey: PEM{File: newFile(t, otherKey)}}, "client_key_file", "needs its certificate"},
		"a key of another":      {TLS{ClientCertificate: PEM{Text: certificate}, ClientKey: PEM{Text: otherKey}}, "client_key", "do not fit"},
		"a key that is broken":  {TLS{ClientCertificate: PEM{Text: certificate}, ClientKey: PEM{Text: otherKey[:80]}}, "client_key", "not in PEM form"},
		"key for certificate":   {TLS{ClientCertificate: PEM{Text: key}, ClientKey: PEM{Text: otherKey}}, "client_key", "do not fit"},
		"no client certificate": {TLS{ClientCertificate: PEM{File: missing}, ClientKey: PEM{Text: otherKey}}, "client_certificate_file", "cannot be read"},
		"no key file":           {TLS{ClientCertificate: PEM{Text: certificate}, ClientKey: PEM{File: missing}}, "client_key_file", "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := New(Config{URI: "https://h", TLS: test.tls})
			setting, ok := errors.AsType[*ConfigError](err)
			if !ok || setting.Setting != test.setting || !strings.Contains(setting.Text, test.text) || strings.Contains(err.Error(), secret[:20]) {
				t.Errorf("got %v", err)
			}
		})
	}
	_, err := New(Config{URI: "https://dlfnext.cn-hangzhou.aliyuncs.com", DLF: signedWith(""), TLS: TLS{SkipVerify: true}})
	if setting, ok := errors.AsType[*ConfigError](err); !ok || setting.Setting != "insecure_skip_tls_verify" {
		t.Errorf("got %v", err)
	}
}

func TestHTTP2IsSpokenWhereItIsOfferedButNotWithDLF(t *testing.T) {
	t.Parallel()
	s, authority := newSecureServer(t)
	for want, signed := range map[string]*DLF{"HTTP/2.0": nil, "HTTP/1.1": signedWith("default")} {
		c, err := New(Config{URI: s.URL, DLF: signed, TLS: TLS{CACertificate: PEM{Text: authority}}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		direct := c.transport
		c.transport = roundTripper(func(r *http.Request) (*http.Response, error) {
			response, err := direct.RoundTrip(r)
			if err == nil {
				got = append(got, response.Header.Get("X-Protocol"))
			}
			return response, err
		})
		if err := listCall(t.Context(), c); err != nil || got[0] != want || got[1] != want {
			t.Errorf("want %s: spoke %v, %v", want, got, err)
		}
	}
}

// Connections are about as many as there are calls at a time, however many calls there are, and whatever was answered.
// net/http dials a few more, for calls that begin just before another connection is free.
func TestConnectionsAreUsedAgain(t *testing.T) {
	t.Parallel()
	const workers, calls = 10, 500
	for name, config := range map[string]Config{
		"token": {Token: testToken},
		"DLF":   {DLF: signedWith("openapi")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var connections atomic.Int32
			handler := answers(says(200, `{"defaults":{"prefix":"p"}}`), says(200, ""), says(400, about("", "", "400")), says(404, htmlPage), says(200, strings.Repeat(" ", 1<<16)))
			s := httptest.NewUnstartedServer(handler)
			s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					connections.Add(1)
				}
			}
			s.Start()
			t.Cleanup(s.Close)
			config.URI = s.URL
			c, err := New(config)
			if err != nil {
				t.Fatal(err)
			}
			var group sync.WaitGroup
			for range workers {
				group.Go(func() {
					for range calls / workers {
						_ = grantCall(t.Context(), c) // answers of any kind count
					}
				})
			}
			group.Wait()
			if n := connections.Load(); n > 3*workers {
				t.Errorf("%d connections for %d calls, %d at a time", n, calls, workers)
			}
		})
	}
}

func TestRequestsGoThroughTheProxyThatIsNamed(t *testing.T) {
	t.Parallel()
	var asked []string
	proxy := newServer(t, says(200, noPermissions))
	proxy.config = ""
	proxy.handler = func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.RequestURI)
		if r.URL.Path == "/base/v1/config" {
			says(200, `{"defaults":{"prefix":"p"}}`)(w, r)
		}
	}
	address, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(Config{URI: "http://catalog.test/base", Proxy: func(*url.URL) (*url.URL, error) { return address, nil }})
	if err != nil {
		t.Fatal(err)
	}
	if err := grantCall(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if strings.Join(asked, " ") != "http://catalog.test/base/v1/config http://catalog.test/base/v1/p/permissions/grant" {
		t.Errorf("the proxy was asked for %v", asked)
	}
}

func TestServersThatCannotBeReachedAreAMatterOfTheAddress(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	const hint = "; check uri, and whether this machine can reach it"
	if err := ask(t, Config{URI: closed.URL}); err == nil || !strings.Contains(err.Error(), "connection refused"+hint) {
		t.Errorf("got %v", err)
	}
	unknown := &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "h", IsNotFound: true}}
	if err := (&Client{}).withHint(unknown); !strings.Contains(err.Error(), "no such host"+hint) {
		t.Errorf("got %v", err)
	}
}

func TestFailuresOfAProxyNameItWithoutItsPassword(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	refusing := httptest.NewServer(says(502, ""))
	t.Cleanup(refusing.Close)
	for name, test := range map[string]struct {
		proxy, uri string
		text       string
	}{
		"not there":               {closed.URL, "https://catalog.test", "connection refused; check the proxy " + closed.URL + ", which HTTPS_PROXY"},
		"not there, without TLS":  {closed.URL, "http://catalog.test", "; check the proxy " + closed.URL},
		"it does not know anyone": {refusing.URL, "https://catalog.test", "the proxy " + refusing.URL + " answered with 502 Bad Gateway; HTTPS_PROXY and NO_PROXY"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			proxy, err := url.Parse(strings.Replace(test.proxy, "://", "://user:passw0rd@", 1))
			if err != nil {
				t.Fatal(err)
			}
			err = ask(t, Config{URI: test.uri, Proxy: func(*url.URL) (*url.URL, error) { return proxy, nil }})
			if err == nil || !strings.Contains(err.Error(), test.text) || strings.Contains(err.Error(), "passw0rd") {
				t.Errorf("got %v", err)
			}
		})
	}
}
