package provider

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// version0Providers are the addresses of the providers that write version 0, on whatever registry or mirror. This one is
// among them also for types that exist only in the other: terraform state replace-provider writes its address over them.
// OpenTofu before 1.12.4 sends the last part alone (opentofu/opentofu#4352).
var version0Providers = regexp.MustCompile(`^([^/]+/(apache|paimon-iac)/)?paimon$`)

// MoveState makes moved blocks carry over what the Apache provider has in the resource's counterpart. Some versions of
// Terraform and OpenTofu ask it without a moved block, too, when the provider of a resource has another address than in
// the state, such as that of a mirror (opentofu/opentofu#4374). Other sources are left to the framework, which refuses them.
func (r *core[M, R]) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{
		{SourceSchema: &r.version0.schema, StateMover: r.moveVersion0},
		{StateMover: r.movePresent},
	}
}

func (r *core[M, R]) moveVersion0(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	isCounterpart := req.SourceTypeName == r.version0.typeName || req.SourceTypeName == r.typeName
	if !isCounterpart || req.SourceSchemaVersion != 0 || !version0Providers.MatchString(req.SourceProviderAddress) {
		return
	}
	if req.SourceState == nil {
		resp.Diagnostics.AddError("Invalid state of the "+r.noun, fmt.Sprintf("The state of the %s has not the types that it should have. %s", req.SourceTypeName, forgetAdvice))
		return
	}
	m, id, diags := r.carryOver(ctx, req.SourceState)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.TargetState.Set(ctx, m)...)
	r.setIdentity(ctx, resp.TargetIdentity, id)
}

// movePresent takes over what this provider wrote under another address.
func (r *core[M, R]) movePresent(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	if req.SourceTypeName != r.typeName || req.SourceSchemaVersion != schemaVersion || !strings.HasSuffix(req.SourceProviderAddress, "/paimon-iac/paimon") {
		return
	}
	raw, err := req.SourceRawState.UnmarshalWithOpts(resp.TargetState.Schema.Type().TerraformType(ctx), tfprotov6.UnmarshalOpts{
		ValueFromJSONOpts: tftypes.ValueFromJSONOpts{IgnoreUndefinedAttributes: true},
	})
	if err != nil {
		resp.Diagnostics.AddError("Invalid state of the "+r.noun, fmt.Sprintf("The state cannot be read: %s. %s", err, forgetAdvice))
		return
	}
	resp.TargetState.Raw = raw
	var m M
	resp.Diagnostics.Append(resp.TargetState.Get(ctx, &m)...)
	if !resp.Diagnostics.HasError() {
		r.setIdentity(ctx, resp.TargetIdentity, r.identityOf(r.toRecord(m)))
	}
}
