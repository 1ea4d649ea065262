# What the states in this folder are of, in this provider's configuration.

resource "paimon_permission" "catalog" {
  resource_type = "CATALOG"
  access        = "CREATEDATABASE"
  principal     = "role:catalog_user"
}

resource "paimon_permission" "catalog_all" {
  resource_type = "CATALOG_ALL"
  access        = "DESCRIBE"
  principal     = "user:ann & bob/100%"
}

resource "paimon_permission" "database" {
  resource_type = "DATABASE"
  database      = "sales"
  access        = "CREATETABLE"
  principal     = "role:engineer"
}

resource "paimon_permission" "database_all" {
  resource_type = "DATABASE_ALL"
  database      = "sales"
  access        = "UPDATE"
  principal     = "role:writer"
}

resource "paimon_permission" "table" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "orders"
  access        = "SELECT"
  principal     = "role:analyst"
  expire_time   = "2131-01-31T08:00:00.250Z"
}

resource "paimon_permission" "view" {
  resource_type = "VIEW"
  database      = "sales"
  view          = "recent"
  access        = "SELECT"
  principal     = "role:analyst"
}

resource "paimon_permission" "function" {
  resource_type = "FUNCTION"
  database      = "sales"
  function      = "mask_email"
  access        = "SELECT"
  principal     = "role:analyst"
}

resource "paimon_column_permission" "listed" {
  database     = "sales"
  table        = "orders"
  principal    = "role:analyst"
  column_names = ["order_id", "region"]
  expire_time  = "2131-01-31T08:00:00Z"
}

resource "paimon_column_permission" "excluded" {
  database              = "sales"
  table                 = "customers"
  principal             = "role:support"
  excluded_column_names = ["phone"]
}

resource "paimon_row_filter_policy" "region" {
  database  = "sales"
  table     = "orders"
  principal = "role:analyst"
  predicate = jsonencode({
    kind      = "LEAF"
    transform = { name = "FIELD_REF", fieldRef = { index = 1, name = "region", type = "STRING" } }
    function  = "EQUAL"
    literals  = ["EU"]
  })
}

resource "paimon_column_mask_policy" "email" {
  database  = "sales"
  table     = "customers"
  on_column = "email"
  principal = "role:support"
  transform = jsonencode({ name = "UPPER", inputs = [{ index = 1, name = "email", type = "STRING" }] })
}
