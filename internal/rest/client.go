package rest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// Client talks to one catalog.
type Client struct {
	config Config
	base   string
	http   *http.Client

	handshake sync.Once
	ready     chan struct{} // closed when the handshake has ended
	session   session
	failure   error

	// skew is what to add to the local clock, in nanoseconds, to get the clock of the server's last answer.
	skew atomic.Int64
}

// session is what the handshake gives.
type session struct {
	prefix  string
	headers map[string]string
}

// New returns a client for a configuration that passes Check. It makes no request.
func New(config Config) (*Client, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	base, err := config.base()
	if err != nil {
		return nil, err
	}
	return &Client{
		config: config,
		base:   base,
		http: &http.Client{
			Transport: newTransport(),
			Timeout:   config.AttemptTimeout,
			// A redirect would carry the credentials elsewhere, and turn a POST into a GET.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		ready: make(chan struct{}),
	}, nil
}

// newTransport keeps as many connections open as Terraform has walkers at a high -parallelism.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          100,
		MaxIdleConnsPerHost:   64,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
}

// Now is the server's clock as far as its last answer told it, else the local one.
func (c *Client) Now() time.Time {
	return time.Now().Add(time.Duration(c.skew.Load()))
}

// connect does the handshake once and returns its outcome to every caller, a failure too: whatever made it fail
// after its retries would make each of a thousand resources wait in vain.
func (c *Client) connect(ctx context.Context) (session, error) {
	c.handshake.Do(func() {
		go func() {
			defer close(c.ready)
			// The first caller's cancellation must not fail the others.
			c.session, c.failure = c.shakeHands(context.WithoutCancel(ctx))
		}()
	})
	select {
	case <-c.ready:
		return c.session, c.failure
	case <-ctx.Done():
		return session{}, ctx.Err()
	}
}

func (c *Client) shakeHands(ctx context.Context) (session, error) {
	query := url.Values{}
	if c.config.Warehouse != "" {
		query.Set(wire.ParamWarehouse, c.config.Warehouse)
	}
	var answer wire.Config
	err := c.send(ctx, request{operation: wire.GetConfig, path: wire.GetConfig.Path, query: query, headers: c.config.Headers}, &answer)
	if err != nil {
		return session{}, fmt.Errorf("cannot connect to the catalog at %s: %w", c.base, err)
	}
	return c.effective(answer)
}

// effective merges the handshake's options: the defaults, overlaid by what the user set, overlaid by the overrides.
func (c *Client) effective(answer wire.Config) (session, error) {
	options := make(map[string]string)
	overlay := func(layer map[string]*string) {
		for key, value := range layer {
			if value == nil {
				delete(options, key)
			} else {
				options[key] = *value
			}
		}
	}
	overlay(answer.Defaults)
	if c.config.Prefix != "" {
		options[wire.OptionPrefix] = c.config.Prefix
	}
	for name, value := range c.config.Headers {
		options[wire.OptionHeaderPrefix+name] = value
	}
	overlay(answer.Overrides)

	if options[wire.OptionPrefix] == "" {
		return session{}, errors.New(`the catalog named no prefix in its answer to GET /v1/config: set "prefix" in the provider configuration, or correct "warehouse"`)
	}
	s := session{prefix: options[wire.OptionPrefix], headers: make(map[string]string)}
	for key, value := range options {
		if name, ok := strings.CutPrefix(key, wire.OptionHeaderPrefix); ok {
			if err := checkHeader(name, value); err != nil {
				return session{}, fmt.Errorf("the catalog's answer to GET /v1/config asks for a header that cannot be sent: %w", err)
			}
			s.headers[http.CanonicalHeaderKey(name)] = value
		}
	}
	return s, nil
}
