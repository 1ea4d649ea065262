package rest

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// notFounds are the 404s that a server may give, and what each is about.
var notFounds = map[string]http.HandlerFunc{
	"html":      says(404, htmlPage),
	"empty":     says(404, ""),
	"no type":   says(404, `{"resourceType":null,"resourceName":null,"message":"no route","code":404}`),
	"no code":   says(404, `{"resourceType":"TABLE","resourceName":"d.t","message":"no"}`),
	"501":       says(404, about("TABLE", "d.t", "501")),
	"CATALOG":   says(404, about("CATALOG", "catalog", "404")),
	"DATABASE":  says(404, about("DATABASE", "d", "404")),
	"TABLE":     says(404, about("TABLE", "d.t", "404")),
	"VIEW":      says(404, about("VIEW", "d.t", "404")),
	"COLUMN":    says(404, about("COLUMN", "d.t", "404")),
	"PRINCIPAL": says(404, about("PRINCIPAL", "role:r", "404")),
	"POLICY":    says(404, about("POLICY", "ROW_FILTER:role:r", "404")),
}

func TestOnlyADefiniteNotFoundMeansGone(t *testing.T) {
	t.Parallel()
	view := access.Identity{Resource: access.Resource{Type: access.View, Database: "d", View: "v"}, Access: access.Select, Principal: "role:r"}
	scope := access.Identity{Resource: access.Resource{Type: access.DatabaseAll, Database: "d"}, Access: access.Select, Principal: "role:r"}
	catalog := access.Identity{Resource: access.Resource{Type: access.Catalog}, Access: access.All, Principal: "role:r"}
	look := func(id access.Identity) func(context.Context, *Client) error {
		return func(ctx context.Context, c *Client) error {
			_, found, err := c.Assignment(ctx, id, ThisWalk)
			if found {
				err = errors.New("found")
			}
			return err
		}
	}
	revoke := func(id access.Identity) func(context.Context, *Client) error {
		return func(ctx context.Context, c *Client) error { return c.Revoke(ctx, id) }
	}
	for name, test := range map[string]struct {
		call func(context.Context, *Client) error
		gone []string // what makes the call succeed
	}{
		"table, look":     {look(tableGrant().Identity), []string{"TABLE", "DATABASE"}},
		"table, revoke":   {revoke(tableGrant().Identity), []string{"TABLE", "DATABASE"}},
		"columns, look":   {look(access.ColumnIdentity("d", "t", "role:r")), []string{"COLUMN", "TABLE", "DATABASE"}},
		"columns, revoke": {revoke(access.ColumnIdentity("d", "t", "role:r")), []string{"COLUMN", "TABLE", "DATABASE"}},
		"view, look":      {look(view), []string{"VIEW", "DATABASE"}},
		"view, revoke":    {revoke(view), []string{"VIEW", "DATABASE"}},
		"scope, look":     {look(scope), []string{"DATABASE"}},
		"scope, revoke":   {revoke(scope), []string{"DATABASE"}},
		"catalog, look":   {look(catalog), nil},
		"catalog, revoke": {revoke(catalog), nil},
		"policy, look": {func(ctx context.Context, c *Client) error {
			_, _, err := c.Policy(ctx, rowFilter().Identity, ThisWalk)
			return err
		}, []string{"TABLE", "DATABASE"}},
		"policy, drop": {func(ctx context.Context, c *Client) error {
			return c.DropPolicy(ctx, rowFilter().Identity)
		}, []string{"TABLE", "DATABASE", "POLICY"}},
		"grant":  {grantCall, nil},
		"create": {createCall, nil},
	} {
		for answer, handler := range notFounds {
			t.Run(name+" "+answer, func(t *testing.T) {
				t.Parallel()
				err := test.call(t.Context(), newServer(t, handler).client(t))
				if gone := slices.Contains(test.gone, answer); gone != (err == nil) {
					t.Errorf("got %v, want gone %v", err, gone)
				}
			})
		}
	}
}

// byMethod answers writes and looks differently.
func byMethod(get, post http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			get(w, r)
		} else {
			post(w, r)
		}
	}
}

