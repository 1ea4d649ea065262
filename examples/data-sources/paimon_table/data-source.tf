data "paimon_table" "customers" {
  database = "sales"
  table    = "customers"
}

output "customer_columns" {
  value = { for field in data.paimon_table.customers.fields : field.name => field.type }
}

# A plan says so when the table would not enforce policies at all.
check "customers_enforce_policies" {
  assert {
    condition     = lookup(data.paimon_table.customers.options, "query-auth.enabled", "false") == "true"
    error_message = "sales.customers needs the option query-auth.enabled = true, or nobody is restricted."
  }
}
