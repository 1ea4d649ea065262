package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"time"
)

// allWorkloads are what is measured unless one says otherwise.
const allWorkloads = "grants-500/25,grants-5000/200,grants-10000/400,policies-2000/100,ranges-1/1"

// options are the flags.
type options struct {
	workloads []workload
	latencies []time.Duration
	scenarios []scenario
	pairs     int
	folder    string
	terraform string
	results   string
	chart     string
	guide     string
}

func parseOptions(arguments []string, stderr io.Writer) (o options, err error) {
	set := flag.NewFlagSet("bench", flag.ContinueOnError)
	set.SetOutput(stderr)
	workloads := set.String("workloads", allWorkloads, "what to configure, as KIND-RECORDS/TABLES")
	latencies := set.String("latencies", "0s,5ms,50ms", "what the catalog waits before each answer")
	names := set.String("scenarios", strings.Join(scenarioNames(), ","), "what to run")
	set.IntVar(&o.pairs, "pairs", 5, "how often; 0 only reports what was measured before")
	set.StringVar(&o.folder, "dir", "bin/bench", "folder to work in; what was measured there already is not measured again")
	set.StringVar(&o.terraform, "terraform", "terraform", "the CLI")
	set.StringVar(&o.results, "results", "", "file for the results as JSON")
	set.StringVar(&o.chart, "chart", "", "file for the chart as SVG")
	set.StringVar(&o.guide, "guide", "", "page to write the figures into")
	if err := set.Parse(arguments); err != nil {
		return options{}, err
	}
	if set.NArg() > 0 {
		return options{}, fmt.Errorf("unexpected argument %q", set.Arg(0))
	}
	if o.workloads, err = each(*workloads, parseWorkload); err != nil {
		return options{}, err
	}
	if o.latencies, err = each(*latencies, time.ParseDuration); err != nil {
		return options{}, err
	}
	o.scenarios, err = each(*names, scenarioNamed)
	return o, err
}

// each parses a list of values with commas between them.
func each[V any](list string, parse func(string) (V, error)) ([]V, error) {
	var values []V
	for text := range strings.SplitSeq(list, ",") {
		value, err := parse(text)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}
