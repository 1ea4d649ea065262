package provider

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
	"github.com/paimon-iac/terraform-provider-paimon/internal/faultproxy"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// subject is one resource under faults: what is configured first, what it is changed to, and how the catalog's row
// shows which of the two is there.
type subject struct {
	typeName            string
	first, second       object
	firstMark, lastMark string
	list, write, remove wire.Operation
	names               []string   // in the path of the listing
	query               url.Values // of the listing
	readsTable          bool       // checks the plan against the table
}

func subjects() map[string]subject {
	permission := func(expiry string) object {
		return object{"resource_type": "TABLE", "database": "sales", "table": "orders", "access": "SELECT", "expire_time": expiry}
	}
	column := func(name string) object {
		return object{"database": "sales", "table": "orders", "column_names": []string{name}}
	}
	filter := func(region string) object {
		return object{"database": "sales", "table": "orders", "predicate": strings.Replace(euFilter, "EU", region, 1)}
	}
	mask := func(transform string) object {
		return object{"database": "sales", "table": "customers", "on_column": "email", "transform": transform}
	}
	return map[string]subject{
		"permission": {
			"paimon_permission", permission("2131-01-01T00:00:00Z"), permission("2132-01-01T00:00:00Z"), "2131-01", "2132-01",
			wire.ListPermissions, wire.GrantPermission, wire.RevokePermission, nil, onOrders("TABLE"), false,
		},
		"column permission": {
			"paimon_column_permission", column("region"), column("amount"), "region", "amount",
			wire.ListPermissions, wire.GrantPermission, wire.RevokePermission, nil, onOrders("COLUMN"), true,
		},
		"row filter": {
			"paimon_row_filter_policy", filter("EU"), filter("APAC"), "EU", "APAC",
			wire.ListPolicies, wire.CreatePolicy, wire.DropPolicy,
			[]string{"sales", "orders"},
			url.Values{},
			true,
		},
		"column mask": {
			"paimon_column_mask_policy", mask(`{"name":"UPPER","inputs":[{"index":1,"name":"email","type":"STRING"}]}`),
			mask(`{"name":"CONCAT","inputs":["***"]}`), "UPPER", "CONCAT",
			wire.ListPolicies, wire.CreatePolicy, wire.DropPolicy,
			[]string{"sales", "customers"},
			url.Values{},
			true,
		},
	}
}

// of is a configuration for a principal.
func (s subject) of(content object, principal string) map[string]block {
	config := maps.Clone(content)
	config["principal"] = principal
	return map[string]block{"a": {s.typeName, config}}
}

// content is what the catalog has for a principal: "first", "second" or "nothing".
func (s subject) content(c *catalog, principal string) string {
	c.t.Helper()
	query := maps.Clone(s.query)
	query.Set(wire.ParamPrincipal, principal)
	text := string(c.do(s.list, s.names, query, ""))
	switch {
	case strings.Contains(text, s.firstMark):
		return "first"
	case strings.Contains(text, s.lastMark):
		return "second"
	default:
		return "nothing"
	}
}

// fault is one way in which a call goes wrong.
type fault struct {
	fault faultproxy.Fault
	// passes says that the provider gets what it needs in spite of the fault, when nothing else goes wrong.
	passes bool
	// acts says that the catalog may act in spite of it.
	acts bool
	// isLate says that it takes longer than the shortest timeout.
	isLate bool
	// heavy faults take memory or time, so they are tried only under stress.
	heavy bool
	// reads are faults of answers with content. Writes are answered without, so nothing tells them apart there.
	reads bool
	// lists are faults of listings.
	lists bool
}

// fits says whether a call can have the fault.
func (f fault) fits(call wire.Operation) bool {
	isList := call == wire.ListPermissions || call == wire.ListPolicies
	return (!f.reads || call.Method == http.MethodGet) && (!f.lists || isList)
}

