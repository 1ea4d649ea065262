package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMain lets this binary be the provider's stand-in, as the command is.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == providerName {
		main()
	}
	os.Exit(m.Run())
}

// TestAccBenchmark measures a small workload with the real CLI.
func TestAccBenchmark(t *testing.T) {
	if os.Getenv("TF_ACC") == "" {
		t.Skip("drives a CLI: set TF_ACC=1")
	}
	cli := os.Getenv("TF_ACC_TERRAFORM_PATH")
	if cli == "" {
		cli = "terraform"
	}
	t.Setenv("GORACE", "atexit_sleep_ms=0") // with the race detector each stand-in would sleep a second at its end
	folder := t.TempDir()
	results := filepath.Join(folder, "results.json")
	arguments := []string{
		"-workloads", "policies-20/2", "-latencies", "0s", "-pairs", "1", "-dir", filepath.Join(folder, "work"), "-terraform", cli,
		"-results", results,
	}
	var printed, progress strings.Builder
	if err := benchmark(t.Context(), arguments, &printed, &progress); err != nil {
		t.Fatal(err)
	}
	const variants = 3 + 4 + 3 + 2 + 2 // of the five scenarios
	if n := strings.Count(progress.String(), "\n"); n != variants {
		t.Errorf("%d measurements, want %d:\n%s", n, variants, &progress)
	}
	if !strings.Contains(printed.String(), "CreatePolicy 20") {
		t.Errorf("the creates are not counted in\n%s", &printed)
	}
	if text, err := os.ReadFile(results); err != nil || !strings.Contains(string(text), `"scenario": "destroy"`) {
		t.Errorf("results: %v %s", err, text)
	}
}

// made are measurements as if every run of the options took the wall time that the function says.
func made(t *testing.T, build string, o options, wallOf func(run) time.Duration) map[key]measurement {
	t.Helper()
	result := make(map[key]measurement)
	for r := range o.runs() {
		m := measurement{key: r.key(build)}
		m.Wall = wallOf(r)
		m.Terraform = usage{CPU: m.Wall / 2, Peak: 100 << 20}
		if !r.variant.twins {
			m.Provider = usage{CPU: m.Wall / 4, Peak: int64(30+r.pair) << 20}
		}
		switch r.variant.name {
		case unshared.name:
			m.Requests = map[string]int{"ListPermissionAssignments": r.workload.records, "GetConfig": 1}
		case shared.name:
			m.Requests = map[string]int{"ListPermissionAssignments": r.workload.tables, "GetConfig": 1}
		}
		result[m.key] = m
	}
	return result
}

func parsed(t *testing.T, arguments ...string) options {
	t.Helper()
	o, err := parseOptions(arguments, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return o
}
