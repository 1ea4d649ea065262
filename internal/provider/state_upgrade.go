package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// schemaVersion is the version of every resource's state.
const schemaVersion = 1

// version0 is the version of a resource's state that two providers write: this one before its first release, and the
// Apache provider for its own resource, which has other names here and there, and IDs in the query form.
type version0[M any] struct {
	typeName string        // what the Apache provider calls the resource
	schema   schema.Schema // the attributes of both that are read; what a provider does not write is null
	read     func(context.Context, *tfsdk.State) (M, diag.Diagnostics)
}

func newVersion0[S, M any](typeName string, schema schema.Schema, translate func(S) (M, error)) version0[M] {
	read := func(ctx context.Context, state *tfsdk.State) (M, diag.Diagnostics) {
		var stored S
		diags := state.Get(ctx, &stored)
		m, err := translate(stored)
		if err != nil {
			diags.AddError(wrongResource, err.Error())
		}
		return m, diags
	}
	return version0[M]{typeName: typeName, schema: schema, read: read}
}

// UpgradeState reads version 0, so that terraform state replace-provider is all that a permission of the Apache provider needs.
func (r *core[M, R]) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	upgrade := func(ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse) {
		m, _, diags := r.carryOver(ctx, req.State)
		resp.Diagnostics.Append(diags...)
		if !resp.Diagnostics.HasError() {
			resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
		}
	}
	return map[int64]resource.StateUpgrader{0: {PriorSchema: &r.version0.schema, StateUpgrader: upgrade}}
}

// carryOver reads a state of version 0 and completes it: with the ID in this provider's form, and with what is computed.
// It asks no catalog; the next refresh tells whether the record is still there.
func (r *core[M, R]) carryOver(ctx context.Context, state *tfsdk.State) (M, access.Identity, diag.Diagnostics) {
	m, diags := r.version0.read(ctx, state)
	record := r.toRecord(m)
	id := r.identityOf(record)
	switch err := id.Check().Err(); {
	case diags.HasError():
	case err != nil:
		diags.AddError("Invalid state of the "+r.noun, fmt.Sprintf("The state names no %s that can be managed here: %s\n\n%s", r.noun, err, forgetAdvice))
	case id.Kind() != r.kind:
		diags.AddError(wrongResource, fmt.Sprintf("%s is not managed by %s here but by %s. Rename the block, and write a moved block from the one to the "+
			"other.\n\n%s", id, r.typeName, resourceNames[id.Kind()], forgetAdvice))
	}
	return r.toModel(record, m), id, diags
}

const wrongResource = "Wrong resource for this state"

// forgetAdvice is how to get rid of a state that cannot be read.
const forgetAdvice = "To take it out of the state, which leaves the catalog alone, run terraform state rm with its address."

// permissionV0 is a paimon_permission. The Apache provider has permissions on columns in it, too.
type permissionV0 struct {
	permissionModel

	ColumnNames         types.Set `tfsdk:"column_names"`
	ExcludedColumnNames types.Set `tfsdk:"excluded_column_names"`
}

func permissionSchemaV0() schema.Schema {
	s := stringsSchema("id", "resource_type", "database", "table", "view", "function", "access", "principal", "expire_time")
	for _, name := range columnLists {
		s.Attributes[name] = schema.SetAttribute{ElementType: types.StringType, Optional: true}
	}
	return s
}

func stringsSchema(names ...string) schema.Schema {
	attributes := make(map[string]schema.Attribute)
	for _, name := range names {
		attributes[name] = schema.StringAttribute{Optional: true}
	}
	return schema.Schema{Attributes: attributes}
}

func permissionVersion0() version0[permissionModel] {
	return newVersion0("paimon_permission", permissionSchemaV0(), func(stored permissionV0) (permissionModel, error) {
		return stored.permissionModel, nil
	})
}

func columnPermissionVersion0() version0[columnPermissionModel] {
	return newVersion0("paimon_permission", permissionSchemaV0(), func(stored permissionV0) (columnPermissionModel, error) {
		m := columnPermissionModel{
			Database:            stored.Database,
			Table:               stored.Table,
			Principal:           stored.Principal,
			ColumnNames:         columnSet{stored.ColumnNames},
			ExcludedColumnNames: columnSet{stored.ExcludedColumnNames},
			ExpireTime:          stored.ExpireTime,
		}
		// This provider writes no type.
		if given := stored.ResourceType.ValueString(); given != "" && given != string(access.Column) {
			return m, fmt.Errorf("%s stays a paimon_permission: only permissions of type COLUMN become paimon_column_permission: remove the moved block",
				stored.assignment())
		}
		return m, nil
	})
}

type rowFilterV0 struct {
	Database  types.String `tfsdk:"database"`
	Table     types.String `tfsdk:"table"`
	Principal types.String `tfsdk:"principal"`
	Predicate types.String `tfsdk:"predicate"`
}

func rowFilterVersion0() version0[rowFilterPolicyModel] {
	source := stringsSchema("database", "table", "principal", "predicate")
	return newVersion0("paimon_row_filter", source, func(stored rowFilterV0) (rowFilterPolicyModel, error) {
		return rowFilterPolicyModel{
			Database:  stored.Database,
			Table:     stored.Table,
			Principal: stored.Principal,
			Predicate: stored.Predicate,
		}, nil
	})
}

type columnMaskV0 struct {
	Database  types.String `tfsdk:"database"`
	Table     types.String `tfsdk:"table"`
	OnColumn  types.String `tfsdk:"on_column"`
	Column    types.String `tfsdk:"column"` // the Apache provider's name for it
	Principal types.String `tfsdk:"principal"`
	Transform types.String `tfsdk:"transform"`
}

func columnMaskVersion0() version0[columnMaskPolicyModel] {
	source := stringsSchema("database", "table", "on_column", "column", "principal", "transform")
	return newVersion0("paimon_column_mask", source, func(stored columnMaskV0) (columnMaskPolicyModel, error) {
		m := columnMaskPolicyModel{
			Database:  stored.Database,
			Table:     stored.Table,
			OnColumn:  stored.OnColumn,
			Principal: stored.Principal,
			Transform: stored.Transform,
		}
		if m.OnColumn.IsNull() {
			m.OnColumn = stored.Column
		}
		return m, nil
	})
}
