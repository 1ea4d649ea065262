package devcatalog_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
)

// command runs the command in this process.
type command struct {
	url    string
	stop   context.CancelFunc
	ended  chan int
	stderr *bytes.Buffer
}

func run(t *testing.T, args ...string) command {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	c := command{stop: stop, ended: make(chan int, 1), stderr: &bytes.Buffer{}}
	go func() {
		status := devcatalog.Main(ctx, append([]string{"--listen", "127.0.0.1:0"}, args...), in, c.stderr)
		_ = in.Close()
		c.ended <- status
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no URL: %v %s", err, c.stderr)
	}
	c.url = strings.TrimSuffix(line, "\n")
	return c
}

func TestTheCommandServesUntilItIsStopped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	seed := write(t, dir, "seed.yaml", wholeSeed)
	log := filepath.Join(dir, "log")
	c := run(t, "--seed", seed, "--log", log, "--clock", "2030-01-01T00:00:00+01:00", "--max-page-size", "5", "--database", filepath.Join(dir, "catalog.db"), "--purge-expired", "--table-root", dir, "--latency", "1ms", "--fault-rate", "0")
	s := &server{t: t, base: c.url, catalog: c.url + "/v1/demo", token: "admin-token"}
	answer := s.send(http.MethodGet, "/databases", "")
	answer.is(`{"databases":["sales"],"nextPageToken":null}`)
	if date := answer.header.Get("Date"); date != "Mon, 31 Dec 2029 23:00:00 GMT" {
		t.Errorf("Date is %s", date)
	}
	c.stop()
	if status := <-c.ended; status != 0 || c.stderr.Len() > 0 {
		t.Errorf("ended with %d %s", status, c.stderr)
	}
	text, err := os.ReadFile(log)
	if err != nil || strings.Count(string(text), "\n") != 1 {
		t.Errorf("the log is %q %v", text, err)
	}
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestRequestsInFlightAreAnsweredBeforeTheEnd(t *testing.T) {
	t.Parallel()
	c := run(t, "--latency", "1s")
	s := &server{t: t, base: c.url, catalog: c.url + "/v1/demo"}
	sent, answered := make(chan struct{}), make(chan error, 1)
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
		WroteRequest: func(httptrace.WroteRequestInfo) { close(sent) },
	})
	go func() {
		_, err := s.try(ctx, http.MethodGet, s.catalog+"/databases", "")
		answered <- err
	}()
	<-sent
	// Sent is not yet received; the latency leaves ample time for that.
	time.Sleep(300 * time.Millisecond)
	c.stop()
	if err := <-answered; err != nil {
		t.Error(err)
	}
	if status := <-c.ended; status != 0 {
		t.Errorf("ended with %d %s", status, c.stderr)
	}
}

func TestHelpNamesEveryFlagWithItsDefault(t *testing.T) {
	t.Parallel()
	var out, complaints bytes.Buffer
	if status := devcatalog.Main(t.Context(), []string{"--help"}, &out, &complaints); status != 0 || complaints.Len() > 0 {
		t.Errorf("ended with %d %s", status, complaints.String())
	}
	if strings.Contains(out.String(), "--break") {
		t.Error("nobody needs a broken catalog but the tests")
	}
	for flag, standard := range map[string]string{
		"listen": "127.0.0.1:8765", "database": "none", "seed": "none", "latency": "0s", "fault-rate": "0",
		"max-page-size": "1000", "purge-expired": "false", "clock": "none", "log": "none", "table-root": "none",
	} {
		found := false
		for line := range strings.Lines(out.String()) {
			found = found || strings.HasPrefix(line, "  --"+flag+" ") && strings.HasSuffix(line, "(default "+standard+")\n")
		}
		if !found {
			t.Errorf("--%s with default %s is not in\n%s", flag, standard, out.String())
		}
	}
}

func TestWrongFlagsEndWithOneMessageAndNoURL(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tokens := write(t, dir, "tokens.yaml", wholeSeed)
	noTokens := write(t, dir, "principals.yaml", "warehouse: demo\nprincipals: [{name: a}]")
	broken := write(t, dir, "broken.yaml", "warehouse: demo\nprincipals: [{name: a, tokn: secret}]")
	unloadable := write(t, dir, "unloadable.yaml", "warehouse: demo\ndatabases: [{name: x}, {name: x}]")
	for name, args := range map[string][]string{
		"unknown flag":        {"--port", "1"},
		"argument":            {"serve"},
		"bad latency":         {"--latency", "50"},
		"negative latency":    {"--latency", "-1s"},
		"bad fault rate":      {"--fault-rate", "2"},
		"bad page size":       {"--max-page-size", "0"},
		"large page size":     {"--max-page-size", "1001"},
		"bad clock":           {"--clock", "noon"},
		"missing seed":        {"--seed", filepath.Join(dir, "nope")},
		"missing table root":  {"--table-root", filepath.Join(dir, "nope")},
		"no folder":           {"--table-root", tokens},
		"unknown breakage":    {"--break", "everything"},
		"broken seed":         {"--seed", broken},
		"unloadable seed":     {"--seed", unloadable},
		"bad database":        {"--database", dir},
		"bad log":             {"--log", dir},
		"bad address":         {"--listen", "nowhere"},
		"address in use":      {"--listen", run(t).url[len("http://"):]},
		"open to all":         {"--listen", "0.0.0.0:0"},
		"open to all, short":  {"--listen", ":0"},
		"open to strangers":   {"--listen", "0.0.0.0:0", "--seed", noTokens},
		"open on IPv6":        {"--listen", "[::]:0"},
		"not on this machine": {"--listen", "192.0.2.1:0", "--seed", tokens},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, complaints bytes.Buffer
			status := devcatalog.Main(t.Context(), append([]string{"--listen", "127.0.0.1:0"}, args...), &out, &complaints)
			if status == 0 || out.Len() > 0 || strings.Count(complaints.String(), "\n") != 1 || strings.Contains(complaints.String(), "secret") {
				t.Errorf("ended with %d %q %q, want one message", status, out.String(), complaints.String())
			}
		})
	}
}

func TestWithCredentialsTheCommandMayListenAnywhere(t *testing.T) {
	t.Parallel()
	for name, seed := range map[string]string{
		"tokens": wholeSeed,
		"keys":   "warehouse: demo\nprincipals: [{name: a, dlf: {access_key_id: x, access_key_secret: y}}]",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := run(t, "--listen", "0.0.0.0:0", "--seed", write(t, t.TempDir(), "seed.yaml", seed))
			c.stop()
			if status := <-c.ended; status != 0 {
				t.Errorf("ended with %d %s", status, c.stderr)
			}
		})
	}
}
