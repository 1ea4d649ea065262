package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// The framework compares sets by comparing each element with each other one, several times in every call, which takes
// many seconds for the columns of a wide table. A columnSet is a set of names that is compared in one pass.

var (
	_ basetypes.SetTypable                    = columnSetType{}
	_ basetypes.SetValuableWithSemanticEquals = columnSet{}
)

// columnSetType is the type of columnSet.
type columnSetType struct {
	basetypes.SetType
}

func newColumnSetType() columnSetType {
	return columnSetType{basetypes.SetType{ElemType: types.StringType}}
}

// Equal says whether o is the same type.
func (t columnSetType) Equal(o attr.Type) bool {
	_, same := o.(columnSetType)
	return same
}

// String names the type.
func (t columnSetType) String() string { return "columnSetType" }

// Validate takes the place of the framework's search for duplicates: Terraform's sets have none.
func (t columnSetType) Validate(context.Context, tftypes.Value, path.Path) diag.Diagnostics {
	return nil
}

// ValueType returns a value of the type.
func (t columnSetType) ValueType(context.Context) attr.Value { return columnSet{} }

// ValueFromSet makes the value.
func (t columnSetType) ValueFromSet(_ context.Context, set basetypes.SetValue) (basetypes.SetValuable, diag.Diagnostics) {
	return columnSet{set}, nil
}

// ValueFromTerraform makes the value.
func (t columnSetType) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	value, err := t.SetType.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, err
	}
	set, _ := value.(basetypes.SetValue)
	return columnSet{set}, nil
}

// columnSet is a set of column names.
type columnSet struct {
	types.Set
}

// newColumnSet turns names into a set; no names at all are null, since an empty set is not the same as none.
func newColumnSet(names []string) columnSet {
	if len(names) == 0 {
		return columnSet{types.SetNull(types.StringType)}
	}
	return columnSet{types.SetValueMust(types.StringType, stringValues(names))}
}

// Type returns the type.
func (s columnSet) Type(context.Context) attr.Type { return newColumnSetType() }

// Equal says whether o has the same elements.
func (s columnSet) Equal(o attr.Value) bool {
	other, ok := o.(columnSet)
	if !ok || s.IsNull() != other.IsNull() || s.IsUnknown() != other.IsUnknown() {
		return false
	}
	elements := other.Elements()
	if len(elements) != len(s.Elements()) {
		return false
	}
	left := make(map[attr.Value]int, len(elements))
	for _, element := range elements {
		left[element]++
	}
	for _, element := range s.Elements() {
		if left[element]--; left[element] < 0 {
			return false
		}
	}
	return true
}

// SetSemanticEquals spares equal sets the comparison of their elements.
func (s columnSet) SetSemanticEquals(_ context.Context, prior basetypes.SetValuable) (bool, diag.Diagnostics) {
	return s.Equal(prior), nil
}
