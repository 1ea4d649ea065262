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

// fieldsOf parses the types of the columns. Columns of types that this provider does not know, from a newer catalog, are
// left out, so that conditions on the others can be written; foreign names them.
func fieldsOf(given []fieldArgument) (fields []datatype.Field, foreign []string) {
	for i, field := range given {
		parsed, err := datatype.Parse(field.Type)
		if err != nil {
			foreign = append(foreign, fmt.Sprintf("%s of type %q: %s", field.Name, field.Type, err))
			continue
		}
		fields = append(fields, datatype.Field{ID: i, Name: field.Name, Type: parsed})
	}
	return fields, foreign
}
