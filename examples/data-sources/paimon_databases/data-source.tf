data "paimon_databases" "all" {}

output "databases" {
  value = data.paimon_databases.all.names
}
