package provider

import (
	"os"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

// address is where registries have the provider.
const address = "registry.terraform.io/paimon-iac/paimon"

// Serve serves the provider of a version to the Terraform or OpenTofu that started this process, until that ends. With
// debug it tells how to attach to this process, and serves whoever does until it is interrupted.
func Serve(version string, debug bool) error {
	if err := silenceLogs(os.Environ(), os.Setenv); err != nil {
		return err
	}
	s := newServer(newProvider(version))
	var options []tf6server.ServeOpt
	if debug {
		options = append(options, tf6server.WithManagedDebug())
	} else {
		go func() {
			s.awaitOrphaned()
			os.Exit(1)
		}()
	}
	return tf6server.Serve(address, func() tfprotov6.ProviderServer { return s }, options...)
}

// awaitOrphaned returns when the process that started this one is gone without having stopped it, and the calls in flight
// have ended: a replacement must not be left half done. Other providers end by writing their logs to a closed pipe; this
// one writes none, and would stay for ever. On Windows it never returns, since the number of a parent stays there.
func (s *server) awaitOrphaned() {
	parent := os.Getppid()
	for os.Getppid() == parent || s.inFlight.Load() > 0 {
		time.Sleep(time.Second)
	}
}
