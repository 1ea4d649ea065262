locals {
  # Such as an element of data.paimon_policies.NAME.policies
  policy = {
    predicate = "{\"kind\":\"LEAF\",\"transform\":{\"name\":\"FIELD_REF\",\"fieldRef\":{\"index\":2,\"name\":\"region\",\"type\":\"STRING\"}},\"function\":\"IN\",\"literals\":[\"EU\",\"UK\"]}"
  }
}

output "condition" {
  # region IN ('EU', 'UK')
  value = provider::paimon::predicate_to_sql(local.policy.predicate)
}
