package provider

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate/sqltext"
	"github.com/paimon-iac/terraform-provider-paimon/internal/rest"
)

// policies is the record of row filters and column masks, whose definitions are compared by meaning.
func policies(facts definitionFacts, fits func(access.Policy, surroundings) []finding) record[access.Policy] {
	return record[access.Policy]{
		identityOf:  func(p access.Policy) access.Identity { return p.Identity },
		check:       facts.check,
		sameContent: func(a, b access.Policy) bool { return facts.same(a.Definition, b.Definition) },
		expiry:      func(access.Policy) string { return "" },
		fits:        fits,
		facts:       &facts,
		definition:  func(p *access.Policy) *string { return &p.Definition },
		find:        (*rest.Client).Policy,
		write:       (*rest.Client).CreatePolicy,
		remove:      (*rest.Client).DropPolicy,
	}
}

// definitionFacts names the attributes of a policy's definition and says what it is.
type definitionFacts struct {
	attribute    string // the JSON text
	sqlAttribute string // the same as people read it
	parse        func(json string) predicate.Findings
	render       func(json string) (sql string, err error)
	same         func(a, b string) bool
	// exposes says what a principal sees once the policy is gone.
	exposes func(access.Identity) string
}

func predicateFacts() definitionFacts {
	return definitionFacts{
		attribute: "predicate", sqlAttribute: "predicate_sql",
		parse: parsePredicate, render: predicateSQL, same: predicate.SamePredicate,
		exposes: func(id access.Identity) string {
			return fmt.Sprintf("%s will see all rows of %s", id.Principal, strings.Join(id.Resource.Names(), "."))
		},
	}
}

func transformFacts() definitionFacts {
	return definitionFacts{
		attribute: "transform", sqlAttribute: "transform_sql",
		parse: parseTransform, render: transformSQL, same: predicate.SameTransform,
		exposes: func(id access.Identity) string {
			return fmt.Sprintf("%s will see the raw values of column %s of %s", id.Principal, id.Column, strings.Join(id.Resource.Names(), "."))
		},
	}
}

// check reports what the identity and the text of the definition decide by themselves. What depends on the table's columns
// is checked against the catalog.
func (f definitionFacts) check(p access.Policy) access.Problems {
	problems := p.Check()
	for _, finding := range f.parse(p.Definition).Errors() {
		problems = append(problems, access.Problem{Attribute: f.attribute, Text: finding.String() + "."})
	}
	return problems
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

func parsePredicate(text string) predicate.Findings {
	_, findings := predicate.ParsePredicate(text)
	return findings
}

func parseTransform(text string) predicate.Findings {
	_, findings := predicate.ParseTransform(text)
	return findings
}

// warnOfUnreadable tells that a listed definition cannot be read. It is kept as it is, and equals only the same text.
func (f definitionFacts) warnOfUnreadable(diags *diag.Diagnostics, id access.Identity, definition string) {
	if err := f.parse(definition).ReadErr(); err != nil {
		diags.AddWarning("The catalog listed something unusual", fmt.Sprintf("%q: the definition cannot be read: %s. It is shown as it was listed.", id.ID(), err))
	}
}

func factsOf(p access.Policy) definitionFacts {
	if p.Access == access.RowFilter {
		return predicateFacts()
	}
	return transformFacts()
}
