package provider

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// nullable turns the empty text, which stands for absence outside Terraform, into null.
func nullable(text string) types.String {
	if text == "" {
		return types.StringNull()
	}
	return types.StringValue(text)
}

// stringList turns names into a list in their order; nil is null.
func stringList(names []string) types.List {
	if names == nil {
		return types.ListNull(types.StringType)
	}
	return types.ListValueMust(types.StringType, stringValues(names))
}

func stringValues(names []string) []attr.Value {
	values := make([]attr.Value, len(names))
	for i, name := range names {
		values[i] = types.StringValue(name)
	}
	return values
}

// names returns the known elements of a set in alphabetical order, and nil for null and unknown.
func names(set types.Set) []string {
	if set.IsNull() || set.IsUnknown() {
		return nil
	}
	found := []string{}
	for _, element := range set.Elements() {
		if text, ok := element.(types.String); ok && !text.IsUnknown() {
			found = append(found, text.ValueString())
		}
	}
	slices.Sort(found)
	return found
}
