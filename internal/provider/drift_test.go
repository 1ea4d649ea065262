package provider

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
	"github.com/paimon-iac/terraform-provider-paimon/internal/faultproxy"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// What users of providers for grants and policies report, and what they see here instead. Some reports need no case of
// their own:
//
//   - pages after the first, every resource type, odd names and import IDs: data_sources_test.go, names_test.go;
//   - another spelling of the same, import, generated configuration, a table that is gone: resources_test.go;
//   - refresh under every error, lost answers, collisions after them: faults_test.go;
//   - two resources that each manage the whole list of an object: there is no such resource;
//   - listing by query: there are no list resources yet;
//   - states of earlier releases: there is none.

// grantBlock is a permission on a table.
func grantBlock(table, access, principal string) block {
	return block{"paimon_permission", object{
		"resource_type": "TABLE", "database": "sales", "table": table, "access": access, "principal": principal,
	}}
}

// byHand grants or revokes past Terraform.
func (c *catalog) byHand(operation wire.Operation, resource, access, principal, more string) {
	c.t.Helper()
	c.post(operation, nil, fmt.Sprintf(`{"resource":{%s},"access":%q,"principal":%q%s}`, resource, access, principal, more))
}

const ordersResource = `"type":"TABLE","database":"sales","table":"orders"`

// outside is something that happens outside of Terraform, and what a plan makes of it.
type outside struct {
	config map[string]block
	happen func(c *catalog)
	want   map[string]action // no-op where an address is missing
	others int               // records of nobody here, which stay
}

func outsides() map[string]outside {
	m := subjects()["column mask"].of(subjects()["column mask"].first, "role:analyst")["a"]
	columns := subjects()["column permission"].of(subjects()["column permission"].first, "role:analyst")["a"]
	return map[string]outside{
		"ALL replaced by a part of it": {
			map[string]block{"a": grantBlock("orders", "ALL", "role:analyst")},
			func(c *catalog) {
				c.byHand(wire.RevokePermission, ordersResource, "ALL", "role:analyst", "")
				c.byHand(wire.GrantPermission, ordersResource, "SELECT", "role:analyst", "")
			},
			map[string]action{"a": create},
			1,
		},
		"a right that is inherited now": {
			map[string]block{"a": grantBlock("orders", "SELECT", "role:analyst")},
			func(c *catalog) {
				c.byHand(wire.RevokePermission, ordersResource, "SELECT", "role:analyst", "")
				c.byHand(wire.GrantPermission, `"type":"DATABASE_ALL","database":"sales"`, "SELECT", "role:analyst", "")
			},
			map[string]action{"a": create},
			0,
		},
		"a right that is inherited, too": {
			map[string]block{"a": grantBlock("orders", "SELECT", "role:analyst")},
			func(c *catalog) {
				c.byHand(wire.GrantPermission, `"type":"DATABASE_ALL","database":"sales"`, "SELECT", "role:analyst", "")
			},
			nil, 0,
		},
		"an implicit right of the owner": {
			map[string]block{"a": grantBlock("orders", "SELECT", "role:analyst")},
			func(c *catalog) { c.byHand(wire.GrantPermission, ordersResource, "ALL", "role:analyst", "") },
			nil, 1,
		},
		"a principal that the server respelled": {
			map[string]block{"a": grantBlock("orders", "SELECT", "role:analyst")},
			func(c *catalog) {
				c.byHand(wire.RevokePermission, ordersResource, "SELECT", "role:analyst", "")
				c.byHand(wire.GrantPermission, ordersResource, "SELECT", "deleted:role:analyst", "")
			},
			map[string]action{"a": create},
			1,
		},
		"a mask that was replaced by hand": {
			map[string]block{"a": m},
			func(c *catalog) {
				c.post(wire.DropPolicy, []string{"sales", "customers"}, `{"type":"COLUMN_MASKING","principal":"role:analyst","column":"email"}`)
				c.post(wire.CreatePolicy, []string{"sales", "customers"},
					`{"principal":"role:analyst","columnMask":{"onColumn":"email","transform":"{\"name\":\"LOWER\",\"inputs\":[{\"index\":1,\"name\":\"email\",\"type\":\"STRING\"}]}"}}`)
			},
			map[string]action{"a": replace},
			0,
		},
		"columns that were changed by hand": {
			map[string]block{"a": columns},
			func(c *catalog) {
				c.byHand(wire.GrantPermission, `"type":"COLUMN","database":"sales","table":"orders"`, "SELECT", "role:analyst", `,"columns":{"columnNames":["amount"]}`)
			},
			map[string]action{"a": update},
			0,
		},
		"two principals that differ in case": {
			map[string]block{"a": grantBlock("orders", "SELECT", "role:finance"), "b": grantBlock("orders", "SELECT", "Role:Finance")},
			func(c *catalog) { c.byHand(wire.RevokePermission, ordersResource, "SELECT", "Role:Finance", "") },
			map[string]action{"b": create},
			0,
		},
		"a table right beside a column right": {
			map[string]block{"a": grantBlock("orders", "SELECT", "role:analyst"), "b": columns},
			func(c *catalog) {
				c.byHand(wire.RevokePermission, `"type":"COLUMN","database":"sales","table":"orders"`, "SELECT", "role:analyst", "")
			},
			map[string]action{"b": create},
			0,
		},
		"nothing": {standard("role:analyst"), func(*catalog) {}, nil, 0},
	}
}

