import {
  to = paimon_column_mask_policy.email_for_marketing
  identity = {
    database  = "sales"
    table     = "customers"
    on_column = "email"
    principal = "role:marketing"
  }
}
