package rest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

const (
	// commandTimeout bounds one run of a token command. It is for a program that asks a service, not a person.
	commandTimeout = 30 * time.Second
	// largestToken bounds a bearer token. Servers take headers of a few kilobytes.
	largestToken = 64 << 10
)

// bearerToken is sent as it is. Nobody but the server knows when it ends.
type bearerToken string

func (t bearerToken) authorize(attempt *http.Request, _ request) {
	attempt.Header.Set("Authorization", "Bearer "+string(t))
}

func (t bearerToken) secrets() []string { return []string{string(t)} }

func (t bearerToken) expiration() time.Time { return time.Time{} }

// tokenFromFile reads the file for each request: whatever renews it may do so at any time.
func tokenFromFile(setting, name string) *credentials {
	return &credentials{
		setting: setting,
		load: retried(func(context.Context) (credential, error) {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, fileError(name, err)
			}
			token, err := parseToken(text)
			if err != nil {
				return nil, fmt.Errorf("%s %w", name, err)
			}
			return token, nil
		}),
		lasts: func(credential) time.Duration { return 0 },
	}
}

// tokenFromCommand runs the command once, and again when the server refuses the token.
func tokenFromCommand(setting string, command []string) *credentials {
	return &credentials{
		setting: setting,
		load: func(ctx context.Context) (credential, error) {
			token, err := runTokenCommand(ctx, command, commandTimeout)
			if err != nil {
				// Arguments and output may hold secrets.
				return nil, fmt.Errorf("%s %w; its output is not shown, run it by hand to see it", filepath.Base(command[0]), err)
			}
			return token, nil
		},
		lasts: func(credential) time.Duration { return forever },
	}
}

func runTokenCommand(ctx context.Context, command []string, timeout time.Duration) (bearerToken, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	output := &boundedBuffer{}
	run := exec.CommandContext(ctx, command[0], command[1:]...) //nolint:gosec // it is there to run what the user says
	run.Stdout = output
	// What the command leaves running may keep its output open; the token is there all the same.
	run.WaitDelay = time.Second
	err := run.Run()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("did not end within %s", timeout)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return "", fmt.Errorf("failed: %w", err)
	}
	return parseToken(output.buffer.Bytes())
}

// boundedBuffer refuses more than any token has. Embedded, the buffer would bring a way around that.
type boundedBuffer struct{ buffer bytes.Buffer }

var errTokenTooLarge = fmt.Errorf("is larger than %d KiB", largestToken>>10)

func (b *boundedBuffer) Write(p []byte) (int, error) {
	if b.buffer.Len()+len(p) > largestToken {
		return 0, errTokenTooLarge
	}
	return b.buffer.Write(p)
}

// parseToken reads a token with blanks or a line break around it. No error shows anything of it.
func parseToken(text []byte) (bearerToken, error) {
	token := strings.TrimSpace(string(text))
	switch {
	case len(token) > largestToken:
		return "", errTokenTooLarge
	case token == "":
		return "", errors.New("has no token")
	case !httpguts.ValidHeaderFieldValue(token):
		return "", errors.New("has more than one line, or a control character in the token")
	}
	return bearerToken(token), nil
}
