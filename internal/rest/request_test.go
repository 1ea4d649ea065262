package rest

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// encodings are names with everything that an address gives a meaning to, and how they stand in it.
var encodings = map[string]string{
	"plain":   "plain",
	"a b":     "a%20b",
	"a/b":     "a%2Fb",
	"a%b":     "a%25b",
	"a%2Fb":   "a%252Fb",
	"a+b":     "a%2Bb",
	"é":       "%C3%A9",
	"日本":      "%E6%97%A5%E6%9C%AC",
	"a&b=c":   "a%26b%3Dc",
	"a?b":     "a%3Fb",
	"a#b":     "a%23b",
	"a:b@c":   "a%3Ab%40c",
	"a;b,c":   "a%3Bb%2Cc",
	"a*b~c":   "a%2Ab~c",
	`"<a>\'`:  "%22%3Ca%3E%5C%27",
	"$x[0]{}": "%24x%5B0%5D%7B%7D",
	"...":     "...",
}

func TestNamesReachTheServerAsTheyAre(t *testing.T) {
	t.Parallel()
	for name, encoded := range encodings {
		prefix := encoded
		switch name { // Java's form, which servers compare as text
		case "a b":
			prefix = "a+b"
		case "a*b~c":
			prefix = "a*b%7Ec"
		}
		columnGrant := access.Assignment{
			Identity: access.ColumnIdentity(name, name, name),
			Columns:  access.Columns{Names: []string{name, "x"}},
		}
		mask := access.Policy{Identity: access.ColumnMaskIdentity(name, name, name, name), Definition: name}
		view := access.Identity{Resource: access.Resource{Type: access.View, Database: name, View: name}, Access: access.Select, Principal: name}
		quoted := jsonText(name)
		table := "/v1/" + prefix + "/databases/" + encoded + "/tables/" + encoded

		for kind, test := range map[string]struct {
			call                 func(context.Context, *Client) error
			method, target, body string
		}{
			"list permissions": {
				func(ctx context.Context, c *Client) error { _, _, err := c.Assignment(ctx, view, ThisWalk); return err },
				"GET", "/v1/" + prefix + "/permissions?access=SELECT&database=" + encoded + "&maxResults=1000&principal=" + encoded + "&resourceType=VIEW&view=" + encoded, "",
			},
			"grant": {
				func(ctx context.Context, c *Client) error { return c.Grant(ctx, columnGrant) },
				"POST", "/v1/" + prefix + "/permissions/grant",
				`{"resource":{"type":"COLUMN","database":` + quoted + `,"table":` + quoted + `},"access":"SELECT","principal":` + quoted + `,"columns":{"columnNames":[` + quoted + `,"x"]}}`,
			},
			"revoke": {
				func(ctx context.Context, c *Client) error { return c.Revoke(ctx, columnGrant.Identity) },
				"POST", "/v1/" + prefix + "/permissions/revoke",
				`{"resource":{"type":"COLUMN","database":` + quoted + `,"table":` + quoted + `},"access":"SELECT","principal":` + quoted + `}`,
			},
			"list policies": {
				func(ctx context.Context, c *Client) error {
					_, _, err := c.Policy(ctx, mask.Identity, ThisWalk)
					return err
				},
				"GET", table + "/policies?column=" + encoded + "&maxResults=1000&principal=" + encoded + "&type=COLUMN_MASKING", "",
			},
			"create mask": {
				func(ctx context.Context, c *Client) error { return c.CreatePolicy(ctx, mask) },
				"POST", table + "/policies", `{"columnMask":{"onColumn":` + quoted + `,"transform":` + quoted + `},"principal":` + quoted + `}`,
			},
			"drop mask": {
				func(ctx context.Context, c *Client) error { return c.DropPolicy(ctx, mask.Identity) },
				"POST", table + "/policies/drop", `{"type":"COLUMN_MASKING","principal":` + quoted + `,"column":` + quoted + `}`,
			},
		} {
			t.Run(kind+" "+name, func(t *testing.T) {
				t.Parallel()
				s := newServer(t, says(200, `{"permissions":[],"policies":[]}`))
				s.config = `{"defaults":{"prefix":` + quoted + `}}`
				if err := test.call(t.Context(), s.client(t)); err != nil {
					t.Fatal(err)
				}
				got := s.seen()[0]
				if got.method != test.method || got.target != test.target {
					t.Errorf("got  %s %s\nwant %s %s", got.method, got.target, test.method, test.target)
				}
				if got.body != test.body {
					t.Errorf("got  %s\nwant %s", got.body, test.body)
				}
			})
		}
	}
}

