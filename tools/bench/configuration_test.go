package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
)

func TestConfigurations(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		workload       string
		twins, changed bool
		want           string // the beginning of the first table's file
	}{
		"a grant": {workload: "grants-4/2", want: `resource "paimon_permission" "t0000_00" {
  resource_type = "TABLE"
  database = "lake"
  table = "t0000"
  access = "SELECT"
  principal = "role:r00"
}

resource "paimon_permission" "t0000_01" {`},
		"a changed grant": {workload: "grants-4/2", changed: true, want: `resource "paimon_permission" "t0000_00" {
  resource_type = "TABLE"
  database = "lake"
  table = "t0000"
  access = "SELECT"
  principal = "role:r00"
  expire_time = "2099-01-01T00:00:00Z"
}

resource "paimon_permission" "t0000_01" {`},
		"the twin of a grant": {workload: "grants-4/2", twins: true, want: `resource "terraform_data" "t0000_00" {
  input = {
    resource_type = "TABLE"
    database = "lake"
    table = "t0000"
    access = "SELECT"
    principal = "role:r00"
  }
}

resource "terraform_data" "t0000_01" {`},
		"a policy": {workload: "policies-4/2", want: `resource "paimon_row_filter_policy" "t0000_00" {
  database = "lake"
  table = "t0000"
  principal = "role:r00"
  predicate = "{\"kind\":\"LEAF\",\"transform\":{\"name\":\"FIELD_REF\",\"fieldRef\":{\"index\":1,\"name\":\"c0001\",\"type\":\"STRING\"}},` +
			`\"function\":\"EQUAL\",\"literals\":[\"EU\"]}"
}

resource "paimon_column_mask_policy" "t0000_01" {
  database = "lake"
  table = "t0000"
  on_column = "c0002"
  principal = "role:r00"
  transform = "{\"name\":\"CONCAT\",\"inputs\":[\"***\"]}"
}`},
		"the twin of a changed policy": {workload: "policies-4/2", twins: true, changed: true, want: `resource "terraform_data" "t0000_00" {
  triggers_replace = {
    database = "lake"
    table = "t0000"
    principal = "role:r00"
    predicate = "{\"kind\":\"LEAF\",\"transform\":{\"name\":\"FIELD_REF\",\"fieldRef\":{\"index\":1,\"name\":\"c0001\",\"type\":\"STRING\"}},` +
			`\"function\":\"EQUAL\",\"literals\":[\"UK\"]}"
  }
}`},
		"a range of columns": {workload: "ranges-1/1", want: `resource "paimon_column_permission" "t0000_00" {
  database = "lake"
  table = "t0000"
  principal = "role:r00"
  column_names = ["c0000","c0001",`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			w, err := parseWorkload(test.workload)
			if err != nil {
				t.Fatal(err)
			}
			if err := writeConfiguration(folder, w, test.twins, test.changed); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(filepath.Join(folder, "t0000.tf"))
			if err != nil || !strings.HasPrefix(string(text), test.want) {
				t.Errorf("%v, got\n%.700s\nwant\n%s", err, text, test.want)
			}
			if _, err := os.Stat(filepath.Join(folder, "provider.tf")); (err == nil) == test.twins {
				t.Errorf("provider block: %v", err)
			}
		})
	}
}

// One record in a hundred differs, the first of each hundred.
func TestChangedRecords(t *testing.T) {
	t.Parallel()
	w, err := parseWorkload("grants-1000/2")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := writeConfiguration(folder, w, false, true); err != nil {
		t.Fatal(err)
	}
	changed := 0
	for _, table := range w.tableNames() {
		text, err := os.ReadFile(filepath.Join(folder, table+".tf"))
		if err != nil {
			t.Fatal(err)
		}
		changed += strings.Count(string(text), "expire_time")
	}
	if changed != 10 || w.changed() != 10 {
		t.Errorf("%d records differ, said to be %d", changed, w.changed())
	}
}

func TestTheDevCatalogTakesEverySeed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"grants-50/2", "policies-20/2", "ranges-2/2"} {
		w, err := parseWorkload(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, applied := range []bool{false, true} {
			text, err := w.seed(applied)
			if err != nil {
				t.Fatal(err)
			}
			seed, err := devcatalog.ParseSeed(text)
			if err != nil {
				t.Fatal(err)
			}
			want := 0
			if applied {
				want = w.records
			}
			if got := len(seed.Permissions) + len(seed.Policies); got != want || len(seed.Databases[0].Tables) != w.tables {
				t.Errorf("%s, applied %t: %d records, want %d", name, applied, got, want)
			}
			catalog, err := devcatalog.New(t.Context(), devcatalog.Config{Seed: seed})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := catalog.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
