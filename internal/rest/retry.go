package rest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// attempts follows the attempts of one call and decides whether and when to try again.
type attempts struct {
	operation wire.Operation
	count     int
	started   time.Time // of the attempt under way
	logged    bool      // whether its outcome is in the log
	last      string    // outcome of the last attempt that ended, for the message when time runs out
}

func (a *attempts) begin() {
	a.count++
	a.started, a.logged = time.Now(), false
}

// again is the retry rule. 429 and 503 say that the request was not taken; a gateway's 502 and 504, and a broken
// connection, leave that open, so only what may be repeated is. A policy create is sent exactly once.
//
// It is asked about every attempt, and once more when the body of a good answer has been read.
func (a *attempts) again(ctx context.Context, response *http.Response, err error) (bool, error) {
	if !a.logged || err != nil {
		a.log(ctx, response, err)
		a.logged = true
	}
	if ctx.Err() != nil || !a.operation.Repeatable {
		return false, nil
	}
	if err != nil {
		a.last = withoutURL(err).Error()
		return !isFinal(err), nil
	}
	a.last = "status " + response.Status
	switch response.StatusCode {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return true, nil
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		return a.operation.Method == http.MethodGet, nil
	default:
		return false, nil
	}
}

// isFinal says that an error would come again: the answer is too large, or the server's certificate is refused.
func isFinal(err error) bool {
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	return errors.Is(err, errBodyTooLarge) || errors.As(err, &certificate) || errors.As(err, &authority)
}

// wait is the time before the next attempt: what Retry-After asks for, else 1, 2, 4 … seconds, in both cases at most
// longestWait, plus up to a tenth at random so that many clients do not come back in step.
func (a *attempts) wait(_, _ time.Duration, attempt int, response *http.Response) time.Duration {
	delay, asked := retryAfter(response)
	if !asked {
		delay = time.Second << min(attempt, 6)
	}
	delay = min(delay, longestWait)
	return delay + rand.N(delay/10+time.Millisecond)
}

// retryAfter reads the header in both of its forms. A time that has passed, and a text that is neither form, count
// as no header.
func retryAfter(response *http.Response) (time.Duration, bool) {
	if response == nil {
		return 0, false
	}
	header := response.Header.Get("Retry-After")
	if seconds, err := strconv.ParseInt(header, 10, 32); err == nil {
		return time.Duration(seconds) * time.Second, seconds > 0
	}
	date, err := http.ParseTime(header)
	if err != nil {
		return 0, false
	}
	// The server's own clock measures its own date.
	from := time.Now()
	if now, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		from = now
	}
	return date.Sub(from), date.After(from)
}

// failure is the error of a call that got no answer.
func (a *attempts) failure(ctx context.Context, err error) error {
	failure := &NoAnswerError{Operation: a.operation, Attempts: a.count, Err: withoutURL(err)}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && a.last != "" {
		failure.Err = fmt.Errorf("gave up after %s; the last attempt ended with %s", callTimeout, a.last)
	}
	return failure
}

// log writes one line per attempt. Headers, bodies and query values are never logged.
func (a *attempts) log(ctx context.Context, response *http.Response, err error) {
	fields := map[string]any{
		"method":      a.operation.Method,
		"path":        a.operation.Path,
		"attempt":     a.count,
		"duration_ms": time.Since(a.started).Milliseconds(),
	}
	if response != nil {
		fields["status"] = response.StatusCode
		fields["request_id"] = requestID(response.Header)
	}
	if err != nil {
		fields["error"] = withoutURL(err).Error()
	}
	tflog.Debug(ctx, "Paimon REST call", fields)
}
