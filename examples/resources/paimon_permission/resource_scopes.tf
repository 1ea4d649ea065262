# The catalog itself: who may create databases.
resource "paimon_permission" "create_databases" {
  resource_type = "CATALOG"
  access        = "CREATEDATABASE"
  principal     = "role:platform"
}

# Everything below the catalog, now and later.
resource "paimon_permission" "describe_everything" {
  resource_type = "CATALOG_ALL"
  access        = "DESCRIBE"
  principal     = "role:platform"
}

# The tables of one database, now and later. DATABASE alone would be the database itself.
resource "paimon_permission" "write_staging" {
  resource_type = "DATABASE_ALL"
  database      = "staging"
  access        = "UPDATE"
  principal     = "role:etl"
}

# A view and a function have their own locators.
resource "paimon_permission" "recent_orders" {
  resource_type = "VIEW"
  database      = "sales"
  view          = "recent_orders"
  access        = "SELECT"
  principal     = "role:analyst"
}

resource "paimon_permission" "net_amount" {
  resource_type = "FUNCTION"
  database      = "sales"
  function      = "net_amount"
  access        = "SELECT"
  principal     = "role:analyst"
}

# GRANT lets a role manage who else gets what on the table.
resource "paimon_permission" "customers_are_stewarded" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "customers"
  access        = "GRANT"
  principal     = "role:steward"
}
