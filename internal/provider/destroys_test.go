package provider

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/faultproxy"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// A table, or a database, that was dropped first leaves nothing to destroy.
//
// snowflakedb/terraform-provider-snowflake#3412, snowflakedb/terraform-provider-snowflake#2621,
// snowflakedb/terraform-provider-snowflake#1529, databricks/terraform-provider-databricks#775,
// jfrog/terraform-provider-artifactory#576.
func TestDestroyAfterTheTableIsGone(t *testing.T) {
	t.Parallel()
	for operation, names := range map[wire.Operation][]string{wire.DropTable: {"sales", "orders"}, wire.DropDatabase: {"sales"}} {
		c := startCatalog(t, salesSeed)
		s := newStack(t, c, 10)
		s.noRefresh = true
		if !s.apply(onOneTable("role:analyst")) {
			t.Fatal(texts(s))
		}
		c.do(operation, names, nil, "")
		if !s.apply(nil) || len(s.state) > 0 {
			t.Errorf("%s: the state has %d: %s", operation.Action, len(s.state), texts(s))
		}
	}
}

// The catalog's definite word that nothing is left is success, and nothing else is.
//
// snowflakedb/terraform-provider-snowflake#4581, snowflakedb/terraform-provider-snowflake#4617.
func TestRefusedDestroyKeepsTheState(t *testing.T) {
	t.Parallel()
	saying := func(status int, about string) faultproxy.Fault {
		return faultproxy.Answer(status, "application/json", fmt.Sprintf(`{"resourceType":%s,"resourceName":"it","message":"no","code":%d}`, about, status))
	}
	always := func(subject) bool { return true }
	never := func(subject) bool { return false }
	tests := map[string]struct {
		answer  faultproxy.Fault
		removed func(subject) bool
	}{
		"404 about the table":    {saying(http.StatusNotFound, `"TABLE"`), always},
		"404 about the database": {saying(http.StatusNotFound, `"DATABASE"`), always},
		"404 about the policy":   {saying(http.StatusNotFound, `"POLICY"`), func(s subject) bool { return s.remove == wire.DropPolicy }},
		"404 about nothing":      {saying(http.StatusNotFound, "null"), never},
		"400":                    {saying(http.StatusBadRequest, "null"), never},
		"403":                    {saying(http.StatusForbidden, `"TABLE"`), never},
		"409":                    {saying(http.StatusConflict, `"TABLE"`), never},
		"500":                    {saying(http.StatusInternalServerError, "null"), never},
	}
	for answer, test := range tests {
		for name, subject := range subjects() {
			t.Run(answer+"/"+name, func(t *testing.T) {
				t.Parallel()
				c := startCatalog(t, salesSeed)
				proxy := faultproxy.New(c.record.next)
				c.record.next = proxy
				s := newStack(t, c, 1)
				if !s.apply(subject.of(subject.first, "role:analyst")) {
					t.Fatal(texts(s))
				}
				proxy.Set(faultproxy.Rule{Operation: subject.remove, Fault: test.answer})
				removed := test.removed(subject)
				if ok := s.apply(nil); ok != removed || (len(s.state) == 0) != removed {
					t.Errorf("ended well: %t; the state has %d: %s", ok, len(s.state), texts(s))
				}
			})
		}
	}
}

// A destroyed column permission is gone from the catalog, whichever columns it had: a revoke names none.
//
// hashicorp/terraform-provider-aws#36639, hashicorp/terraform-provider-aws#39082, hashicorp/terraform-provider-aws#19063.
func TestDestroyedColumnPermissionIsGone(t *testing.T) {
	t.Parallel()
	for _, attribute := range []string{"column_names", "excluded_column_names"} {
		c := startCatalog(t, salesSeed)
		s := newStack(t, c, 1)
		if !s.apply(under(block{"paimon_column_permission", object{
			"database": "sales", "table": "orders", "principal": "role:analyst", attribute: []string{"amount", "order_id"},
		}}, "f3")) {
			t.Fatal(texts(s))
		}
		c.record.take()
		if !s.apply(nil) {
			t.Fatal(texts(s))
		}
		if bodies := c.record.takeBodies(); len(bodies) != 1 || strings.Contains(strings.ToLower(bodies[0]), "columnnames") || strings.Contains(bodies[0], "amount") {
			t.Errorf("%s: sent %v", attribute, bodies)
		}
		if left := c.permissions(onOrders("COLUMN")); len(left) > 0 {
			t.Errorf("%s: the catalog has %v", attribute, left)
		}
	}
}

// All that hangs on one table is destroyed at once without one waiting for another for ever.
//
// cyrilgdn/terraform-provider-postgresql#352.
func TestDestroyOfAllOnOneTableEnds(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	s := newStack(t, c, 10)
	config := make(map[string]block)
	for i := range 5 {
		for name, b := range onOneTable(fmt.Sprintf("role:%d", i)) {
			config[fmt.Sprintf("%s[%d]", name, i)] = b
		}
	}
	if !s.apply(config) {
		t.Fatal(texts(s))
	}
	ended := make(chan bool)
	go func() { ended <- s.apply(nil) }()
	select {
	case ok := <-ended:
		if left := len(c.permissions(onOrders("TABLE"))) + len(c.permissions(onOrders("COLUMN"))) + len(c.policies("orders")); !ok || left > 0 {
			t.Errorf("%d records are left: %s", left, texts(s))
		}
	case <-time.After(time.Minute):
		t.Fatal("not at an end after a minute")
	}
}

