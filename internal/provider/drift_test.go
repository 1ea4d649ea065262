package provider

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/faultproxy"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// What users of providers for grants and policies report, and what they see here instead. The reports are named where the
// test is that answers them. This file is about what happens outside of Terraform; diff_test.go is about plans that are not
// empty, creates_test.go and destroys_test.go are about what fails. Some reports need no case of their own:
//
//   - two resources that each manage the whole list of an object and undo each other: there is no such resource
//     (databricks/terraform-provider-databricks#2216, databricks/terraform-provider-databricks#2576);
//   - listing by query: there are no list resources yet.
//
// States of earlier versions and of another provider are in states_test.go and apache_test.go.

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
		// snowflakedb/terraform-provider-snowflake#2467
		"ALL replaced by a part of it": {
			map[string]block{"a": grantBlock("orders", "ALL", "role:analyst")},
			func(c *catalog) {
				c.byHand(wire.RevokePermission, ordersResource, "ALL", "role:analyst", "")
				c.byHand(wire.GrantPermission, ordersResource, "SELECT", "role:analyst", "")
			},
			map[string]action{"a": create},
			1,
		},
		// hashicorp/terraform-provider-aws#44574
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
		// databricks/terraform-provider-databricks#3730
		"an implicit right of the owner": {
			map[string]block{"a": grantBlock("orders", "SELECT", "role:analyst")},
			func(c *catalog) { c.byHand(wire.GrantPermission, ordersResource, "ALL", "role:analyst", "") },
			nil, 1,
		},
		// hashicorp/terraform-provider-google#7278; a listing shows it: TestAccListingShowsOddRows
		"a principal that the server respelled": {
			map[string]block{"a": grantBlock("orders", "SELECT", "role:analyst")},
			func(c *catalog) {
				c.byHand(wire.RevokePermission, ordersResource, "SELECT", "role:analyst", "")
				c.byHand(wire.GrantPermission, ordersResource, "SELECT", "deleted:role:analyst", "")
			},
			map[string]action{"a": create},
			1,
		},
		// ClickHouse/terraform-provider-clickhousedbops#206; how it reads: TestAccCLIPolicyChangedByHandIsReadable
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
		// brainly/terraform-provider-redshift#30
		"everything revoked, of every type": {
			everyType(),
			func(c *catalog) {
				for _, b := range everyType() {
					_, _, diags := startWalk(c.t, c).apply(b.typeName, withID(b), nil, planned{})
					wantNoErrors(c.t, diags)
				}
			},
			map[string]action{
				"CATALOG": create, "CATALOG_ALL": create, "DATABASE": create, "DATABASE_ALL": create,
				"TABLE": create, "VIEW": create, "FUNCTION": create, "COLUMN": create,
			},
			0,
		},
		"nothing": {standard("role:analyst"), func(*catalog) {}, nil, 0},
	}
}

