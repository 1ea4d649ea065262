package devcatalog_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
)

// Real readers and writers are run elsewhere, with Python and Java. What they were seen to send and to need is here.

const (
	orderTable = "/databases/sales/tables/orders"
	// orderSchema is a create as Paimon's Python writer sends it; its Java writer leaves the comment out.
	orderSchema = `{"identifier":{"database":"sales","object":"orders"},"schema":{"fields":[{"id":0,"name":"id","type":"INT"},` +
		`{"id":1,"name":"amount","type":"DECIMAL(10, 2)"}],"partitionKeys":[],"primaryKeys":[],"options":{"query-auth.enabled":"true"},"comment":null}}`
)

func withData(root string) func(*devcatalog.Config) {
	return func(c *devcatalog.Config) { c.TableRoot = root }
}

// startWithTable has what a writer makes before its first commit.
func startWithTable(t *testing.T) *server {
	t.Helper()
	s := start(t, emptySeed, withData("/data"))
	s.send(http.MethodPost, "/databases", `{"name":"sales","options":{}}`).succeeds()
	s.send(http.MethodPost, "/databases/sales/tables", orderSchema).succeeds()
	return s
}

// snapshot is one as a writer makes it; the identifier is larger than what a double holds.
func snapshot(id, records string) string {
	return `{"version":3,"id":` + id + `,"schemaId":0,"baseManifestList":"manifest-list-a-0","deltaManifestList":"manifest-list-a-1","totalRecordCount":` + records +
		`,"deltaRecordCount":5,"commitUser":"u","commitIdentifier":9223372036854775807,"commitKind":"APPEND","timeMillis":1795981153457}`
}

func (s *server) commit(tableID, snapshot string) reply {
	s.t.Helper()
	return s.send(http.MethodPost, orderTable+"/commit", `{"tableId":`+quoted(tableID)+`,"snapshot":`+snapshot+`,"statistics":[],"baseSnapshotUuid":null}`)
}

func (s *server) snapshotIs(snapshot, records string) {
	s.t.Helper()
	const counters = `,"fileSizeInBytes":0,"fileCount":0,"lastFileCreationTime":1795981153457}}`
	answer := s.send(http.MethodGet, orderTable+"/snapshot", "")
	if want := `{"snapshot":{"snapshot":` + snapshot + `,"recordCount":` + records + counters; answer.status != http.StatusOK || answer.body != want {
		s.t.Errorf("got %d %s\nwant 200 %s", answer.status, answer.body, want)
	}
}

func TestATableWithDataIsAnsweredAsReadersNeedIt(t *testing.T) {
	t.Parallel()
	s := startWithTable(t)
	id := s.table("orders").ID
	s.send(http.MethodGet, orderTable, "").is(`{"id":` + quoted(id) + `,"database":"sales","name":"orders","path":` + quoted("file:///data/"+id) + `,"isExternal":false,"schemaId":0,
		"schema":{"fields":[{"id":0,"name":"id","type":"INT"},{"id":1,"name":"amount","type":"DECIMAL(10, 2)"}],"partitionKeys":[],"primaryKeys":[],"options":{"query-auth.enabled":"true"}}}`)
}

func TestCommitsFollowEachOther(t *testing.T) {
	t.Parallel()
	s := startWithTable(t)
	id := s.table("orders").ID
	s.send(http.MethodGet, orderTable+"/snapshot", "").fails(404, "SNAPSHOT", "sales.orders")
	const taken, late = `{"success":true}`, `{"success":false}`
	s.commit(id, snapshot("2", "5")).is(late)
	s.commit("another", snapshot("1", "5")).is(late)
	s.commit(id, snapshot("1", "5")).is(taken)
	s.commit(id, snapshot("1", "7")).is(late)
	s.snapshotIs(snapshot("1", "5"), "5")
	s.commit(id, snapshot("2", "7")).is(taken)
	s.snapshotIs(snapshot("2", "7"), "7")
	for _, none := range []string{`{}`, `null`, `{"id":"x"}`, `{"id":0}`, `[]`} {
		s.commit(id, none).fails(400, "", "")
	}
	s.send(http.MethodPost, orderTable+"/commit", `{"tableId":`+quoted(id)+`}`).fails(400, "", "")
	s.send(http.MethodPost, "/databases/sales/tables/nope/commit", `{}`).fails(404, "TABLE", "sales.nope")
	s.send(http.MethodGet, "/databases/sales/tables/nope/snapshot", "").fails(404, "TABLE", "sales.nope")
}