// A plan sees exactly what happened to its own records, by GET alone; the apply brings them back, and the records of
// others stay as they are through all of it, a destroy included.
func TestWhatHappensOutsideIsSeenAndPutRight(t *testing.T) {
	t.Parallel()
	for name, test := range outsides() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, salesSeed)
			s := newStack(t, c, 10)
			if !s.apply(test.config) {
				t.Fatal(texts(s))
			}
			test.happen(c)
			c.record.take()
			changes, ok := s.plan(test.config)
			if n := writes(c.record.take()); n > 0 {
				t.Errorf("the plan changed something by %d requests", n)
			}
			if !ok {
				t.Fatal(texts(s))
			}
			for address, got := range changes {
				want := test.want[address]
				if want == "" {
					want = noOp
				}
				if got.action != want {
					t.Errorf("%s is planned as %s, not %s", address, got.action, want)
				}
			}
			if !s.apply(test.config) || !s.settled(test.config) {
				t.Fatal(texts(s))
			}
			if !s.apply(nil) {
				t.Fatal(texts(s))
			}
			if left := len(c.permissions(onOrders("TABLE"))); left != test.others {
				t.Errorf("%d permissions are left on the table, not %d", left, test.others)
			}
		})
	}
}

// Refreshing after the table is gone drops what was on it from the state, and nothing else.
func TestTableThatIsGoneStopsNothing(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	s := newStack(t, c, 10)
	config := merged(standard("role:analyst"), map[string]block{"other": grantBlock("customers", "SELECT", "role:analyst")})
	if !s.apply(config) {
		t.Fatal(texts(s))
	}
	c.do(wire.DropTable, []string{"sales", "orders"}, nil, "")
	w := startWalk(t, c)
	gone := 0
	for _, i := range s.state {
		values, diags := w.read(i.typeName, i.values)
		wantNoErrors(t, diags)
		if values == nil {
			gone++
		}
	}
	if gone != 3 {
		t.Errorf("%d are taken to be gone, not 3", gone)
	}
}

// What is gone already can be destroyed, with one request that changes something.
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

// A principal that the catalog forgot may have left records: only a look at all of them tells.
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
			})
		}
	}
}

// Destroying checks nothing: neither an access that this release does not know, nor a time that has passed.
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
	plan := startWalk(t, c).plan(b.typeName, b.config, nil, nil)
	wantNoErrors(t, plan.diags)
}

// A refusal is not tried again: one request, and the server's own words.
func TestRefusedWriteIsSentOnce(t *testing.T) {
	t.Parallel()
	for name, b := range standard("role:analyst") {
		for _, status := range []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden} {
			c := startCatalog(t, salesSeed)
			c.record.intercept(func(r *http.Request) http.HandlerFunc {
				if r.Method == http.MethodGet {
					return nil
				}
				return func(w http.ResponseWriter, _ *http.Request) {
					w.WriteHeader(status)
					_, _ = fmt.Fprintf(w, `{"resourceType":null,"resourceName":null,"message":"the server's own words","code":%d}`, status)
				}
			})
			s := newStack(t, c, 1)
			s.apply(under(b, "a"))
			wantRefused(t, s, "the server's own words")
			if n := writes(c.record.take()); n != 1 {
				t.Errorf("%s, %d: sent %d times", name, status, n)
			}
		}
	}
}

