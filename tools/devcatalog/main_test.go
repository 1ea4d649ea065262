package main_test

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestTheBinary builds the command and runs it as its users do: what was answered must survive kill -9, and SIGINT and
// SIGTERM must end it cleanly.
func TestTheBinary(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the command")
	}
	dir := t.TempDir()
	binary, database := filepath.Join(dir, "devcatalog"), filepath.Join(dir, "catalog.db")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".") //nolint:gosec // G204: the file is this test's own.
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	first, url := start(t, binary, "--database", database)
	if status, body := send(t, http.MethodPost, url+"/v1/demo/databases", `{"name":"sales"}`); status != http.StatusOK {
		t.Fatalf("got %d %s", status, body)
	}
	if code := end(t, first, syscall.SIGKILL); code != -1 {
		t.Errorf("killed, it ended with %d", code)
	}
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		again, url := start(t, binary, "--database", database)
		if _, body := send(t, http.MethodGet, url+"/v1/demo/databases", ""); body != `{"databases":["sales"],"nextPageToken":null}` {
			t.Errorf("after the kill the databases are %s", body)
		}
		if code := end(t, again, signal); code != 0 {
			t.Errorf("%v: ended with %d", signal, code)
		}
	}
}

func start(t *testing.T, binary string, args ...string) (process *exec.Cmd, url string) {
	t.Helper()
	process = exec.CommandContext(t.Context(), binary, append([]string{"--listen", "127.0.0.1:0"}, args...)...) //nolint:gosec // G204: the program was built by this test.
	process.Stderr = os.Stderr
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no URL: %v", err)
	}
	return process, strings.TrimSuffix(line, "\n")
}

// end sends the signal and returns the exit code, -1 when the signal itself was the end.
func end(t *testing.T, process *exec.Cmd, signal os.Signal) int {
	t.Helper()
	if err := process.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	if err := process.Wait(); err != nil && !isExit(err) {
		t.Fatal(err)
	}
	return process.ProcessState.ExitCode()
}

func isExit(err error) bool {
	_, ok := errors.AsType[*exec.ExitError](err)
	return ok
}

func send(t *testing.T, method, url, body string) (status int, text string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(answer)
}
