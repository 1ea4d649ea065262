package provider

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/paimon-iac/terraform-provider-paimon/internal/faultproxy"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// What users of other providers report of catalogs that are overloaded, or that many write to at once. How long waits are,
// that they are spread and bounded, and what an error tells of them, is in the tests of rest.

// busyWith answers with a status and, unless it is empty, this Retry-After.
func busyWith(status int, retryAfter string) faultproxy.Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		w.WriteHeader(status)
	}
}

// A catalog that says when to come back is asked again then, whatever was asked of it.
//
// confluentinc/terraform-provider-confluent#574, Mastercard/terraform-provider-restapi#354,
// terraform-provider-openstack/terraform-provider-openstack#1156, ory/terraform-provider-ory#327,
// OpenVPN/terraform-provider-cloudconnexa#203, dbt-labs/terraform-provider-dbtcloud#449.
func TestBusyCatalogIsAskedAgainWhenItSays(t *testing.T) {
	t.Parallel()
	const told = 2 * time.Second
	type form struct {
		fault func(status int) faultproxy.Fault
		wait  time.Duration // at least
	}
	forms := map[string]form{
		"seconds":            {func(status int) faultproxy.Fault { return faultproxy.Busy(status, 2) }, told},
		"a date":             {func(status int) faultproxy.Fault { return faultproxy.BusyUntil(status, told) }, told},
		"a date in the past": {func(status int) faultproxy.Fault { return faultproxy.BusyUntil(status, -told) }, 0},
		"nothing":            {func(status int) faultproxy.Fault { return busyWith(status, "") }, 0},
		"garbage":            {func(status int) faultproxy.Fault { return busyWith(status, "when I say so") }, 0},
	}
	dev := startDev(t)
	var trials sync.WaitGroup
	for name, s := range subjects() {
		calls := []wire.Operation{wire.GetConfig, s.list, s.write, s.remove}
		if s.readsTable {
			calls = append(calls, wire.GetTable)
		}
		for _, call := range calls {
			for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
				for said, form := range forms {
					trials.Go(func() {
						t.Run(fmt.Sprintf("%s/%s/%d/%s", name, call.Action, status, said), func(t *testing.T) {
							proxy := faultproxy.New(dev)
							proxy.Set(faultproxy.Rule{Operation: call, Times: 1, Fault: form.fault(status)})
							record := &recorder{next: proxy}
							server := httptest.NewServer(record)
							defer server.Close()
							stack := newStack(t, &catalog{t: t, url: server.URL, record: record}, 1)
							principal := "role:" + t.Name()[len("TestBusyCatalogIsAskedAgainWhenItSays/"):]
							started := time.Now()
							for _, config := range []map[string]block{s.of(s.first, principal), s.of(s.second, principal), nil} {
								if !stack.apply(config) || !stack.settled(config) {
									t.Fatal(texts(stack))
								}
							}
							if took := time.Since(started); took < form.wait {
								t.Errorf("took %s, and was told to wait %s", took, form.wait)
							}
						})
					})
				}
			}
		}
	}
	trials.Wait()
}

// A Ctrl-C ends a wait, and what is said then names the last answer.
//
// hashicorp/terraform-provider-google#10786, hashicorp/terraform-provider-google#19655.
func TestInterruptEndsAWaitForABusyCatalog(t *testing.T) {
	t.Parallel()
	for name, b := range standard("role:analyst") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, salesSeed)
			w := startWalk(t, c)
			plan := w.plan(b.typeName, nil, b.config, nil)
			proxy := faultproxy.New(c.record.next)
			proxy.Set(faultproxy.Rule{Operation: subjects()[name].write, Fault: faultproxy.Busy(http.StatusServiceUnavailable, 40)})
			c.record.next = proxy
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(200*time.Millisecond, cancel)
			started := time.Now()
			response, err := w.server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
				TypeName:       b.typeName,
				PriorState:     encode(t, w.resources[b.typeName], nil),
				PlannedState:   encode(t, w.resources[b.typeName], plan.state),
				Config:         encode(t, w.resources[b.typeName], b.config),
				PlannedPrivate: plan.private,
			})
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(started); took > 10*time.Second {
				t.Errorf("took %s", took)
			}
			wantDiagnostic(t, response.Diagnostics, tfprotov6.DiagnosticSeverityError, "503 Service Unavailable")
			if !strings.Contains(response.Diagnostics[0].Detail, "context canceled") {
				t.Errorf("not interrupted: %s", response.Diagnostics[0].Detail)
			}
		})
	}
}

