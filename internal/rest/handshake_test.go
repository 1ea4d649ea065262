package rest

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

func TestTheHandshakesOptionsMerge(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config  string
		prefix  string // of the user
		target  string // empty when the call must fail
		headers map[string]string
		failure string
	}{
		"default prefix":                   {config: `{"defaults":{"prefix":"a"}}`, target: "/v1/a/"},
		"the user's prefix beats defaults": {config: `{"defaults":{"prefix":"a"}}`, prefix: "b", target: "/v1/b/"},
		"overrides beat the user's prefix": {config: `{"defaults":{"prefix":"a"},"overrides":{"prefix":"c"}}`, prefix: "b", target: "/v1/c/"},
		"a null default is none":           {config: `{"defaults":{"prefix":null}}`, prefix: "b", target: "/v1/b/"},
		"a null override drops":            {config: `{"overrides":{"prefix":null}}`, prefix: "b", failure: `set "prefix" in the provider configuration`},
		"no prefix":                        {config: `{"defaults":null,"overrides":{}}`, failure: `the catalog named no prefix in its answer to GET /v1/config`},
		"an empty object":                  {config: `{}`, failure: `named no prefix`},
		"the user's prefix is enough":      {config: `{}`, prefix: "b", target: "/v1/b/"},
		"a prefix with signs":              {config: `{"defaults":{"prefix":"a/b c~*"}}`, target: "/v1/a%2Fb+c%7E*/"},
		"a prefix that paths swallow":      {config: `{"defaults":{"prefix":".."}}`, failure: `".." cannot stand for a name in a path`},
		"headers": {
			config: `{"defaults":{"prefix":"a","header.X-New":"1","header.x-secret":"default","header.X-Null":"1"},"overrides":{"header.x-OVER":"2","header.X-NULL":null}}`,
			target: "/v1/a/", headers: map[string]string{"X-New": "1", "X-Secret": testHeader, "X-Over": "2", "X-Null": ""},
		},
		"an override of the user's header": {
			config: `{"defaults":{"prefix":"a"},"overrides":{"header.x-secret":"theirs"}}`,
			target: "/v1/a/", headers: map[string]string{"X-Secret": "theirs"},
		},
		"the client's own headers stay": {
			config: `{"defaults":{"prefix":"a"},"overrides":{"header.authorization":"Basic x","header.accept":"text/html","header.Content-Type":"x/y"}}`,
			target: "/v1/a/", headers: map[string]string{"Authorization": "Bearer " + testToken, "Accept": "application/json", "Content-Type": ""},
		},
		"a header that cannot be sent": {config: `{"defaults":{"prefix":"a","header.a b":"1"}}`, failure: "asks for a header that cannot be sent"},
		"a page":                       {config: htmlPage, failure: "is there a proxy or login page in between?"},
		"a list":                       {config: `[]`, failure: "is not the JSON that a Paimon catalog sends"},
		"null":                         {config: `null`, failure: "named no prefix"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, says(200, noPermissions))
			s.config = test.config
			err := listCall(t.Context(), s.client(t, func(c *Config) { c.Prefix = test.prefix }))
			if test.failure != "" {
				if err == nil || !strings.Contains(err.Error(), test.failure) {
					t.Fatalf("got %v, want %q", err, test.failure)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := s.seen()[0]; !strings.HasPrefix(got.target, test.target) {
				t.Errorf("asked for %s, want %s…", got.target, test.target)
			}
			for name, value := range test.headers {
				if got := s.seen()[0].header.Get(name); got != value {
					t.Errorf("%s: %q, want %q", name, got, value)
				}
			}
		})
	}
}

func TestTheHandshakeItselfCarriesTheConfiguration(t *testing.T) {
	t.Parallel()
	for warehouse, target := range map[string]string{
		"":           "/v1/config",
		"demo":       "/v1/config?warehouse=demo",
		"a b+c:d/é?": "/v1/config?warehouse=a%20b%2Bc%3Ad%2F%C3%A9%3F",
	} {
		s := newServer(t, says(200, noPermissions))
		if err := listCall(t.Context(), s.client(t, func(c *Config) { c.Warehouse = warehouse })); err != nil {
			t.Fatal(err)
		}
		got := s.handshakes()[0]
		if got.target != target {
			t.Errorf("asked for %s, want %s", got.target, target)
		}
		if got.header.Get("X-Secret") != testHeader || got.header.Get("Authorization") != "Bearer "+testToken {
			t.Error("the handshake has no credentials")
		}
	}
}

