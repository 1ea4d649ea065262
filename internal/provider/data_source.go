package provider

import (
	"context"
	"fmt"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// dataSource is what the data sources share: a name and the connection of the walk.
type dataSource struct {
	*connection
	typeName string
}

// Metadata names the data source.
func (d *dataSource) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = d.typeName
}

// Configure takes the connection of the walk. It is nil while Terraform only validates.
func (d *dataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.connection = connectionOf(req.ProviderData, &resp.Diagnostics)
}

// checkReachable reports that the catalog cannot be asked yet.
func (d *dataSource) checkReachable(diags *diag.Diagnostics) {
	d.connection.checkReachable(d.typeName, diags)
}

// readFailed is the diagnostic of a listing that failed.
func readFailed(what string, err error) diag.Diagnostic {
	advices := append(connectionAdvices(), advice{about(http.StatusForbidden), "", "The caller may not read this. It needs GRANT to list permissions and policies, and a right to read to ask for query authorization."})
	return withAdvice("Could not read "+what, sentence(err), err, advices)
}

// warnOfRow tells that a listed row breaks the contract and is shown as it is.
func warnOfRow(diags *diag.Diagnostics, id string, problems access.Problems) {
	for _, problem := range problems {
		diags.AddWarning("The catalog listed something unusual", fmt.Sprintf("%q: %s: %s It is shown as it was listed.", id, problem.Attribute, problem.Text))
	}
}

// warnOfMalformed shows rows that do not have the shape of a row, so that nothing of the listing is dropped silently.
func warnOfMalformed(diags *diag.Diagnostics, rows []string) {
	for _, row := range rows {
		diags.AddWarning("The catalog listed something that is not a row", "It is not in the result, since it cannot be read: "+row)
	}
}

// addProblems reports problems at their attributes.
func addProblems(diags *diag.Diagnostics, summary string, problems access.Problems) {
	for _, problem := range problems {
		diags.AddAttributeError(path.Root(problem.Attribute), summary, problem.Error())
	}
}
