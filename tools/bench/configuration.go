package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A configuration is a folder with one file a table and one block a record, as teams write it: a large for_each would
// measure how Terraform evaluates it.

// header is what a configuration of ours begins with; where the catalog is, the environment says.
const header = `terraform {
  required_providers {
    paimon = {
      source = "paimon-iac/paimon"
    }
  }
}

provider "paimon" {}
`

// backend keeps the state behind HTTP: of a local file Terraform writes all of it again after each resource.
const backend = `terraform {
  backend "http" {
    address = %q
  }
}
`

// writeConfiguration writes the workload into a folder that exists. Twins are terraform_data with the same arguments.
func writeConfiguration(folder string, w workload, twins, changed bool) error {
	files := make(map[string]*strings.Builder)
	for i, r := range w.all() {
		if changed && changes(i) {
			r = r.changed()
		}
		if files[r.table] == nil {
			files[r.table] = new(strings.Builder)
		}
		if twins {
			files[r.table].WriteString(r.twin(w.kind.replaced))
		} else {
			files[r.table].WriteString(r.block())
		}
	}
	for table, file := range files {
		if err := writeFile(folder, table+".tf", file.String()); err != nil {
			return err
		}
	}
	if twins {
		return nil
	}
	return writeFile(folder, "provider.tf", header)
}

func (r record) block() string {
	var text strings.Builder
	fmt.Fprintf(&text, "resource %q %q {\n", r.resource, r.name)
	for _, a := range r.attributes {
		fmt.Fprintf(&text, "  %s = %s\n", a.name, a.value)
	}
	text.WriteString("}\n\n")
	return text.String()
}

// twin is what Terraform itself offers in place of the block: a resource that is nothing but its state.
func (r record) twin(replaced bool) string {
	argument := "input"
	if replaced {
		argument = "triggers_replace"
	}
	var text strings.Builder
	fmt.Fprintf(&text, "resource \"terraform_data\" %q {\n  %s = {\n", r.name, argument)
	for _, a := range r.attributes {
		fmt.Fprintf(&text, "    %s = %s\n", a.name, a.value)
	}
	text.WriteString("  }\n}\n\n")
	return text.String()
}

func writeFile(folder, name, text string) error {
	return os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600)
}
