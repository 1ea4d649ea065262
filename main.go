// Command terraform-provider-paimon is the Terraform and OpenTofu provider for access control in an Apache Paimon
// REST catalog. Started without arguments by one of them, it serves the provider.
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"slices"
	"strings"

	framework "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/paimon-iac/terraform-provider-paimon/internal/provider"
)

// version is set by the linker for releases.
var version = "dev"

const address = "registry.terraform.io/paimon-iac/paimon"

func main() {
	if !wantsLog(os.Environ()) {
		silence()
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

// wantsLog says whether the user asked for any log.
func wantsLog(environment []string) bool {
	return slices.ContainsFunc(environment, func(variable string) bool { return strings.HasPrefix(variable, "TF_LOG") })
}

// silence turns the logs of the SDK and of the provider off. When nobody asked for a log, the SDK still writes every
// trace line as JSON, and Terraform parses and drops it, which is about half the time of a large plan
// (hashicorp/terraform-plugin-framework#1269).
func silence() {
	for _, name := range []string{"TF_LOG_SDK", "TF_LOG_PROVIDER_PAIMON"} {
		if err := os.Setenv(name, "off"); err != nil {
			log.Fatal(err)
		}
	}
}
