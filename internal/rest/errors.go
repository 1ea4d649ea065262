package rest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// longestMessage bounds how much of a server's text is shown, in bytes.
const longestMessage = 2048

// Error is an answer that is not success.
type Error struct {
	Operation wire.Operation
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
	// Message is the server's text without credentials, cut to two KiB.
	Message string
	// RequestID is the id that the server gave the request; may be empty.
	RequestID string
	// Attempts is how often the request was sent.
	Attempts int
	// RetryAfter is how long the server asked to wait before the next attempt; 0 when it did not.
	RetryAfter time.Duration
}

// Error says what was asked and what was answered.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s was answered with %d %s", e.Operation.Method, e.Operation.Path, e.Code, http.StatusText(e.Code))
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
	return b.String()
}

// NoAnswerError is a call that ended without an answer: the server may have acted on it, or not.
type NoAnswerError struct {
	Operation wire.Operation
	Attempts  int
	Err       error
}

// Error says what was asked and what happened to it.
func (e *NoAnswerError) Error() string {
	return fmt.Sprintf("%s %s got no answer in %d attempt(s): %s", e.Operation.Method, e.Operation.Path, e.Attempts, e.Err)
}

// Unwrap gives access to the cause.
func (e *NoAnswerError) Unwrap() error { return e.Err }

// IsUncertain says that the request behind err may have taken effect all the same: no answer came, or a gateway or
// an overloaded server answered in the catalog's place.
func IsUncertain(err error) bool {
	var noAnswer *NoAnswerError
	if errors.As(err, &noAnswer) {
		return true
	}
	var answer *Error
	return errors.As(err, &answer) && (answer.Code >= 500 && answer.Code != http.StatusNotImplemented || answer.Code == http.StatusTooManyRequests)
}

// IsCode says that err is an answer with this code.
func IsCode(err error, code int) bool {
	var answer *Error
	return errors.As(err, &answer) && answer.Code == code
}

// IsMissing says that the server definitely misses a thing of one of these types: a typed 404 about it.
func IsMissing(err error, resourceTypes ...string) bool {
	return isTyped(err, http.StatusNotFound, resourceTypes)
}

// IsConflict says that the server refused a change because of a thing of one of these types: a typed 409 about it.
func IsConflict(err error, resourceTypes ...string) bool {
	return isTyped(err, http.StatusConflict, resourceTypes)
}

func isTyped(err error, code int, resourceTypes []string) bool {
	var answer *Error
	return errors.As(err, &answer) && answer.Typed && answer.Code == code && slices.Contains(resourceTypes, answer.ResourceType)
}

// errorBody is the error body read leniently. Gateways spell the members Message and Code, which encoding/json
// takes too, and give the code as text.
type errorBody struct {
	ResourceType *string         `json:"resourceType"`
	ResourceName *string         `json:"resourceName"`
	Message      *string         `json:"message"`
	Code         json.RawMessage `json:"code"`
}

func (c *Client) newError(operation wire.Operation, response *http.Response, body []byte, attempts int) *Error {
	wait, _ := retryAfter(response)
	e := &Error{
		Operation:  operation,
		Status:     response.StatusCode,
		Code:       response.StatusCode,
		RequestID:  requestID(response.Header),
		Attempts:   attempts,
		RetryAfter: max(0, min(wait, longestWait)),
	}
	var parsed errorBody
	if json.Unmarshal(body, &parsed) != nil || parsed.Message == nil {
		e.Message = c.redact(describeForeignBody(response, body))
		return e
	}
	e.Message = c.redact(*parsed.Message)
	var code int
	if json.Unmarshal(parsed.Code, &code) == nil {
		e.Typed = true
		if code >= 400 && code <= 599 {
			e.Code = code
		}
	}
	if parsed.ResourceType != nil {
		e.ResourceType = *parsed.ResourceType
	}
	if parsed.ResourceName != nil {
		e.ResourceName = c.redact(*parsed.ResourceName)
	}
	return e
}

// describeForeignBody is the message of an answer that has no Paimon error body.
func describeForeignBody(response *http.Response, body []byte) string {
	if location := response.Header.Get("Location"); location != "" && response.StatusCode < 400 {
		return "a redirect, which is not followed since it would carry the credentials elsewhere; correct the address"
	}
	if len(body) == 0 {
		return "the body is empty, so this may not be the catalog's own answer"
	}
	if !utf8.Valid(body) {
		return "the body (" + contentType(response) + ") is not a Paimon error"
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(body)), "\n")
	return "the body (" + contentType(response) + ") is not a Paimon error and begins with: " + cut(line, 200)
}

// redact removes the credentials that this client sends from a text that a server sent.
func (c *Client) redact(text string) string {
	secrets := []string{c.config.Token}
	for _, value := range c.config.Headers {
		secrets = append(secrets, value)
	}
	for _, secret := range secrets {
		// A very short value would blank ordinary words.
		if len(secret) >= 4 {
			text = strings.ReplaceAll(text, secret, "[removed]")
		}
	}
	return cut(text, longestMessage)
}

func cut(text string, length int) string {
	if len(text) <= length {
		return text
	}
	for length > 0 && !utf8.RuneStart(text[length]) {
		length--
	}
	return text[:length] + " …"
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