func TestOneOfManyWritersIsFirst(t *testing.T) {
	t.Parallel()
	s := startWithTable(t)
	body := `{"tableId":` + quoted(s.table("orders").ID) + `,"snapshot":` + snapshot("1", "5") + `}`
	won := 0
	concurrently(t, 8, func(int) (reply, error) {
		return s.try(t.Context(), http.MethodPost, s.catalog+orderTable+"/commit", body)
	}, func(answer reply) {
		if strings.Contains(answer.body, "true") {
			won++
		}
	})
	if won != 1 {
		t.Errorf("%d writers were told that they won", won)
	}
}

func TestSnapshotsGoWithTheirTable(t *testing.T) {
	t.Parallel()
	s := startWithTable(t)
	first := s.table("orders")
	s.commit(first.ID, snapshot("1", "5"))
	s.send(http.MethodPost, "/tables/rename", `{"source":{"database":"sales","object":"orders"},"destination":{"database":"sales","object":"bills"}}`).succeeds()
	if renamed := s.table("bills"); renamed.Path != first.Path {
		t.Errorf("the files were in %s and are looked for in %s", first.Path, renamed.Path)
	}
	if got := s.send(http.MethodGet, "/databases/sales/tables/bills/snapshot", "").status; got != http.StatusOK {
		t.Errorf("a renamed table has lost its snapshot: %d", got)
	}
	s.send(http.MethodDelete, "/databases/sales/tables/bills", "").succeeds()
	s.send(http.MethodPost, "/databases/sales/tables", orderSchema).succeeds()
	s.send(http.MethodGet, orderTable+"/snapshot", "").fails(404, "SNAPSHOT", "sales.orders")
	if again := s.table("orders"); again.Path == first.Path {
		t.Error("a table that is created again has the files of the old one")
	}
	s.commit(first.ID, snapshot("2", "5")).is(`{"success":false}`)
}

func TestSnapshotsSurviveARestart(t *testing.T) {
	t.Parallel()
	config := devcatalog.Config{Database: filepath.Join(t.TempDir(), "catalog.db"), Seed: parseSeed(t, withTables), TableRoot: "/data"}
	s, closeNow := reopenConfig(t, config)
	s.commit(s.table("orders").ID, snapshot("1", "5")).is(`{"success":true}`)
	closeNow()
	s, closeNow = reopenConfig(t, config)
	s.snapshotIs(snapshot("1", "5"), "5")
	closeNow()
}

func TestACatalogWithoutDataTakesNoCommit(t *testing.T) {
	t.Parallel()
	s := start(t, withTables)
	s.commit(s.table("orders").ID, snapshot("1", "5")).fails(501, "", "")
	s.send(http.MethodGet, orderTable+"/snapshot", "").fails(404, "SNAPSHOT", "sales.orders")
}

// readingSeed has a caller whom policies restrict, one whom none restricts, and one without rights.
const readingSeed = `
warehouse: demo
principals:
  - {name: "user:ann", token: restricted, groups: ["role:analyst"]}
  - {name: "user:ben", token: unrestricted, groups: ["role:steward"]}
  - {name: "user:cyd", token: nobody}
databases:
  - name: sales
    tables: [{name: orders, options: {query-auth.enabled: "true"}, columns: [{name: id, type: INT}, {name: region, type: STRING}]}]
permissions:
  - {resource: {type: TABLE, database: sales, table: orders}, access: SELECT, principal: "role:analyst"}
  - {resource: {type: TABLE, database: sales, table: orders}, access: SELECT, principal: "role:steward"}
policies:
  - resource: {type: TABLE, database: sales, table: orders}
    principal: "role:analyst"
    rowFilter: {predicate: '{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":1,"name":"region","type":"STRING"}},"function":"EQUAL","literals":["EU"]}'}
  - resource: {type: TABLE, database: sales, table: orders}
    principal: "user:ann"
    rowFilter: {predicate: '{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":0,"name":"id","type":"INT"}},"function":"EQUAL","literals":[3]}'}
  - resource: {type: TABLE, database: sales, table: orders}
    principal: "role:analyst"
    columnMask: {onColumn: region, transform: '{"name":"CONCAT","inputs":["***"]}'}
`

