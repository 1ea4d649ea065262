package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// workplace is a folder with the programs that are measured, and what they work on.
type workplace struct {
	folder    string
	terraform terraform
	catalog   string // the dev catalog's program
	version   string // Terraform's
	build     string // names what is measured: other programs, other measurements
	store     *stateStore
	address   string          // of the state
	ready     map[string]bool // folders with a configuration
}

// The packages of the programs.
const (
	providerPackage = "github.com/paimon-iac/terraform-provider-paimon"
	catalogPackage  = providerPackage + "/tools/devcatalog"
	providerName    = "terraform-provider-paimon"
)

// newWorkplace builds the programs into the folder and serves the state until the context ends.
func newWorkplace(ctx context.Context, folder, cli string) (*workplace, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	build, override := filepath.Join(folder, "build"), filepath.Join(folder, "override")
	for _, needed := range []string{build, override} {
		if err := os.MkdirAll(needed, 0o700); err != nil {
			return nil, err
		}
	}
	// Without the state of the checkout in them, equal sources make equal programs.
	if _, err := output(ctx, "go", "build", "-buildvcs=false", "-o", build+string(filepath.Separator), providerPackage, catalogPackage); err != nil {
		return nil, err
	}
	w := &workplace{
		folder:  folder,
		catalog: filepath.Join(build, "devcatalog"),
		terraform: terraform{
			path:     cli,
			config:   filepath.Join(folder, "cli.tfrc"),
			provider: filepath.Join(build, providerName),
			usage:    filepath.Join(folder, "usage"),
		},
		store: new(stateStore),
		ready: make(map[string]bool),
	}
	if err := w.overrideProvider(override); err != nil {
		return nil, err
	}
	if w.version, err = output(ctx, cli, "version"); err != nil {
		return nil, err
	}
	w.version, _, _ = strings.Cut(w.version, "\n")
	if w.build, err = w.nameBuild(); err != nil {
		return nil, err
	}
	w.address, err = w.store.serve(ctx)
	return w, err
}

// overrideProvider makes Terraform start this program for the provider.
func (w *workplace) overrideProvider(folder string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	link := filepath.Join(folder, providerName)
	if err := os.RemoveAll(link); err != nil {
		return err
	}
	if err := os.Symlink(self, link); err != nil {
		return err
	}
	return os.WriteFile(w.terraform.config, fmt.Appendf(nil, "provider_installation {\n  dev_overrides {\n    \"paimon-iac/paimon\" = %q\n  }\n  direct {}\n}\n", folder), 0o600)
}

// nameBuild makes a short name of what is measured.
func (w *workplace) nameBuild() (string, error) {
	sum := sha256.New()
	for _, program := range []string{w.terraform.provider, w.catalog} {
		code, err := os.ReadFile(program)
		if err != nil {
			return "", err
		}
		sum.Write(code)
	}
	sum.Write([]byte(w.version))
	return hex.EncodeToString(sum.Sum(nil))[:12], nil
}

func output(ctx context.Context, program string, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, program, arguments...) //nolint:gosec // G204: the programs are named here or by the caller.
	var complaints strings.Builder
	command.Stderr = &complaints
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", program, strings.Join(arguments, " "), err, complaints.String())
	}
	return string(out), nil
}
