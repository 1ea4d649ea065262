# Support sees all columns but the phone number, and the e-mail address only masked.
data "paimon_table" "customers" {
  database = "sales"
  table    = "customers"
}

resource "paimon_column_mask_policy" "email_for_support" {
  database  = "sales"
  table     = "customers"
  on_column = "email"
  principal = "role:support"
  transform = provider::paimon::transform_from_sql("CONCAT('***')", data.paimon_table.customers.fields)
}

resource "paimon_column_permission" "customers_for_support" {
  database              = "sales"
  table                 = "customers"
  principal             = "role:support"
  excluded_column_names = ["phone"]

  # The mask comes first: should it fail, the e-mail addresses stay closed.
  depends_on = [paimon_column_mask_policy.email_for_support]
}