// cut sends the beginning of a page and closes the connection.
func cut(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
	w.Header().Set("Content-Type", "text/html")
	w.Header().Set("Content-Length", "5000")
	_, _ = io.WriteString(w, "<html>log in")
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

func faults() map[string]fault {
	const busy, unavailable = http.StatusTooManyRequests, http.StatusServiceUnavailable
	page := func(status int) faultproxy.Fault {
		return faultproxy.Answer(status, "text/html", fmt.Sprintf("<html><body><h1>%d %s</h1></body></html>", status, http.StatusText(status)))
	}
	return map[string]fault{
		"connection dropped before":    {fault: faultproxy.Drop},
		"connection dropped after":     {fault: faultproxy.Acted(faultproxy.Drop), acts: true},
		"delay":                        {fault: faultproxy.Delay(50 * time.Millisecond), passes: true},
		"delay beyond the timeout":     {fault: faultproxy.Delay(1300 * time.Millisecond), acts: true, isLate: true},
		"answer cut short":             {fault: faultproxy.Truncate, acts: true},
		"429, seconds":                 {fault: faultproxy.Busy(busy, 1)},
		"429, date":                    {fault: faultproxy.BusyUntil(busy, 2*time.Second)},
		"503, seconds":                 {fault: faultproxy.Busy(unavailable, 1)},
		"503, seconds, acted":          {fault: faultproxy.Acted(faultproxy.Busy(unavailable, 1)), acts: true},
		"503, date":                    {fault: faultproxy.BusyUntil(unavailable, 2*time.Second)},
		"500 with the contract's body": {fault: faultproxy.Answer(http.StatusInternalServerError, "application/json", `{"resourceType":null,"resourceName":null,"message":"oops","code":500}`)},
		"500 page, acted":              {fault: faultproxy.Acted(page(http.StatusInternalServerError)), acts: true},
		"401 in the middle":            {fault: faultproxy.Answer(http.StatusUnauthorized, "", "")},
		"403":                          {fault: faultproxy.Answer(http.StatusForbidden, "application/json", `{"resourceType":null,"resourceName":null,"message":"no","code":403}`)},
		"404 page":                     {fault: page(http.StatusNotFound)},
		"404 without a body":           {fault: faultproxy.Answer(http.StatusNotFound, "", "")},
		"404 about a principal":        {fault: faultproxy.Answer(http.StatusNotFound, "application/json", `{"resourceType":"PRINCIPAL","resourceName":"p","message":"no","code":404}`)},
		"502 page":                     {fault: page(http.StatusBadGateway)},
		"502 page, acted":              {fault: faultproxy.Acted(page(http.StatusBadGateway)), acts: true},
		"504 page":                     {fault: page(http.StatusGatewayTimeout)},
		"login page":                   {fault: page(http.StatusOK)},
		"login page cut short":         {fault: cut},
		"JSON of something else":       {fault: faultproxy.Answer(http.StatusOK, "application/json", `{"status":"ok"}`), reads: true},
		"wrong content type":           {fault: faultproxy.Retype("text/html"), passes: true},
		"body beyond the limit":        {fault: faultproxy.Inflate(129 << 20), heavy: true, reads: true},
		"paging in a circle":           {fault: faultproxy.Circle(), lists: true},
		"paging that never ends":       {fault: faultproxy.Endless(), heavy: true, lists: true},
	}
}

// deed is what is done to a resource while a call goes wrong, in the plan or in the apply.
type deed struct {
	name    string
	inApply bool
	call    wire.Operation
}

func (s subject) deeds() []deed {
	deeds := []deed{
		{"create", false, wire.GetConfig},
		{"create", false, s.list},
		{"create", true, wire.GetConfig},
		{"create", true, s.list},
		{"create", true, s.write},
		{"read", false, wire.GetConfig},
		{"read", false, s.list},
		{"change", true, wire.GetConfig},
		{"change", true, s.write},
		{"delete", true, wire.GetConfig},
		{"delete", true, s.remove},
	}
	if s.write == wire.CreatePolicy {
		deeds = append(deeds, deed{"change", true, s.list}, deed{"change", true, s.remove})
	}
	if s.readsTable {
		deeds = append(deeds, deed{"create", false, wire.GetTable}, deed{"create", true, wire.GetTable},
			deed{"change", false, wire.GetTable}, deed{"change", true, wire.GetTable})
	}
	return deeds
}

// duration says how long a fault lasts.
type duration string

const (
	passing duration = "once"
	lasting duration = "lasting"
	// blinding faults hit a write, and nothing can be looked up afterwards.
	blinding duration = "blind afterwards"
)

// durations are those that are of interest for a call.
func (d deed) durations(s subject) []duration {
	if d.inApply && (d.call == s.write || d.call == s.remove) {
		return []duration{passing, lasting, blinding}
	}
	return []duration{passing, lasting}
}

// isEssential says that the deed cannot be done without the call: what a plan only warns of, it can do without.
func (d deed) isEssential() bool {
	return d.call.Method == http.MethodPost || d.name == "read" || d.call == wire.GetConfig && (d.inApply || d.name != "create")
}

// trial is one combination.
type trial struct {
	subject   subject
	deed      deed
	fault     fault
	faultName string
	duration  duration
	principal string
	dev       http.Handler
}

// outcome is how a trial ended.
type outcome struct {
	ok     bool
	server string // what the catalog had at the end
}

func (o outcome) String() string {
	if o.ok {
		return "ok"
	}
	return "error, " + o.server + " there"
}

// Every management call goes wrong in every way while every resource is created, read, changed and deleted. Success is
// never claimed for what did not happen, the state tells the truth, no policy is lost in silence, and the next apply
// brings about what is configured.
//
// A sample runs always, all of it under stress.
func TestFaultsOnEveryCall(t *testing.T) {
	const sample = 23 // shares no divisor with the table's columns, so that everything gets its turn
	dev := startDev(t)
	idle := runtime.NumGoroutine()
	var report tally
	var trials sync.WaitGroup
	slots, heavy := make(chan struct{}, 64), make(chan struct{}, 1)
	n := 0
	for name, x := range combinations() {
		n++
		if (n%sample != 0 || x.fault.heavy) && !stressed() {
			continue
		}
		x.dev, x.principal = dev, fmt.Sprintf("role:%d", n)
		trials.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if x.fault.heavy {
				heavy <- struct{}{}
				defer func() { <-heavy }()
			}
			t.Run(name, func(t *testing.T) { report.add(x, x.run(t)) })
		})
	}
	trials.Wait()
	report.print(t)
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > idle+2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines are left, %d at the beginning", runtime.NumGoroutine(), idle)
		}
	}
}

