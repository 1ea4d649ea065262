package devcatalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// Seed is what a catalog starts with.
type Seed struct {
	// Warehouse is the only name that is required.
	Warehouse string `yaml:"warehouse"`
	// Principals are who may call and be named; without any, everyone may do everything.
	Principals []SeedPrincipal `yaml:"principals"`
	Databases  []SeedDatabase  `yaml:"databases"`
	// Permissions and Policies are rows as the listings show them.
	Permissions []PermissionBody `yaml:"permissions"`
	Policies    []PolicyBody     `yaml:"policies"`
}

// SeedPrincipal is a user, group or role. Without a token or keys it exists but cannot call.
type SeedPrincipal struct {
	Name    string    `yaml:"name"`
	Token   string    `yaml:"token"`
	DLF     *SeedKeys `yaml:"dlf"`
	Groups  []string  `yaml:"groups"`
	Manages bool      `yaml:"manages"`
}

// SeedKeys are what a principal signs its requests with, as for Alibaba Cloud DLF. The security token belongs to keys
// that are good for a while only.
type SeedKeys struct {
	AccessKeyID     string `yaml:"access_key_id"`
	AccessKeySecret string `yaml:"access_key_secret"`
	SecurityToken   string `yaml:"security_token"`
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

// ParseSeed reads a seed file. What it does not know, it refuses.
func ParseSeed(text []byte) (*Seed, error) {
	var seed Seed
	documents := yaml.NewDecoder(bytes.NewReader(text))
	documents.KnownFields(true)
	if err := documents.Decode(&seed); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("seed: %s", oneLine(err))
	}
	if err := documents.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, errors.New("seed: the file must hold one document")
	}
	if access.IsBlank(seed.Warehouse) {
		return nil, errors.New("seed: warehouse is missing")
	}
	if _, err := newDirectory(seed.Principals); err != nil {
		return nil, fmt.Errorf("seed: %w", err)
	}
	return &seed, nil
}

// rewordings turn what the YAML decoder says about Go types into what it means for the file. The values that it quotes
// are left out: one might be a token.
var rewordings = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`field (.*) not found in type .*`), "unknown key $1"},
	{regexp.MustCompile(`cannot unmarshal !!(\w+).*`), "a value of type $1 does not belong here"},
}

// oneLine is the first complaint of the YAML decoder in words of the file.
func oneLine(err error) string {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if typed, ok := errors.AsType[*yaml.TypeError](err); ok && len(typed.Errors) > 0 {
		text = typed.Errors[0]
	}
	text = strings.ReplaceAll(text, "\n", " ")
	for _, r := range rewordings {
		text = r.from.ReplaceAllString(text, r.to)
	}
	return text
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

// hasCredentials says whether anyone can log in, and so whether everyone must.
func (s *Seed) hasCredentials() bool {
	return s != nil && slices.ContainsFunc(s.Principals, func(p SeedPrincipal) bool { return p.Token != "" || p.DLF != nil })
}
