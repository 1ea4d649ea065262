package devcatalog_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
)

// records is how many assignments and how many policies the crowded table carries.
const records = 10_000

// onCrowded runs a benchmark on a catalog with one crowded table, in memory and on a file.
func onCrowded(b *testing.B, run func(b *testing.B, s *server)) {
	b.Helper()
	seed := &devcatalog.Seed{Warehouse: "demo", Databases: []devcatalog.SeedDatabase{{
		Name: "sales",
		Tables: []devcatalog.SeedTable{{
			Name:    "orders",
			Options: map[string]string{"query-auth.enabled": "true"},
			Columns: []devcatalog.SeedColumn{{Name: "id", Type: "INT"}, {Name: "region", Type: "STRING"}},
		}},
	}}}
	for i := range records {
		seed.Permissions = append(seed.Permissions, devcatalog.PermissionBody{
			Resource: &devcatalog.ResourceBody{Type: "TABLE", Database: "sales", Table: "orders"},
			Access:   "SELECT", Principal: reader(i),
		})
		seed.Policies = append(seed.Policies, devcatalog.PolicyBody{
			Resource:  &devcatalog.ResourceBody{Type: "TABLE", Database: "sales", Table: "orders"},
			RowFilter: &devcatalog.RowFilterBody{Predicate: equal("1", "region", "EU")},
			Principal: reader(i),
		})
	}
	for _, place := range []string{"memory", "file"} {
		b.Run(place, func(b *testing.B) {
			config := devcatalog.Config{Seed: seed}
			if place == "file" {
				config.Database = filepath.Join(b.TempDir(), "catalog.db")
			}
			s := serve(b, config)
			b.ResetTimer()
			run(b, s)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}

func reader(i int) string { return fmt.Sprintf("user:%05d", i%records) }

var permissionsOfOrders = resource("TABLE", "sales", "orders")

// benchmarkGets asks for the same again and again, from as many clients as there are processors.
func benchmarkGets(b *testing.B, path func(s *server) string) {
	b.Helper()
	onCrowded(b, func(b *testing.B, s *server) {
		b.Helper()
		asked := path(s)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if answer, err := s.try(b.Context(), http.MethodGet, s.catalog+asked, ""); err != nil || answer.status != http.StatusOK {
					b.Error(answer.status, err)
				}
			}
		})
	})
}

func BenchmarkListOnePrincipal(b *testing.B) {
	benchmarkGets(b, func(*server) string { return listing(permissionsOfOrders, "principal", reader(42)) })
}

func BenchmarkListPoliciesOfOnePrincipal(b *testing.B) {
	benchmarkGets(b, func(*server) string {
		return "/databases/sales/tables/orders/policies?type=ROW_FILTER&principal=" + reader(42)
	})
}

// The first page and the last cost the same.

func BenchmarkListFirstPage(b *testing.B) {
	benchmarkGets(b, func(*server) string { return listing(permissionsOfOrders, "maxResults", "1000") })
}

func BenchmarkListLastPage(b *testing.B) {
	benchmarkGets(b, func(s *server) string { return lastPage(s, listing(permissionsOfOrders, "maxResults", "1000")) })
}

func BenchmarkListLastPageOfPolicies(b *testing.B) {
	benchmarkGets(b, func(s *server) string { return lastPage(s, "/databases/sales/tables/orders/policies?maxResults=1000") })
}

// lastPage follows a listing, and returns the path of its last page.
func lastPage(s *server, path string) string {
	token := ""
	for range records/1000 - 1 {
		_, token, _ = strings.Cut(s.send(http.MethodGet, path+token, "").body, `"nextPageToken":"`)
		token = "&pageToken=" + strings.TrimSuffix(token, `"}`)
	}
	return path + token
}

func BenchmarkGrant(b *testing.B) {
	onCrowded(b, func(b *testing.B, s *server) {
		b.Helper()
		for i := 0; b.Loop(); i++ {
			s.grant(permission(permissionsOfOrders, "UPDATE", reader(i))).succeeds()
		}
	})
}

func BenchmarkDropAndCreatePolicy(b *testing.B) {
	onCrowded(b, func(b *testing.B, s *server) {
		b.Helper()
		for i := 0; b.Loop(); i++ {
			s.drop("orders", object("type", quoted("ROW_FILTER"), "principal", quoted(reader(i)))).succeeds()
			s.create("sales", "orders", rowFilter(reader(i), equal("1", "region", "EU"))).succeeds()
		}
	})
}
