package provider

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// sixPolicies are policies of both resources under an address each.
func sixPolicies(changed bool) (map[string]block, []block) {
	config := make(map[string]block)
	var blocks []block
	for i := range 6 {
		s := subjects()[[]string{"row filter", "column mask"}[i%2]]
		content := s.first
		if changed {
			content = s.second
		}
		b := s.of(content, fmt.Sprintf("role:%d", i))["a"]
		config[fmt.Sprintf("p[%d]", i)] = b
		blocks = append(blocks, b)
	}
	return config, blocks
}

// refuseFor answers the create of a changed policy for a principal as a catalog does whose rules no plan knows.
func refuseFor(principal string) func(*http.Request) http.HandlerFunc {
	return func(r *http.Request) http.HandlerFunc {
		body, err := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		isChanged := bytes.Contains(body, []byte("APAC")) || bytes.Contains(body, []byte("CONCAT"))
		if err != nil || !isChanged || !bytes.Contains(body, []byte(principal)) {
			return nil
		}
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"resourceType":"POLICY","resourceName":"it","message":"no such policy for this one","code":400}`)
		}
	}
}

func TestSixPoliciesAreReplacedAtOnce(t *testing.T) {
	t.Parallel()
	for _, parallelism := range []int{1, 10, 32} {
		for range rounds(2) {
			c := startCatalog(t, salesSeed)
			s := newStack(t, c, parallelism)
			before, _ := sixPolicies(false)
			after, blocks := sixPolicies(true)
			if !s.apply(before) || !s.apply(after) || !s.settled(after) {
				t.Fatal(texts(s))
			}
			wantOnServer(t, c, blocks, nil)
		}
	}
}

// The refused one is as it was, on the server and in the state, and its next plan is the replacement again.
func TestOneOfSixReplacementsIsRefused(t *testing.T) {
	t.Parallel()
	for _, parallelism := range []int{1, 10, 32} {
		for round := range rounds(2) {
			c := startCatalog(t, salesSeed)
			s := newStack(t, c, parallelism)
			before, old := sixPolicies(false)
			after, blocks := sixPolicies(true)
			if !s.apply(before) {
				t.Fatal(texts(s))
			}
			refused := round % 6
			c.record.intercept(refuseFor(fmt.Sprintf("role:%d", refused)))
			s.apply(after)
			wantRefused(t, s, "The old definition was put back and is in force")
			mixed := slices.Clone(blocks)
			mixed[refused] = old[refused]
			wantOnServer(t, c, mixed, nil)
			if i := s.state[fmt.Sprintf("p[%d]", refused)]; !i.tainted || i.values == nil {
				t.Errorf("the state has %v", i)
			}
			c.record.intercept(nil)
			changes, _ := s.plan(after)
			for address, change := range changes {
				if want := fmt.Sprintf("p[%d]", refused); (change.action == replace) != (address == want) {
					t.Errorf("%s is planned as %s", address, change.action)
				}
			}
			if !s.apply(after) || !s.settled(after) {
				t.Fatal(texts(s))
			}
			wantOnServer(t, c, blocks, nil)
		}
	}
}

// The same by the CLI: five new ones and an old one, and after the next apply six new ones.
func TestAccCLISixReplacementsOfWhichOneIsRefused(t *testing.T) {
	t.Parallel()
	text := func(region string) string {
		return fmt.Sprintf(`
resource "paimon_row_filter_policy" "f" {
  for_each  = toset(["0", "1", "2", "3", "4", "5"])
  database  = "sales"
  table     = "orders"
  principal = "role:${each.key}"
  predicate = %s
}
`, regionIs(region))
	}
	regions := func(c *catalog) string {
		filters := strings.Join(c.policies("orders"), "")
		return fmt.Sprintf("%d EU, %d APAC", strings.Count(filters, "EU"), strings.Count(filters, "APAC"))
	}
	for _, parallelism := range []string{"1", "10", "32"} {
		if parallelism != "10" && !stressed() {
			continue
		}
		c := startCatalog(t, salesSeed)
		f := newProject(t, c, text("EU"))
		f.run(0, "apply", "-auto-approve")
		c.record.intercept(refuseFor("role:3"))
		f.configure(c, text("APAC"))
		wantPrinted(t, f.run(1, "apply", "-auto-approve", "-parallelism="+parallelism), "no such policy for this one", "is in force", `f["3"]`)
		if got := regions(c); got != "1 EU, 5 APAC" {
			t.Errorf("parallelism %s: %s", parallelism, got)
		}
		wantPrinted(t, f.run(2, "plan", "-detailed-exitcode"), "1 to add, 0 to change, 1 to destroy")
		c.record.intercept(nil)
		f.applies("-parallelism=" + parallelism)
		if got := regions(c); got != "0 EU, 6 APAC" {
			t.Errorf("parallelism %s, healed: %s", parallelism, got)
		}
	}
}

// The new definition needs something that the same apply creates, which waits for the destroy of the old one.
func TestAccCLIReplacementThatNeedsWhatTheSameApplyCreates(t *testing.T) {
	t.Parallel()
	for _, parallelism := range []string{"1", "10", "32"} {
		if parallelism != "10" && !stressed() {
			continue
		}
		c := startCatalog(t, salesSeed)
		f := newProject(t, c, rowFilter("f", regionIs("EU"), ""))
		f.run(0, "apply", "-auto-approve")
		refuse := refuseFor("role:analyst")
		var granted atomic.Bool
		c.record.intercept(func(r *http.Request) http.HandlerFunc {
			if strings.HasSuffix(r.URL.Path, "/grant") {
				granted.Store(true)
			}
			if granted.Load() {
				return nil
			}
			return refuse(r)
		})
		f.configure(c, rowFilter("f", regionIs("APAC"), "  depends_on = [paimon_permission.needed]\n")+grantOf("needed", "role:needed", ""))
		f.applies("-parallelism=" + parallelism)
		if err := inForce(c, "APAC")(nil); err != nil {
			t.Error(err)
		}
	}
}

// An interrupt after the destroy half of a replacement: the new definition is in force and not in the state.
func TestReplacementWithoutItsCreateGoesOnAtTheNextApply(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	s := newStack(t, c, 10)
	before, _ := sixPolicies(false)
	after, blocks := sixPolicies(true)
	if !s.apply(before) {
		t.Fatal(texts(s))
	}
	s.halted = true
	s.apply(after)
	wantOnServer(t, c, blocks, nil)
	s.halted = false
	if !s.apply(after) || !s.settled(after) {
		t.Fatal(texts(s))
	}
	wantOnServer(t, c, blocks, nil)
}

// span is how long a policy was absent.
type span struct {
	mu      sync.Mutex
	dropped map[string]time.Time
	open    []time.Duration
}

// watch notes when drops and creates have acted.
func (s *span) watch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
		_, principal, _ := strings.Cut(string(body), `"principal":"`)
		principal, _, _ = strings.Cut(principal, `"`)
		s.mu.Lock()
		defer s.mu.Unlock()
		if _, isDrop := wire.DropPolicy.Match(r.URL.EscapedPath()); isDrop {
			s.dropped[principal] = time.Now()
		} else if at, was := s.dropped[principal]; was && r.Method == http.MethodPost {
			s.open = append(s.open, time.Since(at))
		}
	})
}

