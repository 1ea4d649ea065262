package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"time"
)

// Terraform starts the provider, and what the system tells of Terraform's processes includes the provider's. To tell them
// apart, this program is the provider that Terraform starts: it runs the real one and leaves a note of what that used.

// The environment of the stand-in: the provider to run, and the folder for the notes.
const (
	envProvider = "BENCH_PROVIDER"
	envUsage    = "BENCH_USAGE"
)

// usage is what processes used.
type usage struct {
	CPU  time.Duration `json:"cpu"`
	Peak int64         `json:"peak"` // bytes
}

func usageOf(ended *os.ProcessState) usage {
	return usage{ended.UserTime() + ended.SystemTime(), peak(ended)}
}

// standIn runs the provider and returns its exit status.
func standIn(ctx context.Context, provider, folder string) (int, error) {
	// An interrupt is for Terraform, which then ends the provider in its own way.
	signal.Ignore(os.Interrupt)
	command := exec.CommandContext(ctx, provider) //nolint:gosec // G204: the provider was built by this program.
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := command.Run()
	if command.ProcessState == nil {
		return 1, err
	}
	note, err := json.Marshal(usageOf(command.ProcessState))
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, strconv.Itoa(os.Getpid())), note, 0o600) //nolint:gosec // G703: the folder is the benchmark's own.
	}
	return command.ProcessState.ExitCode(), err
}

// readUsage adds up the notes: CPU time of all the provider's processes, memory of the largest.
func readUsage(folder string) (sum usage, processes int, err error) {
	notes, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return usage{}, 0, err
	}
	for _, note := range notes {
		text, err := os.ReadFile(note)
		if err != nil {
			return usage{}, 0, err
		}
		var u usage
		if err := json.Unmarshal(text, &u); err != nil {
			return usage{}, 0, fmt.Errorf("%s: %w", note, err)
		}
		sum.CPU += u.CPU
		sum.Peak = max(sum.Peak, u.Peak)
	}
	return sum, len(notes), nil
}
