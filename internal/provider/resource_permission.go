package provider

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

var _ managedResource = (*permissionResource)(nil)

// permissionResource manages one access of one principal on one resource.
type permissionResource struct {
	core[permissionModel, access.Assignment]
}

type permissionModel struct {
	ID           types.String `tfsdk:"id"`
	ResourceType types.String `tfsdk:"resource_type"`
	Database     types.String `tfsdk:"database"`
	Table        types.String `tfsdk:"table"`
	View         types.String `tfsdk:"view"`
	Function     types.String `tfsdk:"function"`
	Access       types.String `tfsdk:"access"`
	Principal    types.String `tfsdk:"principal"`
	ExpireTime   types.String `tfsdk:"expire_time"`
}

func newPermissionResource() resource.Resource {
	record := assignments()
	record.check = checkPermission
	return &permissionResource{core[permissionModel, access.Assignment]{
		record:   record,
		typeName: "paimon_permission",
		noun:     "permission",
		kind:     access.KindPermission,
		identity: []identityAttribute{
			identityResourceType,
			identityDatabase.optionalForImport(),
			identityTable.optionalForImport(),
			identityView.optionalForImport(),
			identityFunction.optionalForImport(),
			identityAccess,
			identityPrincipal,
		},
		toRecord: permissionModel.assignment,
		toModel:  newPermissionModel,
		version0: permissionVersion0(),
	}}
}

func (*permissionResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	locator := func(text string) schema.StringAttribute {
		return schema.StringAttribute{
			MarkdownDescription: text + " Names are case-sensitive. Changing it replaces the permission.",
			Optional:            true,
			PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
		}
	}
	resp.Schema = schema.Schema{
		Version: schemaVersion,
		MarkdownDescription: "Gives one access on one catalog, database, table, view or function to one principal.\n\n" +
			"It manages this one permission and no other: permissions of other principals, or of the same principal on other resources, are never " +
			"touched. Creating it never takes over a permission that is in the catalog with another expiry: that is refused with an import block " +
			"to use. Destroying it revokes the permission.",
		Attributes: map[string]schema.Attribute{
			"id": idAttribute(access.KindPermission),
			"resource_type": schema.StringAttribute{
				MarkdownDescription: "The type of the resource, in upper case: `CATALOG`, `CATALOG_ALL`, `DATABASE`, `DATABASE_ALL`, `TABLE`, `VIEW` or " +
					"`FUNCTION`. `DATABASE_ALL` and `CATALOG_ALL` stand for everything below the database or the catalog, now and later. For columns use " +
					"`paimon_column_permission`. Changing it replaces the permission.",
				Required:      true,
				PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"database": locator("The name of the database. Required for `DATABASE`, `DATABASE_ALL`, `TABLE`, `VIEW` and `FUNCTION`."),
			"table":    locator("The name of the table. Required for `TABLE`."),
			"view":     locator("The name of the view. Required for `VIEW`."),
			"function": locator("The name of the function. Required for `FUNCTION`."),
			"access": schema.StringAttribute{
				MarkdownDescription: "The access, in upper case. Changing it replaces the permission. Which one fits depends on `resource_type`:\n\n" + accessTable(),
				Required:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"principal":   principalAttribute("permission"),
			"expire_time": expireTimeAttribute("permission"),
		},
	}
}

// checkPermission sends users of the Apache provider's COLUMN type to the resource that has the column lists.
func checkPermission(a access.Assignment) access.Problems {
	if a.Resource.Type != access.Column {
		return a.Check()
	}
	return access.Problems{{
		Attribute: "resource_type",
		Text:      "Columns have a resource of their own.",
		Remedy:    "Use paimon_column_permission, which takes column_names or excluded_column_names.",
	}}
}

// accessTable lists which access fits which type, from the rule that checks it.
func accessTable() string {
	var b strings.Builder
	for _, t := range access.ResourceTypes() {
		if t == access.Column {
			continue
		}
		var names []string
		for _, a := range t.Accesses() {
			names = append(names, "`"+string(a)+"`")
		}
		b.WriteString("  * `" + string(t) + "`: " + strings.Join(names, ", ") + "\n")
	}
	return b.String()
}

func (m permissionModel) assignment() access.Assignment {
	return access.Assignment{
		Identity: access.Identity{
			Resource: access.Resource{
				Type:     access.ResourceType(m.ResourceType.ValueString()),
				Database: m.Database.ValueString(),
				Table:    m.Table.ValueString(),
				View:     m.View.ValueString(),
				Function: m.Function.ValueString(),
			},
			Access:    access.Access(m.Access.ValueString()),
			Principal: m.Principal.ValueString(),
		},
		ExpireTime: m.ExpireTime.ValueString(),
	}
}

func newPermissionModel(a access.Assignment, prior permissionModel) permissionModel {
	return permissionModel{
		ID:           types.StringValue(a.ID()),
		ResourceType: types.StringValue(string(a.Resource.Type)),
		Database:     nullable(a.Resource.Database),
		Table:        nullable(a.Resource.Table),
		View:         nullable(a.Resource.View),
		Function:     nullable(a.Resource.Function),
		Access:       types.StringValue(string(a.Access)),
		Principal:    types.StringValue(a.Principal),
		ExpireTime:   keepSpelling(prior.ExpireTime, a.ExpireTime, access.SameExpiry),
	}
}
