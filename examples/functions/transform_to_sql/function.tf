locals {
  # Such as an element of data.paimon_policies.NAME.policies
  policy = {
    transform = "{\"name\":\"CONCAT_WS\",\"inputs\":[\"-\",{\"index\":4,\"name\":\"country\",\"type\":\"STRING\"},\"***\"]}"
  }
}

output "expression" {
  # CONCAT_WS('-', country, '***')
  value = provider::paimon::transform_to_sql(local.policy.transform)
}
