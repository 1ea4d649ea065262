locals {
  fields    = [{ name = "region", type = "STRING" }, { name = "items", type = "INT" }]
  predicate = provider::paimon::predicate_from_sql("region <> 'US' AND items >= 100", local.fields)
}

output "an_order_of_the_eu" {
  # true
  value = provider::paimon::predicate_matches(local.predicate, { region = "EU", items = 250 })
}

# Rows without a region are hidden, although NULL is not 'US'.
output "an_order_of_nowhere" {
  # false
  value = provider::paimon::predicate_matches(local.predicate, { region = null, items = 250 })
}
