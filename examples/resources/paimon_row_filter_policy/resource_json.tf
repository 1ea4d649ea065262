# Paimon's own JSON, for policies that another tool writes. The plan shows it as SQL, too.
resource "paimon_row_filter_policy" "orders_to_load" {
  database  = "sales"
  table     = "orders"
  principal = "role:etl"

  # status <> 'DRAFT'
  predicate = jsonencode({
    kind      = "LEAF"
    transform = { name = "FIELD_REF", fieldRef = { index = 3, name = "status", type = "STRING" } }
    function  = "NOT_EQUAL"
    literals  = ["DRAFT"]
  })
}
