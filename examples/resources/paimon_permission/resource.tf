# One access on one table for one role.
resource "paimon_permission" "products_for_analysts" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "products"
  access        = "SELECT"
  principal     = "role:analyst"
}

# The same for somebody who needs it for a while only.
resource "paimon_permission" "products_for_the_audit" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "products"
  access        = "SELECT"
  principal     = "user:auditor"
  expire_time   = "2030-01-01T00:00:00+01:00"
}
