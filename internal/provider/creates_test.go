package provider

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
	"github.com/paimon-iac/terraform-provider-paimon/internal/faultproxy"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// A record that is there already with other content is named with a block that imports it, also when it came up between
// the look and the create.
//
// hashicorp/terraform-provider-azurerm#28557, hashicorp/terraform-provider-azurerm#17421,
// hashicorp/terraform-provider-azurerm#19118, hashicorp/terraform-provider-azurerm#28694.
func TestExistingPolicyComesWithItsImportBlock(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"row filter", "column mask"} {
		for _, unseen := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/unseen %t", name, unseen), func(t *testing.T) {
				t.Parallel()
				subject := subjects()[name]
				c := startCatalog(t, salesSeed)
				theirs, s := newStack(t, c, 1), newStack(t, c, 1)
				if !theirs.apply(subject.of(subject.second, "role:analyst")) {
					t.Fatal(texts(theirs))
				}
				id := theirs.state["a"].values["id"]
				if unseen {
					c.lists()
				}
				s.apply(subject.of(subject.first, "role:analyst"))
				wantRefused(t, s, fmt.Sprintf("  import {\n    to = %s.NAME\n    id = %q\n  }", subject.typeName, id))
				c.record.intercept(nil)
				if got := subject.content(c, "role:analyst"); got != "second" {
					t.Errorf("%s is there", got)
				}
			})
		}
	}
}

// A table without the option is in conflict with policies and columns; that is no word about what exists.
//
// hashicorp/terraform-provider-azurerm#28557, hashicorp/terraform-provider-azurerm#19118.
func TestTableWithoutQueryAuthIsNotTakenForACollision(t *testing.T) {
	t.Parallel()
	for _, checks := range []string{"error", "off"} {
		for name, b := range onOneTable("role:analyst") {
			if b.typeName == "paimon_permission" {
				continue
			}
			c := startCatalog(t, strings.Replace(salesSeed, `options: {query-auth.enabled: "true"}`, "options: {}", 1))
			c.environment = map[string]string{"PAIMON_PLAN_CHECKS": checks}
			s := newStack(t, c, 1)
			s.apply(under(b, "a"))
			wantRefused(t, s, "query-auth.enabled")
			if text := texts(s); strings.Contains(text, "exist") || strings.Contains(text, "import") {
				t.Errorf("%s, plan checks %s: %s", name, checks, text)
			}
		}
	}
}

// refuseLooks makes a catalog answer every listing with a status from the first write on.
func refuseLooks(c *catalog, status int, subject subject) {
	var written atomic.Bool
	c.record.intercept(func(r *http.Request) http.HandlerFunc {
		if _, isWrite := subject.write.Match(r.URL.EscapedPath()); isWrite && r.Method == http.MethodPost {
			written.Store(true)
		}
		_, isList := subject.list.Match(r.URL.EscapedPath())
		if !written.Load() || !isList || r.Method != http.MethodGet {
			return nil
		}
		return refusal(status)
	})
}

// refusal is an answer of the catalog that is about nothing in particular.
func refusal(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, `{"resourceType":null,"resourceName":null,"message":"the server's own words","code":%d}`, status)
	}
}

// What was created is in the state, although nothing can be listed any more.
//
// hetznercloud/terraform-provider-hcloud#1257, outscale/terraform-provider-outscale#769,
// CleverCloud/terraform-provider-clevercloud#166, magodo/terraform-provider-restful#20.
func TestCreatedRecordIsInStateWhenTheListingFailsAfterwards(t *testing.T) {
	t.Parallel()
	for name, subject := range subjects() {
		c := startCatalog(t, salesSeed)
		s := newStack(t, c, 1)
		config := subject.of(subject.first, "role:analyst")
		refuseLooks(c, http.StatusInternalServerError, subject)
		if !s.apply(config) || len(s.state) != 1 {
			t.Errorf("%s: the state has %d: %s", name, len(s.state), texts(s))
		}
		c.record.intercept(nil)
		if !s.apply(config) || !s.settled(config) || len(s.warnings) > 0 {
			t.Errorf("%s: %s", name, texts(s))
		}
	}
}

