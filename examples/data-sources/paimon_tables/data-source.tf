data "paimon_tables" "sales" {
  database = "sales"
}

output "sales_tables" {
  value = data.paimon_tables.sales.names
}
