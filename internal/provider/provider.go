// Package provider is the Terraform surface: the provider's configuration, one file for each resource and data
// source, and the core that the four resources share.
package provider

import (
	"context"
	"os"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

var (
	_ provider.ProviderWithFunctions      = (*paimonProvider)(nil)
	_ provider.ProviderWithValidateConfig = (*paimonProvider)(nil)
)

// New returns the provider of a version. The version only shows in the User-Agent of requests.
func New(version string) provider.Provider {
	return newProvider(version)
}

func newProvider(version string) *paimonProvider {
	return &paimonProvider{version: version, environment: os.Getenv, breather: time.Second}
}

type paimonProvider struct {
	version     string
	environment func(name string) string
	// breather is how long to wait before looking what became of a request whose answer was lost, unless the server asked
	// for a time.
	breather time.Duration
	// walk is the connection of the last Configure.
	walk atomic.Pointer[connection]
}

func (p *paimonProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "paimon"
	resp.Version = p.version
}

func (p *paimonProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = providerSchema()
}

func (p *paimonProvider) ValidateConfig(_ context.Context, req provider.ValidateConfigRequest, resp *provider.ValidateConfigResponse) {
	resp.Diagnostics.Append(validate(attributesOf(req.Config.Raw))...)
}

func (p *paimonProvider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	connection, diags := p.connect(ctx, attributesOf(req.Config.Raw), unknownAttributes(req.Config.Raw))
	resp.Diagnostics.Append(diags...)
	p.walk.Store(connection)
	resp.ResourceData = connection
	resp.DataSourceData = connection
}

func (p *paimonProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		newPermissionResource,
		newColumnPermissionResource,
		newRowFilterPolicyResource,
		newColumnMaskPolicyResource,
	}
}

func (p *paimonProvider) Functions(context.Context) []func() function.Function {
	return []func() function.Function{
		newPredicateFromSQLFunction,
		newTransformFromSQLFunction,
		newPredicateToSQLFunction,
		newTransformToSQLFunction,
		newPredicateMatchesFunction,
		newTransformApplyFunction,
	}
}

func (p *paimonProvider) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{
		newPermissionsDataSource,
		newPoliciesDataSource,
		newDatabasesDataSource,
		newTablesDataSource,
		newTableDataSource,
		newQueryAuthDataSource,
	}
}
