package main

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// A run that breaks off may leave half a line behind. That measurement is lost, and nothing else.
func TestJournalGoesOnAfterABreak(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "measurements.jsonl")
	o := parsed(t, "-workloads", "grants-500/25", "-latencies", "0s", "-scenarios", "plan", "-pairs", "1")
	all := made(t, "b", o, func(run) time.Duration { return time.Second })
	begun := openTestJournal(t, path)
	for _, m := range all {
		if err := begun.add(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := begun.file.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, whole.Size()-10); err != nil {
		t.Fatal(err)
	}

	resumed := openTestJournal(t, path)
	if len(resumed.made) != len(all)-1 {
		t.Fatalf("%d measurements are left of %d", len(resumed.made), len(all))
	}
	for k, m := range all {
		if _, kept := resumed.made[k]; !kept {
			if err := resumed.add(m); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := resumed.file.Close(); err != nil {
		t.Fatal(err)
	}
	again := openTestJournal(t, path)
	if !maps.EqualFunc(again.made, all, func(a, b measurement) bool { return reflect.DeepEqual(a, b) }) {
		t.Errorf("got %v, want %v", again.made, all)
	}
	if err := again.file.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestWhatWasMeasuredIsNotMeasuredAgain(t *testing.T) {
	t.Parallel()
	o := parsed(t, "-workloads", "grants-500/25", "-latencies", "0s,5ms", "-pairs", "2")
	w := &workplace{build: "b"} // cannot measure anything
	j := &journal{made: made(t, "b", o, func(run) time.Duration { return time.Second })}
	if err := w.measureAll(t.Context(), o, j, io.Discard); err != nil {
		t.Error(err)
	}
}

func openTestJournal(t *testing.T, path string) *journal {
	t.Helper()
	j, err := openJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	return j
}
