package provider

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// tablesSeed is a catalog with so many tables in the database sales, which take policies.
func tablesSeed(tables int) string {
	var seed strings.Builder
	seed.WriteString("warehouse: demo\ndatabases:\n  - name: sales\n    tables:\n")
	for i := range tables {
		fmt.Fprintf(&seed, "      - {name: t%d, options: {query-auth.enabled: \"true\"}, columns: [{name: region, type: STRING}]}\n", i)
	}
	return seed.String()
}

// grantsOn is a grant on each table for so many principals.
func grantsOn(tables, principals int) map[string]block {
	config := make(map[string]block)
	for i := range tables {
		for p := range principals {
			config[fmt.Sprintf("g%d-%d", i, p)] = grantBlock(fmt.Sprintf("t%d", i), "SELECT", fmt.Sprintf("role:reader-%d", p))
		}
	}
	return config
}

// filtersOn is a row filter on each table for so many principals.
func filtersOn(tables, principals int) map[string]block {
	config := make(map[string]block)
	for i := range tables {
		for p := range principals {
			config[fmt.Sprintf("f%d-%d", i, p)] = block{"paimon_row_filter_policy", object{
				"database": "sales", "table": fmt.Sprintf("t%d", i), "principal": fmt.Sprintf("role:reader-%d", p), "predicate": regionPredicate,
			}}
		}
	}
	return config
}

const regionPredicate = `{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":0,"name":"region","type":"STRING"}},"function":"EQUAL","literals":["EU"]}`

// crowd grants something to so many principals that nobody here manages.
func (c *catalog) crowd(table string, principals int) {
	for i := range principals {
		c.byHand(wire.GrantPermission, fmt.Sprintf(`"type":"TABLE","database":"sales","table":%q`, table), "SELECT", fmt.Sprintf("user:foreign-%d", i), "")
	}
}

// requests counts the requests since the last count: those that list permissions or policies, and those that write.
func (c *catalog) requests() (lists, writes int) {
	for _, request := range c.record.take() {
		switch {
		case !strings.HasPrefix(request, http.MethodGet):
			writes++
		case strings.HasSuffix(request, "/permissions") || strings.HasSuffix(request, "/policies"):
			lists++
		}
	}
	return lists, writes
}

// A walk asks for each table's permissions and for its policies once, and may look at a first record before it.
func TestAWalkAsksOnceForEachTable(t *testing.T) {
	t.Parallel()
	const tables, principals = 8, 6
	for _, parallelism := range []int{1, 10} {
		t.Run(strconv.Itoa(parallelism), func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, tablesSeed(tables))
			config := merged(grantsOn(tables, principals), filtersOn(tables, principals))
			s := newStack(t, c, parallelism)
			if !s.apply(config) {
				t.Fatal(texts(s))
			}
			lists, writes := c.requests()
			// Two walks, and two kinds of records on each table.
			if most := 2 * 2 * 2 * tables; lists > most || writes != len(config) {
				t.Errorf("the apply asked %d times, and wrote %d", lists, writes)
			}
			if !s.settled(config) {
				t.Fatal(texts(s))
			}
			lists, writes = c.requests()
			if most := 2 * 2 * tables; lists > most || writes != 0 {
				t.Errorf("the plan asked %d times, and wrote %d", lists, writes)
			}
			t.Logf("%d requests for %d records on %d tables", lists, len(config), tables)
		})
	}
}

// The plan of a mask looks at the other masks of its table, which those that the same apply has created are among.
func TestManyMasksOfATableCostNoListingEach(t *testing.T) {
	t.Parallel()
	mask := subjects()["column mask"]
	config := make(map[string]block)
	for i := range 30 {
		config[fmt.Sprintf("m[%d]", i)] = mask.of(mask.first, fmt.Sprintf("role:%d", i))["a"]
	}
	c := startCatalog(t, salesSeed)
	s := newStack(t, c, 1)
	if !s.apply(config) {
		t.Fatal(texts(s))
	}
	if lists, writes := c.requests(); lists > 6 || writes != len(config) {
		t.Errorf("the apply asked %d times, and wrote %d", lists, writes)
	}
}

// Only the first tables cost a look at a record: by then it shows that tables have several.
func TestMostTablesCostOneRequest(t *testing.T) {
	t.Parallel()
	const tables, principals = 10, 3
	c := startCatalog(t, tablesSeed(tables))
	s := newStack(t, c, 4)
	if !s.apply(grantsOn(tables, principals)) {
		t.Fatal(texts(s))
	}
	c.requests()
	w := startWalk(t, c)
	for _, address := range slices.Sorted(maps.Keys(s.state)) {
		w.read(s.state[address].typeName, s.state[address].values)
	}
	if lists, _ := c.requests(); lists != tables+2 {
		t.Errorf("%d requests for %d tables", lists, tables)
	}
}

