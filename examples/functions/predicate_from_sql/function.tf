locals {
  # data.paimon_table.NAME.fields fits as it is. This is the same by hand.
  fields = [
    { name = "id", type = "BIGINT NOT NULL" },
    { name = "region", type = "STRING" },
    { name = "items", type = "INT" },
  ]
}

output "big_orders_of_the_eu" {
  # {"kind":"COMPOUND","function":"AND","children":[{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":1,"name":"region","type":"STRING"}},"function":"EQUAL","literals":["EU"]},{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":2,"name":"items","type":"INT"}},"function":"GREATER_OR_EQUAL","literals":[100]}]}
  value = provider::paimon::predicate_from_sql("region = 'EU' AND items >= 100", local.fields)
}
