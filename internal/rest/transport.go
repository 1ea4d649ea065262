package rest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// TLS is how the two sides of a connection prove who they are.
type TLS struct {
	// CACertificate are certificates of authorities that are trusted beside those of the system.
	CACertificate PEM
	// ClientCertificate and ClientKey are for servers that ask for them.
	ClientCertificate PEM
	ClientKey         PEM
	// SkipVerify takes any server for the right one.
	SkipVerify bool
}

// PEM is a text in PEM form, or the name of a file that holds one. Both are empty where there is none.
type PEM struct {
	Text string
	File string
}

// transport makes the connections. It keeps as many open as Terraform has walkers at a high -parallelism.
func (c Config) transport() (*http.Transport, error) {
	secured, err := c.TLS.config()
	if err != nil {
		return nil, err
	}
	t := &http.Transport{
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSClientConfig:       secured,
		Protocols:             new(http.Protocols),
		MaxIdleConns:          100,
		MaxIdleConnsPerHost:   64,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
	t.Protocols.SetHTTP1(true)
	if c.DLF == nil {
		// Nobody speaks HTTP/2 with DLF.
		t.Protocols.SetHTTP2(true)
		// A connection that all requests share must not be waited for in vain when it is dead.
		t.HTTP2 = &http.HTTP2Config{SendPingTimeout: 10 * time.Second, PingTimeout: 5 * time.Second}
	}
	if c.Proxy != nil {
		t.Proxy = func(r *http.Request) (*url.URL, error) { return c.Proxy(r.URL) }
		t.OnProxyConnectResponse = refusedByProxy
	}
	return t, nil
}

// config reads the files. No error shows anything of a key.
func (t TLS) config() (*tls.Config, error) {
	config := &tls.Config{
		MinVersion:         tls.VersionTLS12,
		InsecureSkipVerify: t.SkipVerify, //nolint:gosec // asked for, and warned of at every run
	}
	authorities, setting, err := t.CACertificate.read("ca_certificate")
	if err != nil {
		return nil, err
	}
	if authorities != nil {
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool() // this system has none
		}
		if !addCertificates(pool, authorities) {
			return nil, &ConfigError{setting, "There is no certificate that can be read. Give one or more in PEM form, each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----."}
		}
		config.RootCAs = pool
	}
	certificate, setting, err := t.ClientCertificate.read("client_certificate")
	if err != nil {
		return nil, err
	}
	key, keySetting, err := t.ClientKey.read("client_key")
	switch {
	case err != nil:
		return nil, err
	case certificate == nil && key == nil:
		return config, nil
	case key == nil:
		return nil, &ConfigError{setting, "A client certificate needs its key. Set client_key or client_key_file."}
	case certificate == nil:
		return nil, &ConfigError{keySetting, "A client key needs its certificate. Set client_certificate or client_certificate_file."}
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, &ConfigError{keySetting, "The client certificate and its key do not fit, or are not in PEM form; a key with a passphrase cannot be used."}
	}
	config.Certificates = []tls.Certificate{pair}
	return config, nil
}

// read returns the text, nil when there is none, and the setting that it comes from.
func (p PEM) read(setting string) (text []byte, from string, err error) {
	switch {
	case p.Text != "":
		return []byte(p.Text), setting, nil
	case p.File == "":
		return nil, setting, nil
	}
	setting += "_file"
	text, err = os.ReadFile(p.File)
	if err != nil {
		return nil, setting, &ConfigError{setting, "The file cannot be read: " + fileError(p.File, err).Error() + "."}
	}
	if len(text) == 0 {
		return nil, setting, &ConfigError{setting, "The file " + p.File + " is empty."}
	}
	return text, setting, nil
}

// addCertificates says whether all certificates of a text could be read, and that there are some.
func addCertificates(pool *x509.CertPool, text []byte) bool {
	found := false
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return false
		}
		pool.AddCert(certificate)
		found = true
	}
	return found
}

// fileError adds why a file is missing that a shell would find.
func fileError(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) && strings.HasPrefix(name, "~") {
		return fmt.Errorf("%w; ~ is not expanded, write the whole path", err)
	}
	return err
}

// refusedByProxy is the error of a proxy that opens no tunnel. net/http would show the words of its status alone.
func refusedByProxy(_ context.Context, proxy *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	return fmt.Errorf("the proxy %s://%s answered with %s; HTTPS_PROXY and NO_PROXY say which requests go through it", proxy.Scheme, proxy.Host, statusText(answer.StatusCode))
}

// withHint says what to do about an error of the transport.
func (c *Client) withHint(err error) error {
	operation, isOperation := errors.AsType[*net.OpError](err)
	_, isUnknownAuthority := errors.AsType[x509.UnknownAuthorityError](err)
	_, isOtherHost := errors.AsType[x509.HostnameError](err)
	// The alert has a type that only crypto/tls knows.
	isAboutClient := strings.Contains(err.Error(), "remote error: tls:") && strings.Contains(err.Error(), "certificate")
	hasCertificate := c.config.TLS.ClientCertificate != PEM{}
	for _, hint := range []struct {
		applies bool
		text    string
	}{
		{isOperation && operation.Op == "proxyconnect", "check the proxy " + c.config.ProxyAddress() + ", which HTTPS_PROXY or HTTP_PROXY names"},
		{errors.Is(err, http.ErrSchemeMismatch), "write http:// in uri, or the port at which the server speaks https"},
		{isUnknownAuthority, "set ca_certificate or ca_certificate_file to the certificate of the authority that signed the server's"},
		{isOtherHost, "uri has to have a name that is in the certificate"},
		{isAboutClient && hasCertificate, "the server does not trust client_certificate or client_certificate_file"},
		{isAboutClient, "set client_certificate and client_key, or client_certificate_file and client_key_file"},
		{neverSent(err), "check uri, and whether this machine can reach it"},
	} {
		if hint.applies {
			return fmt.Errorf("%w; %s", err, hint.text)
		}
	}
	return err
}