// everyType is a permission on a resource of each type.
func everyType() map[string]block {
	on := func(resourceType, access, locator, name string) block {
		o := object{"resource_type": resourceType, "access": access, "principal": "role:analyst"}
		if resourceType != "CATALOG" && resourceType != "CATALOG_ALL" {
			o["database"] = "sales"
		}
		if locator != "" {
			o[locator] = name
		}
		return block{"paimon_permission", o}
	}
	return map[string]block{
		"CATALOG":      on("CATALOG", "CREATEDATABASE", "", ""),
		"CATALOG_ALL":  on("CATALOG_ALL", "SELECT", "", ""),
		"DATABASE":     on("DATABASE", "LIST", "", ""),
		"DATABASE_ALL": on("DATABASE_ALL", "UPDATE", "", ""),
		"TABLE":        on("TABLE", "ALL", "table", "orders"),
		"VIEW":         on("VIEW", "SELECT", "view", "recent"),
		"FUNCTION":     on("FUNCTION", "GRANT", "function", "mask_email"),
		"COLUMN":       subjects()["column permission"].of(subjects()["column permission"].first, "role:analyst")["a"],
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

// onOneTable is a block of each resource, all on the table sales.orders.
func onOneTable(principal string) map[string]block {
	blocks := standard(principal)
	blocks["column mask"] = block{"paimon_column_mask_policy", object{
		"database": "sales", "table": "orders", "on_column": "region", "principal": principal,
		"transform": `{"name":"UPPER","inputs":[{"index":1,"name":"region","type":"STRING"}]}`,
	}}
	return blocks
}

// A table that was dropped by hand takes what was on it out of the state, with a hint, and stops nothing else.
//
// PagerDuty/terraform-provider-pagerduty#354.
func TestTableThatIsGoneStopsNothing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		operation wire.Operation
		names     []string
		other     block // is not concerned
	}{
		"table":    {wire.DropTable, []string{"sales", "orders"}, grantBlock("customers", "SELECT", "role:analyst")},
		"database": {wire.DropDatabase, []string{"sales"}, everyType()["CATALOG"]},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, salesSeed)
			s := newStack(t, c, 10)
			config := merged(onOneTable("role:analyst"), under(test.other, "other"))
			if !s.apply(config) {
				t.Fatal(texts(s))
			}
			c.do(test.operation, test.names, nil, "")
			changes, ok := s.plan(config)
			if !ok {
				t.Fatal(texts(s))
			}
			for address, change := range changes {
				want := create
				if address == "other" {
					want = noOp
				}
				if change.action != want {
					t.Errorf("%s is planned as %s", address, change.action)
				}
			}
			if n := strings.Count(texts(s), "sales.orders does not exist any more"); n != 4 || len(s.warnings) != 4 {
				t.Errorf("%d hints, not 4: %s", n, texts(s))
			}
		})
	}
}

// Whatever keeps a refresh from an answer, an expired token or a gateway's page: an error, and all of the state stays.
//
// hashicorp/terraform-provider-consul#424.
func TestRefreshWithoutAnAnswerKeepsTheState(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"401 in the middle", "403", "429, seconds", "500 with the contract's body", "503, seconds", "connection dropped before",
		"delay beyond the timeout", "login page", "connection refused",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, salesSeed)
			proxy := faultproxy.New(c.record.next)
			c.record.next = proxy
			s := newStack(t, c, 10)
			config := make(map[string]block)
			for i := range 10 {
				config[fmt.Sprintf("f2[%d]", i)] = grantBlock("orders", "SELECT", fmt.Sprintf("role:%d", i))
			}
			if !s.apply(config) {
				t.Fatal(texts(s))
			}
			address := c.url
			c.environment = map[string]string{"PAIMON_MAX_RETRIES": "1", "PAIMON_REQUEST_TIMEOUT_SECONDS": "1"}
			if f, isFault := faults()[name]; isFault {
				proxy.Set(faultproxy.Rule{Operation: wire.ListPermissions, Fault: f.fault})
			} else {
				c.url = "http://127.0.0.1:1"
			}
			s.plan(config)
			if len(s.errors) < 10 || len(s.state) != 10 {
				t.Errorf("%d errors, and the state has %d: %s", len(s.errors), len(s.state), texts(s))
			}
			proxy.Set()
			c.url = address
			if !s.settled(config) {
				t.Error(texts(s))
			}
		})
	}
}

// Creating, changing and destroying names nobody else's records in any request.
//
// snowflakedb/terraform-provider-snowflake#967, databricks/terraform-provider-databricks#2705,
// hashicorp/terraform-provider-aws#94.
func TestRecordsOfOthersAreInNoRequest(t *testing.T) {
	t.Parallel()
	for name, subject := range subjects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, salesSeed)
			others := newStack(t, c, 10)
			theirs := merged(standard("role:other"), under(grantBlock("orders", "UPDATE", "role:other"), "by hand"))
			if !others.apply(theirs) {
				t.Fatal(texts(others))
			}
			c.record.take()
			s := newStack(t, c, 1)
			for _, config := range []map[string]block{subject.of(subject.first, "role:analyst"), subject.of(subject.second, "role:analyst"), nil} {
				if !s.apply(config) {
					t.Fatal(texts(s))
				}
			}
			bodies := c.record.takeBodies()
			if len(bodies) < 3 {
				t.Errorf("only %d requests changed something", len(bodies))
			}
			for _, body := range bodies {
				if strings.Contains(body, "role:other") || !strings.Contains(body, `"role:analyst"`) {
					t.Errorf("sent %s", body)
				}
			}
			if !others.settled(theirs) {
				t.Error(texts(others))
			}
		})
	}
}

