package main

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// document is the whole output.
type document struct {
	FormatVersion string                      `json:"format_version"`
	Providers     map[string]providerDocument `json:"provider_schemas"`
}

type providerDocument struct {
	Provider      *schema              `json:"provider,omitempty"`
	Resources     map[string]*schema   `json:"resource_schemas,omitempty"`
	DataSources   map[string]*schema   `json:"data_source_schemas,omitempty"`
	Functions     map[string]*function `json:"functions,omitempty"`
	Identities    map[string]*identity `json:"resource_identity_schemas,omitempty"`
	ListResources map[string]*schema   `json:"list_resource_schemas,omitempty"`
}

type schema struct {
	Version int64 `json:"version"`
	Block   block `json:"block"`
}

// block has no nested blocks: this provider has attributes only.
type block struct {
	Attributes  map[string]*attribute `json:"attributes,omitempty"`
	Description string                `json:"description,omitempty"`
	Kind        string                `json:"description_kind,omitempty"`
	Deprecated  bool                  `json:"deprecated,omitempty"`
}

type attribute struct {
	Type        tftypes.Type `json:"type,omitempty"`
	NestedType  *nestedType  `json:"nested_type,omitempty"`
	Description string       `json:"description,omitempty"`
	Kind        string       `json:"description_kind,omitempty"`
	Deprecated  bool         `json:"deprecated,omitempty"`
	Required    bool         `json:"required,omitempty"`
	Optional    bool         `json:"optional,omitempty"`
	Computed    bool         `json:"computed,omitempty"`
	Sensitive   bool         `json:"sensitive,omitempty"`
	WriteOnly   bool         `json:"write_only,omitempty"`
}

type nestedType struct {
	Attributes map[string]*attribute `json:"attributes,omitempty"`
	Nesting    string                `json:"nesting_mode,omitempty"`
}

type function struct {
	Description string       `json:"description,omitempty"`
	Summary     string       `json:"summary,omitempty"`
	Deprecated  string       `json:"deprecation_message,omitempty"`
	ReturnType  tftypes.Type `json:"return_type"`
	Parameters  []*parameter `json:"parameters,omitempty"`
	Variadic    *parameter   `json:"variadic_parameter,omitempty"`
}

type parameter struct {
	Name        string       `json:"name,omitempty"`
	Description string       `json:"description,omitempty"`
	Nullable    bool         `json:"is_nullable,omitempty"`
	Type        tftypes.Type `json:"type"`
}

type identity struct {
	Version    int64                         `json:"version"`
	Attributes map[string]*identityAttribute `json:"attributes,omitempty"`
}

type identityAttribute struct {
	Type              tftypes.Type `json:"type"`
	Description       string       `json:"description,omitempty"`
	RequiredForImport bool         `json:"required_for_import,omitempty"`
	OptionalForImport bool         `json:"optional_for_import,omitempty"`
}

func newSchema(s *tfprotov6.Schema) *schema {
	return &schema{s.Version, block{
		Attributes:  newAttributes(s.Block.Attributes),
		Description: s.Block.Description,
		Kind:        kind(s.Block.DescriptionKind),
		Deprecated:  s.Block.Deprecated,
	}}
}

func newAttributes(attributes []*tfprotov6.SchemaAttribute) map[string]*attribute {
	result := make(map[string]*attribute, len(attributes))
	for _, a := range attributes {
		result[a.Name] = &attribute{
			Type:        a.Type,
			Description: a.Description,
			Kind:        kind(a.DescriptionKind),
			Deprecated:  a.Deprecated,
			Required:    a.Required,
			Optional:    a.Optional,
			Computed:    a.Computed,
			Sensitive:   a.Sensitive,
			WriteOnly:   a.WriteOnly,
		}
		if a.NestedType != nil {
			result[a.Name].NestedType = &nestedType{newAttributes(a.NestedType.Attributes), strings.ToLower(a.NestedType.Nesting.String())}
		}
	}
	return result
}

func newFunction(f *tfprotov6.Function) *function {
	result := &function{Description: f.Description, Summary: f.Summary, Deprecated: f.DeprecationMessage, ReturnType: f.Return.Type}
	for _, p := range f.Parameters {
		result.Parameters = append(result.Parameters, newParameter(p))
	}
	if f.VariadicParameter != nil {
		result.Variadic = newParameter(f.VariadicParameter)
	}
	return result
}

func newParameter(p *tfprotov6.FunctionParameter) *parameter {
	return &parameter{p.Name, p.Description, p.AllowNullValue, p.Type}
}

func newIdentity(s *tfprotov6.ResourceIdentitySchema) *identity {
	result := &identity{Version: s.Version, Attributes: make(map[string]*identityAttribute, len(s.IdentityAttributes))}
	for _, a := range s.IdentityAttributes {
		result.Attributes[a.Name] = &identityAttribute{a.Type, a.Description, a.RequiredForImport, a.OptionalForImport}
	}
	return result
}

func kind(k tfprotov6.StringKind) string {
	if k == tfprotov6.StringKindMarkdown {
		return "markdown"
	}
	return "plain"
}

// each converts the values of a map; of an empty one nothing is left, so that it is not printed.
func each[From, To any](from map[string]From, convert func(From) To) map[string]To {
	to := make(map[string]To, len(from))
	for name, value := range from {
		to[name] = convert(value)
	}
	return to
}
