package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
	"github.com/paimon-iac/terraform-provider-paimon/internal/rest"
)

// policies is the record of row filters and column masks, whose definitions are compared by meaning.
func policies(same func(a, b string) bool, fits func(access.Policy, rest.Table) []finding) record[access.Policy] {
	return record[access.Policy]{
		identityOf:  func(p access.Policy) access.Identity { return p.Identity },
		check:       func(p access.Policy) access.Problems { return p.Check() },
		sameContent: func(a, b access.Policy) bool { return same(a.Definition, b.Definition) },
		expiry:      func(access.Policy) string { return "" },
		fits:        fits,
		definition:  func(p *access.Policy) *string { return &p.Definition },
		find:        (*rest.Client).Policy,
		write:       (*rest.Client).CreatePolicy,
		remove:      (*rest.Client).DropPolicy,
	}
}

// policyText checks what the text of a definition alone decides. What depends on the table's columns is checked
// against the catalog.
type policyText struct {
	what  string
	parse func(text string) predicate.Findings
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
	parse := parsePredicate
	if p.Access == access.ColumnMasking {
		parse = parseTransform
	}
	if err := parse(p.Definition).ReadErr(); err != nil {
		diags.AddWarning("The catalog listed something unusual", p.ID()+": the definition cannot be read: "+err.Error()+". It is shown as it was listed.")
	}
}
