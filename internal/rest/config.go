package rest

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

// The limits of one call.
const (
	// callTimeout bounds a call with all its attempts and waits.
	callTimeout = 5 * time.Minute
	// longestWait bounds one wait between attempts, whatever Retry-After asks for.
	longestWait = time.Minute
	// largestBody bounds a response body: a page of a thousand policies of 60 KiB, escaped, with room to spare.
	largestBody = 128 << 20
	// largestListing bounds the pages of a listing together.
	largestListing = 512 << 20
	// listingTimeout bounds the calls of a listing together.
	listingTimeout = 15 * time.Minute
	// mostPages bounds a listing, so that a server whose tokens never end cannot keep a plan running for ever.
	mostPages = 10_000
)

// Config says how to reach a catalog.
type Config struct {
	// URI is the base address, http or https; a path in it is kept in front of /v1.
	URI string
	// Warehouse is the catalog's name, asked for in the handshake; may be empty.
	Warehouse string
	// Prefix replaces the handshake's default prefix; an override of the server still wins. May be empty.
	Prefix string
	// Token is a bearer token, TokenFile a file that holds one and is kept fresh, and TokenCommand a program with its
	// arguments that prints one; DLF signs in place of a token. At most one of the four is set; without, requests prove
	// nothing.
	Token        string
	TokenFile    string
	TokenCommand []string
	DLF          *DLF
	// Source is the setting that the credentials come from, in the words of the user: an attribute or an environment variable.
	Source string
	// TLS is how the two sides of a connection prove who they are.
	TLS TLS
	// Proxy says which proxy leads to an address; nil, and nil for an address, go there directly.
	Proxy func(*url.URL) (*url.URL, error)
	// Headers are sent with every request.
	Headers map[string]string
	// AttemptTimeout bounds one attempt, from connecting to the last byte of the answer.
	AttemptTimeout time.Duration
	// MaxRetries is how often a call is tried again; 0 is never.
	MaxRetries int
	// UserAgent is the product and version that requests carry.
	UserAgent string
	// Unshared makes every look-up a request of its own, which is what sharing is measured against.
	Unshared bool
}

// ConfigError is one setting that cannot be used. Setting is the name that users write.
type ConfigError struct {
	Setting string
	Text    string
}

// Error names the setting.
func (e *ConfigError) Error() string {
	return e.Setting + ": " + e.Text
}

// Check returns every setting that cannot be used, each as a *ConfigError, joined; nil when all can.
func (c Config) Check() error {
	var errs []error
	base, err := c.base()
	if err != nil {
		errs = append(errs, err)
	}
	if !isCleanText(c.Token) {
		errs = append(errs, &ConfigError{"token", uncleanText})
	}
	if len(c.TokenCommand) > 0 && c.TokenCommand[0] == "" {
		errs = append(errs, &ConfigError{"token_command", "The command is empty. Its first element is the program, the others are its arguments."})
	}
	if c.DLF != nil && base != nil {
		errs = append(errs, c.DLF.check(base)...)
	}
	if c.DLF != nil && c.TLS.SkipVerify {
		errs = append(errs, &ConfigError{"insecure_skip_tls_verify", "Requests to DLF go to a server that proves who it is. Remove insecure_skip_tls_verify, and use ca_certificate for a gateway with a private certificate."})
	}
	if _, err := c.TLS.config(); err != nil {
		errs = append(errs, err)
	}
	seen := make(map[string]bool)
	for _, name := range slices.Sorted(maps.Keys(c.Headers)) {
		canonical := http.CanonicalHeaderKey(name)
		switch err := checkHeader(name, c.Headers[name]); {
		case err != nil:
			errs = append(errs, err)
		case isOwnHeader(name):
			errs = append(errs, &ConfigError{"headers", fmt.Sprintf("The header %s is set by the provider itself. Remove it; credentials belong into token.", canonical)})
		case seen[canonical]:
			errs = append(errs, &ConfigError{"headers", fmt.Sprintf("The header %s is given twice, in different case.", canonical)})
		}
		seen[canonical] = true
	}
	return errors.Join(errs...)
}

// base reads the base address.
func (c Config) base() (*url.URL, error) {
	u, err := url.Parse(c.URI)
	switch {
	case strings.TrimSpace(c.URI) != c.URI:
		return nil, &ConfigError{"uri", "The address begins or ends with a blank or a line break. Remove it."}
	case err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https"):
		return nil, &ConfigError{"uri", "The address must be absolute, with http or https and a host, such as https://paimon.example.com."}
	case u.User != nil:
		return nil, &ConfigError{"uri", "The address must not hold a user name or password. Use token or headers."}
	case strings.ContainsAny(c.URI, "?#"):
		return nil, &ConfigError{"uri", "The address must end before any ? or #."}
	case strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/v1"):
		return nil, &ConfigError{"uri", "The address must end before /v1, which the provider adds itself."}
	}
	return u, nil
}

// credentials are what proves who asks; nil when nothing does.
func (c Config) credentials(base *url.URL) *credentials {
	switch {
	case c.DLF != nil:
		return c.DLF.credentials(c.Source, c.DLF.signer(base.Hostname()))
	case c.Token != "":
		return fixed(bearerToken(c.Token))
	case c.TokenFile != "":
		return tokenFromFile(c.Source, c.TokenFile)
	case len(c.TokenCommand) > 0:
		return tokenFromCommand(c.Source, c.TokenCommand)
	default:
		return nil
	}
}

// ProxyAddress is the proxy that leads to the catalog, without its user name and password; empty when there is none.
func (c Config) ProxyAddress() string {
	base, err := c.base()
	if err != nil || c.Proxy == nil {
		return ""
	}
	proxy, err := c.Proxy(base)
	if err != nil || proxy == nil {
		return ""
	}
	return proxy.Scheme + "://" + proxy.Host
}

// ownHeaders are set by the client itself or decide how a message is read or repeated, so nobody else may set them:
// net/http decompresses only what it asked for itself, and repeats any request that has an idempotency key.
var ownHeaders = []string{
	"Authorization", "Host", "Date", "Accept", "Accept-Encoding", "Connection", "Transfer-Encoding",
	"Idempotency-Key", "X-Idempotency-Key",
}

func isOwnHeader(name string) bool {
	canonical := http.CanonicalHeaderKey(name)
	return slices.Contains(ownHeaders, canonical) || strings.HasPrefix(canonical, "Content-") ||
		strings.HasPrefix(canonical, "X-Dlf-") || strings.HasPrefix(canonical, "X-Acs-")
}

func checkHeader(name, value string) error {
	switch {
	case !httpguts.ValidHeaderFieldName(name):
		return &ConfigError{"headers", fmt.Sprintf("%q is not a header name.", name)}
	case !httpguts.ValidHeaderFieldValue(value):
		return &ConfigError{"headers", fmt.Sprintf("The value of the header %s has a line break or another control character.", http.CanonicalHeaderKey(name))}
	}
	return nil
}
