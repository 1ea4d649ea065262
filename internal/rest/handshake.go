package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// session is what the handshake gives.
type session struct {
	prefix  string
	headers map[string]string
}

// ConnectError is why the catalog could not be asked for anything: what came before the first request for anybody failed,
// so all who ask get the same error.
type ConnectError struct{ Err error }

// Error is the reason.
func (e *ConnectError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *ConnectError) Unwrap() error { return e.Err }

// connect does the handshake once and returns its outcome to every caller, a failure too: whatever made it fail
// after its retries would make each of a thousand resources wait in vain.
func (c *Client) connect(ctx context.Context) (session, error) {
	c.handshake.Do(func() {
		go func() {
			defer close(c.ready)
			// The first caller's cancellation must not fail the others.
			var err error
			if c.session, err = c.shakeHands(context.WithoutCancel(ctx)); err != nil {
				c.failure = &ConnectError{err}
			}
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
	setUnlessEmpty(query, wire.ParamWarehouse, c.config.Warehouse)
	var options wire.Config
	err := c.send(ctx, request{operation: wire.GetConfig, path: wire.GetConfig.Path, query: query, headers: c.config.Headers}, &options)
	if err != nil {
		return session{}, fmt.Errorf("cannot connect to the catalog at %s: %w", c.base, err)
	}
	return c.effective(options)
}

// effective merges the handshake's options: the defaults, overlaid by what the user set, overlaid by the overrides.
func (c *Client) effective(given wire.Config) (session, error) {
	options := make(map[string]string)
	overlay := func(layer map[string]*wire.Text) {
		for key, value := range layer {
			// Header names differ in nothing when they differ in case.
			if name, isHeader := strings.CutPrefix(key, wire.OptionHeaderPrefix); isHeader {
				key = wire.OptionHeaderPrefix + http.CanonicalHeaderKey(name)
			}
			if value == nil {
				delete(options, key)
			} else {
				options[key] = string(*value)
			}
		}
	}
	user := make(map[string]*wire.Text)
	if c.config.Prefix != "" {
		user[wire.OptionPrefix] = new(wire.Text(c.config.Prefix))
	}
	for name, value := range c.config.Headers {
		user[wire.OptionHeaderPrefix+name] = new(wire.Text(value))
	}
	overlay(given.Defaults)
	overlay(user)
	overlay(given.Overrides)

	s := session{prefix: options[wire.OptionPrefix], headers: make(map[string]string)}
	if s.prefix == "" {
		return session{}, errors.New(`the catalog named no prefix in its answer to GET /v1/config: set "prefix" in the provider configuration, or correct "warehouse"`)
	}
	for key, value := range options {
		// What the client sets itself stays its own, whatever the server asks for.
		name, isHeader := strings.CutPrefix(key, wire.OptionHeaderPrefix)
		if !isHeader || isOwnHeader(name) {
			continue
		}
		if err := checkHeader(name, value); err != nil {
			return session{}, fmt.Errorf("the catalog's answer to GET /v1/config asks for a header that cannot be sent: %w", err)
		}
		s.headers[name] = value
	}
	return s, nil
}