// combinations are all trials, by name.
func combinations() iter.Seq2[string, trial] {
	return func(yield func(string, trial) bool) {
		for _, subject := range slices.Sorted(maps.Keys(subjects())) {
			s := subjects()[subject]
			for _, d := range s.deeds() {
				for _, faultName := range slices.Sorted(maps.Keys(faults())) {
					f := faults()[faultName]
					if !f.fits(d.call) {
						continue
					}
					for _, lasts := range d.durations(s) {
						name := fmt.Sprintf("%s/%s/%s/%s/%s/%s", subject, d.name, phase(d), d.call.Action, faultName, lasts)
						if !yield(name, trial{subject: s, deed: d, fault: f, faultName: faultName, duration: lasts}) {
							return
						}
					}
				}
			}
		}
	}
}

// tally counts how the trials of each fault and call ended.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
	total  int
}

func (r *tally) add(x trial, got outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counts == nil {
		r.counts = make(map[string]int)
	}
	r.counts[fmt.Sprintf("%-29s %-6s %-26s %s", x.faultName, x.deed.name, x.deed.call.Action, got)]++
	r.total++
}

func (r *tally) print(t *testing.T) {
	t.Helper()
	t.Logf("%d combinations", r.total)
	for _, key := range slices.Sorted(maps.Keys(r.counts)) {
		t.Logf("%s: %d", key, r.counts[key])
	}
}

func phase(d deed) string {
	if d.inApply {
		return "apply"
	}
	return "plan"
}

// run does the deed under the fault, checks what is left, and then heals it.
func (x trial) run(t *testing.T) outcome {
	t.Helper()
	proxy := faultproxy.New(x.dev)
	record := &recorder{next: proxy}
	var creates creations
	record.intercept(creates.note)
	server := httptest.NewServer(record)
	defer server.Close()
	c := &catalog{t: t, url: server.URL, record: record, environment: map[string]string{"PAIMON_TOKEN": secret}}
	s := newStack(t, c, 1)
	first, second := x.subject.of(x.subject.first, x.principal), x.subject.of(x.subject.second, x.principal)
	goal, target := first, "first"
	switch x.deed.name {
	case "change":
		goal, target = second, "second"
	case "delete":
		goal, target = nil, "nothing"
	}
	if x.deed.name != "create" && !s.apply(first) {
		t.Fatal("cannot prepare:", texts(s))
	}
	before := s.state["a"].values

	breakIt := func() { proxy.Set(x.rules()...) }
	if x.deed.inApply {
		s.beforeApply = breakIt
	} else {
		breakIt()
	}
	record.take()
	c.environment["PAIMON_MAX_RETRIES"] = "1"
	if x.fault.isLate {
		c.environment["PAIMON_REQUEST_TIMEOUT_SECONDS"] = "1"
	}
	started := time.Now()
	ok := s.act(x.deed.name, goal)
	if took := time.Since(started); took > 30*time.Second && !x.fault.heavy {
		t.Errorf("took %s", took)
	}
	requests := record.take()
	proxy.Set()
	s.beforeApply = nil
	c.environment = nil
	if x.fault.isLate {
		time.Sleep(2 * time.Second) // a drop that arrives after the next apply is beyond anybody's care
	}

	got := outcome{ok, x.subject.content(c, x.principal)}
	after, inState := s.state["a"]
	messages := texts(s)
	switch {
	case strings.Contains(messages, secret):
		t.Errorf("the token is in: %s", messages)
	case ok && got.server != target:
		t.Errorf("said to have worked, but %s is there", got.server)
	case ok && inState != (target != "nothing"):
		t.Errorf("said to have worked, but the state has %v", after.values)
	case ok && x.duration == lasting && x.deed.isEssential() && !x.fault.passes && !x.fault.acts:
		t.Error("said to have worked without an essential call")
	case !ok && x.fault.passes && x.duration != blinding:
		t.Errorf("the fault is none, but: %s", messages)
	case !ok && !strings.Contains(messages, x.principal):
		t.Errorf("does not name the record: %s", messages)
	}
	switch {
	case ok:
	case x.deed.name == "delete" && !inState:
		t.Error("gone from the state by an error")
	case x.deed.name == "read" && (!inState || !maps.EqualFunc(before, after.values, func(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) })):
		t.Errorf("reading changed the state from %v to %v", before, after.values)
	case x.deed.name == "change" && !inState:
		t.Error("gone from the state by an error")
	case x.deed.name == "change" && got.server == "nothing" && !strings.Contains(messages, "again at once"):
		t.Errorf("no policy is there, and nobody says so: %s", messages)
	}
	if len(requests) > 40 && !x.fault.heavy {
		t.Errorf("%d requests", len(requests))
	}
	if repeated := creates.repeated(); repeated != "" {
		t.Errorf("repeated without a look: %s", repeated)
	}

	if !s.apply(goal) {
		t.Fatalf("not healed by the next apply: %s", texts(s))
	}
	if healed := x.subject.content(c, x.principal); healed != target {
		t.Errorf("healed to %s", healed)
	}
	if !s.settled(goal) {
		t.Error("the plan after it is not empty")
	}
	return got
}

