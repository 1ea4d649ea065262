package devcatalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// Seed is what a catalog starts with.
type Seed struct {
	// Warehouse is the only name that is required.
	Warehouse string `yaml:"warehouse"`
	// Principals are who may call and be named; without any, everyone may do everything.
	Principals  []SeedPrincipal `yaml:"principals"`
	Databases   []SeedDatabase  `yaml:"databases"`
	Permissions []SeedRow       `yaml:"permissions"`
	Policies    []SeedRow       `yaml:"policies"`
}

// SeedPrincipal is a user, group or role. Without a token it exists but cannot call.
type SeedPrincipal struct {
	Name    string   `yaml:"name"`
	Token   string   `yaml:"token"`
	Groups  []string `yaml:"groups"`
	Manages bool     `yaml:"manages"`
}

// SeedDatabase is a database and what is in it.
type SeedDatabase struct {
	Name      string            `yaml:"name"`
	Options   map[string]string `yaml:"options"`
	Tables    []SeedTable       `yaml:"tables"`
	Views     []SeedView        `yaml:"views"`
	Functions []SeedFunction    `yaml:"functions"`
}

// SeedTable is a table.
type SeedTable struct {
	Name          string            `yaml:"name"`
	Options       map[string]string `yaml:"options"`
	Columns       []SeedColumn      `yaml:"columns"`
	PrimaryKeys   []string          `yaml:"primary_keys"`
	PartitionKeys []string          `yaml:"partition_keys"`
}

// SeedColumn is a column. Type is a text such as BIGINT NOT NULL, or the mapping that the catalog writes for a nested
// type.
type SeedColumn struct {
	Name    string `yaml:"name"`
	Type    any    `yaml:"type"`
	Comment string `yaml:"comment"`
}

// SeedView is a view.
type SeedView struct {
	Name  string `yaml:"name"`
	Query string `yaml:"query"`
}

// SeedFunction is a function.
type SeedFunction struct {
	Name string `yaml:"name"`
}

// SeedRow is a permission or policy as the listing shows it. It is read and checked as the body of a grant or create.
type SeedRow map[string]any

// ParseSeed reads a seed file. What it does not know, it refuses.
func ParseSeed(text []byte) (*Seed, error) {
	var seed Seed
	if err := yaml.UnmarshalWithOptions(text, &seed, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("seed: %s", oneLine(err))
	}
	if access.IsBlank(seed.Warehouse) {
		return nil, errors.New("seed: warehouse is missing")
	}
	if _, err := newDirectory(seed.Principals); err != nil {
		return nil, fmt.Errorf("seed: %w", err)
	}
	return &seed, nil
}

// oneLine is the YAML error without the excerpt of the file, which might hold a token.
func oneLine(err error) string {
	if located, ok := errors.AsType[yaml.Error](err); ok {
		text := located.GetMessage()
		if at := located.GetToken(); at != nil && at.Position != nil {
			text = fmt.Sprintf("line %d: %s", at.Position.Line, text)
		}
		return text
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// schema is the table's schema as a client would send it.
func (s SeedTable) schema() (wire.Schema, error) {
	schema := wire.Schema{Options: s.Options, PrimaryKeys: s.PrimaryKeys, PartitionKeys: s.PartitionKeys}
	for _, column := range s.Columns {
		text, err := json.Marshal(column.Type)
		if err != nil {
			return wire.Schema{}, fmt.Errorf("column %q: type: %w", column.Name, err)
		}
		schema.Fields = append(schema.Fields, wire.Field{Name: column.Name, Type: text, Description: nullText(column.Comment)})
	}
	return schema, nil
}

// hasTokens says whether anyone can log in, and so whether everyone must.
func (s *Seed) hasTokens() bool {
	return s != nil && slices.ContainsFunc(s.Principals, func(p SeedPrincipal) bool { return p.Token != "" })
}
