locals {
  # data.paimon_table.NAME.fields fits as it is. This is the same by hand.
  fields = [
    { name = "email", type = "STRING" },
    { name = "phone", type = "STRING" },
  ]
}

output "last_four_digits" {
  # {"name":"SUBSTRING","inputs":[{"index":1,"name":"phone","type":"STRING"},-4]}
  value = provider::paimon::transform_from_sql("SUBSTRING(phone, -4)", local.fields)
}

output "constant" {
  # {"name":"CONCAT","inputs":["***"]}
  value = provider::paimon::transform_from_sql("CONCAT('***')", local.fields)
}
