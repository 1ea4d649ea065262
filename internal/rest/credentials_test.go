package rest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/paimon-iac/terraform-provider-paimon/internal/rest/dlf"
)

// newFile writes a file of its own.
func newFile(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	writeFile(t, name, content)
	return name
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// takesOnly lets requests with one token pass.
func takesOnly(token string, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		next(w, r)
	}
}

func TestATokenFileIsReadForEachRequest(t *testing.T) {
	t.Parallel()
	name := newFile(t, " first-token\n")
	s := newServer(t, says(200, noPermissions))
	c := s.client(t, func(c *Config) { c.Token, c.TokenFile = "", name })
	for _, step := range []struct {
		change func()
		want   string
	}{
		{func() {}, "first-token"},
		{func() { writeFile(t, name, "second-token") }, "second-token"},
		{func() { writeFile(t, name, "") }, "second-token"}, // it is just being written
		{func() { _ = os.Remove(name) }, "second-token"},
		{func() { writeFile(t, name, "two\nlines") }, "second-token"},
	} {
		step.change()
		c.credentials.due = time.Time{} // the pause after a failure is over
		if err := grantCall(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		seen := s.seen()
		if got := seen[len(seen)-1].header.Get("Authorization"); got != "Bearer "+step.want {
			t.Errorf("sent %q, want %s", got, step.want)
		}
	}
}

func TestWithoutCredentialsNothingIsSent(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "missing")
	const inHome = "~/no/such/file"
	for name, test := range map[string]struct {
		config Config
		text   string
	}{
		"no token file":        {Config{TokenFile: missing}, "was not sent: THE_SETTING: open " + missing},
		"a file of a shell":    {Config{TokenFile: inHome}, "no such file or directory; ~ is not expanded, write the whole path"},
		"a key file likewise":  {Config{DLF: &DLF{Region: "r", Algorithm: "default", TokenFile: inHome}}, "~ is not expanded"},
		"an empty token file":  {Config{TokenFile: newFile(t, "\n")}, "has no token"},
		"a token of two lines": {Config{TokenFile: newFile(t, "s3cr3t\nanother s3cr3t")}, "has more than one line"},
		"a huge token":         {Config{TokenFile: newFile(t, strings.Repeat("s3cr3t", largestToken))}, "is larger than 64 KiB"},
		"no command":           {Config{TokenCommand: []string{"no-such-command-here", "s3cr3t"}}, "THE_SETTING: no-such-command-here failed: "},
		"a command that fails": {Config{TokenCommand: []string{"sh", "-c", "echo s3cr3t; echo s3cr3t >&2; exit 3"}}, "THE_SETTING: sh failed: exit status 3; its output is not shown"},
		"a silent command":     {Config{TokenCommand: []string{"true", "s3cr3t"}}, "THE_SETTING: true has no token"},
		"a chatty command":     {Config{TokenCommand: []string{"echo", "s3cr3t\nanother s3cr3t"}}, "has more than one line"},
		"an endless command":   {Config{TokenCommand: []string{"yes", "s3cr3t"}}, "THE_SETTING: yes failed"},
		"a broken token file":  {Config{DLF: &DLF{Region: "r", Algorithm: "default", TokenFile: newFile(t, `{"AccessKeySecret":"s3cr3t`)}}, "THE_SETTING: "},
		"an ended key": {
			Config{DLF: &DLF{Region: "r", Algorithm: "default", TokenFile: newFile(t, `{"AccessKeyId":"i","AccessKeySecret":"s3cr3t","Expiration":"2020-01-01T00:00:00Z"}`)}},
			"THE_SETTING: the access key there ended at 2020-01-01T00:00:00Z",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var output bytes.Buffer
			s := newServer(t, says(200, noPermissions))
			c := s.client(t, func(c *Config) {
				test.config.URI, test.config.MaxRetries, test.config.Source = c.URI, 2, "THE_SETTING"
				*c = test.config
			})
			err := grantCall(tflogtest.RootLogger(t.Context(), &output), c)
			if err == nil || !strings.Contains(err.Error(), test.text) || IsUncertain(err) {
				t.Errorf("got %v", err)
			}
			if text := err.Error() + output.String(); strings.Contains(text, "s3cr3t") {
				t.Errorf("a secret is in %s", text)
			}
			if len(s.handshakes()) > 0 || len(s.waits()) > 0 {
				t.Errorf("%d requests were sent, after waits of %v", len(s.handshakes()), s.waits())
			}
		})
	}
}

