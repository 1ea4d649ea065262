import {
  to = paimon_permission.products_for_analysts
  identity = {
    resource_type = "TABLE"
    database      = "sales"
    table         = "products"
    access        = "SELECT"
    principal     = "role:analyst"
  }
}