// What is gone already can be destroyed, with one request that changes something.
//
// hashicorp/terraform-provider-aws#35160, Mongey/terraform-provider-kafka#109.
func TestDestroyOfWhatIsGone(t *testing.T) {
	t.Parallel()
	for name, b := range standard("role:analyst") {
		c := startCatalog(t, salesSeed)
		s := newStack(t, c, 1)
		if !s.apply(under(b, "a")) {
			t.Fatal(texts(s))
		}
		s.vanish(t)
		s.noRefresh = true
		c.record.take()
		if !s.apply(nil) || len(s.state) > 0 {
			t.Errorf("%s: %s", name, texts(s))
		}
		if n := writes(c.record.take()); n != 1 {
			t.Errorf("%s: %d requests changed something, not one", name, n)
		}
	}
}

// A principal that the catalog forgot may have left records: only a look at all of them, without a filter, tells.
//
// hashicorp/terraform-provider-google#7278.
func TestDestroyForAPrincipalThatIsGone(t *testing.T) {
	t.Parallel()
	noPrincipal := func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		_, _ = fmt.Fprint(w, `{"resourceType":"PRINCIPAL","resourceName":"role:analyst","message":"no such principal","code":404}`)
	}
	for name, b := range standard("role:analyst") {
		for _, listed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/still listed %t", name, listed), func(t *testing.T) {
				t.Parallel()
				c := startCatalog(t, salesSeed)
				s := newStack(t, c, 1)
				s.noRefresh = true
				if !s.apply(under(b, "a")) {
					t.Fatal(texts(s))
				}
				if !listed {
					s.vanish(t)
				}
				c.record.intercept(func(r *http.Request) http.HandlerFunc {
					if strings.HasSuffix(r.URL.Path, "/revoke") || strings.HasSuffix(r.URL.Path, "/drop") || r.URL.Query().Has(wire.ParamPrincipal) {
						return noPrincipal
					}
					return nil
				})
				if ok := s.apply(nil); ok == listed || (len(s.state) > 0) != listed {
					t.Errorf("ended well: %t; the state has %d; %s", ok, len(s.state), texts(s))
				}
				if listed {
					wantRefused(t, s, "The catalog does not know this principal.")
				}
			})
		}
	}
}

// Destroying checks nothing: neither an access that this release does not know, nor a time that has passed.
//
// snowflakedb/terraform-provider-snowflake#2068, snowflakedb/terraform-provider-snowflake#2069,
// snowflakedb/terraform-provider-snowflake#3398.
func TestDestroyOfWhatCouldNotBeCreatedAnyMore(t *testing.T) {
	t.Parallel()
	now := &clock{}
	now.set("2030-01-01T00:00:00Z")
	c := startCatalog(t, salesSeed, at(now))
	b := grantBlock("orders", "SELECT", "role:analyst")
	b.config["expire_time"] = "2031-01-01T00:00:00Z"
	s := newStack(t, c, 1)
	if !s.apply(under(b, "a")) {
		t.Fatal(texts(s))
	}
	now.set("2032-01-01T00:00:00Z")
	if !s.apply(nil) {
		t.Error(texts(s))
	}
	b.config["id"], b.config["access"] = "TABLE/sales/orders/TELEPORT/role:analyst", "TELEPORT"
	c.record.intercept(func(r *http.Request) http.HandlerFunc {
		if strings.Contains(bodyOf(r), "TELEPORT") { // the catalog knows it
			return func(http.ResponseWriter, *http.Request) {}
		}
		return nil
	})
	s.state["a"], s.noRefresh = instance{typeName: b.typeName, values: b.config}, true
	c.record.take()
	if !s.apply(nil) || len(s.state) > 0 {
		t.Error(texts(s))
	}
	if bodies := c.record.takeBodies(); len(bodies) != 1 || !strings.Contains(bodies[0], "TELEPORT") {
		t.Errorf("sent %v", bodies)
	}
}

// A removal that is refused is an error at once: no failure polls, and a page instead of an answer is never "gone".
func TestRefusedRemovalDoesNotPoll(t *testing.T) {
	t.Parallel()
	for name, b := range standard("role:analyst") {
		for faultName, f := range faults() {
			if !strings.HasPrefix(faultName, "40") {
				continue
			}
			c := startCatalog(t, salesSeed)
			proxy := faultproxy.New(c.record.next)
			c.record.next = proxy
			s := newStack(t, c, 1)
			if !s.apply(under(b, "a")) {
				t.Fatal(texts(s))
			}
			s.noRefresh = true
			proxy.Set(faultproxy.Rule{Operation: subjects()[name].remove, Fault: f.fault})
			c.record.take()
			if s.apply(nil) || len(s.state) == 0 {
				t.Errorf("%s, %s: said to be gone", name, faultName)
			}
			if requests := c.record.take(); len(requests) > 4 { // the handshake, the removal, and two to look
				t.Errorf("%s, %s: %v", name, faultName, requests)
			}
		}
	}
}
