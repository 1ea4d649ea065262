// Command devcatalog serves a Paimon REST catalog for trying out and for tests.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
)

func main() {
	os.Exit(run())
}

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return devcatalog.Main(ctx, os.Args[1:], os.Stdout, os.Stderr)
}