func TestATokenCommandIsStartedWithoutAShell(t *testing.T) {
	t.Parallel()
	got, err := runTokenCommand(t.Context(), []string{"echo", "$HOME;", "`id`"}, time.Minute)
	if err != nil || got != "$HOME; `id`" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestATokenCommandHasATimeLimit(t *testing.T) {
	t.Parallel()
	started := time.Now()
	_, err := runTokenCommand(t.Context(), []string{"sleep", "60"}, 50*time.Millisecond)
	if err == nil || !strings.Contains(err.Error(), "did not end within 50ms") || time.Since(started) > 30*time.Second {
		t.Errorf("got %v after %s", err, time.Since(started))
	}
}

func TestATokenCommandMayLeaveSomethingRunning(t *testing.T) {
	t.Parallel()
	got, err := runTokenCommand(t.Context(), []string{"sh", "-c", "echo a-token; sleep 20 &"}, time.Minute)
	if err != nil || got != "a-token" {
		t.Errorf("got %q, %v", got, err)
	}
}

// counter is a command that prints the number of its run.
func counter(t *testing.T) (command []string, runs func() int) {
	t.Helper()
	name := newFile(t, "")
	return []string{"sh", "-c", `echo >>"$1"; echo "token-$(wc -l <"$1" | tr -d ' ')"`, "sh", name}, func() int {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		}
		return len(text)
	}
}

func TestRefusedCredentialsAreReplacedOnce(t *testing.T) {
	t.Parallel()
	command, _ := counter(t)
	file := newFile(t, "token-1")
	for name, test := range map[string]struct {
		config Config
		takes  string
		sent   int
		status int // 0 for success
	}{
		"another token of the command": {Config{TokenCommand: command}, "token-2", 2, 0},
		"never the right one":          {Config{TokenCommand: []string{"sh", "-c", "date +%N"}}, "none", 2, 401},
		"the same again":               {Config{TokenCommand: []string{"echo", "token-1"}}, "token-2", 1, 401},
		"an unchanged file":            {Config{TokenFile: file}, "token-2", 1, 401},
		"a token that stays":           {Config{Token: "token-1"}, "token-2", 1, 401},
		"none at all":                  {Config{}, "token-2", 1, 401},
	} {
		for kind, call := range map[string]func(context.Context, *Client) error{"list": listCall, "grant": grantCall, "create": createCall} {
			t.Run(name+" "+kind, func(t *testing.T) {
				t.Parallel()
				config := test.config
				takes := test.takes
				if takes == "token-2" && len(config.TokenCommand) > 2 {
					command, _ := counter(t)
					config.TokenCommand = command
				}
				s := newServer(t, takesOnly(takes, says(200, noPermissions)))
				config.URI = s.URL // without retries
				c, err := New(config)
				if err != nil {
					t.Fatal(err)
				}
				err = call(t.Context(), c)
				if (test.status == 0) != (err == nil) || test.status != 0 && !IsCode(err, test.status) || len(s.seen()) != test.sent {
					t.Errorf("got %v after %d requests", err, len(s.seen()))
				}
				for _, seen := range s.seen() {
					if seen.body != s.seen()[0].body || seen.target != s.seen()[0].target {
						t.Error("the repetition is another request")
					}
				}
			})
		}
	}
}

