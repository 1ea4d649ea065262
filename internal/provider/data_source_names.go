package provider

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

var (
	_ datasource.DataSourceWithConfigure = (*databasesDataSource)(nil)
	_ datasource.DataSourceWithConfigure = (*tablesDataSource)(nil)
)

// databasesDataSource lists the names of the databases.
type databasesDataSource struct {
	dataSource
}

type databasesModel struct {
	Names []string `tfsdk:"names"`
}

func newDatabasesDataSource() datasource.DataSource {
	return &databasesDataSource{dataSource{typeName: "paimon_databases"}}
}

func (*databasesDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Lists the names of the databases that the provider's caller may see.",
		Attributes: map[string]schema.Attribute{
			"names": schema.ListAttribute{
				MarkdownDescription: "The names of the databases, sorted.",
				ElementType:         types.StringType,
				Computed:            true,
			},
		},
	}
}

func (d *databasesDataSource) Read(ctx context.Context, _ datasource.ReadRequest, resp *datasource.ReadResponse) {
	d.checkReachable(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	names, err := d.client.Databases(ctx)
	if err != nil {
		resp.Diagnostics.Append(readFailed("the databases", err))
		return
	}
	slices.Sort(names)
	resp.Diagnostics.Append(resp.State.Set(ctx, databasesModel{Names: append([]string{}, names...)})...)
}

// tablesDataSource lists the names of the tables of a database.
type tablesDataSource struct {
	dataSource
}

type tablesModel struct {
	Database types.String `tfsdk:"database"`
	Names    []string     `tfsdk:"names"`
}

func newTablesDataSource() datasource.DataSource {
	return &tablesDataSource{dataSource{typeName: "paimon_tables"}}
}

func (*tablesDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Lists the names of the tables of one database that the provider's caller may see.",
		Attributes: map[string]schema.Attribute{
			"database": schema.StringAttribute{MarkdownDescription: "The name of the database.", Required: true},
			"names": schema.ListAttribute{
				MarkdownDescription: "The names of the tables, sorted.",
				ElementType:         types.StringType,
				Computed:            true,
			},
		},
	}
}

func (d *tablesDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m tablesModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	d.checkReachable(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	names, err := d.client.Tables(ctx, m.Database.ValueString())
	if err != nil {
		resp.Diagnostics.Append(readFailed("the tables of database "+m.Database.ValueString(), err))
		return
	}
	slices.Sort(names)
	m.Names = append([]string{}, names...)
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}
