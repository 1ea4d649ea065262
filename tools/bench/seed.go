package main

import (
	"encoding/json"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// seed is a seed file of the dev catalog, in the JSON that is YAML too.
type seed struct {
	Warehouse   string             `json:"warehouse"`
	Databases   []seedDatabase     `json:"databases"`
	Permissions []*wire.Permission `json:"permissions,omitempty"`
	Policies    []*wire.Policy     `json:"policies,omitempty"`
}

type seedDatabase struct {
	Name   string      `json:"name"`
	Tables []seedTable `json:"tables"`
}

type seedTable struct {
	Name    string            `json:"name"`
	Options map[string]string `json:"options"`
	Columns []seedColumn      `json:"columns"`
}

type seedColumn struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// seed is the catalog for the workload: the tables, and the records too if they are there already.
func (w workload) seed(applied bool) ([]byte, error) {
	columns := make([]seedColumn, w.kind.columns)
	for i := range columns {
		columns[i] = seedColumn{columnName(i), "STRING"}
	}
	lake := seedDatabase{Name: database}
	for _, table := range w.tableNames() {
		lake.Tables = append(lake.Tables, seedTable{table, map[string]string{wire.OptionQueryAuth: "true"}, columns})
	}
	s := seed{Warehouse: warehouse, Databases: []seedDatabase{lake}}
	if applied {
		for _, r := range w.all() {
			if r.permission != nil {
				s.Permissions = append(s.Permissions, r.permission)
			}
			if r.policy != nil {
				s.Policies = append(s.Policies, r.policy)
			}
		}
	}
	return json.Marshal(s)
}
