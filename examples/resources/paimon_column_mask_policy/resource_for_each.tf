# Several columns of one table. The type of a mask must be exactly the type of its column.
locals {
  customer_masks = {
    # STRING: the country in place of the number, such as DE-***
    phone = { name = "CONCAT_WS", inputs = ["-", { index = 4, name = "country", type = "STRING" }, "***"] }
    # STRING: nothing but the text
    name = { name = "CONCAT", inputs = ["(hidden)"] }
    # BOOLEAN: the only type that can be masked with NULL
    newsletter = { name = "NULL" }
  }
}

resource "paimon_column_mask_policy" "customers_for_science" {
  for_each = local.customer_masks

  database  = "sales"
  table     = "customers"
  on_column = each.key
  principal = "role:science"
  transform = jsonencode(each.value)
}
