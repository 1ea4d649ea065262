package main

import (
	"fmt"
	"iter"
	"time"
)

// run is one measurement to make.
type run struct {
	workload workload
	latency  time.Duration
	scenario scenario
	variant  variant
	pair     int
}

func (r run) String() string {
	return fmt.Sprintf("%s at %v: %s, %s, %d", r.workload.name, r.latency, r.scenario.name, r.variant.name, r.pair)
}

func (r run) key(build string) key {
	return key{build, r.workload.name, r.latency, r.scenario.name, r.variant.name, r.pair}
}

// runs are all that the options ask for. What is compared is measured one after the other, over and over, so that a machine
// that becomes slow is slow for each of them.
func (o options) runs() iter.Seq[run] {
	return func(yield func(run) bool) {
		for _, workload := range o.workloads {
			for _, latency := range o.latencies {
				for pair := range o.pairs {
					for _, scenario := range o.scenarios {
						for _, variant := range scenario.variants {
							if !yield(run{workload, latency, scenario, variant, pair + 1}) {
								return
							}
						}
					}
				}
			}
		}
	}
}

// once are the same runs, but one of each.
func (o options) once() iter.Seq[run] {
	o.pairs = 1
	return o.runs()
}