// The time without a policy is one round trip, however many are replaced.
func TestReplacedPolicyIsAbsentForOneRoundTrip(t *testing.T) {
	t.Parallel()
	s := subjects()["row filter"]
	for _, latency := range []time.Duration{0, 20 * time.Millisecond, 50 * time.Millisecond} {
		for _, parallelism := range []int{10, 1} {
			if parallelism == 1 && !stressed() {
				continue
			}
			c := startCatalog(t, salesSeed, func(config *devcatalog.Config) { config.Latency = latency })
			watched := &span{dropped: make(map[string]time.Time)}
			c.record.next = watched.watch(c.record.next)
			before, after := make(map[string]block), make(map[string]block)
			for i := range 40 {
				address, principal := fmt.Sprintf("p[%d]", i), fmt.Sprintf("role:%d", i)
				before[address], after[address] = s.of(s.first, principal)["a"], s.of(s.second, principal)["a"]
			}
			stack := newStack(t, c, parallelism)
			if !stack.apply(before) || !stack.apply(after) {
				t.Fatal(texts(stack))
			}
			slices.Sort(watched.open)
			if len(watched.open) != 40 {
				t.Fatalf("%d of 40 were dropped and created", len(watched.open))
			}
			median := watched.open[20]
			t.Logf("%v a call, parallelism %d: absent for %v, at most %v", latency, parallelism, median, watched.open[39])
			if median > latency+100*time.Millisecond {
				t.Errorf("%v a call: absent for %v", latency, median)
			}
		}
	}
}

