package provider

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

var _ tfprotov6.ListResourceServer = (*server)(nil)

// frameworkServer is what the framework serves. List resources have an interface of their own, and whoever wraps the
// server without it loses them.
type frameworkServer interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
}

// server is the framework's server, with two things that make ten thousand resources cost less: calls whose contexts are
// let go, and a look at the states that Terraform hands over.
type server struct {
	frameworkServer

	provider *paimonProvider
	inFlight atomic.Int64 // calls
}

func newServer(p *paimonProvider) *server {
	return &server{frameworkServer: providerserver.NewProtocol6(p)().(frameworkServer), provider: p} //nolint:forcetypeassert // it serves all there is
}

// UpgradeResourceState tells the walk's client which records it will be asked for. Terraform upgrades the state of every
// instance before it refreshes it, and the framework tells the resource only when the version differs.
func (s *server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	if walk := s.provider.walk.Load(); walk != nil && req.RawState != nil {
		walk.expect(req.RawState.JSON)
	}
	return lend(ctx, s, req, s.frameworkServer.UpgradeResourceState)
}

// expect notes the record that a state is of. A state without one is for the resource to refuse.
func (c *connection) expect(state []byte) {
	var attributes struct {
		ID string `json:"id"`
	}
	if c.client == nil || json.Unmarshal(state, &attributes) != nil {
		return
	}
	if id, err := access.ParseID(attributes.ID); err == nil {
		c.client.Expect(id)
	}
}

// The other calls that come once or more for each resource, data source and function call.

func (s *server) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return lend(ctx, s, req, s.frameworkServer.ValidateResourceConfig)
}

func (s *server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return lend(ctx, s, req, s.frameworkServer.ReadResource)
}

func (s *server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return lend(ctx, s, req, s.frameworkServer.PlanResourceChange)
}

func (s *server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return lend(ctx, s, req, s.frameworkServer.ApplyResourceChange)
}

func (s *server) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return lend(ctx, s, req, s.frameworkServer.ImportResourceState)
}

func (s *server) MoveResourceState(ctx context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	return lend(ctx, s, req, s.frameworkServer.MoveResourceState)
}

func (s *server) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return lend(ctx, s, req, s.frameworkServer.ValidateDataResourceConfig)
}

func (s *server) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return lend(ctx, s, req, s.frameworkServer.ReadDataSource)
}

func (s *server) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	return lend(ctx, s, req, s.frameworkServer.CallFunction)
}

// lend makes a call with a context that is let go of when the call returns.
//
// The framework remembers the context of every call until the provider is stopped (contextCancels in proto6server.Server),
// and with it all that hangs on it, loggers above all: more than 600 MiB after a plan of 5,000 resources. Of a lent
// context it remembers an empty one. StopProvider cancels the calls that are in flight all the same.
func lend[Request, Response any](ctx context.Context, s *server, req Request, call func(context.Context, Request) (Response, error)) (Response, error) {
	s.inFlight.Add(1)
	defer s.inFlight.Add(-1)
	l := &loan{}
	l.lender.Store(&ctx)
	defer l.lender.Store(&over) //nolint:contextcheck // nothing is called with it
	return call(l, req)         //nolint:contextcheck // l stands for ctx
}

// loan is a context that stands for another until it is over.
type loan struct {
	lender atomic.Pointer[context.Context]
}

// over is what a loan stands for when it is over.
var over = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

func (l *loan) context() context.Context { return *l.lender.Load() }

func (l *loan) Deadline() (time.Time, bool) { return l.context().Deadline() }
func (l *loan) Done() <-chan struct{}       { return l.context().Done() }
func (l *loan) Err() error                  { return l.context().Err() }
func (l *loan) Value(key any) any           { return l.context().Value(key) }
