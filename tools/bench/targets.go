package main

import (
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// target is what the provider is held to with a kind of workload, where the catalog is targetLatency away.
type target struct {
	name  string
	kind  string
	scale bool // only for many records: a plan of few is mostly Terraform's start
	least bool // the limit is the least, not the most
	limit func(workload) float64
	value func(finder) float64 // 0 while it is not measured
}

// verdict is a target with what was measured.
type verdict struct {
	Name     string  `json:"name"`
	Workload string  `json:"workload,omitempty"`
	Value    float64 `json:"value"`
	Limit    float64 `json:"limit"`
	Least    bool    `json:"at_least"`
	Met      bool    `json:"met"`
}

// finder finds the row of one workload, an empty one where nothing was measured.
type finder func(scenario string, v variant) row

// The distance of the catalog, and how many records are many.
const (
	targetLatency = 50 * time.Millisecond
	targetScale   = 5000
)

var targets = []target{
	{
		name: "plan: time, as multiple of -refresh=false", kind: "grants", scale: true, limit: constant(1.25),
		value: func(find finder) float64 { return find("plan", noRefresh).SharedWall },
	},
	{
		name: "plan: requests", kind: "grants", limit: reads,
		value: func(find finder) float64 { return find("plan", shared).Requests },
	},
	{
		name: "create: requests", kind: "grants", limit: func(w workload) float64 { return float64(w.records) + reads(w) },
		value: func(find finder) float64 { return find("create", shared).Requests },
	},
	{
		name: "plan: requests without sharing, as multiple", kind: "grants", least: true, limit: constant(10),
		value: func(find finder) float64 {
			return quotient(find("plan", unshared).Requests, find("plan", shared).Requests)
		},
	},
	{
		name: "plan: time without sharing, as multiple", kind: "grants", scale: true, least: true, limit: constant(2),
		value: func(find finder) float64 { return quotient(1, find("plan", unshared).SharedWall) },
	},
	{
		name: "memory of the provider, MiB", kind: "grants", limit: memory,
		value: func(find finder) (most float64) {
			for _, s := range scenarios {
				most = max(most, find(s.name, shared).ProviderPeak)
			}
			return most
		},
	},
	{
		name: "plan: seconds", kind: "ranges", limit: constant(3),
		value: func(find finder) float64 { return find("plan", shared).Wall },
	},
}

func constant(limit float64) func(workload) float64 {
	return func(workload) float64 { return limit }
}

// reads are the requests that a walk may make for what it reads: two for each table and one for each page.
func reads(w workload) float64 {
	each := w.records / w.tables
	pages := (each + wire.MaxPageSize - 1) / wire.MaxPageSize
	return float64(w.tables * (2 + pages))
}

func memory(w workload) float64 {
	if w.records > targetScale {
		return 80
	}
	return 60
}

func quotient(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// verdicts compares what was measured with the targets.
func verdicts(r report, workloads []workload) []verdict {
	result := []verdict{newVerdict(target{name: "start to handshake, seconds"}, "", r.Handshake, 0.05)}
	for _, w := range workloads {
		find := func(scenario string, v variant) row { return r.find(w.name, targetLatency, scenario, v.name) }
		for _, t := range targets {
			if t.kind != w.kind.name || (t.scale && w.records < targetScale) {
				continue
			}
			if value := t.value(find); value > 0 {
				result = append(result, newVerdict(t, w.name, value, t.limit(w)))
			}
		}
	}
	return result
}

func newVerdict(t target, workload string, value, limit float64) verdict {
	met := value <= limit
	if t.least {
		met = value >= limit
	}
	return verdict{t.name, workload, rounded(value), limit, t.least, met}
}