// rules are the faults of the proxy.
func (x trial) rules() []faultproxy.Rule {
	rule := faultproxy.Rule{Operation: x.deed.call, Fault: x.fault.fault}
	switch x.duration {
	case lasting:
	case passing:
		rule.Times = 1
	case blinding:
		blind := faultproxy.Answer(http.StatusInternalServerError, "application/json", `{"message":"blind","code":500}`)
		var hit bool
		var mu sync.Mutex
		hitting := func(w http.ResponseWriter, r *http.Request, catalog http.Handler) {
			mu.Lock()
			hit = true
			mu.Unlock()
			x.fault.fault(w, r, catalog)
		}
		return []faultproxy.Rule{
			{Operation: x.deed.call, Fault: hitting},
			{Operation: x.subject.list, Fault: func(w http.ResponseWriter, r *http.Request, catalog http.Handler) {
				mu.Lock()
				isBlind := hit
				mu.Unlock()
				if isBlind {
					blind(w, r, catalog)
				} else {
					catalog.ServeHTTP(w, r)
				}
			}},
		}
	}
	return []faultproxy.Rule{rule}
}

// creations watches for policies that are created a second time without a look in between.
type creations struct {
	mu     sync.Mutex
	last   string // body of the last request, when that was a create
	second string
}

func (c *creations) note(r *http.Request) http.HandlerFunc {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, matches := wire.CreatePolicy.Match(r.URL.EscapedPath()); !matches || r.Method != http.MethodPost {
		c.last = ""
		return nil
	}
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	if text := string(body); err == nil {
		if text == c.last {
			c.second = text
		}
		c.last = text
	}
	return nil
}

func (c *creations) repeated() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.second
}

// act creates, changes or deletes by applying a configuration, or reads by planning it.
func (s *stack) act(deed string, config map[string]block) bool {
	if deed == "read" {
		return s.settled(config)
	}
	return s.apply(config)
}

// texts are the errors and warnings of the last plan or apply.
func texts(s *stack) string {
	var b strings.Builder
	for _, d := range slices.Concat(s.errors, s.warnings) {
		fmt.Fprintf(&b, "%s: %s: %s\n", d.Severity, d.Summary, d.Detail)
	}
	return b.String()
}

// secret is a token that must not be seen anywhere.
const secret = "s3cr3t-token-of-the-tests"

// startDev starts a dev catalog without an address.
func startDev(t *testing.T) http.Handler {
	t.Helper()
	seed, err := devcatalog.ParseSeed([]byte(salesSeed))
	if err != nil {
		t.Fatal(err)
	}
	dev, err := devcatalog.New(t.Context(), devcatalog.Config{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	})
	return dev.Handler()
}

// stressed says that the tests are to run all their rounds and combinations.
func stressed() bool { return os.Getenv("PAIMON_STRESS") != "" }
