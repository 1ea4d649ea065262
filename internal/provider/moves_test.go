package provider

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/paimon-iac/terraform-provider-paimon/internal/faultproxy"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// Records that change their address while something goes wrong: what one address did not get, the other one keeps.

// ready is a catalog with one record at address "a".
func ready(t *testing.T, s subject, parallelism int) (*catalog, *stack) {
	t.Helper()
	c := startCatalog(t, salesSeed)
	st := newStack(t, c, parallelism)
	if !st.apply(s.of(s.first, "role:x")) {
		t.Fatal(texts(st))
	}
	return c, st
}

// refuseRemovals answers what removes a record of a subject.
func refuseRemovals(s subject) func(*http.Request) http.HandlerFunc {
	return func(r *http.Request) http.HandlerFunc {
		if _, is := s.remove.Match(r.URL.EscapedPath()); !is || r.Method != http.MethodPost {
			return nil
		}
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }
	}
}

// In an apply Terraform plans a create again. When that fails no create follows, and the destroy runs all the same.
func TestRecordStaysWhenItsNewAddressCannotBePlanned(t *testing.T) {
	t.Parallel()
	for name, s := range subjects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, st := ready(t, s, 1)
			prior, config := st.state["a"], s.of(s.first, "role:x")["a"].config
			w := startWalk(t, c)
			going := w.plan(s.typeName, prior.values, nil, prior.private)
			c.record.intercept(func(r *http.Request) http.HandlerFunc {
				if r.Method != http.MethodGet || r.URL.Path == wire.GetConfig.Path {
					return nil
				}
				return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }
			})
			w = startWalk(t, c)
			if again := w.plan(s.typeName, nil, config, nil); !slices.ContainsFunc(again.diags, isError) {
				t.Fatal("planned although nothing can be looked up")
			}
			c.record.intercept(nil)
			kept, _, diags := w.apply(s.typeName, prior.values, nil, planned{private: going.private})
			if kept == nil || len(diags) != 1 || s.content(c, "role:x") != "first" {
				t.Errorf("the state has %v, the catalog %s: %v", kept, s.content(c, "role:x"), diags)
			}
		})
	}
}

// A record that could not be destroyed at one address is not adopted at another: both would have it, and no plan would
// pass any more.
func TestRecordThatCannotBeDestroyedIsNotAdoptedElsewhere(t *testing.T) {
	t.Parallel()
	for name, s := range subjects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, st := ready(t, s, 1)
			moved := map[string]block{"b": s.of(s.first, "role:x")["a"]}
			changes, _ := st.plan(moved)
			c.record.intercept(refuseRemovals(s))
			w := startWalk(t, c)
			kept, _, _ := w.apply(s.typeName, st.state["a"].values, nil, planned{private: changes["a"].plan.private})
			again := w.plan(s.typeName, nil, moved["b"].config, nil)
			made, _, diags := w.apply(s.typeName, nil, moved["b"].config, again)
			if kept == nil || made != nil {
				t.Errorf("the old address has %v, the new one %v", kept, made)
			}
			wantDiagnostic(t, diags, tfprotov6.DiagnosticSeverityError, "was to be destroyed at another address first")
			c.record.intercept(nil)
			if !st.apply(moved) || !st.settled(moved) {
				t.Errorf("not healed: %s", texts(st))
			}
		})
	}
}

// A policy whose address and definition change at once, and whose definition the catalog refuses, is put back.
func TestMovedPolicyWithARefusedDefinitionStaysInForce(t *testing.T) {
	t.Parallel()
	s := subjects()["row filter"]
	for range rounds(6) {
		c, st := ready(t, s, 10)
		c.record.intercept(refuseFor("role:x"))
		moved := map[string]block{"b": s.of(s.second, "role:x")["a"]}
		if st.apply(moved) {
			t.Fatal("applied")
		}
		if got := s.content(c, "role:x"); got != "first" || len(st.state) != 1 {
			t.Errorf("the catalog has %s, the state %v: %s", got, st.state, texts(st))
		}
		c.record.intercept(nil)
		if !st.apply(moved) || !st.settled(moved) || s.content(c, "role:x") != "second" {
			t.Errorf("not healed: %s", texts(st))
		}
	}
}

