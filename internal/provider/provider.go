// Package provider is the Terraform surface: the provider's configuration, one file for each resource and data
// source, and the core that the four resources share.
package provider

import (
	"context"
	"os"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

var _ provider.ProviderWithFunctions = (*paimonProvider)(nil)

// New returns the provider of a version. The version only shows in the User-Agent of requests.
func New(version string) provider.Provider {
	return &paimonProvider{version: version, environment: os.Getenv, breather: time.Second}
}

type paimonProvider struct {
	version     string
	environment func(name string) string
	// breather is how long to wait before looking what became of a request whose answer was lost, unless the server asked
	// for a time.
	breather time.Duration
}

// providerModel is the provider block.
type providerModel struct {
	URI                   types.String `tfsdk:"uri"`
	Warehouse             types.String `tfsdk:"warehouse"`
	Prefix                types.String `tfsdk:"prefix"`
	TokenProvider         types.String `tfsdk:"token_provider"`
	Token                 types.String `tfsdk:"token"`
	Headers               types.Map    `tfsdk:"headers"`
	RequestTimeoutSeconds types.Int64  `tfsdk:"request_timeout_seconds"`
	MaxRetries            types.Int64  `tfsdk:"max_retries"`
	PlanChecks            types.String `tfsdk:"plan_checks"`
	Engines               types.Set    `tfsdk:"engines"`
}

func (p *paimonProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "paimon"
	resp.Version = p.version
}

func (p *paimonProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Manages access in an Apache Paimon REST catalog as code: who may do what on which catalog, database, table, " +
			"view, function or column, which rows they see, and how columns are masked.",
		Attributes: map[string]schema.Attribute{
			"uri": schema.StringAttribute{
				MarkdownDescription: "The base address of the REST catalog, `http` or `https`; a path in it is kept in front of `/v1`. " +
					"May also be given by the environment variable `PAIMON_URI`. One of the two is required.",
				Optional: true,
			},
			"warehouse": schema.StringAttribute{
				MarkdownDescription: "The name of the catalog that the server is asked for when the provider connects. Many servers need it. " +
					"May also be given by `PAIMON_WAREHOUSE`.",
				Optional: true,
			},
			"prefix": schema.StringAttribute{
				MarkdownDescription: "The catalog's segment in request paths. The server names it when the provider connects, so it is rarely set; " +
					"a prefix that the server overrides wins over this one. May also be given by `PAIMON_PREFIX`.",
				Optional: true,
			},
			"token_provider": schema.StringAttribute{
				MarkdownDescription: "How requests are authenticated. `bear` sends `token` as a bearer token. Leave it out for a catalog that asks for no " +
					"credentials; with a token and no `token_provider`, `bear` is assumed. May also be given by `PAIMON_TOKEN_PROVIDER`.",
				Optional:   true,
				Validators: []validator.String{stringvalidator.OneOf(tokenProviders...)},
			},
			"token": schema.StringAttribute{
				MarkdownDescription: "The bearer token. It is never written to state, plans, logs or errors. May also be given by `PAIMON_TOKEN`.",
				Optional:            true,
				Sensitive:           true,
			},
			"headers": schema.MapAttribute{
				MarkdownDescription: "Headers that are sent with every request, for gateways that need them. Headers that the provider sets itself, such as " +
					"`Authorization`, are refused. There is no environment variable for them.",
				ElementType: types.StringType,
				Optional:    true,
				Sensitive:   true,
			},
			"request_timeout_seconds": schema.Int64Attribute{
				MarkdownDescription: "How many seconds one attempt of a request may take, from connecting to the last byte of the answer; 1 to 3600, and 30 " +
					"when it is not set. A request with all its attempts and waits ends within five minutes. May also be given by `PAIMON_REQUEST_TIMEOUT_SECONDS`.",
				Optional:   true,
				Validators: []validator.Int64{int64validator.Between(1, 3600)},
			},
			"max_retries": schema.Int64Attribute{
				MarkdownDescription: "How often a request is tried again when the server is overloaded (429, 503) or the connection breaks; 0 to 10, and 5 when " +
					"it is not set. `Retry-After` is honoured up to a minute. May also be given by `PAIMON_MAX_RETRIES`.",
				Optional:   true,
				Validators: []validator.Int64{int64validator.Between(0, 10)},
			},
			"plan_checks": schema.StringAttribute{
				MarkdownDescription: "What a plan says when a policy or column permission that is created or changed does not fit the table's present columns, types " +
					"or options: `error` (the default), `warning`, for tables that change in the same apply, or `off`. It does not soften what the text " +
					"alone decides, nor the check of a policy that is replaced, since its old definition is dropped first. May also be given by " +
					"`PAIMON_PLAN_CHECKS`.",
				Optional:   true,
				Validators: []validator.String{stringvalidator.OneOf(planChecksValues...)},
			},
			"engines": schema.SetAttribute{
				MarkdownDescription: "The readers that are in use: " + engineList() + ". Readers differ in which policies they understand. A plan warns when one " +
					"of these would refuse a policy that is created or changed, let rows or raw values through, or answer differently. When it is not set, " +
					"`java-2.0` and `pypaimon-2.1` are assumed; an empty set warns of none. There is no environment variable for it.",
				ElementType: types.StringType,
				Optional:    true,
				Validators:  []validator.Set{setvalidator.ValueStringsAre(stringvalidator.OneOf(engineNames()...))},
			},
		},
	}
}

func (p *paimonProvider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var m providerModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	connection, diags := p.connect(m, unknownAttributes(req.Config.Raw))
	resp.Diagnostics.Append(diags...)
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
