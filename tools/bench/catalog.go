package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// catalog is a running dev catalog.
type catalog struct {
	process *exec.Cmd
	uri     string
	log     string
}

// startCatalog serves what the seed has until it is stopped. Its log begins anew.
func startCatalog(ctx context.Context, binary, seed, log string, latency time.Duration) (*catalog, error) {
	if err := os.Remove(log); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	process := exec.CommandContext(ctx, binary, "--listen", "127.0.0.1:0", "--seed", seed, "--log", log, "--latency", latency.String()) //nolint:gosec // G204: built by this program.
	process.Stderr = os.Stderr
	out, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, fmt.Errorf("start the catalog: %w", err)
	}
	uri, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("start the catalog: no address: %w", errors.Join(err, process.Wait()))
	}
	return &catalog{process, strings.TrimSpace(uri), log}, nil
}

// stop ends the catalog and returns the number of requests to each endpoint.
func (c *catalog) stop() (requests map[string]int, err error) {
	if err := c.process.Process.Signal(syscall.SIGTERM); err != nil {
		return nil, fmt.Errorf("stop the catalog: %w", err)
	}
	if err := c.process.Wait(); err != nil {
		return nil, fmt.Errorf("stop the catalog: %w", err)
	}
	log, err := os.ReadFile(c.log)
	if err != nil {
		return nil, err
	}
	return countRequests(bytes.NewReader(log))
}

// operations are those that the provider calls for records.
var operations = []wire.Operation{
	wire.GetConfig, wire.GetTable,
	wire.ListPermissions, wire.GrantPermission, wire.RevokePermission,
	wire.ListPolicies, wire.CreatePolicy, wire.DropPolicy,
}

// countRequests counts the lines of the catalog's log by operation.
func countRequests(log io.Reader) (map[string]int, error) {
	requests := make(map[string]int)
	for lines := json.NewDecoder(log); ; {
		var line struct{ Method, Path string }
		if err := lines.Decode(&line); errors.Is(err, io.EOF) {
			return requests, nil
		} else if err != nil {
			return nil, fmt.Errorf("the catalog's log: %w", err)
		}
		requests[operationOf(line.Method, line.Path)]++
	}
}

func operationOf(method, path string) string {
	for _, o := range operations {
		if _, ok := o.Match(path); ok && o.Method == method {
			return o.Action
		}
	}
	return method + " " + path
}
