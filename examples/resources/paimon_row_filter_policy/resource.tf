# The columns come from the table itself, so that no position or type is written by hand.
data "paimon_table" "orders" {
  database = "sales"
  table    = "orders"
}

# Who sells in the UK sees the orders of the UK.
resource "paimon_row_filter_policy" "uk_orders" {
  database  = "sales"
  table     = "orders"
  principal = "role:sales_uk"
  predicate = provider::paimon::predicate_from_sql("region = 'UK'", data.paimon_table.orders.fields)
}

# A filter gives no access by itself.
resource "paimon_permission" "orders_for_sales_uk" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "orders"
  access        = "SELECT"
  principal     = "role:sales_uk"

  # The filter comes first: should it fail, the table stays closed.
  depends_on = [paimon_row_filter_policy.uk_orders]
}
