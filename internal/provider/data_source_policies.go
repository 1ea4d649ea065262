package provider

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/rest"
)

var (
	_ datasource.DataSourceWithConfigure      = (*policiesDataSource)(nil)
	_ datasource.DataSourceWithValidateConfig = (*policiesDataSource)(nil)
)

// policiesDataSource lists the row filters and column masks on one table.
type policiesDataSource struct {
	dataSource
}

type policiesModel struct {
	Database  types.String `tfsdk:"database"`
	Table     types.String `tfsdk:"table"`
	Type      types.String `tfsdk:"type"`
	Principal types.String `tfsdk:"principal"`
	OnColumn  types.String `tfsdk:"on_column"`
	Policies  []policyRow  `tfsdk:"policies"`
}

type policyRow struct {
	ID           types.String `tfsdk:"id"`
	Type         types.String `tfsdk:"type"`
	Database     types.String `tfsdk:"database"`
	Table        types.String `tfsdk:"table"`
	Principal    types.String `tfsdk:"principal"`
	OnColumn     types.String `tfsdk:"on_column"`
	Predicate    types.String `tfsdk:"predicate"`
	PredicateSQL types.String `tfsdk:"predicate_sql"`
	Transform    types.String `tfsdk:"transform"`
	TransformSQL types.String `tfsdk:"transform_sql"`
}

func newPoliciesDataSource() datasource.DataSource {
	return &policiesDataSource{dataSource{typeName: "paimon_policies"}}
}

func (*policiesDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	row := func(text string) schema.StringAttribute {
		return schema.StringAttribute{MarkdownDescription: text, Computed: true}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Lists the row filter and column mask policies on one table.",
		Attributes: map[string]schema.Attribute{
			"database": schema.StringAttribute{MarkdownDescription: "The name of the database.", Required: true},
			"table":    schema.StringAttribute{MarkdownDescription: "The name of the table.", Required: true},
			"type": schema.StringAttribute{
				MarkdownDescription: "List only policies of this type, `ROW_FILTER` or `COLUMN_MASKING`.",
				Optional:            true,
				Validators:          []validator.String{stringvalidator.OneOf(string(access.RowFilter), string(access.ColumnMasking))},
			},
			"principal": schema.StringAttribute{
				MarkdownDescription: "List only the policies of this principal. It must be spelled exactly as the catalog knows it.",
				Optional:            true,
				Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"on_column": schema.StringAttribute{
				MarkdownDescription: "List only the masks on this column. Row filters are not listed then.",
				Optional:            true,
				Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"policies": schema.ListNestedAttribute{
				MarkdownDescription: "The policies, sorted by `id`. What does not apply to a row is null.",
				Computed:            true,
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id": row("The import ID. It imports the row into `paimon_row_filter_policy` or `paimon_column_mask_policy`, and makes a good key for " +
						"`for_each`."),
					"type":          row("`ROW_FILTER` or `COLUMN_MASKING`."),
					"database":      row("The name of the database."),
					"table":         row("The name of the table."),
					"principal":     row("The principal."),
					"on_column":     row("The masked column, of a mask."),
					"predicate":     row("The predicate of a row filter, as the catalog spells it."),
					"transform":     row("The transform of a mask, as the catalog spells it."),
					"predicate_sql": row("The predicate as a SQL condition; null when it cannot be read."),
					"transform_sql": row("The transform as a SQL expression; null when it cannot be read."),
				}},
			},
		},
	}
}

// ValidateConfig checks the table's names, and that a column filter is not combined with row filters.
func (*policiesDataSource) ValidateConfig(ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	var m policiesModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	table := access.TableResource(m.Database.ValueString(), m.Table.ValueString())
	problems := append(table.CheckShape(), table.CheckNames()...)
	problems = slices.DeleteFunc(problems, func(p access.Problem) bool { return !isDecided(req.Config.Raw, p.Attribute) })
	addProblems(&resp.Diagnostics, "Invalid listing", problems)
	if m.Type.ValueString() == string(access.RowFilter) && !m.OnColumn.IsNull() {
		resp.Diagnostics.AddAttributeError(path.Root("on_column"), "Invalid listing",
			"A row filter has no column. Remove on_column, or list type COLUMN_MASKING.")
	}
}

func (d *policiesDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m policiesModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	d.checkReachable(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	table := access.TableResource(m.Database.ValueString(), m.Table.ValueString())
	listing, err := d.client.Policies(ctx, table.Database, table.Table, m.filter())
	if err != nil {
		resp.Diagnostics.Append(readFailed("the policies on "+table.String(), err))
		return
	}
	warnOfMalformed(&resp.Diagnostics, listing.Malformed)
	m.Policies = []policyRow{}
	for _, p := range listing.Rows {
		factsOf(p).warnOfUnreadable(&resp.Diagnostics, p.Identity, p.Definition)
		m.Policies = append(m.Policies, newPolicyRow(p))
	}
	slices.SortFunc(m.Policies, func(a, b policyRow) int { return strings.Compare(a.ID.ValueString(), b.ID.ValueString()) })
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}

// filter is what the catalog is asked for. It takes a column only together with the type that has columns.
func (m policiesModel) filter() rest.PolicyFilter {
	filter := rest.PolicyFilter{
		Type:      access.Access(m.Type.ValueString()),
		Principal: m.Principal.ValueString(),
		Column:    m.OnColumn.ValueString(),
	}
	if filter.Column != "" {
		filter.Type = access.ColumnMasking
	}
	return filter
}

func newPolicyRow(p access.Policy) policyRow {
	row := policyRow{
		ID:        types.StringValue(p.ID()),
		Type:      types.StringValue(string(p.Access)),
		Database:  types.StringValue(p.Resource.Database),
		Table:     types.StringValue(p.Resource.Table),
		Principal: types.StringValue(p.Principal),
		OnColumn:  nullable(p.Column),
	}
	if p.Access == access.RowFilter {
		row.Predicate, row.PredicateSQL = types.StringValue(p.Definition), predicateFacts().sql(p.Definition)
	} else {
		row.Transform, row.TransformSQL = types.StringValue(p.Definition), transformFacts().sql(p.Definition)
	}
	return row
}
