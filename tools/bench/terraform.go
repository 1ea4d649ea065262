package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// terraform runs the CLI with the stand-in for a provider.
type terraform struct {
	path     string
	config   string // the CLI configuration with the override
	provider string // the real one
	usage    string // folder for the stand-in's notes
}

// cost is what one command took.
type cost struct {
	Wall      time.Duration `json:"wall"`
	Terraform usage         `json:"terraform"`
	Provider  usage         `json:"provider"`
	Processes int           `json:"processes"` // of the provider
}

// run runs a command in a folder. That it ends well is not enough: it must print what is expected.
func (t terraform) run(ctx context.Context, folder string, settings []string, expected string, arguments []string) (cost, error) {
	if err := os.RemoveAll(t.usage); err != nil {
		return cost{}, err
	}
	if err := os.Mkdir(t.usage, 0o700); err != nil {
		return cost{}, err
	}
	command := exec.CommandContext(ctx, t.path, slices.Concat(arguments, []string{"-input=false", "-no-color"})...) //nolint:gosec // G204: the CLI is the caller's choice.
	// An interrupted Terraform ends its providers; a killed one would leave them behind.
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = time.Minute
	command.Dir = folder
	command.Env = append(t.environment(), settings...)
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	begun := time.Now()
	err := command.Run()
	wall := time.Since(begun)
	if err == nil && !strings.Contains(output.String(), expected) {
		err = fmt.Errorf("it does not say %q", expected)
	}
	if err != nil {
		return cost{}, fmt.Errorf("terraform %s in %s: %w\n%s", strings.Join(arguments, " "), folder, err, tail(output.String()))
	}
	provider, processes, err := readUsage(t.usage)
	if err != nil {
		return cost{}, fmt.Errorf("usage of the provider: %w", err)
	}
	// What Terraform waited for counts as its own. The stand-in stays in: a few milliseconds.
	own := usageOf(command.ProcessState)
	own.CPU -= provider.CPU
	return cost{wall, own, provider, processes}, nil
}

// environment is the caller's without what would change the CLI's or the provider's ways.
func (t terraform) environment() []string {
	kept := slices.DeleteFunc(os.Environ(), func(setting string) bool {
		return strings.HasPrefix(setting, "TF_") || strings.HasPrefix(setting, "PAIMON_")
	})
	return append(kept, "CHECKPOINT_DISABLE=1", "TF_CLI_CONFIG_FILE="+t.config, envProvider+"="+t.provider, envUsage+"="+t.usage)
}

// tail is the end of a long output.
func tail(output string) string {
	const most = 4000
	return output[max(0, len(output)-most):]
}
