package provider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate/sqltext"
)

// fromSQLFunction writes a predicate or transform from an expression.
type fromSQLFunction struct {
	name        string
	summary     string
	description string
	sql         string // what the first argument is
	compile     func(sql string, fields []datatype.Field) (canonical string, err error)
}

func newPredicateFromSQLFunction() function.Function {
	return fromSQLFunction{
		name:    "predicate_from_sql",
		summary: "Writes a row filter from a SQL condition",
		description: "Translates a condition, such as `region = 'EU' AND amount >= 100`, into the Paimon predicate that `paimon_row_filter_policy` takes. " +
			"Column names are looked up in `fields`, case-sensitively, and literals are checked against their types. Returns the predicate as JSON text in " +
			"the spelling that the catalog stores.",
		sql: "The condition. It knows `=`, `<>`, `<`, `<=`, `>`, `>=`, `IS [NOT] NULL`, `[NOT] IN`, `[NOT] BETWEEN`, `[NOT] LIKE`, `AND`, `OR`, `NOT`, " +
			"and functions such as `STARTS_WITH(column, 'text')` and `UPPER(column)`.",
		compile: func(sql string, fields []datatype.Field) (string, error) {
			p, err := sqltext.ParsePredicate(sql, fields)
			if err != nil {
				return "", err
			}
			return p.Canonical(), nil
		},
	}
}

func newTransformFromSQLFunction() function.Function {
	return fromSQLFunction{
		name:    "transform_from_sql",
		summary: "Writes a column mask from a SQL expression",
		description: "Translates an expression, such as `CONCAT('***', SUBSTRING(email, 8))`, into the Paimon transform that `paimon_column_mask_policy` takes. " +
			"Column names are looked up in `fields`, case-sensitively. Returns the transform as JSON text in the spelling that the catalog stores.",
		sql: "The expression: a column, `NULL`, `CAST(column AS type)`, or a function of columns and texts, such as `UPPER(column)`, `CONCAT(…)` or " +
			"`SUBSTRING(column, 1, 4)`. Functions are not nested.",
		compile: func(sql string, fields []datatype.Field) (string, error) {
			t, err := sqltext.ParseTransform(sql, fields)
			if err != nil {
				return "", err
			}
			return t.Canonical(), nil
		},
	}
}

func (f fromSQLFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = f.name
}

func (f fromSQLFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             f.summary,
		MarkdownDescription: f.description,
		Parameters: []function.Parameter{
			function.StringParameter{Name: "sql", MarkdownDescription: f.sql},
			fieldsParameter(),
		},
		Return: function.StringReturn{},
	}
}

func (f fromSQLFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var sql string
	var given []fieldArgument
	if resp.Error = req.Arguments.Get(ctx, &sql, &given); resp.Error != nil {
		return
	}
	fields, foreign := fieldsOf(given)
	text, err := f.compile(sql, fields)
	switch {
	case err != nil && len(foreign) > 0:
		resp.Error = function.NewArgumentFuncError(0, fmt.Sprintf("%s\n\nThese columns cannot be used: %s", err, strings.Join(foreign, "; ")))
		return
	case err != nil:
		resp.Error = function.NewArgumentFuncError(0, err.Error())
		return
	}
	resp.Error = resp.Result.Set(ctx, text)
}
