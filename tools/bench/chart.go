package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// The chart is about a plan without changes, with this workload.
const (
	chartWorkload = "grants-5000/200"
	chartLatency  = 50 * time.Millisecond
)

// bar is one bar of a panel.
type bar struct {
	name  string
	value float64
	label string
	ours  bool
}

// chartBars are the variants from top to bottom, and what the chart calls them.
var chartBars = []struct {
	variant variant
	name    string
}{
	{shared, "this provider"},
	{unshared, "one request a grant"},
	{noRefresh, "-refresh=false"},
	{twin, "terraform_data"},
}

// writeChart draws the chart into a file.
func (r report) writeChart(path string) error {
	var times, asked []bar
	var pairs int
	for _, b := range chartBars {
		found := r.find(chartWorkload, chartLatency, "plan", b.variant.name)
		if found.Pairs == 0 {
			return fmt.Errorf("%s: the chart needs the plan of %s at %v, %s", path, chartWorkload, chartLatency, b.variant.name)
		}
		ours := b.variant.name == shared.name
		times = append(times, bar{b.name, found.Wall, decimals(found.Wall, 1), ours})
		asked = append(asked, bar{b.name, found.Requests, thousands(int(found.Requests)), ours})
		pairs = found.Pairs
	}
	w, err := parseWorkload(chartWorkload)
	if err != nil {
		return err
	}
	note := fmt.Sprintf("%s, %d ms a request, -parallelism=10, %s, %s, median of %d", w.title(), chartLatency.Milliseconds(), r.Terraform, r.Machine, pairs)
	return os.WriteFile(path, []byte(drawChart("A plan without changes", note, times, asked)), 0o600)
}

// The measures of the drawing.
const (
	chartWidth  = 760
	panelTop    = 62
	panelWidth  = 340
	panelMargin = 24
	nameWidth   = 128
	labelWidth  = 48
	barHeight   = 20
	barStep     = 30
)

// style has the colours of both themes; the card is there so that they do not depend on the page.
const style = `
  .card { fill: #ffffff; stroke: #d0d7de }
  text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
  .title { font-size: 15px; font-weight: 600 }
  .note { fill: #59636e }
  .bar { fill: #afb8c1 }
  .ours { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    .card { fill: #0d1117; stroke: #3d444d }
    text { fill: #f0f6fc }
    .note { fill: #9198a1 }
    .bar { fill: #656c76 }
    .ours { fill: #4493f8 }
  }
`

// drawChart draws two panels of bars beside each other.
func drawChart(title, note string, times, asked []bar) string {
	height := panelTop + 24 + barStep*max(len(times), len(asked)) + 34
	var svg strings.Builder
	fmt.Fprintf(&svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n", chartWidth, height, chartWidth, height)
	fmt.Fprintf(&svg, "<title>%s: %s</title>\n<style>%s</style>\n", escape(title), escape(note), style)
	fmt.Fprintf(&svg, "<rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n", chartWidth-1, height-1)
	fmt.Fprintf(&svg, "<text class=\"title\" x=\"%d\" y=\"32\">%s</text>\n", panelMargin, escape(title))
	drawPanel(&svg, panelMargin, "seconds", times)
	drawPanel(&svg, chartWidth-panelMargin-panelWidth, "requests to the catalog", asked)
	fmt.Fprintf(&svg, "<text class=\"note\" x=\"%d\" y=\"%d\">%s</text>\n</svg>\n", panelMargin, height-18, escape(note))
	return svg.String()
}

func drawPanel(svg *strings.Builder, left int, heading string, bars []bar) {
	largest := 0.0
	for _, b := range bars {
		largest = max(largest, b.value)
	}
	fmt.Fprintf(svg, "<text class=\"note\" x=\"%d\" y=\"%d\">%s</text>\n", left, panelTop, escape(heading))
	for i, b := range bars {
		top := panelTop + 14 + i*barStep
		length := quotient(b.value, largest) * (panelWidth - nameWidth - labelWidth)
		class := "bar"
		if b.ours {
			class = "bar ours"
		}
		fmt.Fprintf(svg, "<text x=\"%d\" y=\"%d\">%s</text>\n", left, top+14, escape(b.name))
		fmt.Fprintf(svg, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>\n", class, left+nameWidth, top, max(length, 1), barHeight)
		fmt.Fprintf(svg, "<text x=\"%.1f\" y=\"%d\">%s</text>\n", float64(left+nameWidth)+length+6, top+14, escape(b.label))
	}
}

func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}