// A caller who may write and not list gets nothing written, since nobody could say over what; and is told which right is
// missing. When the right goes after the write, the state has the record and keeps it.
//
// hashicorp/terraform-provider-aws#38982, hashicorp/terraform-provider-aws#21539, Mongey/terraform-provider-kafka#661.
func TestDeniedListingNamesTheMissingRight(t *testing.T) {
	t.Parallel()
	for name, subject := range subjects() {
		const missing = "it needs GRANT on TABLE sales."
		config := subject.of(subject.first, "role:analyst")
		c := startCatalog(t, salesSeed)
		proxy := faultproxy.New(c.record.next)
		c.record.next = proxy
		s := newStack(t, c, 1)
		proxy.Set(faultproxy.Rule{Operation: subject.list, Fault: func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
			refusal(http.StatusForbidden)(w, r)
		}})
		s.apply(config)
		wantRefused(t, s, missing)
		if n := writes(c.record.take()); n > 0 || len(s.state) > 0 {
			t.Errorf("%s: %d requests changed something, and the state has %d", name, n, len(s.state))
		}

		proxy.Set()
		refuseLooks(c, http.StatusForbidden, subject)
		if !s.apply(config) || len(s.state) != 1 {
			t.Errorf("%s: the state has %d: %s", name, len(s.state), texts(s))
		}
		if s.plan(config); len(s.state) != 1 || !strings.Contains(texts(s), missing) {
			t.Errorf("%s: the state has %d: %s", name, len(s.state), texts(s))
		}
	}
}

// A broader right that covers the new one is another record.
//
// ClickHouse/terraform-provider-clickhousedbops#89.
func TestPermissionIsCreatedBesideABroaderOne(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	c.byHand(wire.GrantPermission, `"type":"DATABASE_ALL","database":"sales"`, "SELECT", "role:analyst", "")
	s := newStack(t, c, 1)
	config := under(grantBlock("orders", "SELECT", "role:analyst"), "f1")
	if !s.apply(config) || !s.settled(config) {
		t.Fatal(texts(s))
	}
	broad := c.permissions(map[string][]string{wire.ParamResourceType: {"DATABASE_ALL"}, wire.ParamDatabase: {"sales"}})
	if n := len(c.permissions(onOrders("TABLE"))); n != 1 || len(broad) != 1 {
		t.Errorf("the catalog has %d on the table and %v on the database", n, broad)
	}
}

// A create that was carried out before the connection broke is success.
//
// hashicorp/terraform-provider-azurerm#30558, hashicorp/terraform-provider-azurerm#17421.
func TestLostAnswerToACreateIsNoCollision(t *testing.T) {
	t.Parallel()
	for name, subject := range subjects() {
		c := startCatalog(t, salesSeed)
		proxy := faultproxy.New(c.record.next)
		c.record.next = proxy
		proxy.Set(faultproxy.Rule{Operation: subject.write, Times: 1, Fault: faultproxy.Acted(faultproxy.Drop)})
		s := newStack(t, c, 1)
		config := subject.of(subject.first, "role:analyst")
		if !s.apply(config) {
			t.Errorf("%s: %s", name, texts(s))
		}
		if n := writes(c.record.take()); subject.write == wire.CreatePolicy && n != 1 {
			t.Errorf("%s: sent %d times", name, n)
		}
		if !s.settled(config) {
			t.Errorf("%s: %s", name, texts(s))
		}
	}
}

// What the catalog does not know yet is an error at once that names it. Waiting is for depends_on, and nothing is skipped.
//
// databricks/terraform-provider-databricks#5045, databricks/terraform-provider-databricks#4680,
// databricks/terraform-provider-databricks#2253, hashicorp/terraform-provider-azurerm#18113.
func TestMissingPrincipalOrTableIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	for missing, want := range map[string]string{
		`"PRINCIPAL","resourceName":"role:analyst"`: "about PRINCIPAL role:analyst",
		`"TABLE","resourceName":"sales.orders"`:     "about TABLE sales.orders",
	} {
		for name, subject := range subjects() {
			c := startCatalog(t, salesSeed)
			proxy := faultproxy.New(c.record.next)
			c.record.next = proxy
			proxy.Set(faultproxy.Rule{Operation: subject.write, Times: 2, Fault: faultproxy.Answer(http.StatusNotFound, "application/json",
				`{"resourceType":`+missing+`,"message":"not here","code":404}`)})
			s := newStack(t, c, 1)
			config := subject.of(subject.first, "role:analyst")
			for range 2 {
				s.apply(config)
				wantRefused(t, s, want)
				wantRefused(t, s, "reate it first")
				if n := writes(c.record.take()); n != 1 || len(s.state) > 0 {
					t.Errorf("%s: sent %d times, and the state has %d", name, n, len(s.state))
				}
			}
			if !s.apply(config) || !s.settled(config) {
				t.Errorf("%s: %s", name, texts(s))
			}
		}
	}
}

