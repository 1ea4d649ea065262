package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

var _ managedResource = (*columnMaskPolicyResource)(nil)

// columnMaskPolicyResource manages what a principal sees in place of a column's values.
type columnMaskPolicyResource struct {
	core[columnMaskPolicyModel, access.Policy]
}

type columnMaskPolicyModel struct {
	ID           types.String `tfsdk:"id"`
	Database     types.String `tfsdk:"database"`
	Table        types.String `tfsdk:"table"`
	OnColumn     types.String `tfsdk:"on_column"`
	Principal    types.String `tfsdk:"principal"`
	Transform    types.String `tfsdk:"transform"`
	TransformSQL types.String `tfsdk:"transform_sql"`
}

func newColumnMaskPolicyResource() resource.Resource {
	return &columnMaskPolicyResource{core[columnMaskPolicyModel, access.Policy]{
		record:   policies(transformFacts(), transformFits),
		typeName: "paimon_column_mask_policy",
		noun:     "column mask policy",
		kind:     access.KindColumnMask,
		identity: []identityAttribute{identityDatabase, identityTable, identityColumn, identityPrincipal},
		toRecord: columnMaskPolicyModel.policy,
		toModel:  newColumnMaskPolicyModel,
		version0: columnMaskVersion0(),
	}}
}

func (*columnMaskPolicyResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	const noun = "column mask policy"
	facts := transformFacts()
	resp.Schema = schema.Schema{
		Version: schemaVersion,
		MarkdownDescription: "Masks one column of one table for one principal: a reader gets the result of the transform in place of the column's value. The " +
			"catalog refuses the reader of a table where two of its principals mask the same column.\n\n" +
			"It manages this one policy and no other; it gives no access by itself. Creating it never takes over a policy that is in the catalog with " +
			"another transform: that is refused with an import block to use. A changed transform is a replacement, since the catalog has no update: the old " +
			"policy is dropped, then the new one is created. Destroying it shows the principal the raw values. The table needs the option " +
			"`query-auth.enabled` set to `true`.",
		Attributes: map[string]schema.Attribute{
			"id":       idAttribute(access.KindColumnMask),
			"database": tableLocatorAttribute("database", noun),
			"table":    tableLocatorAttribute("table", noun),
			"on_column": schema.StringAttribute{
				MarkdownDescription: "The name of the column that is masked. Names are case-sensitive and of top-level columns. Changing it replaces the " + noun + ".",
				Required:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"principal": principalAttribute(noun),
			"transform": schema.StringAttribute{
				MarkdownDescription: "What the principal sees, as a Paimon transform in JSON, at most 60 KiB. Its type must be exactly the column's. Transforms are compared " +
					"by meaning: white space and the order of keys do not matter. Another meaning replaces the policy.",
				Required: true,
				PlanModifiers: []planmodifier.String{
					sameMeaning(facts.attribute, facts.same),
					stringplanmodifier.RequiresReplace(),
				},
			},
			"transform_sql": schema.StringAttribute{
				MarkdownDescription: "The transform as people read it, as a SQL expression such as `UPPER(email)`, known at plan. It follows from `transform` alone and is null when the " +
					"transform cannot be read.",
				Computed: true,
			},
		},
	}
}

func (m columnMaskPolicyModel) policy() access.Policy {
	return access.Policy{
		Identity: access.ColumnMaskIdentity(m.Database.ValueString(), m.Table.ValueString(),
			m.OnColumn.ValueString(), m.Principal.ValueString()),
		Definition: m.Transform.ValueString(),
	}
}

func newColumnMaskPolicyModel(p access.Policy, prior columnMaskPolicyModel) columnMaskPolicyModel {
	facts := transformFacts()
	definition := keepSpelling(prior.Transform, p.Definition, facts.same)
	return columnMaskPolicyModel{
		ID:           types.StringValue(p.ID()),
		Database:     types.StringValue(p.Resource.Database),
		Table:        types.StringValue(p.Resource.Table),
		OnColumn:     types.StringValue(p.Column),
		Principal:    types.StringValue(p.Principal),
		Transform:    definition,
		TransformSQL: facts.sql(definition.ValueString()),
	}
}
