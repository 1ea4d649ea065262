package provider

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

var _ datasource.DataSourceWithConfigure = (*queryAuthDataSource)(nil)

// queryAuthDataSource asks what the provider's own caller may read of a table.
type queryAuthDataSource struct {
	dataSource
}

type queryAuthModel struct {
	Database types.String  `tfsdk:"database"`
	Table    types.String  `tfsdk:"table"`
	Columns  types.List    `tfsdk:"columns"`
	Filters  []filterModel `tfsdk:"filters"`
	Masks    []maskModel   `tfsdk:"masks"`
}

type filterModel struct {
	Predicate    types.String `tfsdk:"predicate"`
	PredicateSQL types.String `tfsdk:"predicate_sql"`
}

type maskModel struct {
	OnColumn     types.String `tfsdk:"on_column"`
	Transform    types.String `tfsdk:"transform"`
	TransformSQL types.String `tfsdk:"transform_sql"`
}

func newQueryAuthDataSource() datasource.DataSource {
	return &queryAuthDataSource{dataSource{typeName: "paimon_query_auth"}}
}

func (*queryAuthDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	computed := func(text string) schema.StringAttribute {
		return schema.StringAttribute{MarkdownDescription: text, Computed: true}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Asks the catalog what the provider's own caller may read of one table: the filters that its rows go through and the masks on its " +
			"columns.\n\n" +
			"With a second provider block that logs in as a reader, and a `check` block, it proves after an apply what that reader gets. A catalog that " +
			"refuses the reader makes it an error.",
		Attributes: map[string]schema.Attribute{
			"database": schema.StringAttribute{MarkdownDescription: "The name of the database.", Required: true},
			"table":    schema.StringAttribute{MarkdownDescription: "The name of the table.", Required: true},
			"columns": schema.ListAttribute{
				MarkdownDescription: "The columns that are to be read. A catalog refuses columns that the caller may not read. Leave it out for all columns.",
				ElementType:         types.StringType,
				Optional:            true,
				Validators:          []validator.List{listvalidator.SizeAtLeast(1)},
			},
			"filters": schema.ListNestedAttribute{
				MarkdownDescription: "The row filters; a row is shown when it matches all of them. Empty when all rows are shown.",
				Computed:            true,
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"predicate":     computed("The predicate, as the catalog spells it."),
					"predicate_sql": computed("The predicate as a SQL condition; null when it cannot be read."),
				}},
			},
			"masks": schema.ListNestedAttribute{
				MarkdownDescription: "The column masks, sorted by column. Empty when all values are shown as they are.",
				Computed:            true,
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"on_column":     computed("The masked column."),
					"transform":     computed("The transform, as the catalog spells it."),
					"transform_sql": computed("The transform as a SQL expression; null when it cannot be read."),
				}},
			},
		},
	}
}

func (d *queryAuthDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m queryAuthModel
	var columns []string
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	resp.Diagnostics.Append(m.Columns.ElementsAs(ctx, &columns, false)...)
	d.checkReachable(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	database, table := m.Database.ValueString(), m.Table.ValueString()
	allowed, err := d.client.QueryAuth(ctx, database, table, columns)
	if err != nil {
		resp.Diagnostics.Append(readFailed("what may be read of table "+database+"."+table, err))
		return
	}
	m.Filters, m.Masks = []filterModel{}, []maskModel{}
	for _, text := range allowed.Filters {
		m.Filters = append(m.Filters, filterModel{types.StringValue(text), predicateFacts().sql(text)})
	}
	for _, column := range slices.Sorted(maps.Keys(allowed.Masks)) {
		text := allowed.Masks[column]
		m.Masks = append(m.Masks, maskModel{types.StringValue(column), types.StringValue(text), transformFacts().sql(text)})
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}
