package devcatalog_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
)

// server is a catalog that is served over HTTP, seen with the eyes of one caller.
type server struct {
	t       testing.TB
	base    string // of the whole server
	catalog string // of the catalog's own paths
	token   string
}

// start serves a catalog with a seed for the time of the test.
func start(tb testing.TB, seed string, change ...func(*devcatalog.Config)) *server {
	tb.Helper()
	config := devcatalog.Config{Seed: parseSeed(tb, seed)}
	for _, c := range change {
		c(&config)
	}
	return serve(tb, config)
}

func parseSeed(tb testing.TB, text string) *devcatalog.Seed {
	tb.Helper()
	seed, err := devcatalog.ParseSeed([]byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	return seed
}

func serve(tb testing.TB, config devcatalog.Config) *server {
	tb.Helper()
	catalog, err := devcatalog.New(tb.Context(), config)
	if err != nil {
		tb.Fatal(err)
	}
	web := httptest.NewServer(catalog.Handler())
	tb.Cleanup(func() {
		web.Close()
		if err := catalog.Close(); err != nil {
			tb.Error(err)
		}
	})
	return &server{t: tb, base: web.URL, catalog: web.URL + "/v1/demo"}
}

// as is the same server for another caller.
func (s *server) as(token string) *server {
	other := *s
	other.token = token
	return &other
}

// reply is an answer, read whole.
type reply struct {
	t      testing.TB
	status int
	header http.Header
	body   string
}

// send calls a path of the catalog.
func (s *server) send(method, path, body string) reply {
	s.t.Helper()
	return s.sendTo(method, s.catalog+path, body)
}

func (s *server) sendTo(method, address, body string) reply {
	s.t.Helper()
	answer, err := s.try(s.t.Context(), method, address, body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer
}

// try is for goroutines, which must not end the test.
func (s *server) try(ctx context.Context, method, address, body string) (reply, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	if s.token != "" {
		request.Header.Set("Authorization", "Bearer "+s.token)
	}
	return s.do(request)
}

func (s *server) do(request *http.Request) (reply, error) {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return reply{s.t, response.StatusCode, response.Header, string(text)}, err
}

// errorBody is the contract's error as it stands on the wire.
type errorBody struct {
	ResourceType *string `json:"resourceType"`
	ResourceName *string `json:"resourceName"`
	Message      string  `json:"message"`
	Code         int     `json:"code"`
}

// succeeds checks a change: the management calls answer with nothing at all.
func (r reply) succeeds() {
	r.t.Helper()
	if r.status != http.StatusOK || r.body != "" || r.header.Get("Content-Type") != "" {
		r.t.Errorf("got %d %q %q, want 200 with an empty body and no type", r.status, r.header.Get("Content-Type"), r.body)
	}
}

// fails checks an error. The resource type "" stands for the two explicit nulls.
func (r reply) fails(status int, resourceType, resourceName string) {
	r.t.Helper()
	var got errorBody
	if err := json.Unmarshal([]byte(r.body), &got); err != nil {
		r.t.Errorf("got %d %q, want an error body", r.status, r.body)
		return
	}
	want := errorBody{Message: got.Message, Code: status}
	if resourceType != "" {
		want.ResourceType, want.ResourceName = &resourceType, &resourceName
	} else if !strings.HasPrefix(r.body, `{"resourceType":null,"resourceName":null,`) {
		r.t.Errorf("got %q, want explicit nulls", r.body)
	}
	if r.status != status || got.Message == "" || !reflect.DeepEqual(got, want) {
		r.t.Errorf("got %d %s, want %d %s %q", r.status, r.body, status, resourceType, resourceName)
	}
}

// isBare checks an answer that is a status and nothing else.
func (r reply) isBare(status int) {
	r.t.Helper()
	if r.status != status || r.body != "" {
		r.t.Errorf("got %d %q, want %d with an empty body", r.status, r.body, status)
	}
}

// is checks an answer with a JSON body.
func (r reply) is(body string) {
	r.t.Helper()
	if r.status != http.StatusOK || !sameJSON(r.t, r.body, body) {
		r.t.Errorf("got %d %s\nwant 200 %s", r.status, r.body, body)
	}
}

func sameJSON(tb testing.TB, a, b string) bool {
	tb.Helper()
	var left, right any
	if err := json.Unmarshal([]byte(a), &left); err != nil {
		tb.Errorf("%q: %v", a, err)
	}
	if err := json.Unmarshal([]byte(b), &right); err != nil {
		tb.Errorf("%q: %v", b, err)
	}
	return reflect.DeepEqual(left, right)
}

// quoted is a JSON string as Paimon writes it, with <, > and & as they are.
func quoted(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(b.String())
}

// object builds a JSON object from alternating keys and JSON texts, in their order.
func object(members ...string) string {
	var pairs []string
	for pair := range slices.Chunk(members, 2) {
		pairs = append(pairs, quoted(pair[0])+":"+pair[1])
	}
	return "{" + strings.Join(pairs, ",") + "}"
}

func array(values ...string) string {
	return "[" + strings.Join(values, ",") + "]"
}

func quotedAll(values []string) []string {
	all := make([]string, len(values))
	for i, value := range values {
		all[i] = quoted(value)
	}
	return all
}

// resource is the JSON of a resource; the names are its locators, outermost first.
func resource(kind string, names ...string) string {
	locators := map[string][]string{
		"DATABASE": {"database"}, "DATABASE_ALL": {"database"},
		"TABLE": {"database", "table"}, "COLUMN": {"database", "table"},
		"FUNCTION": {"database", "function"}, "VIEW": {"database", "view"},
	}[kind]
	members := []string{"type", quoted(kind)}
	for i, name := range names {
		members = append(members, locators[i], quoted(name))
	}
	return object(members...)
}

// permission is the JSON of an assignment, as it is granted and as it is listed.
func permission(resource, access, principal string, more ...string) string {
	return object(append([]string{"resource", resource, "access", quoted(access), "principal", quoted(principal)}, more...)...)
}

// allow and deny are column ranges.
func allow(names ...string) string { return object("columnNames", array(quotedAll(names)...)) }

func deny(names ...string) string { return object("excludedColumnNames", array(quotedAll(names)...)) }

// columns is a SELECT on columns.
func columns(database, table, principal, columnRange string) string {
	return permission(resource("COLUMN", database, table), "SELECT", principal, "columns", columnRange)
}

func rowFilter(principal, predicate string) string {
	return object("rowFilter", object("predicate", quoted(predicate)), "principal", quoted(principal))
}

func columnMask(principal, column, transform string) string {
	return object("columnMask", object("onColumn", quoted(column), "transform", quoted(transform)), "principal", quoted(principal))
}

// onTable is a policy as it is listed: the body of its create with the table.
func onTable(database, table, policy string) string {
	return `{"resource":` + resource("TABLE", database, table) + "," + strings.TrimPrefix(policy, "{")
}

// equal is a predicate on a STRING column at a position.
func equal(position, column, value string) string {
	return `{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":` + position + `,"name":` + quoted(column) +
		`,"type":"STRING"}},"function":"EQUAL","literals":[` + quoted(value) + `]}`
}

// stars masks a nullable STRING column.
const stars = `{"name":"CONCAT","inputs":["***"]}`

func policiesPath(database, table string) string {
	return "/databases/" + url.QueryEscape(database) + "/tables/" + url.QueryEscape(table) + "/policies"
}

// listing is the query of a permission listing, made from a resource's JSON.
func listing(resource string, more ...string) string {
	var members map[string]string
	query := url.Values{}
	if err := json.Unmarshal([]byte(resource), &members); err != nil {
		return err.Error()
	}
	for key, value := range members {
		if key == "type" {
			key = "resourceType"
		}
		query.Set(key, value)
	}
	for pair := range slices.Chunk(more, 2) {
		query.Set(pair[0], pair[1])
	}
	return "/permissions?" + query.Encode()
}

func (s *server) grant(permission string) reply {
	s.t.Helper()
	return s.send(http.MethodPost, "/permissions/grant", permission)
}

func (s *server) revoke(permission string) reply {
	s.t.Helper()
	return s.send(http.MethodPost, "/permissions/revoke", permission)
}

func (s *server) create(database, table, policy string) reply {
	s.t.Helper()
	return s.send(http.MethodPost, policiesPath(database, table), policy)
}

func (s *server) alter(table string, changes ...string) reply {
	s.t.Helper()
	path := strings.TrimSuffix(policiesPath("sales", table), "/policies")
	return s.send(http.MethodPost, path, object("changes", array(changes...)))
}

func (s *server) auth(table, body string) reply {
	s.t.Helper()
	return s.send(http.MethodPost, "/databases/sales/tables/"+table+"/auth", body)
}

// lists checks that a listing of permissions has exactly these rows on one page.
func (s *server) lists(resource string, rows ...string) {
	s.t.Helper()
	s.send(http.MethodGet, listing(resource), "").is(object("permissions", array(rows...)))
}

// policies checks that a listing of policies has exactly these rows on one page.
func (s *server) policies(database, table string, rows ...string) {
	s.t.Helper()
	s.send(http.MethodGet, policiesPath(database, table), "").is(object("policies", array(rows...)))
}
