package main

import "slices"

// median is the middle value, between two the mean of them; 0 of none.
func median[V ~int64 | ~float64](values []V) V {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// series are the measurements of one variant in the order of their pairs.
type series []measurement

// seriesOf finds the measurements of a run, whichever its own pair is.
func seriesOf(made map[key]measurement, k key) series {
	var s series
	for k.Pair = 1; ; k.Pair++ {
		m, ok := made[k]
		if !ok {
			return s
		}
		s = append(s, m)
	}
}

// each is what one sees in the measurements.
func (s series) each(see func(measurement) float64) []float64 {
	values := make([]float64, len(s))
	for i, m := range s {
		values[i] = see(m)
	}
	return values
}

// ratios are a to b, pair by pair.
func ratios(a, b series, see func(measurement) float64) []float64 {
	var values []float64
	for i := range min(len(a), len(b)) {
		if below := see(b[i]); below > 0 {
			values = append(values, see(a[i])/below)
		}
	}
	return values
}

// What one sees in a measurement: seconds, and MiB.
func wall(m measurement) float64          { return m.Wall.Seconds() }
func terraformCPU(m measurement) float64  { return m.Terraform.CPU.Seconds() }
func providerCPU(m measurement) float64   { return m.Provider.CPU.Seconds() }
func cpu(m measurement) float64           { return terraformCPU(m) + providerCPU(m) }
func terraformPeak(m measurement) float64 { return float64(m.Terraform.Peak) / (1 << 20) }
func providerPeak(m measurement) float64  { return float64(m.Provider.Peak) / (1 << 20) }

func requests(m measurement) float64 {
	sum := 0
	for _, n := range m.Requests {
		sum += n
	}
	return float64(sum)
}
