package provider

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/rest"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// advice is what to do about an answer of the catalog, and the attribute to blame; each may be empty.
type advice struct {
	applies   func(e *rest.Error) bool
	attribute string
	text      string
}

// sentence ends the text of an error.
func sentence(err error) string {
	text := strings.TrimSuffix(err.Error(), ".")
	if strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

// withAdvice makes an error diagnostic and adds the first advice that applies.
func withAdvice(summary, detail string, err error, advices []advice) diag.Diagnostic {
	answer, ok := errors.AsType[*rest.Error](err)
	if !ok {
		return diag.NewErrorDiagnostic(summary, detail)
	}
	i := slices.IndexFunc(advices, func(a advice) bool { return a.applies(answer) })
	if i < 0 {
		return diag.NewErrorDiagnostic(summary, detail)
	}
	if advices[i].text != "" {
		detail += "\n\n" + advices[i].text
	}
	if advices[i].attribute == "" {
		return diag.NewErrorDiagnostic(summary, detail)
	}
	return diag.NewAttributeErrorDiagnostic(path.Root(advices[i].attribute), summary, detail)
}

// about applies to a code, and to one of these resource types when there are some.
func about(code int, types ...string) func(*rest.Error) bool {
	return func(e *rest.Error) bool {
		return e.Code == code && (len(types) == 0 || slices.Contains(types, e.ResourceType))
	}
}

// connectionAdvices are about reaching the catalog, whatever was asked of it.
func connectionAdvices() []advice {
	inHandshake := func(code int) func(*rest.Error) bool {
		return func(e *rest.Error) bool { return e.Operation == wire.GetConfig && e.Code == code && e.Hint == "" }
	}
	return []advice{
		{inHandshake(http.StatusNotFound), "", "The catalog was not found. Check uri and warehouse in the provider block, or PAIMON_URI and PAIMON_WAREHOUSE."},
		{inHandshake(http.StatusForbidden), "", "The caller may not use this catalog. Check warehouse and the credentials in the provider block, or the environment variables of these."},
		{
			func(e *rest.Error) bool { return e.Code == http.StatusNotFound && !e.Typed }, "",
			"This 404 does not come from the management API, so nothing is concluded from it. Check uri and prefix; a server without the management API " +
				"answers like this, too.",
		},
		{about(http.StatusNotImplemented), "", "This server does not implement what was asked. Row filters, masks and permissions need a catalog with the management API."},
	}
}

// queryAuthAdvice helps where a table takes no policies and no column permissions.
const queryAuthAdvice = "Policies and column permissions need the table option query-auth.enabled. Set it to \"true\" on the table, then apply again."

// advices are about one record. They are tried in order.
func (r *core[M, R]) advices(id access.Identity) []advice {
	missingColumn := func(e *rest.Error) bool {
		return e.Code == http.StatusNotFound && e.ResourceType == string(access.Column) && e.ResourceName != id.Resource.Database+"."+id.Resource.Table
	}
	innermost := string(access.DatabaseName)
	if locators := id.Resource.Type.Locators(); len(locators) > 0 {
		innermost = string(locators[len(locators)-1])
	}
	managed := id.Resource
	if managed.Type == access.Column {
		managed = access.TableResource(managed.Database, managed.Table) // nobody has GRANT on columns
	}
	definition := ""
	if r.facts != nil {
		definition = r.facts.attribute
	}
	return []advice{
		{about(http.StatusForbidden), "", "The caller may not manage access here: it needs GRANT on " + managed.String() + "."},
		{about(http.StatusNotFound, wire.ErrorPrincipal), "principal", "The catalog does not know this principal. Principals are case-sensitive; create it first if it is new."},
		{missingColumn, "", "The table has no such column. Column names are case-sensitive."},
		{about(http.StatusNotFound), innermost, "Create it first, or correct the name; names are case-sensitive."},
		{about(http.StatusConflict, wire.ErrorPolicy), "", importAdvice(r.typeName, id)},
		// Only the message tells apart why a table is in conflict.
		{func(e *rest.Error) bool {
			return about(http.StatusConflict)(e) && strings.Contains(e.Message, wire.OptionQueryAuth)
		}, "table", queryAuthAdvice},
		{about(http.StatusConflict), "", "Something changed the table while this was going on. Apply again."},
		{about(http.StatusBadRequest, wire.ErrorPolicy), definition, ""},
	}
}
