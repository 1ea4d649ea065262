package devcatalog

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// healthPath answers without credentials, and never with an injected fault.
const healthPath = "/healthz"

// maxBody is far beyond the largest body of the contract, a policy of 60 KiB or the schema of a wide table.
const maxBody = 8 << 20

// call is a request that has been read and authenticated.
type call struct {
	// names are the names in the path, outermost first, without the prefix.
	names  []string
	query  url.Values
	body   []byte
	caller caller
	now    time.Time
}

// handler answers a call within one transaction, which is kept unless there is an error. A nil answer has no body.
type handler func(ctx context.Context, t *tx, c *call) (answer any, err error)

type route struct {
	operation wire.Operation
	handle    handler
}

// operations is everything that the catalog answers, the frequent first.
func (c *Catalog) operations() []route {
	return []route{
		{wire.ListPermissions, c.listPermissions},
		{wire.GrantPermission, c.grantPermission},
		{wire.RevokePermission, c.revokePermission},
		{wire.ListPolicies, c.listPolicies},
		{wire.CreatePolicy, c.createPolicy},
		{wire.DropPolicy, c.dropPolicy},
		{wire.AuthTableQuery, c.authTableQuery},
		{wire.GetSnapshot, c.getSnapshot},
		{wire.CommitSnapshot, c.commitSnapshot},
		{wire.GetConfig, c.getConfig},
		{wire.GetTable, c.getTable},
		{wire.ListTables, c.listTables},
		{wire.CreateTable, c.createTable},
		{wire.AlterTable, c.alterTable},
		{wire.DropTable, c.dropTable},
		{wire.RenameTable, c.renameTable},
		{wire.ListDatabases, c.listDatabases},
		{wire.CreateDatabase, c.createDatabase},
		{wire.GetDatabase, c.getDatabase},
		{wire.AlterDatabase, c.alterDatabase},
		{wire.DropDatabase, c.dropDatabase},
		{wire.ListViews, c.listViews},
		{wire.CreateView, c.createView},
		{wire.GetView, c.getView},
		{wire.DropView, c.dropView},
		{wire.RenameView, c.renameView},
		{wire.ListFunctions, c.listFunctions},
		{wire.CreateFunction, c.createFunction},
		{wire.GetFunction, c.getFunction},
		{wire.DropFunction, c.dropFunction},
	}
}

// response is a whole answer. An empty body goes out without a Content-Type.
type response struct {
	status     int
	body       []byte
	retryAfter time.Duration
}

// Handler returns the catalog as an HTTP handler.
func (c *Catalog) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		answer := c.respond(r)
		c.write(w, answer)
		c.log.write(r, answer.status, time.Since(began))
	})
}

// respond answers after the configured latency, and with the configured share of faults.
func (c *Catalog) respond(r *http.Request) response {
	if r.URL.Path == healthPath && r.Method == http.MethodGet {
		return response{status: http.StatusNoContent}
	}
	if !c.delayed(r.Context()) {
		return response{status: http.StatusServiceUnavailable}
	}
	// One draw decides both whether there is a fault and on which side of acting it is.
	switch draw := rand.Float64(); { //nolint:gosec // G404: which requests fail is no secret.
	case draw < c.faultRate/2:
		return unavailable()
	case draw < c.faultRate:
		c.act(r)
		return unavailable()
	default:
		return c.act(r)
	}
}

// delayed waits for the latency, and says whether the client did so too.
func (c *Catalog) delayed(ctx context.Context) bool {
	if c.latency == 0 {
		return true
	}
	select {
	case <-time.After(c.latency):
		return true
	case <-ctx.Done():
		return false
	}
}

// unavailable is the injected fault.
func unavailable() response {
	answer := failed(&failure{status: http.StatusServiceUnavailable, message: "The catalog is told to fail now and then (--fault-rate)."})
	answer.retryAfter = time.Second
	return answer
}

// act does what the request asks for. It is read whole, since signatures cover the body, and before a transaction
// begins, so that a slow client holds up nobody. Nobody who has not logged in learns which paths exist.
func (c *Catalog) act(r *http.Request) response {
	body, err := readBody(r)
	if err != nil {
		return failed(err)
	}
	now := c.clock()
	who, err := c.directory.authenticate(r, body, now)
	if err != nil {
		return failed(err)
	}
	found, names, ok := c.find(r)
	if !ok {
		return response{status: http.StatusNotFound}
	}
	// Only openapi-v4 names the operation, and Alibaba Cloud's gateway goes by the name.
	if action := r.Header.Get("X-Acs-Action"); action != "" && action != found.operation.Action {
		return failed(invalid("x-acs-action is %q, and this operation is %q.", action, found.operation.Action))
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return failed(invalid("The query is not form-encoded: %v.", err))
	}
	return c.run(r.Context(), found.handle, &call{names: names, query: query, body: body, caller: who, now: now})
}

// find looks up the operation of a request. A path with another prefix belongs to another catalog.
func (c *Catalog) find(r *http.Request) (found route, names []string, ok bool) {
	path := r.URL.EscapedPath()
	for _, route := range c.routes {
		if r.Method != route.operation.Method {
			continue
		}
		names, ok := route.operation.Match(path)
		switch {
		case !ok:
			continue
		case len(names) == 0:
			return route, nil, true
		default:
			return route, names[1:], names[0] == c.warehouse
		}
	}
	return route{}, nil, false
}

func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return nil, invalid("The body cannot be read: %v.", err)
	}
	if len(body) > maxBody {
		return nil, invalid("The body is larger than %d bytes.", maxBody)
	}
	return body, nil
}

// run calls the handler in a transaction and encodes what it answers.
func (c *Catalog) run(ctx context.Context, handle handler, request *call) response {
	var answer any
	err := c.store.within(ctx, func(t *tx) (err error) {
		if c.purgeExpired {
			if err := t.purgeExpired(ctx, request.now); err != nil {
				return err
			}
		}
		answer, err = handle(ctx, t, request)
		return err
	})
	if err != nil {
		return failed(err)
	}
	if answer == nil {
		return response{status: http.StatusOK}
	}
	return encoded(http.StatusOK, answer)
}

func failed(err error) response {
	f := asFailure(err)
	if f.message == "" {
		return response{status: f.status}
	}
	return encoded(f.status, f.body())
}

func encoded(status int, body any) response {
	text, err := wire.Encode(body)
	if err != nil {
		return failed(fmt.Errorf("encode the answer: %w", err))
	}
	return response{status: status, body: text}
}

func (c *Catalog) write(w http.ResponseWriter, answer response) {
	header := w.Header()
	header.Set("Date", c.clock().UTC().Format(http.TimeFormat))
	if answer.retryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(int(answer.retryAfter.Seconds())))
	}
	if len(answer.body) > 0 {
		header.Set("Content-Type", "application/json")
		header.Set("Content-Length", strconv.Itoa(len(answer.body)))
	}
	w.WriteHeader(answer.status)
	// A client that is gone needs no answer.
	_, _ = w.Write(answer.body)
}
