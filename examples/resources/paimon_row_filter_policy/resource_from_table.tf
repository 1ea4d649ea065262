# The references to columns are made from the table itself, so that no index or type is written by hand.
data "paimon_table" "orders" {
  database = "sales"
  table    = "orders"
}

locals {
  order_columns = {
    for index, field in data.paimon_table.orders.fields :
    field.name => { name = "FIELD_REF", fieldRef = { index = index, name = field.name, type = field.type } }
  }
}

resource "paimon_row_filter_policy" "orders_to_ship" {
  database  = "sales"
  table     = "orders"
  principal = "role:logistics"

  # region IN ('EU', 'UK') AND (status = 'PAID' OR status IS NULL)
  predicate = jsonencode({
    kind     = "COMPOUND"
    function = "AND"
    children = [
      { kind = "LEAF", transform = local.order_columns["region"], function = "IN", literals = ["EU", "UK"] },
      {
        kind     = "COMPOUND"
        function = "OR"
        children = [
          { kind = "LEAF", transform = local.order_columns["status"], function = "EQUAL", literals = ["PAID"] },
          { kind = "LEAF", transform = local.order_columns["status"], function = "IS_NULL", literals = [] },
        ]
      },
    ]
  })
}
