package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// measure makes one measurement, with a catalog and a state of its own: no run begins with what another one left.
func (w *workplace) measure(ctx context.Context, r run) (measurement, error) {
	folder, err := w.configuration(ctx, r)
	if err != nil {
		return measurement{}, err
	}
	if err := w.putState(ctx, r); err != nil {
		return measurement{}, err
	}
	seed, err := r.workload.seed(r.scenario.applied)
	if err != nil {
		return measurement{}, err
	}
	if err := writeFile(w.folder, "seed.json", string(seed)); err != nil {
		return measurement{}, err
	}
	catalog, err := startCatalog(ctx, w.catalog, filepath.Join(w.folder, "seed.json"), filepath.Join(w.folder, "requests.jsonl"), r.latency)
	if err != nil {
		return measurement{}, err
	}
	settings := append([]string{"PAIMON_URI=" + catalog.uri, "PAIMON_WAREHOUSE=" + warehouse}, r.variant.settings...)
	cost, err := w.terraform.run(ctx, folder, settings, r.scenario.ends(r.workload), slices.Concat(r.scenario.arguments, r.variant.arguments))
	requests, stopped := catalog.stop()
	if err := errors.Join(err, stopped); err != nil {
		return measurement{}, err
	}
	return measurement{r.key(w.build), cost, requests}, w.keepState(r)
}

// putState gives Terraform the state that the scenario begins with: none, or what a create left. Without a create so far
// there is one that nobody measures.
func (w *workplace) putState(ctx context.Context, r run) error {
	if !r.scenario.applied {
		w.store.set(nil)
		return nil
	}
	state, err := os.ReadFile(w.stateFile(r))
	if errors.Is(err, os.ErrNotExist) {
		if _, err := w.measure(ctx, run{workload: r.workload, scenario: scenarios[0], variant: variant{twins: r.variant.twins}}); err != nil {
			return fmt.Errorf("prepare a state: %w", err)
		}
		state, err = os.ReadFile(w.stateFile(r))
	}
	w.store.set(state)
	return err
}

// keepState keeps what a create leaves. The other scenarios begin with it.
func (w *workplace) keepState(r run) error {
	if r.scenario.applied {
		return nil
	}
	return os.WriteFile(w.stateFile(r), w.store.get(), 0o600)
}

// stateFile is where a state is kept; another build may write another one.
func (w *workplace) stateFile(r run) string {
	return filepath.Join(w.folder, fmt.Sprintf("%s-%s-%s.tfstate", r.workload.folder(), r.variant.side(), w.build))
}

// configuration returns the folder with the run's configuration. The first time it is written anew, since the state had
// another address before. The backend is initialized while neither the folder nor the state needs the provider, which is on
// no registry.
func (w *workplace) configuration(ctx context.Context, r run) (string, error) {
	name := r.workload.folder() + "-" + r.variant.side()
	if r.scenario.changed {
		name += "-changed"
	}
	folder := filepath.Join(w.folder, name)
	if w.ready[folder] {
		return folder, nil
	}
	if err := os.RemoveAll(folder); err != nil {
		return "", err
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		return "", err
	}
	if err := writeFile(folder, "backend.tf", fmt.Sprintf(backend, w.address)); err != nil {
		return "", err
	}
	w.store.set(nil)
	if _, err := w.terraform.run(ctx, folder, nil, "successfully initialized", []string{"init"}); err != nil {
		return "", err
	}
	w.ready[folder] = true
	return folder, writeConfiguration(folder, r.workload, r.variant.twins, r.scenario.changed)
}