// A permission that was revoked by hand is reported gone, and can be destroyed as well.
//
// Mongey/terraform-provider-kafka#109.
func TestAccCLIPermissionRevokedByHandIsReported(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	f := newProject(t, c, grantOf("f1", "role:analyst", ""))
	f.run(0, "apply", "-auto-approve")
	c.byHand(wire.RevokePermission, ordersResource, "SELECT", "role:analyst", "")
	wantPrinted(t, f.run(2, "plan", "-refresh-only", "-detailed-exitcode"), "paimon_permission.f1 has been deleted")
	wantPrinted(t, f.run(0, "apply", "-destroy", "-auto-approve", "-refresh=false"), "1 destroyed.")
}

// everyResource is a configuration of all resources on sales.orders, one of them with for_each.
const everyResource = `
resource "paimon_permission" "f2" {
  for_each      = toset(["SELECT", "UPDATE"])
  resource_type = "TABLE"
  database      = "sales"
  table         = "orders"
  access        = each.value
  principal     = "role:writer"
}

resource "paimon_column_permission" "f3" {
  database     = "sales"
  table        = "orders"
  principal    = "role:analyst"
  column_names = ["order_id", "amount"]
}

resource "paimon_column_mask_policy" "f5" {
  database  = "sales"
  table     = "orders"
  on_column = "region"
  principal = "role:analyst"
  transform = jsonencode({ name = "UPPER", inputs = [{ index = 1, name = "region", type = "STRING" }] })
}
`

// Refreshing, planning, and applying something else only read.
//
// snowflakedb/terraform-provider-snowflake#3943.
func TestAccCLIUnrelatedApplyChangesNothing(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	text := func(input string) string {
		return fmt.Sprintf("resource \"terraform_data\" \"unrelated\" {\n  input = %q\n}\n", input) +
			grantOf("f1", "role:analyst", "") + rowFilter("f4", regionIs("EU"), "") + everyResource
	}
	f := newProject(t, c, text("1"))
	wantPrinted(t, f.run(0, "apply", "-auto-approve"), "7 added")
	c.record.take()
	f.run(0, "plan", "-detailed-exitcode")
	f.run(0, "plan", "-refresh-only", "-detailed-exitcode")
	f.configure(c, text("2"))
	wantPrinted(t, f.run(0, "apply", "-auto-approve"), "0 added, 1 changed, 0 destroyed.")
	requests := c.record.take()
	if n := writes(requests); n > 0 || len(requests) == 0 {
		t.Errorf("%d of %d requests changed something", n, len(requests))
	}
}

// A mask that was replaced by hand is one change, which a reviewer can read as SQL and as JSON.
//
// ClickHouse/terraform-provider-clickhousedbops#206.
func TestAccCLIPolicyChangedByHandIsReadable(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, salesSeed)
	f := newProject(t, c, everyResource)
	f.run(0, "apply", "-auto-approve")
	c.post(wire.DropPolicy, []string{"sales", "orders"}, `{"type":"COLUMN_MASKING","principal":"role:analyst","column":"region"}`)
	c.post(wire.CreatePolicy, []string{"sales", "orders"},
		`{"principal":"role:analyst","columnMask":{"onColumn":"region","transform":"{\"name\":\"LOWER\",\"inputs\":[{\"index\":1,\"name\":\"region\",\"type\":\"STRING\"}]}"}}`)
	wantPrinted(t, f.run(2, "plan", "-detailed-exitcode"), "Plan: 1 to add, 0 to change, 1 to destroy.",
		`~ name = "LOWER" -> "UPPER"`, `~ transform_sql = "LOWER(region)" -> "UPPER(region)"`)
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

// withID is a block's object as a state has it.
func withID(b block) object {
	o := maps.Clone(b.config)
	o["id"] = "any"
	return o
}

// Two workspaces that want one record differently: the second is refused, and the first one's stays as it is.
//
// databricks/terraform-provider-databricks#2705, hashicorp/terraform-provider-google#17329.
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
