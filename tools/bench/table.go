package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// text is the report as a person reads it.
func (r report) text() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s on %s. Times are medians in seconds, MiB and requests the most of all pairs.\n", r.Terraform, r.Machine)
	heading := ""
	table := newTable(&text)
	for _, row := range r.Rows {
		if row.heading() != heading {
			_ = table.Flush() // a builder takes everything
			heading = row.heading()
			fmt.Fprintf(&text, "\n%s\n\n", heading)
			writeCells(table, "", "", "", "s", "Terraform CPU s", "provider CPU s", "Terraform MiB", "provider MiB", "shared/this s", "shared/this CPU", "requests")
		}
		writeCells(table, row.cells()...)
	}
	_ = table.Flush()
	fmt.Fprintf(&text, "\nTargets, at %v a request\n\n", targetLatency)
	for _, v := range r.Targets {
		writeCells(table, v.cells()...)
	}
	_ = table.Flush()
	return text.String()
}

func newTable(text *strings.Builder) *tabwriter.Writer {
	return tabwriter.NewWriter(text, 0, 0, 2, ' ', 0)
}

func writeCells(table *tabwriter.Writer, cells ...string) {
	_, _ = io.WriteString(table, strings.Join(cells, "\t")+"\n") // it goes to a builder, too
}

func (r row) heading() string {
	return fmt.Sprintf("%s, %v a request", r.run.workload.title(), r.run.latency)
}

func (r row) cells() []string {
	cells := []string{
		r.Scenario, r.Variant, fmt.Sprintf("× %d", r.Pairs), decimals(r.Wall, 1), decimals(r.TerraformCPU, 1), decimals(r.ProviderCPU, 1),
		decimals(r.TerraformPeak, 0), decimals(r.ProviderPeak, 0),
	}
	if r.Variant == shared.name {
		return append(cells, "", "", r.endpoints())
	}
	return append(cells, decimals(r.SharedWall, 2), decimals(r.SharedCPU, 2), r.endpoints())
}

// endpoints are the requests with what they are made of.
func (r row) endpoints() string {
	if len(r.Endpoints) == 0 {
		return "0"
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(r.Endpoints)) {
		parts = append(parts, fmt.Sprintf("%s %s", name, thousands(r.Endpoints[name])))
	}
	return fmt.Sprintf("%s (%s)", thousands(int(r.Requests)), strings.Join(parts, ", "))
}

func (v verdict) cells() []string {
	met, bound := "met", "at most"
	if !v.Met {
		met = "MISSED"
	}
	if v.Least {
		bound = "at least"
	}
	return []string{met, v.Workload, v.Name, number(v.Value), bound + " " + number(v.Limit)}
}

func decimals(value float64, digits int) string {
	return strconv.FormatFloat(value, 'f', digits, 64)
}

// number has as many digits as tell something.
func number(value float64) string {
	if value >= 1000 {
		return thousands(int(value))
	}
	return strconv.FormatFloat(value, 'g', 3, 64)
}

// thousands puts commas between groups of three digits.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
