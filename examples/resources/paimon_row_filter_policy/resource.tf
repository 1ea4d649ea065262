# Who sells in the UK sees the orders of the UK.
resource "paimon_row_filter_policy" "uk_orders" {
  database  = "sales"
  table     = "orders"
  principal = "role:sales_uk"

  # region = 'UK'
  predicate = jsonencode({
    kind      = "LEAF"
    transform = { name = "FIELD_REF", fieldRef = { index = 2, name = "region", type = "STRING" } }
    function  = "EQUAL"
    literals  = ["UK"]
  })
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