// A refusal is not tried again: one request, and the server's own words at once.
//
// hashicorp/terraform-provider-azurerm#11417.
func TestRefusedWriteIsSentOnce(t *testing.T) {
	t.Parallel()
	for name, b := range standard("role:analyst") {
		for _, status := range []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden} {
			c := startCatalog(t, salesSeed)
			c.record.intercept(func(r *http.Request) http.HandlerFunc {
				if r.Method == http.MethodGet {
					return nil
				}
				return refusal(status)
			})
			s := newStack(t, c, 1)
			started := time.Now()
			s.apply(under(b, "a"))
			wantRefused(t, s, "the server's own words")
			if took := time.Since(started); took > 2*time.Second {
				t.Errorf("%s, %d: took %s", name, status, took)
			}
			if n := writes(c.record.take()); n != 1 {
				t.Errorf("%s, %d: sent %d times", name, status, n)
			}
		}
	}
}

// A crowded table: many records of others, some for the same principal, ours on the last of many pages, which are shorter
// than what was asked for.
//
// databricks/terraform-provider-databricks#4160, databricks/terraform-provider-databricks#4162,
// databricks/terraform-provider-databricks#4268; on the pages: cockroachdb/terraform-provider-cockroach#121,
// hashicorp/terraform-provider-aws#28535, goauthentik/terraform-provider-authentik#841.
func TestCrowdedTable(t *testing.T) {
	t.Parallel()
	var seed strings.Builder
	seed.WriteString(salesSeed + "permissions:\n")
	for i := range 1001 {
		fmt.Fprintf(&seed, "  - {resource: {type: TABLE, database: sales, table: orders}, access: SELECT, principal: \"role:%04d\"}\n", i)
	}
	for _, access := range []string{"UPDATE", "ALTER", "DROP"} {
		fmt.Fprintf(&seed, "  - {resource: {type: TABLE, database: sales, table: orders}, access: %s, principal: \"role:zz\"}\n", access)
	}
	c := startCatalog(t, seed.String(), func(config *devcatalog.Config) { config.MaxPageSize = 100 })
	s := newStack(t, c, 10)
	config := map[string]block{"a": grantBlock("orders", "SELECT", "role:zz"), "b": grantBlock("orders", "ALL", "role:zz")}
	for range 3 {
		if !s.apply(config) {
			t.Fatal(texts(s))
		}
		if c.record.take(); !s.settled(config) {
			t.Fatal(texts(s))
		}
		if n := len(c.record.take()); n < 11 {
			t.Errorf("%d requests cannot have read all pages", n)
		}
	}
}

// A gateway may end a session after the catalog has acted. The create goes out again with the next token, and the policy that
// is in its way is its own.
func TestPolicyCreateWhoseTokenEndsAfterItActed(t *testing.T) {
	t.Parallel()
	token := filepath.Join(t.TempDir(), "token")
	renew := func(text string) {
		if err := os.WriteFile(token, []byte(text), 0o600); err != nil {
			t.Error(err)
		}
	}
	renew("first")
	c := startCatalog(t, salesSeed)
	var once sync.Once
	c.record.intercept(func(r *http.Request) http.HandlerFunc {
		if _, isCreate := wire.CreatePolicy.Match(r.URL.EscapedPath()); !isCreate || r.Method != http.MethodPost {
			return nil
		}
		var handler http.HandlerFunc
		once.Do(func() {
			handler = func(w http.ResponseWriter, r *http.Request) {
				c.record.next.ServeHTTP(httptest.NewRecorder(), r)
				renew("second")
				w.WriteHeader(http.StatusUnauthorized)
			}
		})
		return handler
	})
	w := startWalkWith(t, c, object{"token_file": token})
	w.create("paimon_row_filter_policy", filterObject(euFilter))
	if err := inForce(c, "EU")(nil); err != nil {
		t.Error(err)
	}
}