// Policies stand before the grants that they restrict, also when they fail, and go after them.
func TestAccCLIPoliciesComeBeforeGrantsAndGoAfterThem(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	const mask = `
resource "paimon_column_mask_policy" "m" {
  database  = "sales"
  table     = "orders"
  on_column = "region"
  principal = "role:analyst"
  transform = jsonencode({ name = "UPPER", inputs = [{ index = 1, name = "region", type = "STRING" }] })
}
`
	const columns = `
resource "paimon_column_permission" "c" {
  database     = "sales"
  table        = "orders"
  principal    = "role:analyst"
  column_names = ["region"]
  depends_on   = [paimon_row_filter_policy.f, paimon_column_mask_policy.m]
}
`
	f := newProject(t, c, rowFilter("f", regionIs("APAC"), "")+mask+columns+
		grantOf("p", "role:analyst", "  depends_on    = [paimon_row_filter_policy.f, paimon_column_mask_policy.m]\n"))
	// order is what was changed, in its order, several of a kind in a row as one.
	order := func() string {
		var changes []string
		for _, request := range c.record.take() {
			if strings.HasPrefix(request, http.MethodPost) {
				changes = append(changes, request[strings.LastIndex(request, "/")+1:])
			}
		}
		return strings.Join(slices.Compact(changes), " ")
	}
	c.record.intercept(refuseAPAC)
	f.run(1, "apply", "-auto-approve")
	if got := order(); strings.Contains(got, "grant") {
		t.Errorf("granted without the policy: %s", got)
	}
	c.record.intercept(nil)
	f.applies()
	if got := order(); got != "policies grant" {
		t.Errorf("created in the order %s", got)
	}
	// As long as a grant is there, so are the policies.
	c.record.intercept(func(r *http.Request) http.HandlerFunc {
		if !strings.HasSuffix(r.URL.Path, "/revoke") {
			return nil
		}
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }
	})
	f.run(1, "apply", "-destroy", "-auto-approve")
	if got := order(); got != "revoke" {
		t.Errorf("tried to destroy %s", got)
	}
	c.record.intercept(nil)
	wantPrinted(t, f.run(0, "apply", "-destroy", "-auto-approve"), "role:analyst will see all rows of sales.orders; now: region = 'APAC'.",
		"role:analyst will see the raw values of column region of sales.orders")
	if got := order(); got != "revoke drop" {
		t.Errorf("destroyed in the order %s", got)
	}
}

// Two applies at once: what they share is adopted by whoever comes second, and nothing of the others is touched. Later both change
// what is their own and share no more, then both destroy everything, at once again.
//
// databrickslabs/ucx#499, databrickslabs/ucx#717.
func TestTwoAppliesAtOnce(t *testing.T) {
	t.Parallel()
	for range rounds(2) {
		c := startCatalog(t, salesSeed)
		shared := standard("role:shared")
		stacks := []*stack{newStack(t, c, 10), newStack(t, c, 10)}
		var configs, changed []map[string]block
		var changedBlocks []block
		for i := range stacks {
			own, ownChanged := make(map[string]block), make(map[string]block)
			for j := range 5 {
				for name, subject := range subjects() {
					address, principal := fmt.Sprintf("%s[%d]", name, j), fmt.Sprintf("role:%d-%d", i, j)
					own[address], ownChanged[address] = subject.of(subject.first, principal)["a"], subject.of(subject.second, principal)["a"]
					changedBlocks = append(changedBlocks, ownChanged[address])
				}
			}
			configs, changed = append(configs, merged(own, shared)), append(changed, ownChanged)
		}
		atOnce := func(configs []map[string]block) {
			var running sync.WaitGroup
			for i, s := range stacks {
				running.Go(func() { s.apply(configs[i]) })
			}
			running.Wait()
		}
		atOnce(configs)
		for i, s := range stacks {
			if !s.apply(configs[i]) || !s.settled(configs[i]) {
				t.Fatal(texts(s))
			}
		}
		blocks := slices.Concat(slices.Collect(maps.Values(configs[0])), slices.Collect(maps.Values(configs[1])))
		for name := range shared {
			i := slices.IndexFunc(blocks, func(b block) bool { return reflect.DeepEqual(b, shared[name]) })
			blocks = slices.Delete(blocks, i, i+1) // it was counted twice
		}
		wantOnServer(t, c, blocks, nil)
		for _, step := range []struct {
			configs []map[string]block
			left    []block
		}{{changed, changedBlocks}, {make([]map[string]block, len(stacks)), nil}} {
			atOnce(step.configs)
			for i, s := range stacks {
				if len(s.errors) > 0 || !s.settled(step.configs[i]) {
					t.Fatal(texts(s))
				}
			}
			wantOnServer(t, c, step.left, nil)
		}
	}
}
