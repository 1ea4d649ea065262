package main

import (
	"io"
	"slices"
	"testing"
)

func TestRunsOfAPairLieBesideEachOther(t *testing.T) {
	t.Parallel()
	o := parsed(t, "-workloads", "grants-500/25", "-latencies", "5ms", "-scenarios", "refresh-only,destroy", "-pairs", "2")
	var got []string
	for r := range o.runs() {
		got = append(got, r.String())
	}
	want := []string{
		"grants-500/25 at 5ms: refresh-only, shared, 1",
		"grants-500/25 at 5ms: refresh-only, unshared, 1",
		"grants-500/25 at 5ms: refresh-only, terraform_data, 1",
		"grants-500/25 at 5ms: destroy, shared, 1",
		"grants-500/25 at 5ms: destroy, terraform_data, 1",
		"grants-500/25 at 5ms: refresh-only, shared, 2",
		"grants-500/25 at 5ms: refresh-only, unshared, 2",
		"grants-500/25 at 5ms: refresh-only, terraform_data, 2",
		"grants-500/25 at 5ms: destroy, shared, 2",
		"grants-500/25 at 5ms: destroy, terraform_data, 2",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func TestWhatScenariosMustEndWith(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ workload, scenario, want string }{
		{"grants-500/25", "create", "Apply complete! Resources: 500 added, 0 changed, 0 destroyed."},
		{"grants-500/25", "plan", "No changes."},
		{"grants-500/25", "refresh-only", "No changes."},
		{"grants-500/25", "change", "Apply complete! Resources: 0 added, 5 changed, 0 destroyed."},
		{"grants-20/2", "change", "Apply complete! Resources: 0 added, 1 changed, 0 destroyed."},
		{"policies-2000/100", "change", "Apply complete! Resources: 20 added, 0 changed, 20 destroyed."},
		{"ranges-1/1", "change", "Apply complete! Resources: 0 added, 1 changed, 0 destroyed."},
		{"grants-500/25", "destroy", "Destroy complete! Resources: 500 destroyed."},
	} {
		o := parsed(t, "-workloads", test.workload, "-scenarios", test.scenario)
		if got := o.scenarios[0].ends(o.workloads[0]); got != test.want {
			t.Errorf("%s of %s: got %q, want %q", test.scenario, test.workload, got, test.want)
		}
	}
}

func TestWrongOptions(t *testing.T) {
	t.Parallel()
	for name, arguments := range map[string][]string{
		"a flag that there is not": {"-fast"},
		"an argument":              {"plan"},
		"a scenario":               {"-scenarios", "plan,sleep"},
		"a latency":                {"-latencies", "50"},
		"a workload":               {"-workloads", "grants-500/25,"},
	} {
		if o, err := parseOptions(arguments, io.Discard); err == nil {
			t.Errorf("%s: accepted as %+v", name, o)
		}
	}
}
