# Everything that is given directly on one table. Columns have a listing of their own.
data "paimon_permissions" "employees" {
  for_each = toset(["TABLE", "COLUMN"])

  resource_type = each.key
  database      = "hr"
  table         = "employees"
}

output "who_may_do_what_on_employees" {
  value = flatten([for listing in data.paimon_permissions.employees : listing.permissions[*].id])
}

# What one principal may do on a database, whatever the access.
data "paimon_permissions" "etl_on_staging" {
  resource_type = "DATABASE"
  database      = "staging"
  principal     = "role:etl"
}

output "etl_on_staging" {
  value = data.paimon_permissions.etl_on_staging.permissions[*].access
}
