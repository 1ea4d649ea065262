// Package faultproxy stands in front of a catalog and misbehaves by rule, as networks, gateways and overloaded servers
// do. It is for tests.
package faultproxy

import (
	"net/http"
	"sync"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// Proxy passes requests on to a catalog, apart from those that a rule gives a fault.
type Proxy struct {
	catalog http.Handler

	mu    sync.Mutex
	rules []*Rule
}

// Rule gives some requests a fault.
type Rule struct {
	// Operation chooses the requests; the zero Operation is any.
	Operation wire.Operation
	// Skip is how many of them pass before the first fault.
	Skip int
	// Times is how many have the fault; 0 is all from then on.
	Times int
	// Fault is what happens to them.
	Fault Fault

	seen int
}

// New returns a proxy without rules. The catalog is the handler of one in the same process, or an
// httputil.ReverseProxy to one that is elsewhere.
func New(catalog http.Handler) *Proxy {
	return &Proxy{catalog: catalog}
}

// Set replaces the rules. The first that has a fault for a request decides.
func (p *Proxy) Set(rules ...Rule) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rules = nil
	for _, rule := range rules {
		p.rules = append(p.rules, &rule)
	}
}

// ServeHTTP answers a request.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if fault := p.fault(r); fault != nil {
		fault(w, r, p.catalog)
		return
	}
	p.catalog.ServeHTTP(w, r)
}

// fault is what the rules give a request; nil for nothing.
func (p *Proxy) fault(r *http.Request) Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, rule := range p.rules {
		if !rule.chooses(r) {
			continue
		}
		rule.seen++
		if rule.seen > rule.Skip && (rule.Times == 0 || rule.seen <= rule.Skip+rule.Times) {
			return rule.Fault
		}
	}
	return nil
}

func (r *Rule) chooses(request *http.Request) bool {
	if r.Operation == (wire.Operation{}) {
		return true
	}
	_, matches := r.Operation.Match(request.URL.EscapedPath())
	return matches && r.Operation.Method == request.Method
}
