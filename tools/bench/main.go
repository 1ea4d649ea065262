// Command bench measures the provider with real Terraform against the dev catalog: what a plan and an apply of many records
// cost in time, memory and requests, beside what they cost without a provider, without a refresh and without shared listings.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	if provider := os.Getenv(envProvider); filepath.Base(os.Args[0]) == providerName {
		status, err := standIn(context.Background(), provider, os.Getenv(envUsage))
		exit(status, err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := benchmark(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
		exit(0, nil)
	case err != nil:
		exit(1, err)
	}
}

func exit(status int, err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
	os.Exit(status)
}

// benchmark measures what is missing, and reports everything that was measured of these programs.
func benchmark(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
	o, err := parseOptions(arguments, stderr)
	if err != nil {
		return err
	}
	w, err := newWorkplace(ctx, o.folder, o.terraform)
	if err != nil {
		return err
	}
	j, err := openJournal(filepath.Join(w.folder, "measurements.jsonl"))
	if err != nil {
		return err
	}
	if err := errors.Join(w.measureAll(ctx, o, j, stderr), j.file.Close()); err != nil {
		return err
	}
	starts, err := handshakes(ctx, w.terraform.provider, 20)
	if err != nil {
		return err
	}
	return o.report(newReport(o, w.build, w.version, starts, j.made), stdout)
}

// measureAll makes the measurements that the journal lacks.
func (w *workplace) measureAll(ctx context.Context, o options, j *journal, progress io.Writer) error {
	for r := range o.runs() {
		if _, made := j.made[r.key(w.build)]; made {
			continue
		}
		m, err := w.measure(ctx, r)
		if err != nil {
			return fmt.Errorf("%v: %w", r, err)
		}
		if err := j.add(m); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(progress, "%v: %.1f s\n", r, m.Wall.Seconds()); err != nil {
			return err
		}
	}
	return nil
}

// report prints the tables, and writes the files that were asked for.
func (o options) report(r report, stdout io.Writer) error {
	if _, err := io.WriteString(stdout, r.text()); err != nil {
		return err
	}
	if o.results != "" {
		if err := r.writeJSON(o.results); err != nil {
			return err
		}
	}
	if o.chart != "" {
		if err := r.writeChart(o.chart); err != nil {
			return err
		}
	}
	if o.guide != "" {
		return r.writeGuide(o.guide)
	}
	return nil
}
