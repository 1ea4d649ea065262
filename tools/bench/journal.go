package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// key names one measurement.
type key struct {
	Build    string        `json:"build"`
	Workload string        `json:"workload"`
	Latency  time.Duration `json:"latency"`
	Scenario string        `json:"scenario"`
	Variant  string        `json:"variant"`
	Pair     int           `json:"pair"`
}

// measurement is what one run of Terraform took, and what the catalog was asked meanwhile.
type measurement struct {
	key
	cost

	Requests map[string]int `json:"requests"`
}

// journal keeps every measurement as soon as it is made, a line each, so that a run that breaks off can go on.
type journal struct {
	file io.WriteCloser
	made map[key]measurement
}

// openJournal reads what was measured before.
func openJournal(path string) (*journal, error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	j := &journal{made: make(map[key]measurement)}
	whole := 0 // a last line that broke off does not count
	for line := range bytes.Lines(text) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		whole += len(line)
		var m measurement
		if err := json.Unmarshal(line, &m); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		j.made[m.key] = m
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	j.file = file
	if err := file.Truncate(int64(whole)); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if _, err := file.Seek(0, io.SeekEnd); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return j, nil
}

// add keeps a measurement.
func (j *journal) add(m measurement) error {
	j.made[m.key] = m
	line, err := json.Marshal(m)
	if err == nil {
		_, err = j.file.Write(append(line, '\n'))
	}
	return err
}
