package rest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// attempts makes the attempts of one call. It is the transport under a retrying client, so that what it reads of an
// answer is part of the attempt, and the rule by which that client goes on.
type attempts struct {
	client  *Client
	request request

	count int           // of those that were sent
	sent  credential    // with the last attempt; nil for none
	got   *answer       // of the last attempt; nil when it got none
	err   error         // of the last attempt
	delay time.Duration // before the next attempt
	// renewed says that credentials that the server refused were to be replaced, which happens once, and notRenewed why
	// they were not.
	renewed    bool
	notRenewed error
	// outcome is how the last attempt ended that another was to follow, for the message when time runs out.
	outcome string
}

func (a *attempts) retrying() *retryablehttp.Client {
	return &retryablehttp.Client{
		HTTPClient: &http.Client{
			Transport: a,
			// A redirect would carry the credentials elsewhere, and turn a POST into a GET.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		RetryMax:     a.client.config.MaxRetries,
		CheckRetry:   a.again,
		Backoff:      func(time.Duration, time.Duration, int, *http.Response) time.Duration { return a.client.pace(a.delay) },
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
}

// RoundTrip makes one attempt, and another at once when the server refuses credentials in whose place there are new ones by
// now: what it refused for them it did not do.
func (a *attempts) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	response, err := a.once(ctx, r)
	if err == nil && response.StatusCode == http.StatusUnauthorized && a.renews(ctx) {
		return a.once(ctx, r)
	}
	return response, err
}

// once sends the request with credentials of its own: a signature is never sent twice.
func (a *attempts) once(ctx context.Context, r *http.Request) (response *http.Response, err error) {
	a.got = nil
	if r, a.err = a.authorized(ctx, r); a.err != nil {
		return nil, a.err
	}
	a.count++
	started := time.Now()
	response, a.got, a.err = a.client.attempt(r)
	a.client.log(ctx, a.request.operation, a.count, time.Since(started), a.got, a.err)
	return response, a.err
}

// authorized is the request with credentials.
func (a *attempts) authorized(ctx context.Context, r *http.Request) (*http.Request, error) {
	r = r.Clone(ctx)
	var err error
	if r.Body, err = r.GetBody(); err != nil {
		return nil, err
	}
	if a.client.credentials == nil {
		return r, nil
	}
	if a.sent, err = a.client.credentials.get(ctx, nil); err != nil {
		return nil, &credentialsError{err}
	}
	a.sent.authorize(r, a.request)
	return r, nil
}

// renews says that there are other credentials than those that the server refused.
func (a *attempts) renews(ctx context.Context) bool {
	if a.sent == nil || a.renewed {
		return false
	}
	a.renewed = true
	next, err := a.client.credentials.get(ctx, a.sent)
	a.notRenewed = err
	return err == nil && next != a.sent
}

// credentialsError is why there is nothing to prove with who asks. Nothing was sent then.
type credentialsError struct{ err error }

func (e *credentialsError) Error() string { return e.err.Error() }

func (e *credentialsError) Unwrap() error { return e.err }

// hint is what may be behind the server's refusal.
func (a *attempts) hint(code int) string {
	skew := ""
	if _, signed := a.sent.(accessKey); signed {
		skew = skewHint(a.got)
	}
	switch {
	case a.notRenewed != nil:
		return "there are no new credentials: " + a.client.redact(a.notRenewed.Error())
	case skew != "":
		return skew
	case code != http.StatusUnauthorized:
		return ""
	case a.sent == nil:
		return "neither a token nor a signature was sent: set token, token_file or token_command, or token_provider = \"dlf\", or the environment variables of these"
	default:
		return "the catalog does not accept the credentials, which come from " + a.client.config.Source
	}
}

// again says whether another attempt follows, and after what time.
func (a *attempts) again(ctx context.Context, _ *http.Response, _ error) (bool, error) {
	a.delay = delayAfter(a.got, a.count)
	goOn := ctx.Err() == nil && retryable(a.request.operation, a.got, a.err) && fits(ctx, a.delay)
	if goOn {
		a.outcome = a.client.outcome(a.got, a.err)
	}
	return goOn, nil
}

// failure is the error of a call that ended without an answer. net/http puts the address in front of its errors, which
// is dropped: the operation is named instead.
func (a *attempts) failure(ctx context.Context, err error) error {
	if urlError, ok := errors.AsType[*url.Error](err); ok {
		err = urlError.Err
	}
	err = a.client.redactError(err)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
		if a.outcome != "" {
			err = fmt.Errorf("%w; the last attempt that ended had: %s", err, a.outcome)
		}
	}
	path := a.client.redact(a.request.path)
	if a.count == 0 {
		return fmt.Errorf("%s %s was not sent: %w", a.request.operation.Method, path, err)
	}
	return &NoAnswerError{Operation: a.request.operation, Path: path, Attempts: a.count, Err: a.client.withHint(err)}
}

