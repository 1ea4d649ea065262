package rest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// inBubble is a client whose requests go straight to a handler, for tests in which time must not be real.
func inBubble(t *testing.T, handler http.HandlerFunc) *Client {
	t.Helper()
	c, err := New(Config{URI: "http://catalog.test", Token: testToken, AttemptTimeout: 30 * time.Second, MaxRetries: 5})
	if err != nil {
		t.Fatal(err)
	}
	c.transport = roundTripper(func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		if r.URL.Path == "/v1/config" {
			says(200, `{"defaults":{"prefix":"p"}}`)(w, r)
		} else {
			handler(w, r)
		}
		return w.Result(), r.Context().Err()
	})
	return c
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// withFreshConnections makes breaks visible: on a connection that was used before, net/http repeats a GET by itself.
func withFreshConnections(c *Client) *Client {
	if transport, ok := c.transport.(*http.Transport); ok {
		transport.DisableKeepAlives = true
	}
	return c
}

func TestOnlyWhatMayBeRepeatedIsTriedAgain(t *testing.T) {
	t.Parallel()
	calls := map[string]func(context.Context, *Client) error{
		"list":   listCall,
		"grant":  grantCall,
		"create": createCall,
		"revoke": func(ctx context.Context, c *Client) error {
			return c.call(ctx, wire.RevokePermission, nil, nil, struct{}{}, nil)
		},
	}
	const once, thrice = 1, 3
	for name, test := range map[string]struct {
		handler            http.HandlerFunc
		list, post, create int // attempts with two retries
		removal            int // where it differs from post: an attempt that was given up may still act
	}{
		"400":               {says(400, about("", "", "400")), once, once, once, 0},
		"401":               {says(401, ""), once, once, once, 0},
		"403":               {says(403, about("TABLE", "d.t", "403")), once, once, once, 0},
		"404":               {says(404, ""), once, once, once, 0},
		"409":               {says(409, about("TABLE", "d.t", "409")), once, once, once, 0},
		"429":               {says(429, ""), thrice, thrice, once, 0},
		"500":               {says(500, ""), once, once, once, 0},
		"501":               {says(501, ""), once, once, once, 0},
		"502":               {says(502, ""), thrice, once, once, 0},
		"503":               {says(503, "", "Retry-After", "1"), thrice, thrice, once, 0},
		"504":               {says(504, ""), thrice, once, once, 0},
		"broken connection": {hangUp, thrice, thrice, once, once},
		"truncated error":   {cutShort(400, `{"mess`), thrice, thrice, once, once},
	} {
		for kind, call := range calls {
			t.Run(name+" "+kind, func(t *testing.T) {
				t.Parallel()
				s := newServer(t, test.handler)
				err := call(t.Context(), withFreshConnections(s.client(t)))
				want := map[string]int{"list": test.list, "create": test.create, "revoke": test.removal}[kind]
				if want == 0 {
					want = test.post
				}
				if len(s.seen()) != want {
					t.Errorf("sent %d times, want %d", len(s.seen()), want)
				}
				if err == nil {
					t.Fatal("no error")
				}
				if noAnswer, ok := errors.AsType[*NoAnswerError](err); ok && noAnswer.Attempts != want {
					t.Errorf("the error counts %d attempts", noAnswer.Attempts)
				}
				if e, ok := errors.AsType[*Error](err); ok && e.Attempts != want {
					t.Errorf("the error counts %d attempts", e.Attempts)
				}
				for _, seen := range s.seen() {
					if seen.body != s.seen()[0].body || seen.target != s.seen()[0].target {
						t.Error("a repetition is another request")
					}
				}
			})
		}
	}
}

func TestARetryThatSucceedsIsSuccess(t *testing.T) {
	t.Parallel()
	s := newServer(t, answers(cutShort(200, `{"permissions":[`), says(503, ""), says(200, onePermission)))
	a, found, err := s.client(t).Assignment(t.Context(), tableGrant().Identity, ThisWalk)
	if err != nil || !found || a.Principal != "role:r" {
		t.Errorf("got %v, %v, %v", a, found, err)
	}
	s = newServer(t, answers(hangUp, says(429, ""), says(200, "")))
	if err := s.client(t).Grant(t.Context(), tableGrant()); err != nil || len(s.seen()) != 3 {
		t.Errorf("Grant: %v after %d requests", err, len(s.seen()))
	}
}

