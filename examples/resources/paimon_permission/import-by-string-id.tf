import {
  to = paimon_permission.products_for_analysts
  id = "TABLE/sales/products/SELECT/role:analyst"
}
