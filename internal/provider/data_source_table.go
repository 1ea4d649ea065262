package provider

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

var _ datasource.DataSourceWithConfigure = (*tableDataSource)(nil)

// tableDataSource reads the schema of one table.
type tableDataSource struct {
	dataSource
}

type tableModel struct {
	Database      types.String      `tfsdk:"database"`
	Table         types.String      `tfsdk:"table"`
	Fields        []fieldModel      `tfsdk:"fields"`
	Options       map[string]string `tfsdk:"options"`
	PrimaryKeys   []string          `tfsdk:"primary_keys"`
	PartitionKeys []string          `tfsdk:"partition_keys"`
	Comment       types.String      `tfsdk:"comment"`
}

type fieldModel struct {
	Name    types.String `tfsdk:"name"`
	Type    types.String `tfsdk:"type"`
	Comment types.String `tfsdk:"comment"`
}

func newTableDataSource() datasource.DataSource {
	return &tableDataSource{dataSource{typeName: "paimon_table"}}
}

func (*tableDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	names := func(text string) schema.ListAttribute {
		return schema.ListAttribute{MarkdownDescription: text, ElementType: types.StringType, Computed: true}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Reads the columns, keys and options of one table.",
		Attributes: map[string]schema.Attribute{
			"database": schema.StringAttribute{MarkdownDescription: "The name of the database.", Required: true},
			"table":    schema.StringAttribute{MarkdownDescription: "The name of the table.", Required: true},
			"fields": schema.ListNestedAttribute{
				MarkdownDescription: "The columns, in the table's order.",
				Computed:            true,
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"name": schema.StringAttribute{MarkdownDescription: "The name of the column.", Computed: true},
					"type": schema.StringAttribute{
						MarkdownDescription: "Paimon's text of the type, such as `BIGINT NOT NULL` or `DECIMAL(10, 2)`. A nested type is a JSON object as text, such as " +
							"`{\"type\":\"ARRAY\",\"element\":\"STRING\"}`.",
						Computed: true,
					},
					"comment": schema.StringAttribute{MarkdownDescription: "The comment of the column; null when it has none.", Computed: true},
				}},
			},
			"options": schema.MapAttribute{
				MarkdownDescription: "The options of the table. Policies and column permissions need `query-auth.enabled` to be `true`.",
				ElementType:         types.StringType,
				Computed:            true,
			},
			"primary_keys":   names("The columns of the primary key; empty when the table has none."),
			"partition_keys": names("The columns that the table is partitioned by; empty when it is not."),
			"comment":        schema.StringAttribute{MarkdownDescription: "The comment of the table; null when it has none.", Computed: true},
		},
	}
}

func (d *tableDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m tableModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	d.checkReachable(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	database, name := m.Database.ValueString(), m.Table.ValueString()
	table, err := d.client.Table(ctx, database, name)
	if err != nil {
		resp.Diagnostics.Append(readFailed("table "+database+"."+name, err))
		return
	}
	m.Fields = []fieldModel{}
	for _, column := range table.Columns {
		field := fieldModel{Name: types.StringValue(column.Name), Type: types.StringValue(column.TypeText)}
		if column.Description != nil {
			field.Comment = types.StringValue(*column.Description)
		}
		m.Fields = append(m.Fields, field)
	}
	m.Options = map[string]string{}
	maps.Copy(m.Options, table.Options)
	m.PrimaryKeys = append([]string{}, table.PrimaryKeys...)
	m.PartitionKeys = append([]string{}, table.PartitionKeys...)
	m.Comment = nullable(table.Comment)
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}
