package provider

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// stack is a configuration with its state, planned and applied over the protocol in the way Terraform does: one walk for
// the plan and one for the apply, each with a provider of its own that knows nothing of the other; the addresses in any
// order, so many at a time; a replacement as a destroy and a create that may lie far apart.
type stack struct {
	t           *testing.T
	catalog     *catalog
	parallelism int
	noRefresh   bool
	// destroysFirst keeps what becomes ready behind what is ready: Terraform was never seen to do otherwise where the
	// addresses stay the same and only their records change places.
	destroysFirst bool
	// halted is Terraform after an interrupt: what destroys has begun ends, and no create follows.
	halted bool
	// beforeApply runs between the plan and the apply.
	beforeApply func()

	mu       sync.Mutex
	state    map[string]instance
	errors   []*tfprotov6.Diagnostic
	warnings []*tfprotov6.Diagnostic
}

// block is a resource block of the configuration.
type block struct {
	typeName string
	config   object
}

// instance is what the state has of an address.
type instance struct {
	typeName string
	values   object
	private  []byte
	tainted  bool
}

// action is what a plan does to an address.
type action string

const (
	noOp    action = "no-op"
	create  action = "create"
	update  action = "update"
	replace action = "replace"
	destroy action = "destroy"
)

type change struct {
	block

	action action
	prior  instance
	plan   planned
}

func newStack(t *testing.T, c *catalog, parallelism int) *stack {
	t.Helper()
	return &stack{t: t, catalog: c, parallelism: parallelism, state: make(map[string]instance)}
}

// apply plans and applies a configuration, and says whether that ended without an error.
func (s *stack) apply(config map[string]block) bool {
	changes, ok := s.plan(config)
	if !ok {
		return false
	}
	if s.beforeApply != nil {
		s.beforeApply()
	}
	s.execute(changes)
	return len(s.errors) == 0
}

// settled says whether a plan of the configuration is empty.
func (s *stack) settled(config map[string]block) bool {
	changes, ok := s.plan(config)
	for _, c := range changes {
		ok = ok && c.action == noOp
	}
	return ok
}

// plan refreshes the state and plans every address of the state and the configuration.
func (s *stack) plan(config map[string]block) (map[string]change, bool) {
	s.t.Helper()
	s.errors, s.warnings = nil, nil
	w := startWalk(s.t, s.catalog)
	addresses := slices.Collect(maps.Keys(config))
	for address := range s.state {
		if _, wanted := config[address]; !wanted {
			addresses = append(addresses, address)
		}
	}
	changes := make(map[string]change)
	var nodes []node
	for _, address := range addresses {
		nodes = append(nodes, step(func() {
			c := s.planOne(w, address, config)
			s.mu.Lock()
			defer s.mu.Unlock()
			changes[address] = c
		}))
	}
	s.run(nodes)
	return changes, len(s.errors) == 0
}

func (s *stack) planOne(w *walk, address string, config map[string]block) change {
	prior, inState := s.at(address)
	wanted, isWanted := config[address]
	if inState {
		w.handOver(prior.typeName, prior.values)
	}
	if !isWanted {
		// What left the configuration is planned before it is read.
		c := change{block{typeName: prior.typeName}, destroy, prior, w.plan(prior.typeName, prior.values, nil, prior.private)}
		s.note(c.plan.diags)
		s.refresh(w, address, prior)
		if _, inState := s.at(address); !inState {
			c.action = noOp
		}
		return c
	}
	if inState {
		s.refresh(w, address, prior)
		prior, inState = s.at(address)
	}
	c := change{wanted, create, prior, planned{}}
	switch {
	case !inState:
		c.plan = w.plan(wanted.typeName, nil, wanted.config, nil)
	case prior.tainted:
		c.action, c.plan = replace, w.plan(wanted.typeName, nil, wanted.config, nil)
	default:
		c.action, c.plan = update, w.plan(wanted.typeName, prior.values, wanted.config, prior.private)
		if c.plan.replaces {
			s.note(c.plan.diags)
			c.action, c.plan = replace, w.plan(wanted.typeName, nil, wanted.config, c.plan.private)
		} else if reflect.DeepEqual(c.plan.state, prior.values) {
			c.action = noOp
		}
	}
	s.note(c.plan.diags)
	return c
}

