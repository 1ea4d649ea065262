package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// workload is what a configuration holds: so many records, the same number on each table.
type workload struct {
	name    string // as the flag spells it
	kind    kind
	records int
	tables  int
}

// kind is a kind of record.
type kind struct {
	name      string
	one, many string // in words
	// columns is how many the tables have.
	columns int
	// record makes one, by its number on the table.
	record func(table string, number int) record
	// replaced says that a change destroys a record and creates it anew.
	replaced bool
}

// wide is the number of columns of a table that has many.
const wide = 2000

var kinds = []kind{
	{name: "grants", one: "grant", many: "grants", columns: 4, record: grant},
	{name: "policies", one: "policy", many: "policies", columns: 4, record: policy, replaced: true},
	{name: "ranges", one: "range of 2,000 columns", many: "ranges of 2,000 columns", columns: wide, record: columnRange},
}

var workloadName = regexp.MustCompile(`^([a-z]+)-([1-9][0-9]{0,5})/([1-9][0-9]{0,3})$`)

// parseWorkload reads a name such as grants-5000/200: 5,000 grants on 200 tables.
func parseWorkload(name string) (workload, error) {
	parts := workloadName.FindStringSubmatch(name)
	if parts == nil {
		return workload{}, fmt.Errorf("workload %q: want KIND-RECORDS/TABLES, such as grants-5000/200", name)
	}
	records, _ := strconv.Atoi(parts[2]) // the pattern has digits only, and few
	tables, _ := strconv.Atoi(parts[3])
	if records%tables != 0 {
		return workload{}, fmt.Errorf("workload %q: %d tables cannot share %d records evenly", name, tables, records)
	}
	var names []string
	for _, k := range kinds {
		if k.name == parts[1] {
			return workload{name, k, records, tables}, nil
		}
		names = append(names, k.name)
	}
	return workload{}, fmt.Errorf("workload %q: the kinds are %s", name, strings.Join(names, ", "))
}

// title is the workload in words.
func (w workload) title() string {
	return count(w.records, w.kind.one, w.kind.many) + " on " + count(w.tables, "table", "tables")
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

// folder is the name as one part of a path.
func (w workload) folder() string {
	return strings.ReplaceAll(w.name, "/", "-")
}

// tableNames are the tables' names.
func (w workload) tableNames() []string {
	names := make([]string, w.tables)
	for i := range names {
		names[i] = fmt.Sprintf("t%04d", i)
	}
	return names
}

// all are the records, table by table.
func (w workload) all() []record {
	records := make([]record, 0, w.records)
	for _, table := range w.tableNames() {
		for number := range w.records / w.tables {
			records = append(records, w.kind.record(table, number))
		}
	}
	return records
}

// changes says whether the changed configuration differs in the record at this index. One in a hundred does.
func changes(index int) bool {
	return index%100 == 0
}

// changed is the number of records that differ.
func (w workload) changed() int {
	return (w.records + 99) / 100
}
