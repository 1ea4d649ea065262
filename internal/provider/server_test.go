package provider

import (
	"context"
	"encoding/json"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// handOver hands a state over, as Terraform does before it refreshes it.
func (w *walk) handOver(typeName string, state object) {
	w.t.Helper()
	response, err := w.server.UpgradeResourceState(w.t.Context(), upgradeRequest(w.t, typeName, state))
	if err != nil {
		w.t.Fatal(err)
	}
	wantNoErrors(w.t, response.Diagnostics)
}

func upgradeRequest(t *testing.T, typeName string, state object) *tfprotov6.UpgradeResourceStateRequest {
	t.Helper()
	attributes := make(map[string]any)
	for name := range objectType(t, servedSchemas().ResourceSchemas[typeName]).AttributeTypes {
		attributes[name] = state[name]
	}
	raw, err := json.Marshal(attributes)
	if err != nil {
		t.Fatal(err)
	}
	return &tfprotov6.UpgradeResourceStateRequest{TypeName: typeName, Version: schemaVersion, RawState: &tfprotov6.RawState{JSON: raw}}
}

// The framework keeps something of every call for ever. It must not be the call's context, which has loggers on it.
func TestCallsLetGoOfTheirContexts(t *testing.T) {
	const (
		calls = 2000
		hangs = 10 << 10 // on each context
		most  = 1 << 10  // of it may stay
	)
	p := newProvider("test")
	held := heldByCalls(t, newServer(p), calls, hangs)
	if held > most {
		t.Errorf("%d bytes stay after each call", held)
	}
	// The day that the framework does so itself, lend has done its duty.
	if held := heldByCalls(t, providerserver.NewProtocol6(p)(), calls, hangs); held < hangs {
		t.Errorf("the framework keeps no more than %d bytes of each call: remove lend", held)
	}
}

// heldByCalls makes calls as gRPC does, each with a context of its own that ends with it, and returns how many bytes
// stay in use after each.
func heldByCalls(t *testing.T, server tfprotov6.ProviderServer, calls, hangs int) int {
	t.Helper()
	type key struct{}
	request := upgradeRequest(t, "paimon_permission", grantBlock("orders", "SELECT", "role:analyst").config)
	one := func() {
		ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, make([]byte, hangs)))
		defer cancel()
		response, err := server.UpgradeResourceState(ctx, request)
		if err != nil {
			t.Fatal(err)
		}
		wantNoErrors(t, response.Diagnostics)
	}
	one() // what is made once
	before := liveHeap()
	for range calls {
		one()
	}
	after := liveHeap()
	runtime.KeepAlive(server)
	return (after - before) / calls
}

func liveHeap() int {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc) //nolint:gosec // fits
}

func TestStopEndsCallsInFlight(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	grant := grantBlock("orders", "SELECT", "role:analyst")
	state := startWalk(t, c).create(grant.typeName, grant.config)
	w := startWalk(t, c)
	arrived := make(chan struct{})
	c.record.intercept(func(r *http.Request) http.HandlerFunc {
		if !strings.HasSuffix(r.URL.Path, "/permissions") {
			return nil
		}
		return func(_ http.ResponseWriter, r *http.Request) {
			close(arrived)
			<-r.Context().Done()
		}
	})
	ended := make(chan []*tfprotov6.Diagnostic)
	go func() {
		_, diags := w.read(grant.typeName, state)
		ended <- diags
	}()
	<-arrived
	if _, err := w.server.StopProvider(t.Context(), &tfprotov6.StopProviderRequest{}); err != nil {
		t.Fatal(err)
	}
	select {
	case diags := <-ended:
		wantDiagnostic(t, diags, tfprotov6.DiagnosticSeverityError, "canceled")
	case <-time.After(10 * time.Second):
		t.Fatal("the call goes on")
	}
}