// A crowded table: many records of others, some for the same principal, on many pages.
func TestCrowdedTable(t *testing.T) {
	t.Parallel()
	var seed strings.Builder
	seed.WriteString(salesSeed + "permissions:\n")
	for i := range 250 {
		fmt.Fprintf(&seed, "  - {resource: {type: TABLE, database: sales, table: orders}, access: SELECT, principal: \"role:%03d\"}\n", i)
	}
	for _, access := range []string{"UPDATE", "ALTER", "DROP"} {
		fmt.Fprintf(&seed, "  - {resource: {type: TABLE, database: sales, table: orders}, access: %s, principal: \"role:zz\"}\n", access)
	}
	c := startCatalog(t, seed.String(), func(config *devcatalog.Config) { config.MaxPageSize = 100 })
	s := newStack(t, c, 10)
	config := map[string]block{"a": grantBlock("orders", "SELECT", "role:zz"), "b": grantBlock("orders", "ALL", "role:zz")}
	for range 3 {
		if !s.apply(config) || !s.settled(config) {
			t.Fatal(texts(s))
		}
	}
}

// Rights that end half-way: errors, and the state keeps all that is still there.
func TestRightsThatEndHalfWay(t *testing.T) {
	t.Parallel()
	for _, deed := range []string{"refresh", "destroy"} {
		for after := range 4 {
			c := startCatalog(t, salesSeed)
			s := newStack(t, c, 2)
			config := standard("role:analyst")
			if !s.apply(config) {
				t.Fatal(texts(s))
			}
			var asked atomic.Int64
			s.beforeApply = func() {
				c.record.intercept(func(*http.Request) http.HandlerFunc {
					if asked.Add(1) <= int64(after)+1 { // the handshake is one
						return nil
					}
					return func(w http.ResponseWriter, _ *http.Request) {
						w.WriteHeader(http.StatusForbidden)
						_, _ = fmt.Fprint(w, `{"resourceType":null,"resourceName":null,"message":"not any more","code":403}`)
					}
				})
			}
			if deed == "refresh" {
				s.beforeApply()
				s.plan(config)
			} else {
				s.apply(nil)
			}
			if len(s.errors) == 0 {
				t.Errorf("%s, %d: no error", deed, after)
			}
			c.record.intercept(nil)
			there := 0
			for name, subject := range subjects() {
				if subject.content(c, "role:analyst") != "nothing" {
					there++
					if _, inState := s.state[name]; !inState {
						t.Errorf("%s, %d: %s is there and not in the state", deed, after, name)
					}
				}
			}
			if len(s.state) != there {
				t.Errorf("%s, %d: %d are there, %d in the state", deed, after, there, len(s.state))
			}
			s.beforeApply = nil
			if !s.apply(nil) {
				t.Error(texts(s))
			}
		}
	}
}

// Definitions that a round trip through other software would spoil.
func TestDefinitionsAreKeptToTheLetter(t *testing.T) {
	t.Parallel()
	filter := func(name, typeName, literal string) block {
		return block{"paimon_row_filter_policy", filterObject(fmt.Sprintf(
			`{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":0,"name":%q,"type":%q}},"function":"EQUAL","literals":[%s]}`, name, typeName, literal))}
	}
	tests := map[string]struct {
		block  block
		onWire string
	}{
		"markup":                    {filter("region", "STRING", `"a<b&c>d"`), `a<b&c>d`},
		"an integer beyond 2^53":    {filter("order_id", "BIGINT NOT NULL", "9007199254740993"), "9007199254740993"},
		"the largest 64-bit number": {filter("order_id", "BIGINT NOT NULL", "9223372036854775807"), "9223372036854775807"},
		"the least 64-bit number":   {filter("order_id", "BIGINT NOT NULL", "-9223372036854775808"), "-9223372036854775808"},
	}
	for name, test := range tests {
		c := startCatalog(t, salesSeed)
		s := newStack(t, c, 1)
		config := under(test.block, "a")
		if !s.apply(config) || !s.settled(config) {
			t.Errorf("%s: %s", name, texts(s))
			continue
		}
		if s.state["a"].values["predicate"] != test.block.config["predicate"] {
			t.Errorf("%s: the configured text is lost: %v", name, s.state["a"].values)
		}
		if row := c.policies("orders")[0]; !strings.Contains(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(row), test.onWire) {
			t.Errorf("%s: the catalog has %s", name, row)
		}
	}
}

