package provider

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

func idAttribute(kind access.Kind) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: "The import ID, `" + idForms[kind].form + "`, known at plan. In names `%` is written `%25` and `/` is written `%2F`.",
		Computed:            true,
	}
}

// tableLocatorAttribute is the database or table of what hangs on a table.
func tableLocatorAttribute(locator, noun string) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: "The name of the " + locator + ". Names are case-sensitive. Changing it replaces the " + noun + ".",
		Required:            true,
		PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
	}
}

func principalAttribute(noun string) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: "The principal, spelled exactly as the catalog knows it, such as `role:analyst`; at most 128 UTF-16 code units. It is " +
			"case-sensitive and never trimmed. Changing it replaces the " + noun + ".",
		Required:      true,
		PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
	}
}

func expireTimeAttribute(noun string) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: "When the " + noun + " ends: an RFC 3339 time with `Z` or an offset and at most milliseconds, such as " +
			"`2027-01-31T00:00:00Z`. From that instant on, judged by the server's clock, it gives nothing. Times are compared as instants, so another " +
			"spelling of the same instant is no change. Leave it out for a " + noun + " that does not end; removing it clears the end. Changed in place. For an end " +
			"that moves on, take a time that is kept in the state, such as `rotation_rfc3339` of `time_rotating`; `timestamp()` is another time in " +
			"every plan, so every apply changes it.",
		Optional:      true,
		PlanModifiers: []planmodifier.String{sameMeaning("instant", access.SameExpiry)},
		Validators:    []validator.String{stringvalidator.LengthAtLeast(1)},
	}
}

// keepSpelling keeps the prior spelling of a text that still means the same, and takes the new text otherwise.
func keepSpelling(prior types.String, text string, same func(a, b string) bool) types.String {
	if !prior.IsNull() && same(prior.ValueString(), text) {
		return prior
	}
	return nullable(text)
}
