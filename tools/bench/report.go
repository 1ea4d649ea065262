package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"time"
)

// report is what the measurements say. Times are seconds, memory is MiB.
type report struct {
	Date      string    `json:"date"`
	Machine   string    `json:"machine"`
	Terraform string    `json:"terraform"`
	Handshake float64   `json:"handshake"` // of the provider, from its start on
	Rows      []row     `json:"rows"`
	Targets   []verdict `json:"targets"`
}

// row is one variant of one scenario: medians, but for memory and requests, where the most counts.
type row struct {
	run run

	Workload      string         `json:"workload"`
	Latency       float64        `json:"latency"`
	Scenario      string         `json:"scenario"`
	Variant       string         `json:"variant"`
	Pairs         int            `json:"pairs"`
	Wall          float64        `json:"wall"`
	TerraformCPU  float64        `json:"terraform_cpu"`
	ProviderCPU   float64        `json:"provider_cpu"`
	TerraformPeak float64        `json:"terraform_peak"`
	ProviderPeak  float64        `json:"provider_peak"`
	Requests      float64        `json:"requests"`
	Endpoints     map[string]int `json:"endpoints"`
	// SharedWall and SharedCPU are the provider as it is to this variant: medians over the pairs.
	SharedWall float64 `json:"shared_to_this_wall"`
	SharedCPU  float64 `json:"shared_to_this_cpu"`
}

// newReport sums up what was measured of what the options ask for.
func newReport(o options, build, version string, starts []time.Duration, made map[key]measurement) report {
	r := report{
		Date:      time.Now().UTC().Format(time.DateOnly),
		Machine:   fmt.Sprintf("%d CPUs, %s/%s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH),
		Terraform: version,
		Handshake: rounded(median(starts).Seconds()),
	}
	for first := range o.once() {
		s := seriesOf(made, first.key(build))
		if len(s) == 0 {
			continue
		}
		reference := first
		reference.variant = shared
		r.Rows = append(r.Rows, newRow(first, s, seriesOf(made, reference.key(build))))
	}
	r.Targets = verdicts(r, o.workloads)
	return r
}

func newRow(r run, s, reference series) row {
	busiest := slices.MaxFunc(s, func(a, b measurement) int { return cmp.Compare(requests(a), requests(b)) })
	return row{
		run:      r,
		Workload: r.workload.name, Latency: r.latency.Seconds(), Scenario: r.scenario.name, Variant: r.variant.name, Pairs: len(s),
		Wall:          rounded(median(s.each(wall))),
		TerraformCPU:  rounded(median(s.each(terraformCPU))),
		ProviderCPU:   rounded(median(s.each(providerCPU))),
		TerraformPeak: rounded(slices.Max(s.each(terraformPeak))),
		ProviderPeak:  rounded(slices.Max(s.each(providerPeak))),
		Requests:      requests(busiest),
		Endpoints:     busiest.Requests,
		SharedWall:    rounded(median(ratios(reference, s, wall))),
		SharedCPU:     rounded(median(ratios(reference, s, cpu))),
	}
}

// rounded drops the digits that mean nothing.
func rounded(value float64) float64 {
	return math.Round(value*1000) / 1000
}

// find returns the row of a variant, an empty one if it was not measured.
func (r report) find(workload string, latency time.Duration, scenario, variant string) row {
	for _, found := range r.Rows {
		if found.run.workload.name == workload && found.run.latency == latency && found.Scenario == scenario && found.Variant == variant {
			return found
		}
	}
	return row{}
}

func (r report) writeJSON(path string) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(r); err != nil {
		return err
	}
	return os.WriteFile(path, text.Bytes(), 0o600)
}
