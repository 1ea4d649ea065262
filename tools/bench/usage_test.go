package main

import (
	"os/exec"
	"testing"
)

// Terraform must see the provider's own exit status, and the note must be there when it does.
func TestStandIn(t *testing.T) {
	provider, err := exec.LookPath("false")
	if err != nil {
		t.Skip("there is no program that fails")
	}
	folder := t.TempDir()
	if status, err := standIn(t.Context(), provider, folder); status != 1 || err != nil {
		t.Errorf("got %d, %v", status, err)
	}
	sum, processes, err := readUsage(folder)
	if err != nil || processes != 1 || sum.CPU == 0 || sum.Peak == 0 {
		t.Errorf("got %+v of %d processes, %v", sum, processes, err)
	}
}
