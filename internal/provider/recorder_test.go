package provider

import (
	"bytes"
	"io"
	"net/http"
	"sync"
	"time"
)

// recorder notes which requests reach a catalog, and can answer some of them in its place.
type recorder struct {
	next http.Handler

	mu       sync.Mutex
	requests []string // "METHOD path"
	bodies   []string // of the requests that change something
	fault    func(r *http.Request) http.HandlerFunc
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	r.requests = append(r.requests, req.Method+" "+req.URL.EscapedPath())
	if req.Method != http.MethodGet {
		r.bodies = append(r.bodies, bodyOf(req))
	}
	fault := r.fault
	r.mu.Unlock()
	if fault != nil {
		if handle := fault(req); handle != nil {
			handle(w, req)
			return
		}
	}
	r.next.ServeHTTP(w, req)
}

// intercept makes fault decide about each request from now on; where it returns nil, the catalog answers.
func (r *recorder) intercept(fault func(r *http.Request) http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fault = fault
}

// take returns the requests since the last take.
func (r *recorder) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := r.requests
	r.requests, r.bodies = nil, nil
	return taken
}

// takeBodies returns the bodies of the requests that changed something since the last take.
func (r *recorder) takeBodies() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := r.bodies
	r.requests, r.bodies = nil, nil
	return taken
}

// bodyOf reads the body of a request and leaves it there.
func bodyOf(r *http.Request) string {
	body, _ := io.ReadAll(r.Body) // half a body is as good as another one here
	r.Body = io.NopCloser(bytes.NewReader(body))
	return string(body)
}

// writes counts the requests that change something.
func writes(requests []string) int {
	n := 0
	for _, request := range requests {
		if request[:3] != http.MethodGet {
			n++
		}
	}
	return n
}

// clock is a settable clock.
type clock struct {
	mu   sync.Mutex
	time time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.time
}

func (c *clock) set(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	parsed, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	c.time = parsed
}
