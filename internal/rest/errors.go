package rest

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// Error is an answer that is not success.
type Error struct {
	Operation wire.Operation
	// Path is the path of the request, as it was sent.
	Path string
	// Status is the HTTP status.
	Status int
	// Code classifies the error: the error body's code when that is a status between 400 and 599, else the HTTP
	// status. The body knows better: some servers answer 404 with code 501 for what they do not implement.
	Code int
	// Typed says that the answer had the contract's error body. A 404 without one proves nothing: it may come from
	// a proxy, or from a server without the management API.
	Typed bool
	// ResourceType and ResourceName say what the error is about; empty when it is about the request itself.
	ResourceType string
	ResourceName string
	// Message is the server's text without credentials and without a full stop at its end, cut to two KiB.
	Message string
	// RequestID is the id that the server gave the request; may be empty.
	RequestID string
	// Attempts is how often the request was sent.
	Attempts int
	// Hint is what may be behind a refusal, as far as it can be told from here; may be empty.
	Hint string
	// RetryAfter is how long the server asked to wait before the next attempt; 0 when it did not.
	RetryAfter time.Duration
}

// Error says what was asked and what was answered.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s was answered with %s", e.Operation.Method, e.Path, statusText(e.Code))
	if e.Code != e.Status {
		fmt.Fprintf(&b, " (HTTP status %d)", e.Status)
	}
	if e.ResourceType != "" {
		fmt.Fprintf(&b, " about %s %s", e.ResourceType, e.ResourceName)
	}
	if e.Message != "" {
		fmt.Fprintf(&b, ": %s", e.Message)
	}
	if e.RequestID != "" {
		fmt.Fprintf(&b, " (request id %s)", e.RequestID)
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " after %d attempts", e.Attempts)
	}
	if e.Hint != "" {
		fmt.Fprintf(&b, "; %s", e.Hint)
	}
	return b.String()
}

func statusText(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// NoAnswerError is a call that ended without an answer that can be used: the server may have acted on it, or not.
type NoAnswerError struct {
	Operation wire.Operation
	Path      string
	Attempts  int
	Err       error
}

// Error says what was asked and what happened to it.
func (e *NoAnswerError) Error() string {
	attempts := "1 attempt"
	if e.Attempts != 1 {
		attempts = fmt.Sprintf("%d attempts", e.Attempts)
	}
	return fmt.Sprintf("%s %s failed after %s without a usable answer: %s", e.Operation.Method, e.Path, attempts, e.Err)
}

// Unwrap gives access to the cause.
func (e *NoAnswerError) Unwrap() error { return e.Err }

// IsUncertain says that the request behind err may have taken effect all the same: no answer came, or a gateway or
// an overloaded server answered in the catalog's place.
func IsUncertain(err error) bool {
	if _, ok := errors.AsType[*NoAnswerError](err); ok {
		return true
	}
	e, ok := errors.AsType[*Error](err)
	return ok && (e.Code >= 500 && e.Code != http.StatusNotImplemented || e.Code == http.StatusTooManyRequests)
}

// WasRepeated says that err is the answer to a request that had been sent before, and that the first may have taken effect.
func WasRepeated(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Attempts > 1
}

// IsCode says that err is an answer with this code.
func IsCode(err error, code int) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == code
}

// IsMissing says that the server definitely misses a thing of one of these types: a typed 404 about it.
func IsMissing(err error, resourceTypes ...string) bool {
	return isTyped(err, http.StatusNotFound, resourceTypes)
}

// IsConflict says that the server refused a change because of a thing of one of these types: a typed 409 about it.
func IsConflict(err error, resourceTypes ...string) bool {
	return isTyped(err, http.StatusConflict, resourceTypes)
}

// isTyped never holds for the handshake. It asks for no more than the catalog, and every call may bring its failure.
func isTyped(err error, code int, resourceTypes []string) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Typed && e.Code == code && e.Operation != wire.GetConfig && slices.Contains(resourceTypes, e.ResourceType)
}

// errorBody is the error body read leniently. Gateways spell the members Message and Code, which encoding/json
// takes too, and give the code as text.
type errorBody struct {
	ResourceType *string         `json:"resourceType"`
	ResourceName *string         `json:"resourceName"`
	Message      *string         `json:"message"`
	Code         json.RawMessage `json:"code"`
}

func (c *Client) newError(r request, got *answer, attempts int) *Error {
	wait, _ := retryAfter(got.header)
	e := &Error{
		Operation:  r.operation,
		Path:       c.redact(r.path),
		Status:     got.status,
		Code:       got.status,
		RequestID:  c.redact(requestID(got.header)),
		Attempts:   attempts,
		RetryAfter: wait,
	}
	var body errorBody
	if json.Unmarshal(got.body, &body) != nil || body.Message == nil {
		e.Message = c.redact(c.foreignMessage(got))
		return e
	}
	e.Message = c.redact(strings.TrimSuffix(*body.Message, "."))
	if body.ResourceType != nil {
		e.ResourceType = c.redact(*body.ResourceType)
	}
	if body.ResourceName != nil {
		e.ResourceName = c.redact(*body.ResourceName)
	}
	var code any
	if json.Unmarshal(body.Code, &code) != nil {
		return e
	}
	switch code := code.(type) {
	case float64:
		e.Typed = code == math.Trunc(code)
		if e.Typed && code >= 400 && code <= 599 {
			e.Code = int(code)
		}
	case string:
		e.Message = c.redact(code + ": " + strings.TrimSuffix(*body.Message, "."))
	}
	return e
}

// foreignMessage is the message of an answer that has no Paimon error body.
func (c *Client) foreignMessage(got *answer) string {
	if location, err := url.Parse(got.header.Get("Location")); got.status < 400 && err == nil && location.Host != "" {
		return "a redirect to " + location.Scheme + "://" + location.Host + ", which is not followed since it would carry the credentials elsewhere; correct the address"
	}
	if got.status < 400 {
		return "a redirect, which is not followed; correct the address"
	}
	if len(got.body) == 0 && got.status == http.StatusUnauthorized {
		return "" // Paimon's own servers answer it like this
	}
	if len(got.body) == 0 {
		return "the body is empty, so this may not be the catalog's own answer"
	}
	message := "the body (" + got.contentType() + ") is not a Paimon error"
	if text := plainText(got.body); text != "" && utf8.Valid(got.body) {
		// Redacted before it is cut, so that no half of a credential stays.
		message += " and begins with: " + cut(c.redact(text), 200)
	}
	return message
}

var markup = regexp.MustCompile(`<[^>]*>`)

// plainText is what a person would read of a page, in one line.
func plainText(page []byte) string {
	page = page[:min(len(page), 64<<10)]
	return strings.Join(strings.Fields(html.UnescapeString(string(markup.ReplaceAll(page, []byte(" "))))), " ")
}

// requestID returns x-request-id, else the first header with request-id in its name.
func requestID(header http.Header) string {
	if id := header.Get("X-Request-Id"); id != "" {
		return id
	}
	for name := range header {
		if strings.Contains(strings.ToLower(name), "request-id") {
			return header.Get(name)
		}
	}
	return ""
}