func (s *stack) refresh(w *walk, address string, prior instance) {
	if s.noRefresh {
		return
	}
	values, private, diags := w.refresh(prior.typeName, prior.values, prior.private)
	s.note(diags)
	prior.values, prior.private = values, private
	s.put(address, prior)
}

// execute applies the changes of a plan.
func (s *stack) execute(changes map[string]change) {
	w := startWalk(s.t, s.catalog)
	var nodes []node
	for address, c := range changes {
		creation := step(func() { s.create(w, address, c.block) })
		switch c.action {
		case noOp:
		case create:
			nodes = append(nodes, creation)
		case update:
			nodes = append(nodes, step(func() {
				again := w.plan(c.typeName, c.prior.values, c.config, c.prior.private)
				s.note(again.diags)
				if slices.ContainsFunc(again.diags, isError) {
					return
				}
				values, private, diags := w.apply(c.typeName, c.prior.values, c.config, again)
				s.note(diags)
				s.put(address, instance{c.typeName, values, private, false})
			}))
		default:
			nodes = append(nodes, func() node {
				values, private, diags := w.apply(c.typeName, c.prior.values, nil, planned{private: c.plan.private})
				s.note(diags)
				// An error keeps the object, and Terraform takes a taint off it.
				s.put(address, instance{c.typeName, values, private, false})
				if values != nil || c.action == destroy || s.halted {
					return nil
				}
				return creation
			})
		}
	}
	s.run(nodes)
}

// create plans again, as Terraform does in the apply, and creates.
func (s *stack) create(w *walk, address string, b block) {
	again := w.plan(b.typeName, nil, b.config, nil)
	s.note(again.diags)
	if slices.ContainsFunc(again.diags, isError) {
		return
	}
	values, private, diags := w.apply(b.typeName, nil, b.config, again)
	s.note(diags)
	s.put(address, instance{b.typeName, values, private, slices.ContainsFunc(diags, isError)})
}

// node is one step; what it returns may run after it.
type node func() node

// step is a node after which nothing becomes ready.
func step(do func()) node {
	return func() node {
		do()
		return nil
	}
}

// run runs the nodes in any order, so many at a time.
func (s *stack) run(nodes []node) {
	var mu sync.Mutex
	changed := sync.NewCond(&mu)
	rand.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] }) //nolint:gosec // nobody gains by guessing an order
	busy := 0
	// next takes a node that is ready, after waiting for one while there may be more.
	next := func() node {
		mu.Lock()
		defer mu.Unlock()
		for len(nodes) == 0 && busy > 0 {
			changed.Wait()
		}
		if len(nodes) == 0 {
			return nil
		}
		i := rand.IntN(len(nodes)) //nolint:gosec // nobody gains by guessing an order
		if s.destroysFirst {
			i = 0
		}
		n := nodes[i]
		nodes = slices.Delete(nodes, i, i+1)
		busy++
		return n
	}
	done := func(follows node) {
		mu.Lock()
		defer mu.Unlock()
		if follows != nil {
			nodes = append(nodes, follows)
		}
		busy--
		changed.Broadcast()
	}
	var workers sync.WaitGroup
	for range s.parallelism {
		workers.Go(func() {
			for n := next(); n != nil; n = next() {
				done(n())
			}
		})
	}
	workers.Wait()
}

func (s *stack) at(address string) (instance, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, ok := s.state[address]
	return i, ok
}

// put writes an address; without values it is removed.
func (s *stack) put(address string, i instance) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i.values == nil {
		delete(s.state, address)
		return
	}
	s.state[address] = i
}

func (s *stack) note(diags []*tfprotov6.Diagnostic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range diags {
		if isError(d) {
			s.errors = append(s.errors, d)
		} else {
			s.warnings = append(s.warnings, d)
		}
	}
}

func isError(d *tfprotov6.Diagnostic) bool {
	return d.Severity == tfprotov6.DiagnosticSeverityError
}

// refresh reads a state with its private data.
func (w *walk) refresh(typeName string, state object, private []byte) (object, []byte, []*tfprotov6.Diagnostic) {
	w.t.Helper()
	objectType := w.resources[typeName]
	response, err := w.server.ReadResource(w.t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName:     typeName,
		CurrentState: encode(w.t, objectType, state),
		Private:      private,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return decode(w.t, objectType, response.NewState), response.Private, response.Diagnostics
}
