// Command terraform-provider-paimon is the Terraform and OpenTofu provider for access control in an Apache Paimon
// REST catalog. Started without arguments by one of them, it serves the provider.
package main

import (
	"flag"
	"log"
	"os"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/paimon-iac/terraform-provider-paimon/internal/provider"
)

// version is set by the linker for releases.
var version = "dev"

const address = "registry.terraform.io/paimon-iac/paimon"

func main() {
	if err := provider.SilenceLogs(os.Environ(), os.Setenv); err != nil {
		log.Fatal(err)
	}
	debug := flag.Bool("debug", false, "serve for a debugger: print how to attach to this process, and keep running")
	flag.Parse()
	var options []tf6server.ServeOpt
	if *debug {
		options = append(options, tf6server.WithManagedDebug())
	}
	err := tf6server.Serve(address, func() tfprotov6.ProviderServer { return provider.NewServer(version) }, options...)
	if err != nil {
		log.Fatal(err)
	}
}
