package main

import (
	"fmt"
	"os"
	"strings"
)

// The marks in the guide, between which the figures are.
const (
	beginFigures = "<!-- begin figures -->\n"
	endFigures   = "<!-- end figures -->\n"
)

// guideScenarios are what the guide tells of, in its words.
var guideScenarios = []struct{ scenario, words string }{
	{"plan", "Plan without changes"},
	{"change", "Apply of 1 % changed"},
	{"create", "Apply that creates all"},
}

// writeGuide puts the figures into the page.
func (r report) writeGuide(path string) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(page), beginFigures)
	_, after, ends := strings.Cut(rest, endFigures)
	if !begins || !ends {
		return fmt.Errorf("%s: the marks %q and %q are missing", path, beginFigures, endFigures)
	}
	return os.WriteFile(path, []byte(before+beginFigures+r.figures()+endFigures+after), 0o600) //nolint:gosec // G703: the page is the caller's choice.
}

// figures are the table in the guide: what the provider costs at the distance of the targets, beside what Terraform does.
func (r report) figures() string {
	var text strings.Builder
	fmt.Fprintf(&text, "\nMeasured on %s with %s on %s, against a catalog that takes %d ms for each answer.\n\n",
		r.Date, r.Terraform, r.Machine, targetLatency.Milliseconds())
	text.WriteString("| | Requests | Time | with `-refresh=false` | with `terraform_data` | Memory of Terraform | of the provider |\n" +
		"| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, s := range guideScenarios {
		for _, row := range r.Rows {
			if row.run.latency != targetLatency || row.Scenario != s.scenario || row.Variant != shared.name {
				continue
			}
			other := func(v variant) string {
				if found := r.find(row.Workload, targetLatency, s.scenario, v.name); found.Pairs > 0 {
					return decimals(found.Wall, 1) + " s"
				}
				return "–"
			}
			fmt.Fprintf(&text, "| %s, %s | %s | %s s | %s | %s | %s MiB | %s MiB |\n", s.words, row.run.workload.title(),
				thousands(int(row.Requests)), decimals(row.Wall, 1), other(noRefresh), other(twin), decimals(row.TerraformPeak, 0), decimals(row.ProviderPeak, 0))
		}
	}
	text.WriteString("\n")
	return text.String()
}
