# All policies of one table.
data "paimon_policies" "customers" {
  database = "sales"
  table    = "customers"
}

output "customer_policies" {
  value = data.paimon_policies.customers.policies[*].id
}

# Only who sees the e-mail addresses masked, and as what.
data "paimon_policies" "email_masks" {
  database  = "sales"
  table     = "customers"
  type      = "COLUMN_MASKING"
  on_column = "email"
}

output "email_masks" {
  value = { for policy in data.paimon_policies.email_masks.policies : policy.principal => policy.transform_sql }
}
