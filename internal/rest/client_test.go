package rest

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

const (
	testToken  = "t0ken-t0ken"
	testHeader = "he4der-he4der"
)

// seenRequest is what a server saw.
type seenRequest struct {
	method, target, body string
	header               http.Header
}

// server keeps what it is asked, the handshake apart, answers the handshake with a prefix and leaves the rest to a
// handler. Its client's waits are kept, too, and not waited.
type server struct {
	*httptest.Server
	handler http.HandlerFunc
	config  string // the answer to the handshake; empty leaves that to the handler, too

	mu     sync.Mutex
	asked  []seenRequest
	shaken []seenRequest
	waited []time.Duration
}

func (s *server) seen() []seenRequest       { return locked(s, &s.asked) }
func (s *server) handshakes() []seenRequest { return locked(s, &s.shaken) }
func (s *server) waits() []time.Duration    { return locked(s, &s.waited) }

func locked[T any](s *server, list *[]T) []T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(*list)
}

func newServer(t *testing.T, handler http.HandlerFunc) *server {
	t.Helper()
	s := &server{handler: handler, config: `{"defaults":{"prefix":"p"},"overrides":null}`}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	seen := seenRequest{r.Method, r.RequestURI, string(body), r.Header}
	isHandshake := r.URL.Path == "/v1/config"
	s.mu.Lock()
	if isHandshake {
		s.shaken = append(s.shaken, seen)
	} else {
		s.asked = append(s.asked, seen)
	}
	s.mu.Unlock()
	if isHandshake && s.config != "" {
		_, _ = io.WriteString(w, s.config)
		return
	}
	s.handler(w, r)
}

func (s *server) client(t *testing.T, change ...func(*Config)) *Client {
	t.Helper()
	config := Config{
		URI:            s.URL,
		Token:          testToken,
		Headers:        map[string]string{"X-Secret": testHeader},
		AttemptTimeout: 5 * time.Second,
		MaxRetries:     2,
		UserAgent:      "terraform-provider-paimon/test",
	}
	for _, f := range change {
		f(&config)
	}
	c, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	c.pace = func(d time.Duration) time.Duration {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.waited = append(s.waited, d)
		return 0
	}
	if transport, ok := c.transport.(*http.Transport); ok {
		t.Cleanup(transport.CloseIdleConnections)
	}
	return c
}

// answers is a handler that gives the answers one after the other and the last one for ever.
func answers(handlers ...http.HandlerFunc) http.HandlerFunc {
	var mu sync.Mutex
	next := 0
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		h := handlers[min(next, len(handlers)-1)]
		next++
		mu.Unlock()
		h(w, r)
	}
}

// says answers with a status, a body and headers, whose names and values alternate.
func says(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for header := range slices.Chunk(headers, 2) {
			w.Header().Set(header[0], header[1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// hangUp breaks the connection without an answer.
func hangUp(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// cutShort breaks the connection in the middle of an answer.
func cutShort(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// about is an error body.
func about(resourceType, name, code string) string {
	return `{"resourceType":"` + resourceType + `","resourceName":"` + name + `","message":"no","code":` + code + `}`
}

const (
	noPermissions = `{"permissions":[]}`
	onePermission = `{"permissions":[{"resource":{"type":"TABLE","database":"d","table":"t"},"access":"SELECT","principal":"role:r"}]}`
	noPolicies    = `{"policies":[]}`
	onePolicy     = `{"policies":[{"resource":{"type":"TABLE","database":"d","table":"t"},"rowFilter":{"predicate":"{}"},"principal":"role:r"}]}`
	htmlPage      = "<html>\n<head><title>404 Not Found</title></head>\n<body>nginx</body></html>"
)

func tableGrant() access.Assignment {
	return access.Assignment{Identity: access.Identity{Resource: access.TableResource("d", "t"), Access: access.Select, Principal: "role:r"}}
}

func rowFilter() access.Policy {
	return access.Policy{Identity: access.RowFilterIdentity("d", "t", "role:r"), Definition: `{"a":"<&>"}`}
}

// The calls that the tests vary over.
var (
	listCall = func(ctx context.Context, c *Client) error {
		_, _, err := c.Assignment(ctx, tableGrant().Identity, ThisWalk)
		return err
	}
	grantCall  = func(ctx context.Context, c *Client) error { return c.Grant(ctx, tableGrant()) }
	createCall = func(ctx context.Context, c *Client) error { return c.CreatePolicy(ctx, rowFilter()) }
)

func TestAClientKnowsTheServersClock(t *testing.T) {
	t.Parallel()
	s := newServer(t, says(200, noPermissions, "Date", "Fri, 01 Jan 2049 00:00:00 GMT"))
	c := s.client(t)
	if off := time.Until(c.Now()).Abs(); off > time.Minute {
		t.Errorf("before the first answer the clock is %s off the local one", off)
	}
	if err := listCall(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if year := c.Now().UTC().Year(); year != 2049 {
		t.Errorf("the server's clock is in year %d", year)
	}
}

func TestNewMakesNoRequest(t *testing.T) {
	t.Parallel()
	s := newServer(t, hangUp)
	s.client(t)
	if len(s.handshakes()) > 0 {
		t.Error("New asked the server")
	}
}