func TestALostRemovalIsSettledByLooking(t *testing.T) {
	t.Parallel()
	removals := map[string]func(context.Context, *Client) error{
		"revoke": func(ctx context.Context, c *Client) error { return c.Revoke(ctx, tableGrant().Identity) },
		"drop":   func(ctx context.Context, c *Client) error { return c.DropPolicy(ctx, rowFilter().Identity) },
	}
	gone := says(200, `{"permissions":[],"policies":[]}`)
	there := says(200, onePermission[:len(onePermission)-1]+","+onePolicy[1:])
	odd := says(200, `{"permissions":[null],"policies":[null]}`)
	for kind, remove := range removals {
		for name, test := range map[string]struct {
			post, get http.HandlerFunc
			looks     int
			removed   bool
		}{
			"lost, gone":         {hangUp, gone, 1, true},
			"lost, there":        {hangUp, there, 2, false},
			"lost, unreadable":   {hangUp, odd, 1, false},
			"lost, look denied":  {hangUp, says(403, ""), 1, false},
			"gateway, gone":      {says(502, htmlPage), gone, 1, true},
			"busy, there":        {says(503, ""), there, 2, false},
			"principal, gone":    {notFounds["PRINCIPAL"], gone, 1, true},
			"principal, there":   {notFounds["PRINCIPAL"], there, 1, false},
			"denied":             {says(403, ""), gone, 0, false},
			"not implemented":    {notFounds["501"], gone, 0, false},
			"no route":           {says(404, htmlPage), gone, 0, false},
			"bad request":        {says(400, ""), gone, 0, false},
			"conflict":           {says(409, about("TABLE", "d.t", "409")), gone, 0, false},
			"lost, arrives late": {hangUp, answers(there, gone), 2, true},
			"login page, gone":   {says(200, htmlPage), gone, 1, true},
			"login page, there":  {says(200, htmlPage), there, 2, false},
		} {
			t.Run(kind+" "+name, func(t *testing.T) {
				t.Parallel()
				s := newServer(t, byMethod(test.get, test.post))
				if err := remove(t.Context(), withFreshConnections(s.client(t))); (err == nil) != test.removed {
					t.Errorf("got %v", err)
				}
				looks := 0
				for _, r := range s.seen() {
					if r.method == http.MethodGet {
						looks++
					}
				}
				if looks != test.looks {
					t.Errorf("looked %d times, want %d", looks, test.looks)
				}
			})
		}
	}
}

// The records of a principal that the server no longer knows show only in a listing that does not name it.
func TestAnUnknownPrincipalIsLookedForWithoutTheFilter(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		all   http.HandlerFunc
		found bool
	}{
		"there": {says(200, onePermission[:len(onePermission)-1]+","+onePolicy[1:]), true},
		"gone":  {says(200, `{"permissions":[],"policies":[]}`), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Query().Has("principal") {
					notFounds["PRINCIPAL"](w, r)
				} else {
					test.all(w, r)
				}
			})
			c := s.client(t)
			if _, found, err := c.Assignment(t.Context(), tableGrant().Identity, ThisWalk); err != nil || found != test.found {
				t.Errorf("Assignment: %v, %v", found, err)
			}
			if _, found, err := c.Policy(t.Context(), rowFilter().Identity, ThisWalk); err != nil || found != test.found {
				t.Errorf("Policy: %v, %v", found, err)
			}
		})
	}
}

func TestRowsThatBreakTheContractDoNotHideTheOthers(t *testing.T) {
	t.Parallel()
	const odd = `{"resource":{"type":"TABLE","database":"d","table":"t"},"access":"FLY","principal":7,"expireTime":"2027-01-01T00:00:00.123456Z","x":{}},
		{"resource":{"type":"table","database":"d","table":"t","view":null},"access":"select","principal":"role:s","columns":null},
		null, 5, {"access":"SELECT"}, {"resource":"TABLE"},
		{"resource":{"type":"COLUMN","database":"d","table":"t"},"access":"SELECT","principal":"p","columns":{"columnNames":["b","a"]}},`
	s := newServer(t, says(200, strings.Replace(onePermission, "[", "["+odd, 1)))
	c := s.client(t)
	listing, err := c.Permissions(t.Context(), access.TableResource("d", "t"), "", "")
	if err != nil {
		t.Fatal(err)
	}
	if len(listing.Rows) != 4 || len(listing.Malformed) != 4 {
		t.Fatalf("%d rows, %q malformed", len(listing.Rows), listing.Malformed)
	}
	byPrincipal := make(map[string]access.Assignment)
	for _, row := range listing.Rows {
		byPrincipal[row.Principal] = row
	}
	if got := byPrincipal["7"]; got.Access != "FLY" || got.Principal != "7" || got.ExpireTime != "2027-01-01T00:00:00.123456Z" {
		t.Errorf("got %+v", got)
	}
	if got := byPrincipal["role:s"]; got.Resource != access.TableResource("d", "t") || got.Access != access.Select {
		t.Errorf("got %+v", got)
	}
	if got := byPrincipal["p"].Columns; !slices.Equal(got.Names, []string{"b", "a"}) {
		t.Errorf("got %+v", got)
	}
	if _, found, err := c.Assignment(t.Context(), tableGrant().Identity, ThisWalk); err != nil || !found {
		t.Errorf("an odd row hides another: %v, %v", found, err)
	}
	absent := tableGrant().Identity
	absent.Principal = "role:absent"
	_, _, err = c.Assignment(t.Context(), absent, ThisWalk)
	if malformed, ok := errors.AsType[*MalformedError](err); !ok || malformed.Row != "null" {
		t.Errorf("absence is proven by what nobody can read: %v", err)
	}
}
