package devcatalog_test

import (
	"context"
	"database/sql"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
)

// reopen serves a database file; the test calls close before it opens the file again.
func reopen(t *testing.T, file string, seed *devcatalog.Seed) (s *server, closeNow func()) {
	t.Helper()
	return reopenConfig(t, devcatalog.Config{Database: file, Seed: seed})
}

func reopenConfig(t *testing.T, config devcatalog.Config) (s *server, closeNow func()) {
	t.Helper()
	catalog, err := devcatalog.New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(catalog.Handler())
	return &server{t: t, base: web.URL, catalog: web.URL + "/v1/demo"}, func() {
		web.Close()
		if err := catalog.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestADatabaseFileKeepsEverythingButThePrincipals(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a catalog?#%.db")
	first := parseSeed(t, conformanceSeed)
	s, closeNow := reopen(t, file, first)
	granted := permission(orders, "SELECT", "role:a", "expireTime", `"2030-01-01T00:00:00Z"`)
	filter := rowFilter("role:a", equal("1", "region", "EU"))
	s.as("admin").grant(granted).succeeds()
	s.as("admin").create("sales", "orders", filter).succeeds()
	s.as("admin").send(http.MethodDelete, "/databases/hr", "").succeeds()
	closeNow()

	// The seed's databases do not come back, its principals are looked at again.
	second := parseSeed(t, strings.ReplaceAll(conformanceSeed, "token: admin", "token: changed"))
	s, closeNow = reopen(t, file, second)
	s.as("admin").send(http.MethodGet, "/databases", "").isBare(401)
	s.as("changed").lists(orders, granted)
	s.as("changed").policies("sales", "orders", onTable("sales", "orders", filter))
	s.as("changed").send(http.MethodGet, "/databases/hr", "").fails(404, "DATABASE", "hr")
	closeNow()

	// Without a seed the warehouse is the stored one, and there are no principals.
	s, closeNow = reopen(t, file, nil)
	s.lists(orders, granted)
	closeNow()
}

func TestASeedMayRenameTheWarehouseOfAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "catalog.db")
	_, closeNow := reopen(t, file, parseSeed(t, emptySeed))
	closeNow()
	_, closeNow = reopen(t, file, parseSeed(t, "warehouse: other"))
	closeNow()
	s, closeNow := reopen(t, file, nil)
	s.sendTo(http.MethodGet, s.base+"/v1/config?warehouse=other", "").is(`{"defaults":{},"overrides":{"prefix":"other"}}`)
	closeNow()
}

func TestAFailedSeedLeavesTheFileNew(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "catalog.db")
	bad := parseSeed(t, withTables)
	bad.Databases = append(bad.Databases, devcatalog.SeedDatabase{Name: "sales"})
	if _, err := devcatalog.New(t.Context(), devcatalog.Config{Database: file, Seed: bad}); err == nil {
		t.Fatal("a seed with one database twice was loaded")
	}
	s, closeNow := reopen(t, file, parseSeed(t, withTables))
	s.send(http.MethodGet, "/databases", "").is(`{"databases":["hr","sales"],"nextPageToken":null}`)
	closeNow()
}

func TestFilesThatAreNoCatalogAreRefused(t *testing.T) {
	t.Parallel()
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte(strings.Repeat("not a database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	newer := filepath.Join(t.TempDir(), "newer.db")
	db, err := sql.Open("sqlite", newer)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for file, complaint := range map[string]string{
		text:         "not a database",
		newer:        "version 99",
		"/nope/file": "unable to open",
	} {
		if _, err := devcatalog.New(t.Context(), devcatalog.Config{Database: file}); err == nil || !strings.Contains(err.Error(), complaint) {
			t.Errorf("%s: got %v, want %q", file, err, complaint)
		}
	}
}

func TestCatalogsInMemoryAreStrangers(t *testing.T) {
	t.Parallel()
	one, other := start(t, emptySeed), start(t, emptySeed)
	one.send(http.MethodPost, "/databases", `{"name":"sales"}`).succeeds()
	other.send(http.MethodGet, "/databases", "").is(`{"databases":[],"nextPageToken":null}`)
}

func TestAClientThatGoesAwayCostsNothingThatIsStored(t *testing.T) {
	t.Parallel()
	s := start(t, conformanceSeed).as("admin")
	s.grant(permission(orders, "SELECT", "role:a")).succeeds()
	concurrently(t, 8, func(int) (reply, error) {
		for range 20 {
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Microsecond) // likely to end under way
			_, _ = s.try(ctx, http.MethodGet, s.catalog+listing(orders), "")
			cancel()
		}
		return reply{}, nil
	}, func(reply) {})
	s.lists(orders, permission(orders, "SELECT", "role:a"))
}
