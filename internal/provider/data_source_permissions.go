package provider

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

var (
	_ datasource.DataSourceWithConfigure      = (*permissionsDataSource)(nil)
	_ datasource.DataSourceWithValidateConfig = (*permissionsDataSource)(nil)
)

// permissionsDataSource lists the direct permissions on one resource.
type permissionsDataSource struct {
	dataSource
}

type permissionsModel struct {
	ResourceType types.String    `tfsdk:"resource_type"`
	Database     types.String    `tfsdk:"database"`
	Table        types.String    `tfsdk:"table"`
	View         types.String    `tfsdk:"view"`
	Function     types.String    `tfsdk:"function"`
	Principal    types.String    `tfsdk:"principal"`
	Access       types.String    `tfsdk:"access"`
	Permissions  []permissionRow `tfsdk:"permissions"`
}

type permissionRow struct {
	ID                  types.String `tfsdk:"id"`
	ResourceType        types.String `tfsdk:"resource_type"`
	Database            types.String `tfsdk:"database"`
	Table               types.String `tfsdk:"table"`
	View                types.String `tfsdk:"view"`
	Function            types.String `tfsdk:"function"`
	Access              types.String `tfsdk:"access"`
	Principal           types.String `tfsdk:"principal"`
	ColumnNames         types.List   `tfsdk:"column_names"`
	ExcludedColumnNames types.List   `tfsdk:"excluded_column_names"`
	ExpireTime          types.String `tfsdk:"expire_time"`
	Expired             types.Bool   `tfsdk:"expired"`
}

func newPermissionsDataSource() datasource.DataSource {
	return &permissionsDataSource{dataSource{typeName: "paimon_permissions"}}
}

func (*permissionsDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	name := func(what, needed string) schema.StringAttribute {
		return schema.StringAttribute{
			MarkdownDescription: "The name of the " + what + ". Required for " + needed + ".",
			Optional:            true,
			Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
		}
	}
	row := func(text string) schema.StringAttribute {
		return schema.StringAttribute{MarkdownDescription: text, Computed: true}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Lists the permissions that are given directly on one catalog, database, table, view or function, or on the columns of one table.\n\n" +
			"Only that exact resource is listed: a table's listing shows neither what `DATABASE_ALL` gives on it nor the column permissions, which have the " +
			"type `COLUMN`. Permissions that have expired are listed as long as the catalog keeps them.",
		Attributes: map[string]schema.Attribute{
			"resource_type": schema.StringAttribute{
				MarkdownDescription: "The type of the resource, in upper case: `CATALOG`, `CATALOG_ALL`, `DATABASE`, `DATABASE_ALL`, `TABLE`, `COLUMN`, `VIEW` or " +
					"`FUNCTION`. `COLUMN` lists the column permissions on a table.",
				Required: true,
			},
			"database": name("database", "every type but `CATALOG` and `CATALOG_ALL`"),
			"table":    name("table", "`TABLE` and `COLUMN`"),
			"view":     name("view", "`VIEW`"),
			"function": name("function", "`FUNCTION`"),
			"principal": schema.StringAttribute{
				MarkdownDescription: "List only the permissions of this principal. It must be spelled exactly as the catalog knows it.",
				Optional:            true,
				Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"access": schema.StringAttribute{
				MarkdownDescription: "List only this access, in upper case, such as `SELECT`.",
				Optional:            true,
			},
			"permissions": schema.ListNestedAttribute{
				MarkdownDescription: "The permissions, sorted by `id`. What does not apply to a row is null.",
				Computed:            true,
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id": row("The import ID. It imports the row into `paimon_permission`, or into `paimon_column_permission` when the type is `COLUMN`, " +
						"and makes a good key for `for_each`."),
					"resource_type": row("The type of the resource."),
					"database":      row("The name of the database."),
					"table":         row("The name of the table."),
					"view":          row("The name of the view."),
					"function":      row("The name of the function."),
					"access":        row("The access."),
					"principal":     row("The principal."),
					"column_names": schema.ListAttribute{
						MarkdownDescription: "The only columns that may be read, of a column permission with an allowlist.",
						ElementType:         types.StringType, Computed: true,
					},
					"excluded_column_names": schema.ListAttribute{
						MarkdownDescription: "The columns that may not be read, of a column permission with a denylist.",
						ElementType:         types.StringType, Computed: true,
					},
					"expire_time": row("When the permission ends, as the catalog spells it; null when it does not end."),
					"expired": schema.BoolAttribute{
						MarkdownDescription: "Whether that time has passed by the server's clock, so that the permission gives nothing any more.",
						Computed:            true,
					},
				}},
			},
		},
	}
}

// ValidateConfig checks the resource and the access filter as far as they are known.
func (*permissionsDataSource) ValidateConfig(ctx context.Context, req datasource.ValidateConfigRequest, resp *datasource.ValidateConfigResponse) {
	var m permissionsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resource := m.resource()
	problems := resource.CheckShape()
	if len(problems) == 0 {
		problems = resource.CheckNames()
	}
	if !m.Access.IsNull() {
		problems = append(problems, access.CheckAccess(resource.Type, access.Access(m.Access.ValueString()))...)
	}
	problems = slices.DeleteFunc(problems, func(p access.Problem) bool { return !isDecided(req.Config.Raw, p.Attribute) })
	addProblems(&resp.Diagnostics, "Invalid listing", problems)
}

func (d *permissionsDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m permissionsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	d.checkReachable(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	listing, err := d.client.Permissions(ctx, m.resource(), m.Principal.ValueString(), access.Access(m.Access.ValueString()))
	if err != nil {
		resp.Diagnostics.Append(readFailed("the permissions on "+m.resource().String(), err))
		return
	}
	warnOfMalformed(&resp.Diagnostics, listing.Malformed)
	m.Permissions = []permissionRow{}
	for _, a := range listing.Rows {
		warnOfRow(&resp.Diagnostics, a.ID(), a.CheckListed())
		m.Permissions = append(m.Permissions, newPermissionRow(a, d.client.Now()))
	}
	slices.SortFunc(m.Permissions, func(a, b permissionRow) int { return strings.Compare(a.ID.ValueString(), b.ID.ValueString()) })
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}

func (m permissionsModel) resource() access.Resource {
	return access.Resource{
		Type:     access.ResourceType(m.ResourceType.ValueString()),
		Database: m.Database.ValueString(),
		Table:    m.Table.ValueString(),
		View:     m.View.ValueString(),
		Function: m.Function.ValueString(),
	}
}

func newPermissionRow(a access.Assignment, now time.Time) permissionRow {
	return permissionRow{
		ID:                  types.StringValue(a.ID()),
		ResourceType:        types.StringValue(string(a.Resource.Type)),
		Database:            nullable(a.Resource.Database),
		Table:               nullable(a.Resource.Table),
		View:                nullable(a.Resource.View),
		Function:            nullable(a.Resource.Function),
		Access:              types.StringValue(string(a.Access)),
		Principal:           types.StringValue(a.Principal),
		ColumnNames:         stringList(a.Columns.Names),
		ExcludedColumnNames: stringList(a.Columns.Excluded),
		ExpireTime:          nullable(a.ExpireTime),
		Expired:             types.BoolValue(access.Expired(a.ExpireTime, now)),
	}
}