func TestTheStatusOfASuccessfulWriteIsEnough(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]http.HandlerFunc{
		"empty":   says(200, ""),
		"object":  says(200, "{}"),
		"none":    says(204, ""),
		"created": says(201, "{}"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, handler)
			if err := s.client(t).CreatePolicy(t.Context(), rowFilter()); err != nil || len(s.seen()) != 1 {
				t.Errorf("got %v after %d requests", err, len(s.seen()))
			}
		})
	}
}

// Half a page may be half a login page.
func TestASuccessThatIsCutShortIsUncertain(t *testing.T) {
	t.Parallel()
	s := newServer(t, cutShort(200, "{"))
	if err := s.client(t).CreatePolicy(t.Context(), rowFilter()); !IsUncertain(err) || len(s.seen()) != 1 {
		t.Errorf("got %v after %d requests", err, len(s.seen()))
	}
}

// An idle connection that the server closes breaks under the next request. net/http sends that one again by itself
// when it believes that to be safe; for a policy create it must not.
func TestAPolicyCreateOnAConnectionThatBreaksIsSentOnce(t *testing.T) {
	t.Parallel()
	var posts atomic.Int32
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			posts.Add(1)
			hangUp(w, r)
		}
		_, _ = io.WriteString(w, noPermissions)
	})
	c := s.client(t)
	for range 20 {
		posts.Store(0)
		if err := listCall(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if err := createCall(t.Context(), c); !IsUncertain(err) {
			t.Fatal(err)
		}
		if n := posts.Load(); n != 1 {
			t.Fatalf("sent %d times", n)
		}
	}
}

func TestRetryAfterIsReadInBothForms(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	at := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	for name, test := range map[string]struct {
		header, date string
		want         time.Duration // 0 when it counts as none
	}{
		"seconds":               {"7", "", 7 * time.Second},
		"zero":                  {"0", "", 0},
		"negative":              {"-5", "", 0},
		"a minute and more":     {"61", "", time.Minute},
		"a year":                {"31536000", "", time.Minute},
		"more than 64 bits":     {strings.Repeat("9", 30), "", time.Minute},
		"less than 64 bits":     {"-" + strings.Repeat("9", 30), "", 0},
		"a fraction":            {"1.5", "", 0},
		"garbage":               {"soon", "", 0},
		"none":                  {"", "", 0},
		"a date":                {at(9 * time.Second), at(0), 9 * time.Second},
		"a date far away":       {at(time.Hour), at(0), time.Minute},
		"a date in the past":    {at(-time.Second), at(0), 0},
		"a date that is now":    {at(0), at(0), 0},
		"a date, no clock":      {"Fri, 01 Jan 2100 00:00:00 GMT", "", time.Minute},
		"a past date, no clock": {at(0), "", 0},
		"RFC 850":               {"Friday, 02-Jan-26 03:04:15 GMT", at(0), 10 * time.Second},
		"asctime":               {"Fri Jan  2 03:04:25 2026", at(0), 20 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			header := http.Header{"Retry-After": {test.header}, "Date": {test.date}}
			got, ok := retryAfter(header)
			if got != test.want || ok != (test.want > 0) {
				t.Errorf("got %s, %v, want %s", got, ok, test.want)
			}
		})
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, seed := range []string{"", "7", "-1", "999999999999999999999", "1.5", "Fri, 02 Jan 2026 03:04:15 GMT", "Fri Jan  2 03:04:25 2026"} {
		f.Add(seed, "Fri, 02 Jan 2026 03:04:05 GMT")
	}
	f.Fuzz(func(t *testing.T, text, date string) {
		wait, ok := retryAfter(http.Header{"Retry-After": {text}, "Date": {date}})
		if wait < 0 || wait > longestWait || ok != (wait > 0) {
			t.Errorf("%q at %q: %s, %v", text, date, wait, ok)
		}
	})
}

