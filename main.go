// Command terraform-provider-paimon is the Terraform and OpenTofu provider for access control in an Apache Paimon
// REST catalog. Started without arguments by one of them, it serves the provider.
package main

import (
	"context"
	"flag"
	"log"
	"os"

	framework "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"

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
	err := providerserver.Serve(context.Background(), newProvider, providerserver.ServeOpts{
		Address:         address,
		Debug:           *debug,
		ProtocolVersion: 6,
	})
	if err != nil {
		log.Fatal(err)
	}
}

func newProvider() framework.Provider {
	return provider.New(version)
}
