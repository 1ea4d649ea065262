package provider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate/sqltext"
	"github.com/paimon-iac/terraform-provider-paimon/internal/rest"
)

// policies is the record of row filters and column masks, whose definitions are compared by meaning.
func policies(facts definitionFacts, fits func(access.Policy, rest.Table, []predicate.Engine) []finding) record[access.Policy] {
	return record[access.Policy]{
		identityOf:  func(p access.Policy) access.Identity { return p.Identity },
		check:       func(p access.Policy) access.Problems { return p.Check() },
		sameContent: func(a, b access.Policy) bool { return facts.same(a.Definition, b.Definition) },
		expiry:      func(access.Policy) string { return "" },
		fits:        fits,
		facts:       &facts,
		definition:  func(p *access.Policy) *string { return &p.Definition },
		exposes: func(p access.Policy) string {
			return fmt.Sprintf("%s; now: %s.", facts.exposes(p), facts.sql(p.Definition).ValueString())
		},
		find:   (*rest.Client).Policy,
		write:  (*rest.Client).CreatePolicy,
		remove: (*rest.Client).DropPolicy,
	}
}

// definitionFacts names the attributes of a policy's definition and says what it is.
type definitionFacts struct {
	attribute    string // the JSON text
	sqlAttribute string // the same as people read it
	what         string
	parse        func(json string) predicate.Findings
	render       func(json string) (sql string, err error)
	same         func(a, b string) bool
	// exposes says what a principal sees once the policy is gone.
	exposes func(access.Policy) string
}

func predicateFacts() definitionFacts {
	return definitionFacts{
		attribute: "predicate", sqlAttribute: "predicate_sql", what: "predicate",
		parse: parsePredicate, render: predicateSQL, same: predicate.SamePredicate,
		exposes: func(p access.Policy) string {
			return fmt.Sprintf("%s will see all rows of %s", p.Principal, strings.Join(p.Resource.Names(), "."))
		},
	}
}

func transformFacts() definitionFacts {
	return definitionFacts{
		attribute: "transform", sqlAttribute: "transform_sql", what: "transform",
		parse: parseTransform, render: transformSQL, same: predicate.SameTransform,
		exposes: func(p access.Policy) string {
			return fmt.Sprintf("%s will see the raw values of column %s of %s", p.Principal, p.Column, strings.Join(p.Resource.Names(), "."))
		},
	}
}

// sql is the definition as people read it; null when nobody can read it.
func (f definitionFacts) sql(json string) types.String {
	sql, err := f.render(json)
	if err != nil {
		return types.StringNull()
	}
	return types.StringValue(sql)
}

func predicateSQL(json string) (string, error) {
	p, findings := predicate.ParsePredicate(json)
	if err := findings.ReadErr(); err != nil {
		return "", err
	}
	return sqltext.PredicateLines(p), nil
}

func transformSQL(json string) (string, error) {
	t, findings := predicate.ParseTransform(json)
	if err := findings.ReadErr(); err != nil {
		return "", err
	}
	return sqltext.Transform(t), nil
}

// policyText checks what the text of a definition alone decides. What depends on the table's columns is checked
// against the catalog.
type policyText struct {
	definitionFacts
}

func parsePredicate(text string) predicate.Findings {
	_, findings := predicate.ParsePredicate(text)
	return findings
}

func parseTransform(text string) predicate.Findings {
	_, findings := predicate.ParseTransform(text)
	return findings
}

func (v policyText) Description(context.Context) string {
	return "must be a " + v.what + " as JSON text"
}

func (v policyText) MarkdownDescription(ctx context.Context) string {
	return v.Description(ctx)
}

func (v policyText) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	for _, finding := range v.parse(req.ConfigValue.ValueString()).Errors() {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid "+v.what, finding.String()+".")
	}
}

// warnOfDefinition tells that a listed definition cannot be read. It is shown as it is, and equals only the same text.
func warnOfDefinition(diags *diag.Diagnostics, p access.Policy) {
	if err := factsOf(p).parse(p.Definition).ReadErr(); err != nil {
		diags.AddWarning("The catalog listed something unusual", p.ID()+": the definition cannot be read: "+err.Error()+". It is shown as it was listed.")
	}
}

func factsOf(p access.Policy) definitionFacts {
	if p.Access == access.RowFilter {
		return predicateFacts()
	}
	return transformFacts()
}
