import {
  to = paimon_row_filter_policy.uk_orders
  identity = {
    database  = "sales"
    table     = "orders"
    principal = "role:sales_uk"
  }
}
