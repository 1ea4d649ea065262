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

var _ managedResource = (*rowFilterPolicyResource)(nil)

// rowFilterPolicyResource manages which rows of a table a principal sees.
type rowFilterPolicyResource struct {
	core[rowFilterPolicyModel, access.Policy]
}

type rowFilterPolicyModel struct {
	ID           types.String `tfsdk:"id"`
	Database     types.String `tfsdk:"database"`
	Table        types.String `tfsdk:"table"`
	Principal    types.String `tfsdk:"principal"`
	Predicate    types.String `tfsdk:"predicate"`
	PredicateSQL types.String `tfsdk:"predicate_sql"`
}

func newRowFilterPolicyResource() resource.Resource {
	return &rowFilterPolicyResource{core[rowFilterPolicyModel, access.Policy]{
		record:   policies(predicateFacts(), predicateFits),
		typeName: "paimon_row_filter_policy",
		noun:     "row filter policy",
		kind:     access.KindRowFilter,
		identity: []identityAttribute{identityDatabase, identityTable, identityPrincipal},
		toRecord: rowFilterPolicyModel.policy,
		toModel:  newRowFilterPolicyModel,
		version0: rowFilterVersion0(),
	}}
}

func (*rowFilterPolicyResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	const noun = "row filter policy"
	facts := predicateFacts()
	resp.Schema = schema.Schema{
		Version: schemaVersion,
		MarkdownDescription: "Restricts which rows of one table one principal sees. A reader sees the rows for which the predicates of all its principals are " +
			"true.\n\n" +
			"It manages this one policy and no other; it gives no access by itself. Creating it never takes over a policy that is in the catalog with " +
			"another predicate: that is refused with an import block to use. A changed predicate is a replacement, since the catalog has no update: the old " +
			"policy is dropped, then the new one is created. Destroying it shows the principal all rows that its permissions give. The table needs the option " +
			"`query-auth.enabled` set to `true`.",
		Attributes: map[string]schema.Attribute{
			"id":        idAttribute(access.KindRowFilter),
			"database":  tableLocatorAttribute("database", noun),
			"table":     tableLocatorAttribute("table", noun),
			"principal": principalAttribute(noun),
			"predicate": schema.StringAttribute{
				MarkdownDescription: "The rows that the principal sees, as a Paimon predicate in JSON, at most 60 KiB. Predicates are compared by meaning: white space, " +
					"the order of keys and the spelling of numbers do not matter. Another meaning replaces the policy.",
				Required: true,
				PlanModifiers: []planmodifier.String{
					sameMeaning(facts.attribute, facts.same),
					stringplanmodifier.RequiresReplace(),
				},
			},
			"predicate_sql": schema.StringAttribute{
				MarkdownDescription: "The predicate as people read it, as a SQL condition such as `region = 'EU'`, known at plan. It follows from `predicate` alone and is null when the " +
					"predicate cannot be read.",
				Computed: true,
			},
		},
	}
}

func (m rowFilterPolicyModel) policy() access.Policy {
	return access.Policy{
		Identity:   access.RowFilterIdentity(m.Database.ValueString(), m.Table.ValueString(), m.Principal.ValueString()),
		Definition: m.Predicate.ValueString(),
	}
}

func newRowFilterPolicyModel(p access.Policy, prior rowFilterPolicyModel) rowFilterPolicyModel {
	facts := predicateFacts()
	definition := keepSpelling(prior.Predicate, p.Definition, facts.same)
	return rowFilterPolicyModel{
		ID:           types.StringValue(p.ID()),
		Database:     types.StringValue(p.Resource.Database),
		Table:        types.StringValue(p.Resource.Table),
		Principal:    types.StringValue(p.Principal),
		Predicate:    definition,
		PredicateSQL: facts.sql(definition.ValueString()),
	}
}
