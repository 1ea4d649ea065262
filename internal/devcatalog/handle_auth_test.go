package devcatalog

import (
	"errors"
	"net/http"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

func TestStoredTextsThatDoNotFitFailClosed(t *testing.T) {
	t.Parallel()
	of := &table{resource: access.TableResource("sales", "orders"), columns: []datatype.Field{{Name: "id", Type: datatype.Type{Kind: datatype.KindInt}}}}
	for name, policy := range map[string]access.Policy{
		"an unreadable filter":    {Identity: access.RowFilterIdentity("sales", "orders", "a"), Definition: "{"},
		"an unreadable mask":      {Identity: access.ColumnMaskIdentity("sales", "orders", "id", "a"), Definition: "{"},
		"an empty filter":         {Identity: access.RowFilterIdentity("sales", "orders", "a"), Definition: ""},
		"a null filter":           {Identity: access.RowFilterIdentity("sales", "orders", "a"), Definition: "null"},
		"a filter of nothing":     {Identity: access.RowFilterIdentity("sales", "orders", "a"), Definition: `{"kind":"COMPOUND","function":"AND","children":[]}`},
		"an empty mask":           {Identity: access.ColumnMaskIdentity("sales", "orders", "id", "a"), Definition: ""},
		"a null mask":             {Identity: access.ColumnMaskIdentity("sales", "orders", "id", "a"), Definition: "null"},
		"a mask on a lost column": {Identity: access.ColumnMaskIdentity("sales", "orders", "gone", "a"), Definition: `{"name":"CONCAT","inputs":[]}`},
		"a mask of another type":  {Identity: access.ColumnMaskIdentity("sales", "orders", "id", "a"), Definition: `{"name":"CONCAT","inputs":["x"]}`},
	} {
		answer, err := restrictions(of, []access.Policy{policy})
		f, ok := errors.AsType[*failure](err)
		if !ok || f.status != http.StatusForbidden || f.resourceType != "TABLE" || f.resourceName != "sales.orders" {
			t.Errorf("%s: got %v %v, want 403 TABLE", name, answer, err)
		}
	}
}