func TestARefusalTellsWhereTheCredentialsCameFrom(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config Config
		status int
		text   string // empty for none
	}{
		"a token": {Config{Token: testToken, Source: "PAIMON_TOKEN"}, 401, "; the catalog does not accept the credentials, which come from PAIMON_TOKEN"},
		"a key":   {Config{DLF: signedWith("default"), Source: "dlf_access_key_id"}, 401, "which come from dlf_access_key_id"},
		"none":    {Config{}, 401, "; neither a token nor a signature was sent: set token, "},
		"no way":  {Config{Token: testToken, Source: "PAIMON_TOKEN"}, 403, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, says(test.status, ""))
			config := test.config
			config.URI = s.URL
			err := ask(t, config)
			hint := ""
			if answer, ok := errors.AsType[*Error](err); ok {
				hint = answer.Hint
			}
			if (hint == "") != (test.text == "") || !strings.Contains(err.Error(), test.text) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestCredentialsAreReplacedOnceInACall(t *testing.T) {
	t.Parallel()
	command, runs := counter(t)
	s := newServer(t, answers(says(401, ""), says(503, ""), says(401, ""), says(200, "")))
	err := grantCall(t.Context(), s.client(t, func(c *Config) { c.Token, c.TokenCommand = "", command }))
	if !IsCode(err, 401) || !strings.Contains(err.Error(), "after 3 attempts") || len(s.seen()) != 3 || runs() != 2 {
		t.Errorf("got %v after %d requests and %d commands", err, len(s.seen()), runs())
	}
}

func TestACommandThatFailsAfterARefusalIsToldOf(t *testing.T) {
	t.Parallel()
	name := newFile(t, "a-token")
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request) {
		_ = os.Remove(name)
		w.WriteHeader(http.StatusUnauthorized)
	})
	err := grantCall(t.Context(), s.client(t, func(c *Config) { c.Token, c.TokenCommand, c.Source = "", []string{"cat", name}, "token_command" }))
	if !IsCode(err, 401) || !strings.Contains(err.Error(), "; there are no new credentials: token_command: cat failed: exit status 1") {
		t.Errorf("got %v", err)
	}
}

func TestManyCallersShareOneRenewal(t *testing.T) {
	t.Parallel()
	command, runs := counter(t)
	s := newServer(t, takesOnly("token-2", says(200, noPermissions)))
	c := s.client(t, func(c *Config) { c.Token, c.TokenCommand = "", command })
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			if err := grantCall(t.Context(), c); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if runs() != 2 {
		t.Errorf("the command ran %d times", runs())
	}
}

func TestAWaitForCredentialsEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		loading := &credentials{
			load: func(context.Context) (credential, error) {
				time.Sleep(time.Minute)
				return bearerToken("t"), nil
			},
			lasts: func(credential) time.Duration { return forever },
		}
		c := inBubble(t, says(200, noPermissions))
		c.credentials = loading
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		if _, err := loading.get(ctx, nil); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("got %v after %s", err, time.Since(start))
		}
		if err := grantCall(t.Context(), c); err != nil || time.Since(start) != time.Minute {
			t.Errorf("the other caller got %v after %s", err, time.Since(start))
		}
	})
}

// A role's key is replaced an hour before its end; when that fails, it is used until then.
func TestAKeyIsKeptWhileItIsGood(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		loads, works := 0, true
		end := func() time.Time { return time.Now().Add(6 * time.Hour) }
		s := (DLF{Metadata: &dlf.Metadata{}}).credentials("dlf_token_loader", dlf.Signer{})
		s.load = func(context.Context) (credential, error) {
			loads++
			if !works {
				return nil, errors.New("busy")
			}
			return accessKey{Credentials: dlf.Credentials{AccessKeyID: strconv.Itoa(loads), Expiration: end()}}, nil
		}
		for _, step := range []struct {
			after time.Duration
			works bool
			id    string // empty for an error
			loads int
		}{
			{0, true, "1", 1},
			{4 * time.Hour, true, "1", 1},
			{59 * time.Minute, true, "1", 1},
			{time.Minute, false, "1", 2},      // five hours: time for the next, which is not there
			{time.Second, false, "1", 2},      // not asked for at once again
			{10 * time.Second, false, "1", 3}, // but soon
			{58 * time.Minute, false, "1", 4},
			{2 * time.Minute, false, "", 5}, // it has ended
			{0, true, "6", 6},
			{time.Hour, true, "6", 6},
		} {
			time.Sleep(step.after)
			works = step.works
			got, err := s.get(t.Context(), nil)
			if (err == nil) != (step.id != "") || loads != step.loads {
				t.Fatalf("%+v: got %v, %v after %d loads", step, got, err, loads)
			}
			if key, ok := got.(accessKey); ok && key.AccessKeyID != step.id {
				t.Fatalf("%+v: got the key %s", step, key.AccessKeyID)
			}
			if err != nil && err.Error() != "dlf_token_loader: busy" {
				t.Error(err)
			}
		}
	})
}

