package provider

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
	"github.com/paimon-iac/terraform-provider-paimon/internal/rest"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// The values of plan_checks: what it means when a plan does not fit the table's present schema.
const (
	planChecksError   = "error"
	planChecksWarning = "warning"
	planChecksOff     = "off"
)

var planChecksValues = []string{planChecksError, planChecksWarning, planChecksOff}

// finding is one thing about a plan that the table's schema decides.
type finding struct {
	attribute string
	text      string
	advice    string // the summary of what is true, but no reason to refuse; empty for a reason
}

// surroundings are what a record is checked against.
type surroundings struct {
	table   rest.Table
	engines []predicate.Engine // the readers in use
	// policies lists the policies that the table has; none where they may not be listed.
	policies func() []access.Policy
}

// checkTable checks a record that is to be created or changed against its table. Where the table does not exist yet, or
// its schema may not be read, there is no check and no noise: the catalog decides at apply.
//
// A table that was read a while ago may have changed in this very apply, so it is read anew before it refuses anything.
func (r *core[M, R]) checkTable(ctx context.Context, planned R, strict bool) diag.Diagnostics {
	var diags diag.Diagnostics
	if r.fits == nil || r.client == nil {
		return diags
	}
	id := r.identityOf(planned)
	findings, err := r.findings(ctx, planned)
	if refuses(findings) {
		r.client.DropSharedTable(id.Resource.Database, id.Resource.Table)
		findings, err = r.findings(ctx, planned)
	}
	if err != nil && r.planChecks != planChecksOff && !rest.IsCode(err, http.StatusForbidden) && !rest.IsCode(err, http.StatusNotFound) {
		diags.Append(r.failed("check", id, err))
	}
	for _, f := range findings {
		if strict || f.advice != "" || r.planChecks != planChecksOff {
			diags.Append(r.report(id, f, strict))
		}
	}
	return diags
}

func (r *core[M, R]) findings(ctx context.Context, planned R) ([]finding, error) {
	resource := r.identityOf(planned).Resource
	table, err := r.client.SharedTable(ctx, resource.Database, resource.Table)
	if err != nil {
		return nil, err
	}
	return r.fits(planned, surroundings{table: table, engines: r.engines, policies: func() []access.Policy {
		known, err := r.client.KnownPolicies(ctx, resource.Database, resource.Table)
		if err != nil {
			return nil
		}
		return known
	}}), nil
}

func refuses(findings []finding) bool {
	return slices.ContainsFunc(findings, func(f finding) bool { return f.advice == "" })
}

// report makes an error or a warning of a finding. Strict findings are errors whatever plan_checks says: the policy is
// replaced, so its drop would come before the catalog's refusal.
func (r *core[M, R]) report(id access.Identity, f finding, strict bool) diag.Diagnostic {
	at := path.Root(f.attribute)
	switch {
	case f.advice != "":
		// Terraform shows only the first of several warnings with one summary, so this one names the policy.
		return diag.NewAttributeWarningDiagnostic(at, fmt.Sprintf("%s: %s", id, f.advice), f.text)
	case strict:
		return diag.NewAttributeErrorDiagnostic(at, "The "+r.noun+" does not fit the table", f.text+
			"\n\nThe policy is replaced, and its old definition would be dropped before the catalog refuses the new one, so this is an error "+
			"whatever plan_checks says.")
	case r.planChecks == planChecksWarning:
		return diag.NewAttributeWarningDiagnostic(at, "The "+r.noun+" does not fit the table as it is now", f.text)
	default:
		return diag.NewAttributeErrorDiagnostic(at, "The "+r.noun+" does not fit the table", f.text+
			"\n\nIf the table changes in the same apply, set plan_checks = \"warning\" in the provider block.")
	}
}

// needsQueryAuth is the finding that the table takes no policies and no column permissions.
func needsQueryAuth(resource access.Resource, table rest.Table) []finding {
	// Paimon reads booleans in any case.
	if strings.EqualFold(table.Options[wire.OptionQueryAuth], "true") {
		return nil
	}
	return []finding{{attribute: "table", text: fmt.Sprintf("The option %s of %s.%s is not \"true\". %s",
		wire.OptionQueryAuth, resource.Database, resource.Table, queryAuthAdvice)}}
}