// Many clients do not come back in step.
//
// hashicorp/terraform-provider-google#10786, hashicorp/terraform-provider-google#19655.
func TestWaitsGrowAndAreCapped(t *testing.T) {
	t.Parallel()
	for i, seconds := range []int{1, 2, 4, 8, 16, 32, 60, 60, 60} {
		least := time.Duration(seconds) * time.Second
		spread := map[time.Duration]bool{}
		for range 100 {
			got := delayAfter(nil, i+1)
			spread[got] = true
			if got < least || got > min(least+least/10, longestWait) {
				t.Errorf("after attempt %d: %s", i+1, got)
			}
		}
		if seconds < 60 && len(spread) < 10 {
			t.Errorf("after attempt %d the waits hardly differ", i+1)
		}
	}
	if got := delayAfter(&answer{header: http.Header{"Retry-After": {"3600"}}}, 1); got != longestWait {
		t.Errorf("an hour becomes %s", got)
	}
	if got := delayAfter(&answer{header: http.Header{"Retry-After": {"20"}}}, 1); got < 20*time.Second || got > 22*time.Second {
		t.Errorf("20 s become %s", got)
	}
}

func TestRetryAfterIsWaitedFor(t *testing.T) {
	t.Parallel()
	s := newServer(t, answers(says(503, "", "Retry-After", "20"), says(429, "", "Retry-After", "nonsense"), says(200, noPermissions)))
	if err := listCall(t.Context(), s.client(t)); err != nil {
		t.Fatal(err)
	}
	if len(s.waits()) != 2 || s.waits()[0].Truncate(2*time.Second) != 20*time.Second || s.waits()[1].Truncate(time.Second) != 2*time.Second {
		t.Errorf("waited %v", s.waits())
	}
}

func TestACallEndsWithinItsTime(t *testing.T) {
	t.Parallel()
	slow := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	busy := says(503, "", "Retry-After", "1000")
	for name, test := range map[string]struct {
		handler     http.HandlerFunc
		attempt     time.Duration
		least, most time.Duration
		texts       []string
	}{
		"waits too long": {busy, 30 * time.Second, 3 * time.Minute, callTimeout, []string{"503 Service Unavailable", "after 5 attempts"}},
		"slow answers":   {slow, 30 * time.Second, 3 * time.Minute, callTimeout, []string{"after 7 attempts", "no answer within 30s"}},
		"one attempt":    {slow, time.Hour, callTimeout, callTimeout, []string{"after 1 attempt ", "gave up after 5m0s"}},
		"cut in an attempt": {slow, 200 * time.Second, callTimeout, callTimeout, []string{
			"after 2 attempts", "gave up after 5m0s", "the last attempt that ended had: no answer within 3m20s",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := inBubble(t, test.handler)
				c.config.AttemptTimeout = test.attempt
				c.config.MaxRetries = 10
				start := time.Now()
				err := listCall(t.Context(), c)
				if took := time.Since(start); took < test.least || took > test.most {
					t.Errorf("took %s", took)
				}
				for _, text := range test.texts {
					if err == nil || !strings.Contains(err.Error(), text) {
						t.Errorf("got %q, want %q in it", err, text)
					}
				}
			})
		})
	}
}

func TestACancellationEndsAWaitAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := inBubble(t, says(503, "", "Retry-After", "40"))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		err := grantCall(ctx, c)
		if took := time.Since(start); took != time.Second {
			t.Errorf("took %s", took)
		}
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "503 Service Unavailable") {
			t.Errorf("got %v", err)
		}
	})
}

