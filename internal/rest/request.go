package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// request is one call before it is sent.
type request struct {
	operation wire.Operation
	path      string // escaped
	query     url.Values
	content   []byte // the body; nil for none
	headers   map[string]string
}

// answer is a response that has been read.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a *answer) ok() bool { return a.status >= 200 && a.status <= 299 }

func (a *answer) contentType() string {
	if t := a.header.Get("Content-Type"); t != "" {
		return t
	}
	return "no content type"
}

// call makes a request below the catalog's prefix and decodes the answer into result, which is nil when the answer
// has no content that counts.
func (c *Client) call(ctx context.Context, operation wire.Operation, names []string, query url.Values, body, result any) error {
	s, err := c.connect(ctx)
	if err != nil {
		return err
	}
	for _, name := range append([]string{s.prefix}, names...) {
		// Proxies and servers take such a segment out of a path, and the request would mean something else.
		if name == "" || name == "." || name == ".." {
			return fmt.Errorf("%s %s: %q cannot stand for a name in a path", operation.Method, operation.Path, name)
		}
	}
	r := request{operation: operation, path: operation.URLPath(s.prefix, names...), query: query, headers: s.headers}
	if body != nil {
		if r.content, err = wire.Encode(body); err != nil {
			return fmt.Errorf("encoding the request: %w", err)
		}
	}
	return c.send(ctx, r, result)
}

// send makes the attempts of one request and reads the last answer.
func (c *Client) send(ctx context.Context, r request, result any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, callTimeout, fmt.Errorf("gave up after %s", callTimeout))
	defer cancel()
	httpRequest, err := c.newRequest(ctx, r)
	if err != nil {
		return err
	}
	attempts := &attempts{client: c, request: r}
	response, err := attempts.retrying().Do(httpRequest)
	if err != nil {
		return attempts.failure(ctx, err)
	}
	defer response.Body.Close()
	return attempts.conclude(result)
}

// conclude turns the last answer into the result of the call.
func (a *attempts) conclude(result any) error {
	c, r, got := a.client, a.request, a.got
	switch {
	case !got.ok():
		e := c.newError(r, got, a.count)
		e.Hint = a.hint(e.Code)
		return e
	case result == nil && (len(got.body) == 0 || json.Valid(got.body)):
		return nil
	case result == nil:
		// A login page, most likely: whether the catalog got the request, only a look can tell.
		return &NoAnswerError{Operation: r.operation, Path: c.redact(r.path), Attempts: a.count, Err: errNotJSON}
	}
	if json.Unmarshal(got.body, result) != nil {
		// The decoder's own words are about Go, and the body may hold anything.
		return fmt.Errorf("%s %s: the answer (status %d, %s) is not the JSON that a Paimon catalog sends; is there a proxy or login page in between?",
			r.operation.Method, r.path, got.status, c.redact(got.contentType()))
	}
	return nil
}

func (c *Client) newRequest(ctx context.Context, r request) (*retryablehttp.Request, error) {
	address := c.base + r.path
	if len(r.query) > 0 {
		// %20 is the one spelling of a space that form decoding and RFC 3986 decoding read alike.
		address += "?" + strings.ReplaceAll(r.query.Encode(), "+", "%20")
	}
	var body any // nil for none: an empty slice would be a body
	if r.content != nil {
		body = r.content
	}
	httpRequest, err := retryablehttp.NewRequestWithContext(ctx, r.operation.Method, address, body)
	if err != nil {
		return nil, fmt.Errorf("making the request: %w", err)
	}
	for name, value := range r.headers {
		httpRequest.Header.Set(name, value)
	}
	httpRequest.Header.Set("Accept", "application/json")
	if r.content != nil {
		httpRequest.Header.Set("Content-Type", "application/json")
	}
	if httpRequest.Header.Get("User-Agent") == "" {
		httpRequest.Header.Set("User-Agent", c.config.UserAgent)
	}
	return httpRequest, nil
}

// attempt sends a request once and reads the whole answer, within the time of one attempt. An answer cut short is an
// error like a connection that broke, whatever its status: a login page cut short is no success.
func (c *Client) attempt(httpRequest *http.Request) (*http.Response, *answer, error) {
	ctx := httpRequest.Context()
	if limit := c.config.AttemptTimeout; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %s", limit))
		defer cancel()
	}
	response, err := c.transport.RoundTrip(httpRequest.WithContext(ctx))
	if err != nil {
		return nil, nil, causeOf(ctx, err)
	}
	defer response.Body.Close()
	c.readClock(response.Header)
	got := &answer{status: response.StatusCode, header: response.Header}
	if got.body, err = c.readBody(response.Body); err != nil {
		return nil, got, causeOf(ctx, err)
	}
	response.Body = http.NoBody
	return response, got, nil
}

var (
	errBodyTooLarge = errors.New("the answer is too large")
	errNotJSON      = errors.New("the answer is a success, but its body is not JSON; is there a proxy or login page in between?")
)

func (c *Client) readBody(body io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(body, c.bodyLimit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the answer: %w", err)
	case int64(len(data)) > c.bodyLimit:
		return nil, fmt.Errorf("%w: more than %d MiB", errBodyTooLarge, c.bodyLimit>>20)
	}
	return data, nil
}

// causeOf says in our words why an attempt ended when it was its time limit or a cancellation.
func causeOf(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}
