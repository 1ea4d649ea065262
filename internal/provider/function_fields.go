package provider

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// fieldArgument is one column as the functions take it.
type fieldArgument struct {
	Name string `tfsdk:"name"`
	Type string `tfsdk:"type"`
}

func fieldsParameter() function.Parameter {
	return function.ListParameter{
		Name: "fields",
		MarkdownDescription: "The table's columns in its order, each with `name` and `type`, such as `[{ name = \"region\", type = \"STRING\" }]`. " +
			"`data.paimon_table.NAME.fields` fits as it is.",
		ElementType: types.ObjectType{AttrTypes: map[string]attr.Type{"name": types.StringType, "type": types.StringType}},
	}
}

// fieldsOf parses the types of the columns. An error points at the argument.
func fieldsOf(given []fieldArgument, argument int64) ([]datatype.Field, *function.FuncError) {
	fields := make([]datatype.Field, len(given))
	for i, field := range given {
		parsed, err := datatype.Parse(field.Type)
		if err != nil {
			return nil, function.NewArgumentFuncError(argument, fmt.Sprintf("column %q has no Paimon type: %s", field.Name, err))
		}
		fields[i] = datatype.Field{ID: i, Name: field.Name, Type: parsed}
	}
	return fields, nil
}
