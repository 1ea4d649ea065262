package provider

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
)

const rowDescription = "The row, an object with the values of its columns by name. Values are written as literals are: numbers, booleans and texts; DECIMAL " +
	"and temporal values as text, BINARY in base64, lists, and objects for MAP and ROW; null for NULL. NaN, Infinity, -Infinity and -0.0 are " +
	"written as text. It needs the columns that the rule reads; others are ignored."

// evaluateFunction applies a rule to a row.
type evaluateFunction struct {
	name        string
	summary     string
	description string
	json        string // what the first argument is
	result      function.Return
	evaluate    func(json string, row predicate.Row) (any, error)
}

func newPredicateMatchesFunction() function.Function {
	return evaluateFunction{
		name:    "predicate_matches",
		summary: "Tells whether a row filter shows a row",
		description: "Evaluates a Paimon predicate on a row, as Paimon's own readers do, and returns whether the principal of a row filter with it sees the row. " +
			"With it `terraform test` proves which rows a policy shows. A row on which readers fail is an error.",
		json:   "The predicate, for example `paimon_row_filter_policy.NAME.predicate`.",
		result: function.BoolReturn{},
		evaluate: func(json string, row predicate.Row) (any, error) {
			p, findings := predicate.ParsePredicate(json)
			if err := findings.ServerErr(); err != nil {
				return nil, err
			}
			return predicate.Matches(p, row)
		},
	}
}

func newTransformApplyFunction() function.Function {
	return evaluateFunction{
		name:    "transform_apply",
		summary: "Computes what a column mask shows for a row",
		description: "Evaluates a Paimon transform on a row, as Paimon's own readers do, and returns what the principal of a mask with it sees in place of the " +
			"column's value. The result is written as `row` is. A row on which readers fail is an error.",
		json:   "The transform, for example `paimon_column_mask_policy.NAME.transform`.",
		result: function.DynamicReturn{},
		evaluate: func(json string, row predicate.Row) (any, error) {
			t, findings := predicate.ParseTransform(json)
			if err := findings.ServerErr(); err != nil {
				return nil, err
			}
			shown, err := predicate.Apply(t, row)
			if err != nil {
				return nil, err
			}
			if shown == nil {
				return types.DynamicNull(), nil
			}
			return types.DynamicValue(valueOf(shown)), nil
		},
	}
}

func (f evaluateFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = f.name
}

func (f evaluateFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             f.summary,
		MarkdownDescription: f.description,
		Parameters: []function.Parameter{
			function.StringParameter{Name: "json", MarkdownDescription: f.json},
			function.DynamicParameter{Name: "row", MarkdownDescription: rowDescription},
		},
		Return: f.result,
	}
}

func (f evaluateFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	var given types.Dynamic
	if resp.Error = req.Arguments.Get(ctx, &text, &given); resp.Error != nil {
		return
	}
	row, ok := plainOf(given).(map[string]any)
	if !ok {
		resp.Error = function.NewArgumentFuncError(1, "the row must be an object with the values of its columns by name")
		return
	}
	result, err := f.evaluate(text, row)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(argumentToBlame(err), err.Error())
		return
	}
	resp.Error = resp.Result.Set(ctx, result)
}

// argumentToBlame is the rule where it is invalid, and the row where the rule cannot be applied to it.
func argumentToBlame(err error) int64 {
	if _, invalid := errors.AsType[*predicate.FindingError](err); invalid {
		return 0
	}
	return 1
}

// plainOf turns a value into what predicate takes. Numbers keep all their digits.
func plainOf(value attr.Value) any {
	if value == nil || value.IsNull() {
		return nil
	}
	switch value := value.(type) {
	case types.Dynamic:
		return plainOf(value.UnderlyingValue())
	case types.Bool:
		return value.ValueBool()
	case types.String:
		return value.ValueString()
	case types.Number:
		return value.ValueBigFloat()
	case types.Object:
		return plainMap(value.Attributes())
	case types.Map:
		return plainMap(value.Elements())
	case interface{ Elements() []attr.Value }: // tuples, lists and sets
		list := []any{}
		for _, element := range value.Elements() {
			list = append(list, plainOf(element))
		}
		return list
	default:
		return nil
	}
}

func plainMap(elements map[string]attr.Value) map[string]any {
	object := make(map[string]any, len(elements))
	for name, element := range elements {
		object[name] = plainOf(element)
	}
	return object
}

// valueOf is the reverse of plainOf.
func valueOf(plain any) attr.Value {
	switch plain := plain.(type) {
	case bool:
		return types.BoolValue(plain)
	case string:
		return types.StringValue(plain)
	case json.Number:
		const terraformPrecision = 512 // bits of Terraform's numbers
		number, _, err := big.ParseFloat(plain.String(), 10, terraformPrecision, big.ToNearestEven)
		if err != nil {
			return types.StringValue(plain.String())
		}
		return types.NumberValue(number)
	case []any:
		elements := make([]attr.Value, len(plain))
		elementTypes := make([]attr.Type, len(plain))
		for i, element := range plain {
			elements[i] = valueOf(element)
			elementTypes[i] = elements[i].Type(context.Background())
		}
		return types.TupleValueMust(elementTypes, elements)
	case map[string]any:
		attributes := make(map[string]attr.Value, len(plain))
		attributeTypes := make(map[string]attr.Type, len(plain))
		for name, element := range plain {
			attributes[name] = valueOf(element)
			attributeTypes[name] = attributes[name].Type(context.Background())
		}
		return types.ObjectValueMust(attributeTypes, attributes)
	default:
		return types.StringNull()
	}
}
