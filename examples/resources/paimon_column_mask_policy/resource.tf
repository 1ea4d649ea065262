# Marketing sees that there is an address, not which.
resource "paimon_column_mask_policy" "email_for_marketing" {
  database  = "sales"
  table     = "customers"
  on_column = "email"
  principal = "role:marketing"

  # A constant fits every STRING column that may be null.
  transform = jsonencode({ name = "CONCAT", inputs = ["***"] })
}

# A mask gives no access by itself.
resource "paimon_permission" "customers_for_marketing" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "customers"
  access        = "SELECT"
  principal     = "role:marketing"

  # The mask comes first: should it fail, the table stays closed.
  depends_on = [paimon_column_mask_policy.email_for_marketing]
}
