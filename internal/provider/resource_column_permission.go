package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

var _ managedResource = (*columnPermissionResource)(nil)

// columnPermissionResource manages which columns of a table a principal may read.
type columnPermissionResource struct {
	core[columnPermissionModel, access.Assignment]
}

type columnPermissionModel struct {
	ID                  types.String `tfsdk:"id"`
	Database            types.String `tfsdk:"database"`
	Table               types.String `tfsdk:"table"`
	Access              types.String `tfsdk:"access"`
	Principal           types.String `tfsdk:"principal"`
	ColumnNames         columnSet    `tfsdk:"column_names"`
	ExcludedColumnNames columnSet    `tfsdk:"excluded_column_names"`
	ExpireTime          types.String `tfsdk:"expire_time"`
}

func newColumnPermissionResource() resource.Resource {
	record := assignments()
	record.fits = columnsFit
	return &columnPermissionResource{core[columnPermissionModel, access.Assignment]{
		record:   record,
		typeName: "paimon_column_permission",
		noun:     "column permission",
		kind:     access.KindColumnPermission,
		identity: []identityAttribute{identityDatabase, identityTable, identityPrincipal},
		toRecord: columnPermissionModel.assignment,
		toModel:  newColumnPermissionModel,
		version0: columnPermissionVersion0(),
	}}
}

func (*columnPermissionResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		Version: schemaVersion,
		MarkdownDescription: "Restricts one principal's reading of one table to some of its columns, as an allowlist or as a denylist.\n\n" +
			"A table has at most one column range per principal. It manages this one range and no other record. Creating it never takes over a range " +
			"that is in the catalog with other columns: that is refused with an import block to use. Destroying it removes the range. The table needs " +
			"the option `query-auth.enabled` set to `true`.",
		Attributes: map[string]schema.Attribute{
			"id":       idAttribute(access.KindColumnPermission),
			"database": tableLocatorAttribute("database", "column permission"),
			"table":    tableLocatorAttribute("table", "column permission"),
			"access": schema.StringAttribute{
				MarkdownDescription: "The access, always `SELECT`.",
				Computed:            true,
				Default:             stringdefault.StaticString(string(access.Select)),
			},
			"principal": principalAttribute("column permission"),
			"column_names": schema.SetAttribute{
				MarkdownDescription: "The names of the only columns that the principal may read. Names are case-sensitive and of top-level columns; the order does not " +
					"matter. A column that is added to the table later is not readable. Set this or `excluded_column_names`, not both. Changed in place.",
				CustomType:  newColumnSetType(),
				ElementType: types.StringType,
				Optional:    true,
			},
			"excluded_column_names": schema.SetAttribute{
				MarkdownDescription: "The names of the columns that the principal may not read; all others are readable, columns that are added to the table later " +
					"included. Set this or `column_names`, not both. Changed in place, also when the one takes the place of the other.",
				CustomType:  newColumnSetType(),
				ElementType: types.StringType,
				Optional:    true,
			},
			"expire_time": expireTimeAttribute("column permission"),
		},
	}
}

func (m columnPermissionModel) assignment() access.Assignment {
	return access.Assignment{
		Identity:   access.ColumnIdentity(m.Database.ValueString(), m.Table.ValueString(), m.Principal.ValueString()),
		Columns:    access.Columns{Names: names(m.ColumnNames.Set), Excluded: names(m.ExcludedColumnNames.Set)},
		ExpireTime: m.ExpireTime.ValueString(),
	}
}

func newColumnPermissionModel(a access.Assignment, prior columnPermissionModel) columnPermissionModel {
	return columnPermissionModel{
		ID:                  types.StringValue(a.ID()),
		Database:            types.StringValue(a.Resource.Database),
		Table:               types.StringValue(a.Resource.Table),
		Access:              types.StringValue(string(a.Access)),
		Principal:           types.StringValue(a.Principal),
		ColumnNames:         newColumnSet(a.Columns.Names),
		ExcludedColumnNames: newColumnSet(a.Columns.Excluded),
		ExpireTime:          keepSpelling(prior.ExpireTime, a.ExpireTime, access.SameExpiry),
	}
}