// However a server says that there is no end, there is none; what is no time at all is told, and nothing panics.
func TestOddExpiryOfTheServer(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{ // whether the plan is empty
		``:                           true,
		`,"expireTime":null`:         true,
		`,"expireTime":""`:           true,
		`,"expireTime":17`:           false,
		`,"expireTime":"whenever"`:   false,
		`,"expireTime":{"a":"b"}`:    false,
		`,"expireTime":["2031"]`:     false,
		`,"expireTime":true,"new":1`: false,
	}
	for expiry, isEmpty := range tests {
		c := startCatalog(t, salesSeed)
		s := newStack(t, c, 1)
		config := under(grantBlock("orders", "SELECT", "role:analyst"), "a")
		if !s.apply(config) {
			t.Fatal(texts(s))
		}
		c.record.intercept(func(r *http.Request) http.HandlerFunc {
			if !strings.HasSuffix(r.URL.Path, "/permissions") {
				return nil
			}
			return func(w http.ResponseWriter, _ *http.Request) {
				_, _ = fmt.Fprintf(w, `{"permissions":[{"resource":{%s},"access":"SELECT","principal":"role:analyst"%s}],"nextPageToken":null}`, ordersResource, expiry)
			}
		})
		if got := s.settled(config); got != isEmpty || len(s.state) == 0 {
			t.Errorf("%q: empty %t, state %v, %s", expiry, got, len(s.state), texts(s))
		}
	}
}

// Changes by others while an apply runs are found and put right by the next one.
func TestOthersChangeThingsDuringAnApply(t *testing.T) {
	t.Parallel()
	for range rounds(2) {
		c := startCatalog(t, salesSeed)
		s := newStack(t, c, 4)
		before, after := make(map[string]block), make(map[string]block)
		for name, subject := range subjects() {
			for i := range 4 {
				address, principal := fmt.Sprintf("%s[%d]", name, i), fmt.Sprintf("role:%d", i)
				before[address], after[address] = subject.of(subject.first, principal)["a"], subject.of(subject.second, principal)["a"]
			}
		}
		if !s.apply(before) {
			t.Fatal(texts(s))
		}
		s.beforeApply = func() {
			for _, b := range []block{before["permission[0]"], before["row filter[1]"], before["column mask[2]"], before["column permission[3]"]} {
				_, _, diags := startWalk(t, c).apply(b.typeName, withID(b), nil, planned{})
				wantNoErrors(t, diags)
			}
		}
		s.apply(after)
		s.beforeApply = nil
		if !s.apply(after) || !s.settled(after) {
			t.Fatal(texts(s))
		}
	}
}

// withID is a block's object as a state has it.
func withID(b block) object {
	o := maps.Clone(b.config)
	o["id"] = "any"
	return o
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

// Two workspaces that want one record differently: the second is refused, and the first one's stays as it is.
func TestSecondWorkspaceDoesNotTakeOver(t *testing.T) {
	t.Parallel()
	for name, subject := range subjects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, salesSeed)
			first, second := newStack(t, c, 1), newStack(t, c, 1)
			if !first.apply(subject.of(subject.first, "role:analyst")) {
				t.Fatal(texts(first))
			}
			second.apply(subject.of(subject.second, "role:analyst"))
			wantRefused(t, second, "exists already with other content")
			if got := subject.content(c, "role:analyst"); got != "first" || !first.settled(subject.of(subject.first, "role:analyst")) {
				t.Errorf("%s is there: %s", got, texts(first))
			}
		})
	}
}

// An end in the past is granted as it is, with a warning; two spellings of one instant on both sides of a change of the
// clocks are one.
func TestExpiryInThePastAndAcrossAChangeOfTheClocks(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	s := newStack(t, c, 1)
	until := func(expiry string) map[string]block {
		b := grantBlock("orders", "SELECT", "role:analyst")
		b.config["expire_time"] = expiry
		return under(b, "a")
	}
	if !s.apply(until("2020-01-01T00:00:00Z")) || !strings.Contains(texts(s), "gives nothing any more") {
		t.Errorf("not granted, or no warning: %s", texts(s))
	}
	if !s.settled(until("2020-01-01T00:00:00Z")) {
		t.Error(texts(s))
	}
	// When clocks go back, half past two comes twice.
	if !s.apply(until("2130-10-29T02:30:00+02:00")) || !s.settled(until("2130-10-29T01:30:00+01:00")) {
		t.Error(texts(s))
	}
	if changes, _ := s.plan(until("2130-10-29T02:30:00+01:00")); changes["a"].action != update {
		t.Errorf("an hour later is planned as %s", changes["a"].action)
	}
}