// columnsFit checks a column range.
func columnsFit(a access.Assignment, around surroundings) []finding {
	table := around.table
	findings := needsQueryAuth(a.Resource, table)
	names := make([]string, len(table.Columns))
	for i, column := range table.Columns {
		names[i] = column.Name
	}
	attribute := "column_names"
	if a.Columns.Excluded != nil {
		attribute = "excluded_column_names"
	}
	for _, name := range a.Columns.Missing(names) {
		findings = append(findings, finding{attribute: attribute, text: fmt.Sprintf("%s.%s has no column %q. %s",
			a.Resource.Database, a.Resource.Table, name, columnAdvice(name, names))})
	}
	return findings
}

// columnAdvice names the column that was most likely meant, else the first ones that there are.
func columnAdvice(name string, names []string) string {
	if near := predicate.Nearest(name, slices.Values(names)); near != "" {
		return fmt.Sprintf("Did you mean %q? Column names are case-sensitive.", near)
	}
	const most = 20
	listed := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		listed += ", …"
	}
	return "It has " + listed + "."
}

// predicateFits checks a row filter, and tells what the engines make of it.
func predicateFits(p access.Policy, around surroundings) []finding {
	parsed, found := predicate.ParsePredicate(p.Definition)
	if found.Err() != nil {
		return nil // the validator has said so
	}
	bound, found := parsed.Bind(fieldsOfTable(around.table))
	findings := append(needsQueryAuth(p.Resource, around.table), textFindings("predicate", found)...)
	if refuses(findings) {
		return findings
	}
	remarks := predicate.CheckEngines(bound, around.engines)
	findings = append(findings, textFindings("predicate", predicate.Advise(bound).Except(remarks))...)
	return append(findings, engineFindings("predicate", remarks)...)
}

// transformFits checks a column mask, and tells what the engines make of it.
func transformFits(p access.Policy, around surroundings) []finding {
	parsed, found := predicate.ParseTransform(p.Definition)
	if found.Err() != nil {
		return nil
	}
	bound, found := parsed.Bind(fieldsOfTable(around.table), p.Column)
	findings := append(needsQueryAuth(p.Resource, around.table), textFindings("transform", found)...)
	if refuses(findings) {
		return findings
	}
	remarks := predicate.CheckMask(bound, p.Column, around.engines)
	remarks = append(remarks, maskSetRemarks(p, bound, around)...)
	findings = append(findings, textFindings("transform", predicate.AdviseMask(bound, p.Column).Except(remarks))...)
	return append(findings, engineFindings("transform", remarks)...)
}

// maskSetRemarks tell when a mask reads a column that has a mask, or the other way round.
func maskSetRemarks(p access.Policy, bound predicate.Transform, around surroundings) []predicate.Remark {
	var others []predicate.Mask
	for _, other := range around.policies() {
		if other.Access != access.ColumnMasking || other.Principal != p.Principal || other.Column == p.Column {
			continue
		}
		parsed, found := predicate.ParseTransform(other.Definition)
		if found.ReadErr() != nil {
			continue
		}
		if transform, found := parsed.Bind(fieldsOfTable(around.table), other.Column); found.ReadErr() == nil {
			others = append(others, predicate.Mask{Column: other.Column, Transform: transform})
		}
	}
	known := predicate.CheckMasks(others, around.engines)
	remarks := predicate.CheckMasks(append(others, predicate.Mask{Column: p.Column, Transform: bound}), around.engines)
	return slices.DeleteFunc(remarks, func(r predicate.Remark) bool {
		return slices.ContainsFunc(known, func(k predicate.Remark) bool { return k.Engine == r.Engine && k.Message == r.Message })
	})
}

// engineFindings are one warning for all engines and reasons. What fails open by its text or its column alone is refused
// before it comes here; the rest depends on data or on other policies, which the same plan may change.
func engineFindings(attribute string, remarks []predicate.Remark) []finding {
	text := predicate.ExplainRemarks(remarks)
	if text == "" {
		return nil
	}
	return []finding{{attribute: attribute, text: text, advice: "not every reader applies it as it is written"}}
}

func textFindings(attribute string, found predicate.Findings) []finding {
	findings := make([]finding, len(found))
	for i, f := range found {
		findings[i] = finding{attribute: attribute, text: f.String() + "."}
		if f.Severity == predicate.Warning {
			findings[i].advice = "it may not be what is meant"
		}
	}
	return findings
}

func fieldsOfTable(table rest.Table) []datatype.Field {
	fields := make([]datatype.Field, len(table.Columns))
	for i, column := range table.Columns {
		fields[i] = column.Field
	}
	return fields
}
