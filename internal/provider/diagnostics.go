package provider

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/rest"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
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

// advice is what to do about an answer of the catalog, and the attribute to blame; each may be empty.
type advice struct {
	applies   func(e *rest.Error) bool
	attribute string
	text      string
}

// queryAuthAdvice helps with the one conflict that is not about an existing record.
const queryAuthAdvice = "Policies and column permissions need the table option query-auth.enabled. Set it to \"true\" on the table, then apply again."

// advices are tried in order; the first that applies is shown.
func (r *core[M, R]) advices(id access.Identity) []advice {
	about := func(code int, types ...string) func(*rest.Error) bool {
		return func(e *rest.Error) bool {
			return e.Code == code && (len(types) == 0 || slices.Contains(types, e.ResourceType))
		}
	}
	untyped := func(e *rest.Error) bool { return e.Code == http.StatusNotFound && !e.Typed }
	missingColumn := func(e *rest.Error) bool {
		return e.Code == http.StatusNotFound && e.ResourceType == string(access.Column) && e.ResourceName != id.Resource.Database+"."+id.Resource.Table
	}
	innermost := string(access.DatabaseName)
	if locators := id.Resource.Type.Locators(); len(locators) > 0 {
		innermost = string(locators[len(locators)-1])
	}
	definition := ""
	if r.facts != nil {
		definition = r.facts.attribute
	}
	return []advice{
		{
			func(e *rest.Error) bool { return e.Operation == wire.GetConfig && e.Code == http.StatusNotFound }, "",
			"The catalog was not found. Check uri and warehouse in the provider block, or PAIMON_URI and PAIMON_WAREHOUSE.",
		},
		{about(http.StatusUnauthorized), "", "The catalog does not accept the credentials. Check token in the provider block, or PAIMON_TOKEN."},
		{about(http.StatusForbidden), "", "The caller may not manage access here: it needs GRANT on " + id.Resource.String() + "."},
		{untyped, "", "This 404 does not come from the management API, so nothing is concluded from it. Check uri and prefix; a server without the management API answers like this, too."},
		{about(http.StatusNotFound, wire.ErrorPrincipal), "principal", "The catalog does not know this principal. Principals are case-sensitive; create it first if it is new."},
		{missingColumn, "column_names", "The table has no such column. Column names are case-sensitive."},
		{about(http.StatusNotFound), innermost, "Create it first, or correct the name; names are case-sensitive."},
		{about(http.StatusConflict, wire.ErrorPolicy), "", importAdvice(r.typeName, id)},
		{about(http.StatusConflict), "", queryAuthAdvice},
		{about(http.StatusBadRequest, wire.ErrorPolicy), definition, ""},
		{about(http.StatusNotImplemented), "", "This server does not implement the management API for permissions and policies."},
	}
}

// failed turns an error of an operation into a diagnostic: what was tried on what, what the catalog said, what to do.
func (r *core[M, R]) failed(verb string, id access.Identity, err error) diag.Diagnostic {
	summary := fmt.Sprintf("Could not %s the %s", verb, r.noun)
	detail := fmt.Sprintf("%s: %s.", id, strings.TrimSuffix(err.Error(), "."))
	var answer *rest.Error
	if !errors.As(err, &answer) {
		return diag.NewErrorDiagnostic(summary, detail)
	}
	for _, a := range r.advices(id) {
		if !a.applies(answer) {
			continue
		}
		if a.text != "" {
			detail += "\n\n" + a.text
		}
		if a.attribute != "" {
			return diag.NewAttributeErrorDiagnostic(path.Root(a.attribute), summary, detail)
		}
		break
	}
	return diag.NewErrorDiagnostic(summary, detail)
}

// adopted tells that a create found exactly what it was to write.
func (r *core[M, R]) adopted(id access.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic("The "+r.noun+" exists already",
		fmt.Sprintf("%s is in the catalog exactly as configured. Nothing is written; it is managed here from now on.", id))
}

// willBeOccupied warns in a plan of what occupied refuses at apply.
func (r *core[M, R]) willBeOccupied(id access.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic("The "+r.noun+" exists already with other content",
		fmt.Sprintf("%s is in the catalog, and its content differs from the configuration. The apply will refuse to take it over, unless it destroys "+
			"it at another address.\n\n%s", id, importAdvice(r.typeName, id)))
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

// kept refuses a destroy whose counterpart at another address was refused: it would take away what nobody replaced.
func (r *core[M, R]) kept(id access.Identity) diag.Diagnostic {
	return diag.NewErrorDiagnostic("The "+r.noun+" was kept",
		fmt.Sprintf("%s was to move to another address with changed content, and creating it there was refused while it was still here. It was not "+
			"destroyed, so that nothing is lost. Apply again, or write a moved block for the new address.", id))
}

// importAdvice is a ready import block.
func importAdvice(typeName string, id access.Identity) string {
	return fmt.Sprintf("To manage what is there, import it and plan again:\n\n  import {\n    to = %s.NAME\n    id = %s\n  }", typeName, hclString(id.ID()))
}

// hclString quotes a text for a configuration, where ${ and %{ would begin a template.
func hclString(text string) string {
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(strconv.Quote(text))
}