func TestManyCallersShareOneHandshake(t *testing.T) {
	t.Parallel()
	for name, works := range map[string]bool{"that works": true, "that fails": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, says(401, ""))
			if works {
				s.handler = says(200, noPermissions)
			} else {
				s.config = ""
			}
			c := s.client(t)
			var group sync.WaitGroup
			for range 50 {
				group.Go(func() {
					if err := listCall(t.Context(), c); works != (err == nil) || !works && !IsCode(err, 401) {
						t.Errorf("got %v", err)
					}
				})
			}
			group.Wait()
			if len(s.handshakes()) != 1 {
				t.Errorf("%d handshakes", len(s.handshakes()))
			}
		})
	}
}

func TestTheFirstCallersCancellationDoesNotFailTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := inBubble(t, says(200, noPermissions))
		direct := c.transport
		c.transport = roundTripper(func(r *http.Request) (*http.Response, error) {
			time.Sleep(10 * time.Second)
			return direct.RoundTrip(r)
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		first := make(chan error)
		go func() { first <- listCall(ctx, c) }()
		synctest.Wait()
		start := time.Now()
		second := make(chan error)
		go func() { second <- listCall(t.Context(), c) }()
		if err := <-first; !errors.Is(err, context.DeadlineExceeded) || IsUncertain(err) {
			t.Errorf("the first caller got %v", err)
		}
		if waited := time.Since(start); waited != time.Second {
			t.Errorf("the first caller waited %s", waited)
		}
		if err := <-second; err != nil {
			t.Errorf("the second caller got %v", err)
		}
		// The bubble fails when a goroutine stays behind.
	})
}

// A server that answers 404 to the handshake says that the warehouse is wrong, in whatever words.
func TestANotFoundHandshakeMakesNothingGone(t *testing.T) {
	t.Parallel()
	bodies := map[string]string{"html": htmlPage, "empty": ""}
	for _, resourceType := range []string{"CATALOG", "DATABASE", "TABLE", "PRINCIPAL", "POLICY"} {
		bodies[resourceType] = about(resourceType, "x", "404")
	}
	catalog := access.Identity{Resource: access.Resource{Type: access.Catalog}, Access: access.All, Principal: "role:r"}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, says(404, body))
			s.config = ""
			c := s.client(t)
			for _, id := range []access.Identity{tableGrant().Identity, catalog} {
				if _, _, err := c.Assignment(t.Context(), id, ThisWalk); !IsCode(err, 404) {
					t.Errorf("Assignment: %v", err)
				}
				if err := c.Revoke(t.Context(), id); !IsCode(err, 404) {
					t.Errorf("Revoke: %v", err)
				}
			}
			if _, _, err := c.Policy(t.Context(), rowFilter().Identity, ThisWalk); !IsCode(err, 404) {
				t.Errorf("Policy: %v", err)
			}
			if err := c.DropPolicy(t.Context(), rowFilter().Identity); !IsCode(err, 404) {
				t.Errorf("DropPolicy: %v", err)
			} else if !strings.Contains(err.Error(), "cannot connect to the catalog at "+s.URL) {
				t.Errorf("the error does not name the address: %v", err)
			}
		})
	}
}

func TestASlashAtTheEndOfTheAddressDoesNotCount(t *testing.T) {
	t.Parallel()
	s := newServer(t, says(200, noPermissions))
	c := s.client(t, func(c *Config) { c.URI += "/base//" })
	s.config = ""
	s.handler = answers(says(200, `{"defaults":{"prefix":"p"}}`), says(200, noPermissions))
	if err := listCall(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, r := range s.seen() {
		path, _, _ := strings.Cut(r.target, "?")
		got[path] = true
	}
	if want := map[string]bool{"/base/v1/config": true, "/base/v1/p/permissions": true}; !maps.Equal(got, want) {
		t.Errorf("asked for %v", got)
	}
}