// A catalog that stays too busy for a policy is told of with the attempts that were made, and nothing is left behind. What is told
// of other calls is in the tests of rest.
//
// hashicorp/terraform-provider-google#10786, hashicorp/terraform-provider-google#19655.
func TestCatalogThatStaysBusy(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"row filter", "column mask"} {
		for retries, told := range map[string]string{"0": "503 Service Unavailable", "2": "It was tried 3 times", "4": "It was tried 5 times"} {
			t.Run(name+", retries "+retries, func(t *testing.T) {
				t.Parallel()
				c := startCatalog(t, salesSeed)
				c.environment = map[string]string{"PAIMON_MAX_RETRIES": retries}
				proxy := faultproxy.New(c.record.next)
				proxy.Set(faultproxy.Rule{Operation: wire.CreatePolicy, Fault: busyWith(http.StatusServiceUnavailable, "")})
				c.record.next = proxy
				s := newStack(t, c, 1)
				s.apply(under(standard("role:analyst")[name], "a"))
				wantRefused(t, s, told)
				if n := writes(c.record.take()); strconv.Itoa(n-1) != retries || len(s.state) > 0 {
					t.Errorf("sent %d times with %s retries, and the state has %v", n, retries, s.state)
				}
			})
		}
	}
}

// oneWriteAtATime answers 503 to a write while another one is under way, as catalogs with a lock for each table do.
type oneWriteAtATime struct {
	next     http.Handler
	busy     atomic.Bool
	refused  atomic.Int64
	duration time.Duration // of a write
}

func (o *oneWriteAtATime) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		o.next.ServeHTTP(w, r)
		return
	}
	if !o.busy.CompareAndSwap(false, true) {
		o.refused.Add(1)
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	defer o.busy.Store(false)
	time.Sleep(o.duration)
	o.next.ServeHTTP(w, r)
}

// Many records on one table, written by two runs at once to a catalog that takes one write at a time: all of them are there
// in the end, and nobody's is lost.
//
// cyrilgdn/terraform-provider-postgresql#178, cyrilgdn/terraform-provider-postgresql#223,
// cyrilgdn/terraform-provider-postgresql#425, cyrilgdn/terraform-provider-postgresql#165,
// cyrilgdn/terraform-provider-postgresql#224, aws/aws-cdk#36215, data-dot-all/dataall#1572, databrickslabs/ucx#499,
// databrickslabs/ucx#717.
func TestManyWritesAtOnceToATableThatTakesOneAtATime(t *testing.T) {
	t.Parallel()
	each := 30
	if stressed() {
		each = 100
	}
	var tables sync.WaitGroup // they wait most of the time, so they do that together
	for name, s := range subjects() {
		tables.Go(func() {
			t.Run(name, func(t *testing.T) {
				c := startCatalog(t, salesSeed)
				c.breather = time.Second // there is no sense in making haste here
				one := &oneWriteAtATime{next: c.record.next, duration: time.Millisecond}
				c.record.next = one
				var runs sync.WaitGroup
				stacks := []*stack{newStack(t, c, 25), newStack(t, c, 25)}
				for run, stack := range stacks {
					config := make(map[string]block)
					for i := range each {
						config[fmt.Sprintf("r[%d]", i)] = s.of(s.first, fmt.Sprintf("role:%d-%d", run, i))["a"]
					}
					runs.Go(func() {
						if !stack.apply(config) || !stack.settled(config) {
							t.Error(texts(stack))
						}
					})
				}
				runs.Wait()
				query := maps.Clone(s.query)
				query.Set(wire.ParamMaxResults, "1000")
				if n := strings.Count(string(c.do(s.list, s.names, query, "")), s.firstMark); n != len(stacks)*each {
					t.Errorf("%d records are there", n)
				}
				if one.refused.Load() == 0 {
					t.Error("no two writes came at once")
				}
			})
		})
	}
	tables.Wait()
}
