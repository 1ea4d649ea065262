# Several columns of one table. The type of a mask must be exactly the type of its column.
data "paimon_table" "customers" {
  database = "sales"
  table    = "customers"
}

locals {
  customer_masks = {
    name       = "CONCAT('(hidden)')"
    phone      = "CONCAT('***')"
    newsletter = "NULL" # BOOLEAN is the only type that can be masked with NULL
  }
}

resource "paimon_column_mask_policy" "customers_for_science" {
  for_each = local.customer_masks

  database  = "sales"
  table     = "customers"
  on_column = each.key
  principal = "role:science"
  transform = provider::paimon::transform_from_sql(each.value, data.paimon_table.customers.fields)
}
