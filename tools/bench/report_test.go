package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// sample is a report on plans: 10 s each, 9 s without a refresh, 30 s without sharing, 5 s without a provider.
func sample(t *testing.T, workload string) report {
	t.Helper()
	o := parsed(t, "-workloads", workload, "-latencies", "50ms", "-scenarios", "plan", "-pairs", "3")
	took := map[string]time.Duration{
		shared.name: 10 * time.Second, noRefresh.name: 9 * time.Second, unshared.name: 30 * time.Second, twin.name: 5 * time.Second,
	}
	measured := made(t, "b", o, func(r run) time.Duration { return took[r.variant.name] })
	maps.Copy(measured, made(t, "another", o, func(run) time.Duration { return time.Hour }))
	return newReport(o, "b", "Terraform v1.11.4", []time.Duration{60 * time.Millisecond}, measured)
}

func TestReportInWords(t *testing.T) {
	t.Parallel()
	got := regexp.MustCompile(` on \d+ CPUs, \w+/\w+`).ReplaceAllString(sample(t, "grants-5000/200").text(), "")
	const want = `Terraform v1.11.4. Times are medians in seconds, MiB and requests the most of all pairs.

5,000 grants on 200 tables, 50ms a request

                           s     Terraform CPU s  provider CPU s  Terraform MiB  provider MiB  shared/this s  shared/this CPU  requests
plan  shared          × 3  10.0  5.0              2.5             100            33                                            201 (GetConfig 1, ListPermissionAssignments 200)
plan  no-refresh      × 3  9.0   4.5              2.2             100            33            1.11           1.11             0
plan  unshared        × 3  30.0  15.0             7.5             100            33            0.33           0.33             5,001 (GetConfig 1, ListPermissionAssignments 5,000)
plan  terraform_data  × 3  5.0   2.5              0.0             100            0             2.00           3.00             0

Targets, at 50ms a request

MISSED                   start to handshake, seconds                  0.06  at most 0.05
met     grants-5000/200  plan: time, as multiple of -refresh=false    1.11  at most 1.25
met     grants-5000/200  plan: requests                               201   at most 600
met     grants-5000/200  plan: requests without sharing, as multiple  24.9  at least 10
met     grants-5000/200  plan: time without sharing, as multiple      3     at least 2
met     grants-5000/200  memory of the provider, MiB                  33    at most 60
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Of few records, a plan's time is mostly Terraform's start.
func TestTimesAreForManyRecords(t *testing.T) {
	t.Parallel()
	for _, v := range sample(t, "grants-500/25").Targets {
		if strings.HasPrefix(v.Name, "plan: time") {
			t.Errorf("500 grants are held to %s", v.Name)
		}
	}
}

func TestLimitsFollowTheWorkload(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		target, workload string
		want             float64
	}{
		{"plan: requests", "grants-5000/200", 600},
		{"plan: requests", "grants-3000/1", 5}, // three pages
		{"create: requests", "grants-5000/200", 5600},
		{"memory of the provider, MiB", "grants-5000/200", 60},
		{"memory of the provider, MiB", "grants-10000/400", 80},
	} {
		w, err := parseWorkload(test.workload)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(targets, func(t target) bool { return t.name == test.target })
		if got := targets[i].limit(w); got != test.want {
			t.Errorf("%s of %s: got %v, want %v", test.target, test.workload, got, test.want)
		}
	}
}

func TestResultsAsJSON(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "results.json")
	if err := sample(t, "grants-5000/200").writeJSON(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got report
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != 4 || got.Rows[1].SharedWall != 1.111 || got.Rows[2].Requests != 5001 || got.Targets[0].Met || !got.Targets[1].Met {
		t.Errorf("got %s", text)
	}
}

func TestChart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "chart.svg")
	if err := sample(t, "grants-5000/200").writeChart(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	checkXML(t, string(text))
	for _, want := range []string{">this provider<", ">30.0<", ">5,001<", "5,000 grants on 200 tables, 50 ms a request", "prefers-color-scheme: dark"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	var lengths []float64
	for _, bar := range regexp.MustCompile(`class="bar.*" width="([0-9.]+)"`).FindAllStringSubmatch(string(text), -1) {
		length, err := strconv.ParseFloat(bar[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		lengths = append(lengths, length)
	}
	const full = panelWidth - nameWidth - labelWidth
	// Of time and then of requests: this provider, one request a grant, no refresh, no provider.
	want := []float64{54.7, full, 49.2, 27.3, 6.6, full, 1, 1}
	if !slices.Equal(lengths, want) {
		t.Errorf("bars of %v, want %v", lengths, want)
	}
}

func TestChartNeedsItsRows(t *testing.T) {
	t.Parallel()
	if err := sample(t, "grants-500/25").writeChart(filepath.Join(t.TempDir(), "chart.svg")); err == nil {
		t.Error("a chart of nothing was drawn")
	}
}

func TestChartEscapesTexts(t *testing.T) {
	t.Parallel()
	checkXML(t, drawChart("a < b & c", "<note>", []bar{{name: "x<y", value: 0, label: "&"}}, nil))
}

// Only what lies between the marks is the benchmark's; a page without them is not touched.
func TestFiguresInTheGuide(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "guide.md")
	const page = "Before.\n\n<!-- begin figures -->\n%s<!-- end figures -->\n\nAfter.\n"
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(fmt.Sprintf(page, "old\n"))
	r := sample(t, "grants-5000/200")
	r.Date, r.Machine = "2026-12-01", "2 CPUs"
	for range 2 { // again, it is the same
		if err := r.writeGuide(path); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(page, `
Measured on 2026-12-01 with Terraform v1.11.4 on 2 CPUs, against a catalog that takes 50 ms for each answer.

| | Requests | Time | with `+"`-refresh=false` | with `terraform_data`"+` | Memory of Terraform | of the provider |
| --- | --- | --- | --- | --- | --- | --- |
| Plan without changes, 5,000 grants on 200 tables | 201 | 10.0 s | 9.0 s | 5.0 s | 100 MiB | 33 MiB |

`)
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	write("No marks.\n")
	if err := r.writeGuide(path); err == nil {
		t.Error("a page without marks was written")
	}
}

func TestThousands(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 10000: "10,000", 1234567: "1,234,567"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: got %s", n, got)
		}
	}
}

func checkXML(t *testing.T, text string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
}
