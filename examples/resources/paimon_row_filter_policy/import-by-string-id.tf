import {
  to = paimon_row_filter_policy.uk_orders
  id = "TABLE/sales/orders/ROW_FILTER/role:sales_uk"
}
