package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func TestColumnSetsAreEqualWhenTheirNamesAre(t *testing.T) {
	t.Parallel()
	unknownSet := columnSet{types.SetUnknown(types.StringType)}
	for name, test := range map[string]struct {
		a, b columnSet
		want bool
	}{
		"null":             {newColumnSet(nil), newColumnSet([]string{}), true},
		"unknown":          {unknownSet, unknownSet, true},
		"null and unknown": {newColumnSet(nil), unknownSet, false},
		"null and known":   {newColumnSet(nil), newColumnSet([]string{"a"}), false},
		"order":            {newColumnSet([]string{"a", "b"}), newColumnSet([]string{"b", "a"}), true},
		"case":             {newColumnSet([]string{"a"}), newColumnSet([]string{"A"}), false},
		"fewer":            {newColumnSet([]string{"a", "b"}), newColumnSet([]string{"a"}), false},
		"others":           {newColumnSet([]string{"a", "b"}), newColumnSet([]string{"a", "c"}), false},
		"listed twice":     {newColumnSet([]string{"a", "a", "b"}), newColumnSet([]string{"a", "b", "b"}), false},
	} {
		for _, sides := range [][2]columnSet{{test.a, test.b}, {test.b, test.a}} {
			if sides[0].Equal(sides[1]) != test.want {
				t.Errorf("%s: %s and %s", name, sides[0], sides[1])
			}
		}
	}
	if newColumnSet([]string{"a"}).Equal(attr.Value(newColumnSet([]string{"a"}).Set)) {
		t.Error("equals a set of another type")
	}
}
