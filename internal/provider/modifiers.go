package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
)

// sameMeaning plans no change while the configured text means what the state's text means. The state's spelling is
// kept, which Terraform accepts for an optional or required attribute. It has to stand before RequiresReplace:
// otherwise a formatter that moves a blank would drop and re-create a row filter.
func sameMeaning(what string, same func(a, b string) bool) planmodifier.String {
	return meaningModifier{what: what, same: same}
}

type meaningModifier struct {
	what string
	same func(a, b string) bool
}

func (m meaningModifier) Description(context.Context) string {
	return "Another spelling of the same " + m.what + " is no change."
}

func (m meaningModifier) MarkdownDescription(ctx context.Context) string {
	return m.Description(ctx)
}

func (m meaningModifier) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if req.StateValue.IsNull() || req.PlanValue.IsNull() || req.PlanValue.IsUnknown() {
		return
	}
	if m.same(req.StateValue.ValueString(), req.PlanValue.ValueString()) {
		resp.PlanValue = req.StateValue
	}
}
