locals {
  fields    = [{ name = "phone", type = "STRING" }]
  transform = provider::paimon::transform_from_sql("SUBSTRING(phone, -4)", local.fields)
}

output "seen" {
  # 4567
  value = provider::paimon::transform_apply(local.transform, { phone = "+49 151 1234567" })
}
