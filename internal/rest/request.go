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
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// request is one call before it is sent.
type request struct {
	operation wire.Operation
	path      string // escaped
	query     url.Values
	body      any // nil for none
	headers   map[string]string
}

// call makes a request below the catalog's prefix and decodes the answer into result, which is nil when the answer
// has no content that counts.
func (c *Client) call(ctx context.Context, operation wire.Operation, names []string, query url.Values, body, result any) error {
	s, err := c.connect(ctx)
	if err != nil {
		return err
	}
	return c.send(ctx, request{
		operation: operation,
		path:      operation.URLPath(s.prefix, names...),
		query:     query,
		body:      body,
		headers:   s.headers,
	}, result)
}

// send makes the attempts of one request and reads the last answer.
func (c *Client) send(ctx context.Context, r request, result any) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	httpRequest, err := c.newRequest(ctx, r)
	if err != nil {
		return err
	}
	attempts := &attempts{operation: r.operation}
	var body []byte
	httpRequest.SetResponseHandler(func(response *http.Response) (err error) {
		body, err = readBody(response)
		return err
	})
	retrying := &retryablehttp.Client{
		HTTPClient:     c.http,
		RetryMax:       c.config.MaxRetries,
		RequestLogHook: func(retryablehttp.Logger, *http.Request, int) { attempts.begin() },
		CheckRetry:     attempts.again,
		Backoff:        attempts.wait,
		ErrorHandler:   retryablehttp.PassthroughErrorHandler,
	}
	response, err := retrying.Do(httpRequest)
	if err != nil {
		return attempts.failure(ctx, err)
	}
	c.readClock(response)
	if body == nil {
		// The last attempt ended with a status that would have been tried again, whose body is still unread.
		if body, err = readBody(response); err != nil {
			return attempts.failure(ctx, err)
		}
	}
	switch {
	case response.StatusCode < 200 || response.StatusCode > 299:
		return c.newError(r.operation, response, body, attempts.count)
	case result == nil:
		return nil
	}
	if err := json.Unmarshal(body, result); err != nil {
		return fmt.Errorf("%s %s: the answer (status %d, %s) is not the JSON that a Paimon catalog sends; is there a proxy or login page in between?",
			r.operation.Method, r.operation.Path, response.StatusCode, contentType(response))
	}
	return nil
}

func (c *Client) newRequest(ctx context.Context, r request) (*retryablehttp.Request, error) {
	address := c.base + r.path
	if len(r.query) > 0 {
		// %20 is the one spelling of a space that form decoding and RFC 3986 decoding read alike.
		address += "?" + strings.ReplaceAll(r.query.Encode(), "+", "%20")
	}
	var body any
	if r.body != nil {
		encoded, err := wire.Encode(r.body)
		if err != nil {
			return nil, fmt.Errorf("encoding the request: %w", err)
		}
		body = encoded
	}
	httpRequest, err := retryablehttp.NewRequestWithContext(ctx, r.operation.Method, address, body)
	if err != nil {
		return nil, fmt.Errorf("making the request: %w", err)
	}
	for name, value := range r.headers {
		httpRequest.Header.Set(name, value)
	}
	httpRequest.Header.Set("Accept", "application/json")
	httpRequest.Header.Set("Content-Type", "application/json")
	if httpRequest.Header.Get("User-Agent") == "" {
		httpRequest.Header.Set("User-Agent", c.config.UserAgent)
	}
	if c.config.Token != "" {
		httpRequest.Header.Set("Authorization", "Bearer "+c.config.Token)
	}
	return httpRequest, nil
}

var errBodyTooLarge = fmt.Errorf("the answer is larger than %d MiB", largestBody>>20)

// readBody reads and closes the body, inside the attempt, so that an answer cut short is tried again like a
// connection that broke.
func readBody(response *http.Response) ([]byte, error) {
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, largestBody+1))
	if err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	if len(body) > largestBody {
		return nil, errBodyTooLarge
	}
	return body, nil
}

// readClock notes how far the server's clock is from ours. The header has whole seconds.
func (c *Client) readClock(response *http.Response) {
	if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		c.skew.Store(int64(time.Until(date)))
	}
}

func contentType(response *http.Response) string {
	if t := response.Header.Get("Content-Type"); t != "" {
		return t
	}
	return "no content type"
}

// withoutURL drops the address that net/http puts in front of its errors; the operation is named instead.
func withoutURL(err error) error {
	var urlError *url.Error
	if errors.As(err, &urlError) {
		return urlError.Err
	}
	return err
}
