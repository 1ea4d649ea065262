# Each instance is one permission. Its key is the access, so that adding one never moves another.
resource "paimon_permission" "staging" {
  for_each = toset(["CREATETABLE", "DESCRIBE", "LIST"])

  resource_type = "DATABASE"
  database      = "staging"
  access        = each.key
  principal     = "role:etl"
}
