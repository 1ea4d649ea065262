package rest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
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

func BenchmarkListAPageOfAThousand(b *testing.B) {
	rows := make([]string, 1000)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"resource":{"type":"TABLE","database":"sales","table":"orders"},"access":"SELECT","principal":"role:reader-%d","expireTime":"2027-01-01T00:00:00Z"}`, i)
	}
	c := benchmarkClient(b, `{"permissions":[`+strings.Join(rows, ",")+`]}`)
	b.ReportAllocs()
	for b.Loop() {
		listing, err := c.Permissions(b.Context(), access.TableResource("sales", "orders"), "", "")
		if err != nil || len(listing.Rows) != len(rows) {
			b.Fatal(len(listing.Rows), err)
		}
	}
}