func TestAFileThatIsBeingReplacedIsReadAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		failures := 0
		load := retried(func(context.Context) (credential, error) {
			if failures > 0 {
				failures--
				return nil, errors.New("half")
			}
			return bearerToken("t"), nil
		})
		for _, test := range []struct {
			failures int
			works    bool
			took     time.Duration
		}{{0, true, 0}, {1, true, 100 * time.Millisecond}, {2, true, 400 * time.Millisecond}, {3, false, 400 * time.Millisecond}} {
			failures = test.failures
			start := time.Now()
			if _, err := load(t.Context()); (err == nil) != test.works || time.Since(start) != test.took {
				t.Errorf("%d failures: %v after %s", test.failures, err, time.Since(start))
			}
		}
	})
}

// Servers echo what they got, old credentials too.
func TestNoCredentialIsInErrorsAndLogs(t *testing.T) {
	t.Parallel()
	command, _ := counter(t)
	command[2] = strings.Replace(command[2], "token-", "s3cr3t-", 1)
	document := `{"AccessKeyId":"the-id","AccessKeySecret":"s3cr3t-key","SecurityToken":"s3cr3t-sts","Expiration":"2099-01-01T00:00:00Z"}`
	keys := dlf.Credentials{AccessKeyID: "the-id", AccessKeySecret: "s3cr3t-key", SecurityToken: "s3cr3t-sts"}
	configs := map[string]Config{
		"token":   {Token: "s3cr3t-token"},
		"file":    {TokenFile: newFile(t, "s3cr3t-token")},
		"command": {TokenCommand: command},
	}
	for _, algorithm := range dlf.Algorithms() {
		configs["key "+algorithm] = Config{DLF: &DLF{Region: "r", Algorithm: algorithm, Keys: keys}}
		configs["key file "+algorithm] = Config{DLF: &DLF{Region: "r", Algorithm: algorithm, TokenFile: newFile(t, document)}}
	}
	for name, config := range configs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var authorizations []string
			echo := func(status int) http.HandlerFunc {
				return func(w http.ResponseWriter, r *http.Request) {
					mu.Lock()
					authorizations = append(authorizations, r.Header.Get("Authorization"))
					// An earlier token is in it, too.
					echoed := strings.Join(authorizations, " ") + " " + r.Header.Get("X-Dlf-Security-Token") + r.Header.Get("X-Acs-Security-Token") + " s3cr3t-key"
					mu.Unlock()
					if config.DLF == nil {
						echoed = strings.TrimSuffix(echoed, " s3cr3t-key")
					}
					w.Header().Set("X-Request-Id", "id "+echoed)
					w.WriteHeader(status)
					_, _ = io.WriteString(w, `{"message":"you sent `+echoed+`","code":`+strconv.Itoa(status)+`}`) //nolint:gosec // no browser reads it
				}
			}
			var output bytes.Buffer
			ctx := tflogtest.RootLogger(t.Context(), &output)
			s := newServer(t, answers(echo(503), echo(401), echo(400), echo(401)))
			c := s.client(t, func(c *Config) {
				config.URI, config.MaxRetries = c.URI, c.MaxRetries
				*c = config
			})
			var text strings.Builder
			for range 3 {
				err := listCall(ctx, c)
				if err == nil {
					t.Fatal("no error")
				}
				fmt.Fprintf(&text, "%v %+v", err, err)
			}
			shown := text.String() + output.String()
			if i := strings.Index(shown, "s3cr3t"); i >= 0 {
				t.Errorf("a secret is in …%s…", shown[max(0, i-100):min(len(shown), i+40)])
			}
			for _, authorization := range authorizations {
				signature := authorization[strings.LastIndexAny(authorization, "=: ")+1:]
				if algorithm := config.DLF; algorithm != nil && algorithm.Algorithm == string(dlf.OpenAPI) {
					_, signature, _ = strings.Cut(authorization, ":")
				}
				if signature == "" || strings.Contains(shown, signature) {
					t.Errorf("a signature is in %s", shown)
				}
			}
			if config.DLF != nil && !strings.Contains(shown, "the-id") {
				t.Error("nothing tells which key was sent")
			}
			if !strings.Contains(shown, "[removed]") {
				t.Error("the answers are not in the errors at all")
			}
		})
	}
}
