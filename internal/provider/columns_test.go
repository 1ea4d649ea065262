package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// What users of other providers report of column permissions. That exactly one of the two lists is to be set, and not empty,
// is in validation_test.go.

// A range of columns settles in either form, by its members alone.
//
// hashicorp/terraform-provider-aws#19409, hashicorp/terraform-provider-aws#46245, hashicorp/terraform-provider-aws#37433,
// hashicorp/terraform-provider-aws#36574.
func TestAccColumnRangeSettles(t *testing.T) {
	for list, row := range map[string]string{
		`column_names = ["region", "amount"]`:           `"columns":{"columnNames":["amount","region"]}`,
		`excluded_column_names = ["region", "amount"]`:  `"columns":{"excludedColumnNames":["amount","region"]}`,
		`column_names = ["region", "region", "amount"]`: `"columns":{"columnNames":["amount","region"]}`, // Terraform's sets hold each once
		`excluded_column_names = ["region", "region"]`:  `"columns":{"excludedColumnNames":["region"]}`,
	} {
		t.Run(list, func(t *testing.T) {
			c := startCatalog(t, salesSeed)
			applySteps(t, []resource.TestStep{{
				Config: c.config("resource \"paimon_column_permission\" \"c\" {\n  database  = \"sales\"\n  table     = \"orders\"\n  principal = \"role:analyst\"\n  " + list + "\n}\n"),
				Check: func(*terraform.State) error {
					if rows := c.permissions(onOrders("COLUMN")); len(rows) != 1 || !strings.Contains(rows[0], row) {
						return fmt.Errorf("the catalog has %v, not %s", rows, row)
					}
					return nil
				},
				ConfigPlanChecks: settled,
			}})
		})
	}
}

// The table and its columns are two things to have access to, and never taken for each other.
//
// hashicorp/terraform-provider-aws#20108, hashicorp/terraform-provider-aws#44074.
func TestTablePermissionIsNoColumnPermission(t *testing.T) {
	t.Parallel()
	columns := subjects()["column permission"].of(subjects()["column permission"].first, "role:analyst")["a"]
	both := map[string]block{"table": grantBlock("orders", "SELECT", "role:analyst"), "columns": columns}
	for _, destroyed := range []string{"columns", "table"} {
		t.Run(destroyed+" destroyed", func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, salesSeed)
			s := newStack(t, c, 10)
			if !s.apply(both) || !s.settled(both) {
				t.Fatal(texts(s))
			}
			left := merged(both)
			delete(left, destroyed)
			if !s.apply(left) || !s.settled(left) {
				t.Fatal(texts(s))
			}
			for resourceType, name := range map[string]string{"TABLE": "table", "COLUMN": "columns"} {
				want := 1
				if name == destroyed {
					want = 0
				}
				if got := len(c.permissions(onOrders(resourceType))); got != want {
					t.Errorf("%d permissions of type %s are there, not %d", got, resourceType, want)
				}
			}
		})
	}
}