// retryable is the retry rule. 429 and 503 say that the request was not taken; a gateway's 502 and 504, and a broken
// connection, leave that open, so only what may be repeated is. A policy create is sent exactly once. A removal is repeated
// only when it cannot have been sent: an attempt that was given up may still act, after the record was made anew.
func retryable(operation wire.Operation, got *answer, err error) bool {
	switch {
	case !operation.Repeatable:
		return false
	case err != nil && (operation == wire.DropPolicy || operation == wire.RevokePermission):
		return neverSent(err) && !isFinal(err)
	case err != nil:
		return !isFinal(err)
	}
	switch got.status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return true
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		return operation.Method == http.MethodGet
	default:
		return false
	}
}

// isFinal says that an error would come again: there are no credentials, the answer is too large, the host does not exist,
// or the two sides cannot agree on TLS. Most errors of crypto/tls have no type, but all have its name.
func isFinal(err error) bool {
	if lookup, ok := errors.AsType[*net.DNSError](err); ok && lookup.IsNotFound {
		return true
	}
	if _, ok := errors.AsType[*credentialsError](err); ok {
		return true
	}
	return errors.Is(err, errBodyTooLarge) || errors.Is(err, http.ErrSchemeMismatch) || strings.Contains(err.Error(), "tls: ")
}

// neverSent says that no connection came about.
func neverSent(err error) bool {
	operation, ok := errors.AsType[*net.OpError](err)
	return ok && operation.Op == "dial"
}

// delayAfter is the time between an attempt, counted from 1, and the next: what Retry-After asks for, else 1, 2, 4 …
// seconds, plus up to a tenth at random so that many clients do not come back in step, in all at most longestWait.
func delayAfter(got *answer, count int) time.Duration {
	delay := time.Second << min(max(count-1, 0), 6)
	if got != nil {
		if asked, ok := retryAfter(got.header); ok {
			delay = asked
		}
	}
	return min(delay+rand.N(delay/10+1), longestWait) //nolint:gosec // nobody gains by guessing a wait
}

// retryAfter reads the header in both of its forms, cut to longestWait. A time that has passed, and a text that is
// neither form, count as no header.
func retryAfter(header http.Header) (time.Duration, bool) {
	text := header.Get("Retry-After")
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		seconds = min(max(seconds, 0), int64(longestWait/time.Second))
		return time.Duration(seconds) * time.Second, seconds > 0
	}
	date, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	// The server's own clock measures its own date.
	from, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		from = time.Now()
	}
	wait := min(max(date.Sub(from), 0), longestWait)
	return wait, wait > 0
}

// fits says that there is time for a wait and another attempt. Without it, waiting could only end in "gave up".
func fits(ctx context.Context, delay time.Duration) bool {
	deadline, limited := ctx.Deadline()
	return !limited || time.Until(deadline) > delay
}

// outcome says in a few words how an attempt ended.
func (c *Client) outcome(got *answer, err error) string {
	if err != nil {
		return c.redact(err.Error())
	}
	return statusText(got.status)
}

// log writes one line per attempt. Headers, bodies and query values are never logged.
func (c *Client) log(ctx context.Context, operation wire.Operation, count int, duration time.Duration, got *answer, err error) {
	fields := map[string]any{
		"method":      operation.Method,
		"path":        operation.Path,
		"attempt":     count,
		"duration_ms": duration.Milliseconds(),
	}
	if got != nil {
		fields["status"] = got.status
		fields["request_id"] = c.redact(requestID(got.header))
	}
	if err != nil {
		fields["error"] = c.redact(err.Error())
	}
	tflog.Debug(ctx, "Paimon REST call", fields)
}
