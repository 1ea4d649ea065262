package faultproxy

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// counting is a catalog that answers every request with one page and counts them.
func counting(acted *atomic.Int64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		acted.Add(1)
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"permissions":[{"page":%q}]}`, r.URL.Query().Get("pageToken")) //nolint:gosec // no browser reads it
	})
}

func start(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// get returns the status and the body, or the error of whichever could not be had.
func get(t *testing.T, client *http.Client, address string) (status, body, header string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(request)
	if err != nil {
		return "none", "", ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		text = []byte("cut short")
	}
	return response.Status, string(text), response.Header.Get("Content-Type") + "|" + response.Header.Get("Retry-After")
}

func TestFaults(t *testing.T) {
	t.Parallel()
	const page = `{"permissions":[{"page":""}]}`
	const asJSON = "application/json|"
	tests := map[string]struct {
		fault                Fault
		status, body, header string
		acted                int64
	}{
		"drop":           {Drop, "none", "", "", 0},
		"drop, acted":    {Acted(Drop), "none", "", "", 1},
		"delay":          {Delay(10 * time.Millisecond), "200 OK", page, asJSON, 1},
		"delay too long": {Delay(600 * time.Millisecond), "none", "", "", 1},
		"truncate":       {Truncate, "200 OK", "cut short", asJSON, 1},
		"answer":         {Answer(502, "text/html", "<html>"), "502 Bad Gateway", "<html>", "text/html|", 0},
		"busy":           {Busy(429, 7), "429 Too Many Requests", "", "|7", 0},
		"busy, acted":    {Acted(Busy(503, 1)), "503 Service Unavailable", "", "|1", 1},
		"retype":         {Retype("text/plain"), "200 OK", page, "text/plain|", 1},
		"inflate":        {Inflate(3), "200 OK", "   " + page, asJSON, 1},
		"endless":        {Endless(), "200 OK", `{"nextPageToken":"1","permissions":[{"page":""}]}` + "\n", asJSON, 1},
		"circle":         {Circle(), "200 OK", `{"nextPageToken":"again","permissions":[{"page":""}]}` + "\n", asJSON, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var acted atomic.Int64
			proxy := New(counting(&acted))
			proxy.Set(Rule{Fault: test.fault})
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 500 * time.Millisecond}
			status, body, header := get(t, client, start(t, proxy)+"/?pageToken=")
			if status != test.status || body != test.body || header != test.header {
				t.Errorf("got %q, %q, %q", status, body, header)
			}
			for deadline := time.Now().Add(2 * time.Second); acted.Load() != test.acted; time.Sleep(time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("the catalog acted %d times, not %d", acted.Load(), test.acted)
				}
			}
		})
	}
}

// HTTP dates have whole seconds, so the time to wait is nearly what was asked for.
func TestBusyUntilNamesADate(t *testing.T) {
	t.Parallel()
	proxy := New(http.NotFoundHandler())
	proxy.Set(Rule{Fault: BusyUntil(503, time.Minute)})
	_, _, header := get(t, http.DefaultClient, start(t, proxy))
	date, err := http.ParseTime(strings.TrimPrefix(header, "|"))
	if err != nil || time.Until(date) < 58*time.Second || time.Until(date) > time.Minute {
		t.Errorf("%q: %v", header, err)
	}
}

// An endless listing gives each page a new token, and every page is the first.
func TestEndlessNeverRepeatsAToken(t *testing.T) {
	t.Parallel()
	var acted atomic.Int64
	proxy := New(counting(&acted))
	proxy.Set(Rule{Fault: Endless()})
	address := start(t, proxy)
	seen := make(map[string]bool)
	for range 3 {
		_, body, _ := get(t, http.DefaultClient, address+"/?pageToken=x")
		if seen[body] || !strings.Contains(body, `{"page":""}`) {
			t.Errorf("got %s", body)
		}
		seen[body] = true
	}
}

func TestRulesChooseRequests(t *testing.T) {
	t.Parallel()
	const faulty, fine = "418 I'm a teapot", "200 OK"
	teapot := Answer(http.StatusTeapot, "", "")
	list := wire.ListPermissions.URLPath("demo")
	tests := map[string]struct {
		rules []Rule
		path  string
		want  []string // of successive requests
	}{
		"no rule":           {nil, list, []string{fine}},
		"every request":     {[]Rule{{Fault: teapot}}, list, []string{faulty, faulty}},
		"this operation":    {[]Rule{{Operation: wire.ListPermissions, Fault: teapot}}, list, []string{faulty}},
		"another path":      {[]Rule{{Operation: wire.ListDatabases, Fault: teapot}}, list, []string{fine}},
		"another method":    {[]Rule{{Operation: wire.CreatePolicy, Fault: teapot}}, wire.ListPolicies.URLPath("demo", "d", "t"), []string{fine}},
		"once":              {[]Rule{{Times: 1, Fault: teapot}}, list, []string{faulty, fine, fine}},
		"the second":        {[]Rule{{Skip: 1, Times: 1, Fault: teapot}}, list, []string{fine, faulty, fine}},
		"all but the first": {[]Rule{{Skip: 1, Fault: teapot}}, list, []string{fine, faulty, faulty}},
		"the first rule decides": {
			[]Rule{{Times: 1, Fault: teapot}, {Fault: Answer(http.StatusGone, "", "")}},
			list,
			[]string{faulty, "410 Gone"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var acted atomic.Int64
			proxy := New(counting(&acted))
			proxy.Set(test.rules...)
			address := start(t, proxy)
			for i, want := range test.want {
				if got, _, _ := get(t, http.DefaultClient, address+test.path); got != want {
					t.Errorf("request %d: %s, not %s", i+1, got, want)
				}
			}
		})
	}
}
