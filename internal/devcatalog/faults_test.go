package devcatalog_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
)

func TestFaultsComeBeforeAndAfterActing(t *testing.T) {
	t.Parallel()
	s := start(t, emptySeed, func(c *devcatalog.Config) { c.FaultRate = 0.5 })
	const requests = 400
	var faults, stored int
	for range requests {
		if s.send(http.MethodPost, "/databases", `{"name":"x"}`).status == http.StatusServiceUnavailable {
			faults++
			// Ask until there is an answer whether the fault came after the database was there.
			answer := s.send(http.MethodDelete, "/databases/x", "")
			for answer.status == http.StatusServiceUnavailable {
				answer = s.send(http.MethodGet, "/databases/x", "")
			}
			if answer.status == http.StatusOK {
				stored++
			}
		}
		for s.send(http.MethodGet, "/databases/x", "").status != http.StatusNotFound {
			s.send(http.MethodDelete, "/databases/x", "")
		}
	}
	// Six standard deviations around the half.
	if faults < 140 || faults > 260 {
		t.Errorf("%d of %d requests failed, want about half", faults, requests)
	}
	if stored == 0 || stored == faults {
		t.Errorf("%d of %d faults came after acting, want some", stored, faults)
	}
}

func TestFaultsSpareTheHealthCheck(t *testing.T) {
	t.Parallel()
	s := start(t, authorizationSeed, func(c *devcatalog.Config) { c.FaultRate = 1 })
	s.sendTo(http.MethodGet, s.base+"/healthz", "").isBare(204)
	s.sendTo(http.MethodGet, s.base+"/v1/config", "").fails(503, "", "")
}

func TestLatencyIsWaited(t *testing.T) {
	t.Parallel()
	s := start(t, emptySeed, func(c *devcatalog.Config) { c.Latency = 30 * time.Millisecond })
	began := time.Now()
	s.send(http.MethodGet, "/databases", "")
	if took := time.Since(began); took < 30*time.Millisecond {
		t.Errorf("answered after %v", took)
	}
}

func TestTheClockSetsTheDate(t *testing.T) {
	t.Parallel()
	s, _ := startWithClock(t, authorizationSeed)
	for _, answer := range []reply{
		s.as("bob").send(http.MethodGet, "/databases", ""),
		s.send(http.MethodGet, "/databases", ""),
	} {
		if got := answer.header.Values("Date"); len(got) != 1 || got[0] != "Tue, 01 Jan 2030 00:00:00 GMT" {
			t.Errorf("Date is %v", got)
		}
	}
}

func TestPagesAreNeverLargerThanConfigured(t *testing.T) {
	t.Parallel()
	s := start(t, conformanceSeed, func(c *devcatalog.Config) { c.MaxPageSize = 2 }).as("admin")
	for _, access := range []string{"SELECT", "ALL", "DROP"} {
		s.grant(permission(orders, access, "role:a")).succeeds()
	}
	for _, query := range []string{listing(orders), listing(orders, "maxResults", "1000")} {
		if answer := s.send(http.MethodGet, query, ""); strings.Count(answer.body, "role:a") != 2 || !strings.Contains(answer.body, "nextPageToken") {
			t.Errorf("got %s, want two rows and a token", answer.body)
		}
	}
}

// lockedBuffer takes the log of parallel requests.
type lockedBuffer struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.Write(p)
}

func TestTheLogHasOneLineForEachRequestAndNoCredentials(t *testing.T) {
	t.Parallel()
	var log lockedBuffer
	s := start(t, authorizationSeed, func(c *devcatalog.Config) { c.Log = &log }).as("bob")
	s.send(http.MethodGet, "/databases/a%2Fb+%20c?x=%2B&y=<", "")
	s.as("wrong-token").send(http.MethodPost, "/databases", `{"name":"secret body"}`)
	lines := strings.Split(strings.TrimSuffix(log.text.String(), "\n"), "\n")
	want := []map[string]any{
		{"method": "GET", "path": "/v1/demo/databases/a%2Fb+%20c", "query": "x=%2B&y=<", "status": 404.0},
		{"method": "POST", "path": "/v1/demo/databases", "query": "", "status": 401.0},
	}
	if len(lines) != len(want) {
		t.Fatalf("got %d lines: %s", len(lines), log.text.String())
	}
	for i, line := range lines {
		var got map[string]any
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		if milliseconds, ok := got["milliseconds"].(float64); !ok || milliseconds < 0 || len(got) != 5 {
			t.Errorf("got %s", line)
		}
		for key, value := range want[i] {
			if got[key] != value {
				t.Errorf("%s is %v, want %v", key, got[key], value)
			}
		}
	}
	for _, secret := range []string{"bob", "wrong-token", "secret body"} {
		if strings.Contains(log.text.String(), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
}

func TestConfigsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]devcatalog.Config{
		"fault rate": {FaultRate: 1.1},
		"negative":   {FaultRate: -0.1},
		"page size":  {MaxPageSize: 1001},
		"latency":    {Latency: -time.Second},
		"breakage":   {Break: "everything"},
	} {
		if _, err := devcatalog.New(t.Context(), config); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