func TestACancellationEndsAnAttemptAtOnce(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := newServer(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	err := createCall(ctx, s.client(t))
	if !errors.Is(err, context.Canceled) || !IsUncertain(err) || len(s.waits()) > 0 {
		t.Errorf("got %v after waits %v", err, s.waits())
	}
}

func TestErrorsThatWouldComeAgainAreFinal(t *testing.T) {
	t.Parallel()
	secure := httptest.NewUnstartedServer(says(200, noPermissions))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	open := newServer(t, says(200, strings.Repeat(" ", 1000)))
	for name, test := range map[string]struct{ uri, text string }{
		"unknown authority": {secure.URL, "certificate"},
		"no TLS":            {"https" + strings.TrimPrefix(open.URL, "http"), "HTTP response to HTTPS client"},
		"too large":         {open.URL, "too large"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := open.client(t, func(c *Config) { c.URI = test.uri })
			c.bodyLimit = 999
			c.pace = func(time.Duration) time.Duration {
				t.Error("tried again")
				return 0
			}
			err := listCall(t.Context(), c)
			noAnswer, ok := errors.AsType[*NoAnswerError](err)
			if !ok || noAnswer.Attempts != 1 || !strings.Contains(err.Error(), test.text) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestAHostThatDoesNotExistIsFinal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for final, cause := range map[bool]error{
			true:  &net.DNSError{Err: "no such host", Name: "catalog.test", IsNotFound: true},
			false: &net.DNSError{Err: "server misbehaving", Name: "catalog.test", IsTemporary: true},
		} {
			c := inBubble(t, nil)
			c.transport = roundTripper(func(*http.Request) (*http.Response, error) { return nil, cause })
			noAnswer, ok := errors.AsType[*NoAnswerError](listCall(t.Context(), c))
			if !ok || (noAnswer.Attempts == 1) != final || !errors.Is(noAnswer, cause) {
				t.Errorf("got %v", noAnswer)
			}
		}
	})
}

func TestARedirectIsRefused(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	t.Cleanup(elsewhere.Close)
	for _, status := range []int{301, 302, 303, 307, 308} {
		for kind, call := range map[string]func(context.Context, *Client) error{"list": listCall, "grant": grantCall} {
			t.Run(strconv.Itoa(status)+" "+kind, func(t *testing.T) {
				t.Parallel()
				s := newServer(t, says(status, htmlPage, "Location", elsewhere.URL+"/login?next=1"))
				err := call(t.Context(), s.client(t))
				if !IsCode(err, status) || !strings.Contains(err.Error(), "a redirect to "+elsewhere.URL+", which is not followed") || len(s.seen()) != 1 {
					t.Errorf("got %v", err)
				}
			})
		}
	}
}

func TestTheLogHasOneLinePerAttemptAndNoSecrets(t *testing.T) {
	t.Parallel()
	var output bytes.Buffer
	ctx := tflogtest.RootLogger(t.Context(), &output)
	s := newServer(t, answers(
		hangUp,
		says(503, "body "+testToken, "X-Acs-Request-Id", "id-"+testToken),
		says(200, onePermission, "X-Request-Id", "id-3"),
	))
	c := withFreshConnections(s.client(t, func(c *Config) { c.Warehouse = "warehouse-value" }))
	if err := listCall(ctx, c); err != nil {
		t.Fatal(err)
	}
	if text := output.String(); strings.Contains(text, testToken) || strings.Contains(text, testHeader) ||
		strings.Contains(text, "warehouse-value") || strings.Contains(text, "role:r") || strings.Contains(text, "body") {
		t.Errorf("the log shows too much: %s", text)
	}
	lines, err := tflogtest.MultilineJSONDecode(&output)
	if err != nil {
		t.Fatal(err)
	}
	var got []map[string]any
	for _, line := range lines {
		if _, ok := line["duration_ms"].(float64); !ok {
			t.Errorf("no duration in %v", line)
		}
		for key := range line {
			if !slices.Contains([]string{"@level", "@message", "@module", "@timestamp", "duration_ms", "method", "path", "status", "request_id", "attempt", "error"}, key) {
				t.Errorf("unexpected %s", key)
			}
		}
		got = append(got, line)
	}
	if len(got) != 4 {
		t.Fatalf("%d lines", len(got))
	}
	want := []map[string]any{
		{"method": "GET", "path": "/v1/config", "attempt": 1.0, "status": 200.0, "request_id": ""},
		{"method": "GET", "path": "/v1/{prefix}/permissions", "attempt": 1.0, "error": "EOF"},
		{"attempt": 2.0, "status": 503.0, "request_id": "id-[removed]"},
		{"attempt": 3.0, "status": 200.0, "request_id": "id-3"},
	}
	for i, fields := range want {
		for key, value := range fields {
			if got[i][key] != value {
				t.Errorf("line %d: %s is %v, want %v", i, key, got[i][key], value)
			}
		}
	}
}
