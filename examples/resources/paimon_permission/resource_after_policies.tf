# Analysts may read the orders, but only those of the EU, and no notes.
data "paimon_table" "orders" {
  database = "sales"
  table    = "orders"
}

resource "paimon_row_filter_policy" "eu_orders" {
  database  = "sales"
  table     = "orders"
  principal = "role:analyst"
  predicate = provider::paimon::predicate_from_sql("region = 'EU'", data.paimon_table.orders.fields)
}

resource "paimon_column_mask_policy" "order_notes" {
  database  = "sales"
  table     = "orders"
  on_column = "note"
  principal = "role:analyst"
  transform = provider::paimon::transform_from_sql("CONCAT('(hidden)')", data.paimon_table.orders.fields)
}

resource "paimon_permission" "orders_for_analysts" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "orders"
  access        = "SELECT"
  principal     = "role:analyst"

  # Without this the permission could be given while a policy fails, and the whole table would be open. With it the
  # policies come first, and a destroy takes the permission away before them.
  depends_on = [
    paimon_row_filter_policy.eu_orders,
    paimon_column_mask_policy.order_notes,
  ]
}