const (
	inEU = `{\"kind\":\"LEAF\",\"transform\":{\"name\":\"FIELD_REF\",\"fieldRef\":{\"index\":1,\"name\":\"region\",\"type\":\"STRING\"}},\"function\":\"EQUAL\",\"literals\":[\"EU\"]}`
	isID = `{\"kind\":\"LEAF\",\"transform\":{\"name\":\"FIELD_REF\",\"fieldRef\":{\"index\":0,\"name\":\"id\",\"type\":\"INT\"}},\"function\":\"EQUAL\",\"literals\":[3]}`
	// restricted is what the reader with policies is told, both filters and the mask.
	restricted = `{"filter":["` + inEU + `","` + isID + `"],"columnMasking":{"region":"{\"name\":\"CONCAT\",\"inputs\":[\"***\"]}"}}`
)

func TestEveryReadersQuestionIsUnderstood(t *testing.T) {
	t.Parallel()
	s := start(t, readingSeed)
	for _, body := range []string{`{}`, `{"select":null}`, `{"select":["id","region"]}`, `{"select":["id"]}`} {
		s.as("restricted").auth("orders", body).is(restricted)
		s.as("unrestricted").auth("orders", body).is(`{}`)
		s.as("nobody").auth("orders", body).fails(403, "TABLE", "sales.orders")
		s.as("stranger").auth("orders", body).isBare(401)
	}
}

func TestTheContentTypeOfAQuestionDoesNotMatter(t *testing.T) {
	t.Parallel()
	s := start(t, readingSeed).as("restricted")
	for _, contentType := range []string{"", "text/plain; charset=UTF-8", "application/json", "application/x-www-form-urlencoded", "nonsense"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.catalog+orderTable+"/auth", strings.NewReader(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer restricted")
		if contentType != "" {
			request.Header.Set("Content-Type", contentType)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Errorf("%q: got %d", contentType, response.StatusCode)
		}
	}
}

func TestEveryBreakageIsSeen(t *testing.T) {
	t.Parallel()
	const (
		filters = `"filter":["` + inEU + `","` + isID + `"]`
		mask    = `"columnMasking":{"region":"{\"name\":\"CONCAT\",\"inputs\":[\"***\"]}"}`
	)
	for name, want := range map[string]string{
		"":                    "{" + filters + "," + mask + "}",
		"no-filter":           "{" + mask + "}",
		"no-mask":             "{" + filters + "}",
		"last-filter-wins":    `{"filter":["` + isID + `"],` + mask + "}",
		"keep-policy-on-drop": "{" + filters + "," + mask + "}",
		"lose-query-auth":     "{" + filters + "," + mask + "}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seed := strings.Replace(readingSeed, "principals:", "principals:\n  - {name: admin, token: admin, manages: true}", 1)
			s := start(t, seed, func(c *devcatalog.Config) { c.Break = name })
			s.as("restricted").auth("orders", `{}`).is(want)
			for _, token := range []string{"admin", "restricted"} {
				option := s.as(token).table("orders").Schema.Options["query-auth.enabled"]
				if lost := option == ""; lost != (name == "lose-query-auth" && token == "restricted") {
					t.Errorf("%s sees the option as %q", token, option)
				}
			}
			drop := `{"type":"ROW_FILTER","principal":"user:ann"}`
			s.as("admin").send(http.MethodPost, orderTable+"/policies/drop", drop).succeeds()
			if again := s.as("admin").send(http.MethodPost, orderTable+"/policies/drop", drop).status; (again == http.StatusOK) != (name == "keep-policy-on-drop") {
				t.Errorf("dropped once more: %d", again)
			}
		})
	}
}

func TestADatabaseWithDataHasAPlace(t *testing.T) {
	t.Parallel()
	s := startWithTable(t)
	var got struct{ ID, Location string }
	read(t, s.send(http.MethodGet, "/databases/sales", ""), &got)
	if got.Location != "file:///data/"+got.ID {
		t.Errorf("got %+v", got)
	}
}