// After an interrupt no create follows the destroy half of a replacement, which may have done all that was to be done.
func TestInterruptedReplacementStaysInTheState(t *testing.T) {
	t.Parallel()
	s := subjects()["row filter"]
	c, st := ready(t, s, 1)
	prior, config := st.state["a"], s.of(s.second, "role:x")["a"].config
	w := startWalk(t, c)
	second := w.plan(s.typeName, nil, config, w.plan(s.typeName, prior.values, config, prior.private).private)
	ctx, interrupt := context.WithCancel(t.Context())
	c.record.intercept(func(r *http.Request) http.HandlerFunc {
		if _, isDrop := wire.DropPolicy.Match(r.URL.EscapedPath()); isDrop {
			interrupt()
		}
		return nil
	})
	w = startWalk(t, c)
	objectType := w.resources[s.typeName]
	response, err := w.server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
		TypeName:       s.typeName,
		PriorState:     encode(t, objectType, prior.values),
		PlannedState:   encode(t, objectType, nil),
		Config:         encode(t, objectType, nil),
		PlannedPrivate: second.private,
	})
	if err != nil {
		t.Fatal(err)
	}
	wantDiagnostic(t, response.Diagnostics, tfprotov6.DiagnosticSeverityError, "the new definition is in force")
	c.record.intercept(nil)
	st.put("a", instance{s.typeName, decode(t, objectType, response.NewState), response.Private, false})
	if !st.apply(s.of(s.first, "role:x")) {
		t.Errorf("going back is refused: %s", texts(st))
	}
}

// arrangement is a configuration of up to twelve records, at random addresses and with random content.
type arrangement struct {
	renames bool // addresses that change by name
	shifts  bool // addresses that change places
}

func (a arrangement) draw() (map[string]block, []block) {
	config := make(map[string]block)
	var blocks []block
	for i := range 12 {
		s := subjects()[slices.Sorted(maps.Keys(subjects()))[i/2%4]]
		content := s.first
		if chance(3) {
			content = s.second
		}
		if chance(5) {
			continue
		}
		b := s.of(content, fmt.Sprintf("role:%d", i))["a"]
		address := fmt.Sprintf("r%d", i)
		if a.renames && chance(2) {
			address += "-renamed"
		}
		config[address] = b
		blocks = append(blocks, b)
	}
	if a.shifts {
		// A shift and a rotation keep the type of an address.
		config = make(map[string]block)
		count := make(map[string]int)
		for _, i := range rand.Perm(len(blocks)) { //nolint:gosec // nobody gains by guessing
			b := blocks[i]
			config[fmt.Sprintf("%s[%d]", b.typeName, count[b.typeName])] = b
			count[b.typeName]++
		}
	}
	return config, blocks
}

// chance is true once in n times.
func chance(n int) bool { return rand.IntN(n) == 0 } //nolint:gosec // nobody gains by guessing

// mishaps are one or two faults somewhere in an apply.
func mishaps() []faultproxy.Rule {
	quick := maps.Clone(faults())
	maps.DeleteFunc(quick, func(name string, f fault) bool {
		return f.heavy || f.isLate || f.passes || strings.Contains(name, "seconds") || strings.Contains(name, "date")
	})
	var rules []faultproxy.Rule
	for range 1 + rand.IntN(2) { //nolint:gosec // nobody gains by guessing
		s := subjects()[slices.Sorted(maps.Keys(subjects()))[rand.IntN(4)]] //nolint:gosec // nobody gains by guessing
		call := []wire.Operation{s.write, s.remove, s.list}[rand.IntN(3)]   //nolint:gosec // nobody gains by guessing
		f := quick[slices.Sorted(maps.Keys(quick))[rand.IntN(len(quick))]]  //nolint:gosec // nobody gains by guessing
		if f.fits(call) {
			rules = append(rules, faultproxy.Rule{Operation: call, Skip: rand.IntN(4), Times: 1 + rand.IntN(3), Fault: f.fault}) //nolint:gosec // nobody gains by guessing
		}
	}
	return rules
}

// Whatever changes and whatever goes wrong meanwhile: success means that exactly the configuration is in the catalog, and
// after a failure the next applies bring that about. Where addresses change, too, that may take more than one.
func TestRandomChangesUnderRandomFaultsLoseNothing(t *testing.T) {
	t.Parallel()
	for round := range rounds(8) {
		t.Run(strconv.Itoa(round), func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, salesSeed)
			c.environment = map[string]string{"PAIMON_MAX_RETRIES": "0"}
			proxy := faultproxy.New(c.record.next)
			c.record.next = proxy
			a := arrangement{renames: chance(2), shifts: chance(2)}
			st := newStack(t, c, []int{2, 10, 32}[round%3])
			for range 5 {
				config, blocks := a.draw()
				st.beforeApply = func() { proxy.Set(mishaps()...) }
				ok := st.apply(config)
				first := texts(st)
				proxy.Set()
				st.beforeApply = nil
				for tries := 1; !ok; tries++ {
					ok = st.apply(config)
					if !ok && (tries > 5 || !a.renames && !a.shifts) {
						t.Fatalf("%+v: not healed: %s\nat first: %s", a, texts(st), first)
					}
				}
				wantOnServer(t, c, blocks, nil)
				if !st.settled(config) {
					t.Errorf("%+v: the next plan is not empty: %s\nat first: %s", a, texts(st), first)
				}
			}
		})
	}
}
