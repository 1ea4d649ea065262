package devcatalog_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
)

const assignments = 10_000

// crowded is a catalog with one table that carries ten thousand assignments.
func crowded(b *testing.B) *server {
	b.Helper()
	seed := &devcatalog.Seed{Warehouse: "demo", Databases: []devcatalog.SeedDatabase{{
		Name:   "sales",
		Tables: []devcatalog.SeedTable{{Name: "orders", Columns: []devcatalog.SeedColumn{{Name: "id", Type: "INT"}}}},
	}}}
	for i := range assignments {
		seed.Permissions = append(seed.Permissions, devcatalog.PermissionBody{
			Resource: &devcatalog.ResourceBody{Type: "TABLE", Database: "sales", Table: "orders"},
			Access:   "SELECT", Principal: fmt.Sprintf("user:%05d", i),
		})
	}
	return serve(b, devcatalog.Config{Seed: seed})
}

func BenchmarkListOnePrincipal(b *testing.B) {
	s := crowded(b)
	for i := 0; b.Loop(); i++ {
		s.send(http.MethodGet, listing(resource("TABLE", "sales", "orders"), "principal", fmt.Sprintf("user:%05d", i%assignments)), "")
	}
}

func BenchmarkListFullPage(b *testing.B) {
	s := crowded(b)
	for b.Loop() {
		s.send(http.MethodGet, listing(resource("TABLE", "sales", "orders"), "maxResults", "1000"), "")
	}
}

func BenchmarkListLastPage(b *testing.B) {
	s := crowded(b)
	path, token := listing(resource("TABLE", "sales", "orders"), "maxResults", "1000"), ""
	for range assignments/1000 - 1 {
		_, token, _ = strings.Cut(s.send(http.MethodGet, path+token, "").body, `"nextPageToken":"`)
		token = "&pageToken=" + strings.TrimSuffix(token, `"}`)
	}
	for b.Loop() {
		s.send(http.MethodGet, path+token, "")
	}
}

func BenchmarkGrant(b *testing.B) {
	s := crowded(b)
	for i := 0; b.Loop(); i++ {
		s.grant(permission(resource("TABLE", "sales", "orders"), "UPDATE", fmt.Sprintf("user:%05d", i%assignments))).succeeds()
	}
}

func BenchmarkParallelRequests(b *testing.B) {
	s := crowded(b)
	path := listing(resource("TABLE", "sales", "orders"), "principal", "user:00042")
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := s.try(b.Context(), http.MethodGet, s.catalog+path, ""); err != nil {
				b.Error(err)
			}
		}
	})
}
