package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"
)

// toSQLFunction writes a predicate or transform as people read it.
type toSQLFunction struct {
	name        string
	summary     string
	description string
	json        string // what the argument is
	render      func(json string) (string, error)
}

func newPredicateToSQLFunction() function.Function {
	return toSQLFunction{
		name:    "predicate_to_sql",
		summary: "Reads a row filter as a SQL condition",
		description: "Writes a Paimon predicate as the SQL condition that it means, such as `region = 'EU'`. It loses nothing: `predicate_from_sql` makes the same " +
			"predicate from it. A part that is not valid is shown as it is, marked with an exclamation mark.",
		json:   "A Paimon predicate as JSON text, for example an attribute of `data.paimon_policies`.",
		render: predicateSQL,
	}
}

func newTransformToSQLFunction() function.Function {
	return toSQLFunction{
		name:    "transform_to_sql",
		summary: "Reads a column mask as a SQL expression",
		description: "Writes a Paimon transform as the SQL expression that it means, such as `UPPER(email)`. It loses nothing: `transform_from_sql` makes the same " +
			"transform from it.",
		json:   "A Paimon transform as JSON text, for example an attribute of `data.paimon_policies`.",
		render: transformSQL,
	}
}

func (f toSQLFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = f.name
}

func (f toSQLFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             f.summary,
		MarkdownDescription: f.description,
		Parameters:          []function.Parameter{function.StringParameter{Name: "json", MarkdownDescription: f.json}},
		Return:              function.StringReturn{},
	}
}

func (f toSQLFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var json string
	if resp.Error = req.Arguments.Get(ctx, &json); resp.Error != nil {
		return
	}
	sql, err := f.render(json)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, err.Error())
		return
	}
	resp.Error = resp.Result.Set(ctx, sql)
}
