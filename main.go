// Command terraform-provider-paimon is the Terraform and OpenTofu provider for access control in an Apache Paimon
// REST catalog. Started without arguments by one of them, it serves the provider.
package main

import (
	"flag"
	"log"

	"github.com/paimon-iac/terraform-provider-paimon/internal/provider"
)

// version is set by the linker for releases.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "serve for a debugger: print how to attach to this process, and keep running")
	flag.Parse()
	if err := provider.Serve(version, *debug); err != nil {
		log.Fatal(err)
	}
}
