# Several conditions. A row without a status is seen only because IS NULL says so.
data "paimon_table" "orders" {
  database = "sales"
  table    = "orders"
}

locals {
  orders_to_ship = <<-SQL
    region IN ('EU', 'UK')
    AND (status = 'PAID' OR status IS NULL)
  SQL
}

resource "paimon_row_filter_policy" "orders_to_ship" {
  database  = "sales"
  table     = "orders"
  principal = "role:logistics"
  predicate = provider::paimon::predicate_from_sql(local.orders_to_ship, data.paimon_table.orders.fields)
}
