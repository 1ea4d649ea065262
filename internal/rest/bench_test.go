package rest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// benchmarkClient talks to a server that costs as little as one over HTTP can, the handshake done.
func benchmarkClient(b *testing.B, body string) *Client {
	b.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/config" {
			says(200, `{"defaults":{"prefix":"p"}}`)(w, r)
			return
		}
		says(200, body)(w, r)
	}))
	b.Cleanup(server.Close)
	c, err := New(Config{URI: server.URL, Token: testToken})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := c.connect(b.Context()); err != nil {
		b.Fatal(err)
	}
	return c
}

func BenchmarkGrant(b *testing.B) {
	c := benchmarkClient(b, "")
	b.ReportAllocs()
	for b.Loop() {
		if err := c.Grant(b.Context(), tableGrant()); err != nil {
			b.Fatal(err)
		}
	}
}

// pageOf is a page of grants on one table, counted from first.
func pageOf(first, rows int) string {
	texts := make([]string, rows)
	for i := range texts {
		texts[i] = fmt.Sprintf(`{"resource":{"type":"TABLE","database":"d","table":"t"},"access":"SELECT","principal":"%d","expireTime":"2027-01-01T00:00:00Z"}`, first+i)
	}
	return `{"permissions":[` + strings.Join(texts, ",") + `]}`
}

func BenchmarkListAPageOfAThousand(b *testing.B) {
	c := benchmarkClient(b, pageOf(0, 1000))
	b.ReportAllocs()
	for b.Loop() {
		listing, err := c.listPermissions(b.Context(), access.TableResource("d", "t"), "", "")
		if err != nil || len(listing.Rows) != 1000 {
			b.Fatal(len(listing.Rows), err)
		}
	}
}

// What a plan costs for each grant but the first two of a table, at a high parallelism.
func BenchmarkLookUpInAKeptListing(b *testing.B) {
	c := benchmarkClient(b, pageOf(0, 1000))
	for i := range 1000 {
		c.Expect(grantFor(strconv.Itoa(i)).Identity)
	}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			if _, found, err := c.Assignment(b.Context(), grantFor(strconv.Itoa(i%1000)).Identity, ThisWalk); !found || err != nil {
				b.Error(found, err)
			}
		}
	})
}
