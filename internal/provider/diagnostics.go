package provider

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/zclconf/go-cty/cty"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/rest"
)

// connectionOf takes what Configure handed on. It is nil while Terraform only validates.
func connectionOf(providerData any, diags *diag.Diagnostics) *connection {
	if providerData == nil {
		return nil
	}
	c, ok := providerData.(*connection)
	if !ok {
		diags.AddError("Internal error of the provider", fmt.Sprintf("The provider handed on a %T. Please report this.", providerData))
	}
	return c
}

// failed turns an error of an operation into a diagnostic: what was tried on what, what the catalog said, what to do. Why the
// catalog cannot be reached at all is told once in a walk, and not again for each of a thousand records.
func (r *core[M, R]) failed(verb string, id access.Identity, err error) diag.Diagnostic {
	summary := fmt.Sprintf("Could not %s the %s", verb, r.noun)
	if _, unreachable := errors.AsType[*rest.ConnectError](err); unreachable && r.unreachable.Swap(true) {
		return diag.NewErrorDiagnostic(summary, fmt.Sprintf("%s: the catalog cannot be reached, as another error says.", id))
	}
	detail := fmt.Sprintf("%s: %s", id, sentence(err))
	return withAdvice(summary, detail, err, slices.Concat(connectionAdvices(), r.advices(id)))
}

// adopted tells that a create found exactly what it was to write.
func (r *core[M, R]) adopted(id access.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(fmt.Sprintf("%s exists already", id),
		fmt.Sprintf("%s is in the catalog exactly as configured. Nothing is written; it is managed here from now on.", id))
}

// willBeOccupied warns in a plan of what occupied refuses at apply.
func (r *core[M, R]) willBeOccupied(id access.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(fmt.Sprintf("%s exists already with other content", id),
		fmt.Sprintf("%s is in the catalog, and its content differs from the configuration. The apply will refuse to take it over, unless it destroys "+
			"it at another address.\n\n%s", id, importAdvice(r.typeName, id)))
}

// unseen warns that a plan does not know what a create will meet.
func (r *core[M, R]) unseen(id access.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Not checked whether it exists already",
		fmt.Sprintf("%s: the caller may not list the permissions and policies of %s. The apply will look before it creates, and needs GRANT there.", id, id.Resource))
}

// uncovered warns of what becomes visible without a policy.
func (r *core[M, R]) uncovered(policy R) diag.Diagnostic {
	id := r.identityOf(policy)
	return diag.NewWarningDiagnostic(fmt.Sprintf("Destroying the %s uncovers data", id),
		fmt.Sprintf("%s; now: %s.", r.facts.exposes(id), r.facts.sql(*r.definition(&policy)).ValueString()))
}

// occupied refuses a create over something else.
func (r *core[M, R]) occupied(id access.Identity) diag.Diagnostic {
	advice := "If only the address of the resource changed, write a moved block instead."
	if r.definition != nil {
		advice += " If the resource has the lifecycle setting create_before_destroy, remove it: two policies of one identity cannot be in the catalog " +
			"at the same time."
	}
	return diag.NewErrorDiagnostic("The "+r.noun+" exists already with other content",
		fmt.Sprintf("%s is in the catalog, and its content differs from the configuration. Nothing was written.\n\n%s\n\n%s",
			id, importAdvice(r.typeName, id), advice))
}

// absent refuses to import what is not there. Terraform would do so, too, and say neither what was looked for nor where.
func (r *core[M, R]) absent(id access.Identity) diag.Diagnostic {
	return diag.NewErrorDiagnostic("There is no such "+r.noun,
		fmt.Sprintf("%s is not in the catalog at %s, so it cannot be imported. Names are case-sensitive.", id, r.address))
}

// shared refuses a second address for one record.
func (r *core[M, R]) shared(id access.Identity) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Two resources for one "+r.noun,
		fmt.Sprintf("%s is managed by another resource of this configuration, too. Keep one of the two. %s", id, outOfState))
}

// sharedWithDestroy refuses to destroy at one address what another one keeps.
func (r *core[M, R]) sharedWithDestroy(id access.Identity) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Two resources for one "+r.noun,
		fmt.Sprintf("%s is managed at two addresses, and this plan destroys it at one while the other keeps it, so it would be lost at both. %s", id, outOfState))
}

// outOfState is how one of two addresses lets go of a record that the other one keeps.
const outOfState = "When both are in the state, take one out without destroying it: with a removed block that has destroy = false, or with terraform state rm. " +
	"For an object that is deposed, take its whole address out with terraform state rm; the next apply takes the record over again."

// kept refuses a destroy whose counterpart at another address failed: it would take away what nobody replaced.
func (r *core[M, R]) kept(id access.Identity) diag.Diagnostic {
	return diag.NewErrorDiagnostic("The "+r.noun+" was kept",
		fmt.Sprintf("%s was to move to another address, and creating it there failed while it was still here. It was not destroyed, so that nothing is "+
			"lost. Apply again, or write a moved block for the new address.", id))
}

// stuck refuses to create at one address what could not be destroyed at another: both would have it.
func (r *core[M, R]) stuck(id access.Identity) diag.Diagnostic {
	return diag.NewErrorDiagnostic("The "+r.noun+" was not moved",
		fmt.Sprintf("%s was to be destroyed at another address first, which failed, as another error says. Nothing was written. Apply again, or write a "+
			"moved block for the new address.", id))
}

// goneWithTable tells that a record is gone because its table is: creating it again needs the table.
func (r *core[M, R]) goneWithTable(id access.Identity) diag.Diagnostics {
	if id.Resource.Table == "" || !r.client.IsGone(id) {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(fmt.Sprintf("%s.%s does not exist any more", id.Resource.Database, id.Resource.Table),
		fmt.Sprintf("The table is gone, and %s with it. Create the table before the next apply, or remove the resource.", id))}
}

// importAdvice is a ready import block.
func importAdvice(typeName string, id access.Identity) string {
	return fmt.Sprintf("To manage what is there, import it and plan again:\n\n  import {\n    to = %s.NAME\n    id = %s\n  }", typeName, hclString(id.ID()))
}

// hclString quotes a text for a configuration.
func hclString(text string) string {
	return string(hclwrite.TokensForValue(cty.StringVal(text)).Bytes())
}
