data "paimon_table" "customers" {
  database = "sales"
  table    = "customers"
}

# Marketing sees that there is an address, not which. A constant fits every STRING column that may be null.
resource "paimon_column_mask_policy" "email_for_marketing" {
  database  = "sales"
  table     = "customers"
  on_column = "email"
  principal = "role:marketing"
  transform = provider::paimon::transform_from_sql("CONCAT('***')", data.paimon_table.customers.fields)
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