// jsonText writes a name as bodies do: nothing is escaped that need not be.
func jsonText(name string) string {
	return `"` + strings.NewReplacer(`"`, `\"`, `\`, `\\`).Replace(name) + `"`
}

func TestBodiesHaveNothingThatTheContractDoesNotHave(t *testing.T) {
	t.Parallel()
	expiring := tableGrant()
	expiring.ExpireTime = "2027-01-01t08:00:00.100+08:00"
	denied := access.Assignment{Identity: access.ColumnIdentity("d", "t", "p"), Columns: access.Columns{Excluded: []string{"b", "a"}}, ExpireTime: "2027-01-01T00:00:00Z"}
	catalog := access.Assignment{Identity: access.Identity{Resource: access.Resource{Type: access.Catalog}, Access: access.All, Principal: "p"}}
	for name, test := range map[string]struct {
		call func(context.Context, *Client) error
		body string
	}{
		"grant with an offset expiry": {
			func(ctx context.Context, c *Client) error { return c.Grant(ctx, expiring) },
			`{"resource":{"type":"TABLE","database":"d","table":"t"},"access":"SELECT","principal":"role:r","expireTime":"2027-01-01T00:00:00.100Z"}`,
		},
		"grant of a denylist": {
			func(ctx context.Context, c *Client) error { return c.Grant(ctx, denied) },
			`{"resource":{"type":"COLUMN","database":"d","table":"t"},"access":"SELECT","principal":"p","columns":{"excludedColumnNames":["b","a"]},"expireTime":"2027-01-01T00:00:00Z"}`,
		},
		"grant on the catalog": {
			func(ctx context.Context, c *Client) error { return c.Grant(ctx, catalog) },
			`{"resource":{"type":"CATALOG"},"access":"ALL","principal":"p"}`,
		},
		"create of a row filter": {createCall, `{"rowFilter":{"predicate":"{\"a\":\"<&>\"}"},"principal":"role:r"}`},
		"drop of a row filter": {
			func(ctx context.Context, c *Client) error { return c.DropPolicy(ctx, rowFilter().Identity) },
			`{"type":"ROW_FILTER","principal":"role:r"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, says(200, ""))
			if err := test.call(t.Context(), s.client(t)); err != nil {
				t.Fatal(err)
			}
			if got := s.seen()[0].body; got != test.body {
				t.Errorf("got  %s\nwant %s", got, test.body)
			}
		})
	}
}

func TestRequestsCarryTheirHeaders(t *testing.T) {
	t.Parallel()
	s := newServer(t, says(200, noPermissions))
	c := s.client(t)
	for _, call := range []func(context.Context, *Client) error{listCall, grantCall} {
		if err := call(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	want := http.Header{
		"Accept":          {"application/json"},
		"Accept-Encoding": {"gzip"},
		"Authorization":   {"Bearer " + testToken},
		"User-Agent":      {"terraform-provider-paimon/test"},
		"X-Secret":        {testHeader},
	}
	check := func(got seenRequest) {
		t.Helper()
		if len(got.header) != len(want) {
			t.Errorf("%s: headers %v", got.target, got.header)
		}
		for name := range want {
			if got.header.Get(name) != want.Get(name) {
				t.Errorf("%s: %s is %q", got.target, name, got.header.Get(name))
			}
		}
	}
	check(s.handshakes()[0])
	check(s.seen()[0])
	want.Set("Content-Type", "application/json")
	want.Set("Content-Length", s.seen()[1].header.Get("Content-Length"))
	check(s.seen()[1])
}

func TestWithoutATokenNoneIsSent(t *testing.T) {
	t.Parallel()
	s := newServer(t, says(200, noPermissions))
	c := s.client(t, func(c *Config) { c.Token = ""; c.Headers = map[string]string{"user-agent": "mine"} })
	if err := listCall(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if got := s.seen()[0].header; got["Authorization"] != nil || got.Get("User-Agent") != "mine" {
		t.Errorf("got %v", got)
	}
}

func TestNamesThatPathsSwallowAreNotSent(t *testing.T) {
	t.Parallel()
	s := newServer(t, says(200, noPolicies))
	c := s.client(t)
	for _, name := range []string{"", ".", ".."} {
		if _, err := c.Table(t.Context(), "d", name); err == nil {
			t.Errorf("table %q was asked for", name)
		}
		if _, err := c.Policies(t.Context(), name, "t", PolicyFilter{}); err == nil {
			t.Errorf("database %q was asked for", name)
		}
	}
	if len(s.seen()) > 0 {
		t.Errorf("the server got %v", s.seen())
	}
}
