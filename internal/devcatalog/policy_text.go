package devcatalog

import (
	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
)

// checkPolicyText refuses a definition that is blank or too large, without reading it.
func checkPolicyText(text string) error {
	switch {
	case access.IsBlank(text):
		return invalid("The definition of the policy is blank.")
	case len(text) > predicate.MaxTextBytes:
		return invalid("The definition of the policy has %d bytes; at most %d are allowed.", len(text), predicate.MaxTextBytes)
	}
	return nil
}

// canonicalDefinition resolves a policy's definition against the columns and returns the form that is stored and handed
// to readers. The error says why the definition does not fit.
func canonicalDefinition(p access.Policy, columns []datatype.Field) (string, error) {
	if p.Access == access.RowFilter {
		return predicate.StorePredicate(p.Definition, columns)
	}
	return predicate.StoreTransform(p.Definition, columns, p.Column)
}