// The look of the plan serves the create, too.
func TestASingleGrantCostsOneFilteredRequestInEachWalk(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, tablesSeed(1))
	c.crowd("t0", 30)
	c.record.take()
	filtered := 0
	c.record.intercept(func(r *http.Request) http.HandlerFunc {
		if r.URL.Query().Has("principal") {
			filtered++
		}
		return nil
	})
	s := newStack(t, c, 1)
	config := grantsOn(1, 1)
	if !s.apply(config) {
		t.Fatal(texts(s))
	}
	if lists, writes := c.requests(); lists != 2 || filtered != 2 || writes != 1 {
		t.Errorf("the apply asked %d times, %d of them filtered, and wrote %d", lists, filtered, writes)
	}
	if !s.settled(config) {
		t.Fatal(texts(s))
	}
	if lists, _ := c.requests(); lists != 1 || filtered != 3 {
		t.Errorf("the plan asked %d times, %d filtered in all", lists, filtered)
	}
}

func TestSeveralStatesOfATableAreReadTogetherFromTheFirstOn(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, tablesSeed(1))
	s := newStack(t, c, 1)
	config := merged(grantsOn(1, 2), filtersOn(1, 2))
	if !s.apply(config) {
		t.Fatal(texts(s))
	}
	w := startWalk(t, c)
	for _, i := range s.state {
		w.handOver(i.typeName, i.values)
	}
	c.requests()
	for _, i := range s.state {
		w.read(i.typeName, i.values)
	}
	if lists, _ := c.requests(); lists != 2 {
		t.Errorf("%d requests for the permissions and the policies of a table", lists)
	}

	// A server that lives on knows in the next walk only what that walk has seen.
	w.configure(c, nil)
	first := s.state["g0-0"]
	w.handOver(first.typeName, first.values)
	filtered := false
	c.record.intercept(func(r *http.Request) http.HandlerFunc {
		filtered = filtered || r.URL.Query().Has("principal")
		return nil
	})
	w.read(first.typeName, first.values)
	if lists, _ := c.requests(); lists != 1 || !filtered {
		t.Errorf("%d requests, filtered: %t", lists, filtered)
	}
}

func TestImportsAndDataSourcesAreServedFromTheSameListing(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, tablesSeed(1))
	s := newStack(t, c, 1)
	if config := grantsOn(1, 10); !s.apply(config) {
		t.Fatal(texts(s))
	}
	w := startWalk(t, c)
	c.requests()
	for _, principal := range []string{"", "role:reader-1", "role:reader-2"} {
		w.readPermissions("t0", principal)
	}
	for _, i := range s.state {
		w.read(i.typeName, imported(block{i.typeName, i.values}).values)
	}
	if lists, _ := c.requests(); lists != 1 {
		t.Errorf("%d requests", lists)
	}
}

// readPermissions reads the data source for a table.
func (w *walk) readPermissions(table, principal string) {
	w.t.Helper()
	config := object{"resource_type": string(access.Table), "database": "sales", "table": table}
	if principal != "" {
		config["principal"] = principal
	}
	response, err := w.server.ReadDataSource(w.t.Context(), &tfprotov6.ReadDataSourceRequest{
		TypeName: "paimon_permissions",
		Config:   encode(w.t, objectType(w.t, servedSchemas().DataSourceSchemas["paimon_permissions"]), config),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	wantNoErrors(w.t, response.Diagnostics)
}

func TestWithoutSharingEveryRecordIsARequest(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, tablesSeed(2))
	config := merged(grantsOn(2, 5), filtersOn(2, 5))
	s := newStack(t, c, 1)
	if !s.apply(config) {
		t.Fatal(texts(s))
	}
	c.environment = map[string]string{"PAIMON_UNSHARED": "1"}
	c.requests()
	if !s.settled(config) {
		t.Fatal(texts(s))
	}
	if lists, _ := c.requests(); lists != len(config) {
		t.Errorf("%d requests for %d records", lists, len(config))
	}
}

// A table that was dropped takes its grants along, however many; nobody has to ask for each.
func TestTheGrantsOfADroppedTableCostNoRequestEach(t *testing.T) {
	t.Parallel()
	c := startCatalog(t, tablesSeed(1))
	s := newStack(t, c, 4)
	config := grantsOn(1, 20)
	if !s.apply(config) {
		t.Fatal(texts(s))
	}
	c.do(wire.DropTable, []string{"sales", "t0"}, nil, "")
	w := startWalk(t, c)
	c.record.take()
	for address, i := range s.state {
		if values, diags := w.read(i.typeName, i.values); values != nil {
			t.Errorf("%s is still there: %v", address, diags)
		}
	}
	// One to connect, and one look.
	if taken := c.record.take(); len(taken) != 2 {
		t.Errorf("%d requests: %v", len(taken), taken)
	}
}
