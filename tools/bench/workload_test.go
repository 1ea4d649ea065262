package main

import "testing"

func TestWorkloadNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"grants-5000/200":   "5,000 grants on 200 tables",
		"policies-2000/100": "2,000 policies on 100 tables",
		"ranges-1/1":        "1 range of 2,000 columns on 1 table",
		"grants-500":        "",
		"grants-0/1":        "",
		"grants-500/24":     "",
		"views-500/25":      "",
	} {
		w, err := parseWorkload(name)
		if got := w.kind.name != ""; got != (want != "") || got != (err == nil) {
			t.Errorf("%s: got %v, %v", name, w, err)
		}
		if err == nil && w.title() != want {
			t.Errorf("%s: got %q, want %q", name, w.title(), want)
		}
	}
}

func TestRecordsAreSpreadEvenly(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"grants-500/25", "policies-200/10", "ranges-2/2"} {
		w, err := parseWorkload(name)
		if err != nil {
			t.Fatal(err)
		}
		tables, blocks := make(map[string]int), make(map[string]bool)
		for _, r := range w.all() {
			tables[r.table]++
			blocks[r.resource+"."+r.name] = true
		}
		if len(tables) != w.tables || len(blocks) != w.records {
			t.Errorf("%s: %d tables, %d blocks", name, len(tables), len(blocks))
		}
		for table, n := range tables {
			if n != w.records/w.tables {
				t.Errorf("%s: %d records on %s", name, n, table)
			}
		}
	}
}
