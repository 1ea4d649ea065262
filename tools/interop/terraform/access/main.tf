# Who may see what of the orders, written as the guides tell: SQL through the functions, the policies before whatever lets
# somebody read.
terraform {
  required_providers {
    paimon = {
      source = "paimon-iac/paimon"
    }
  }
}

provider "paimon" {
  engines = ["pypaimon-2.1"]
}

locals {
  tables = toset(["orders", "orders_pk"])
}

data "paimon_table" "orders" {
  for_each = local.tables

  database = "sales"
  table    = each.key
}

# An analyst of the EU is two principals at once, and passes the filters of both.
resource "paimon_row_filter_policy" "analysts" {
  for_each = local.tables

  database  = "sales"
  table     = each.key
  principal = "role:analyst"
  predicate = provider::paimon::predicate_from_sql("qty >= 0", data.paimon_table.orders[each.key].fields)
}

resource "paimon_row_filter_policy" "eu" {
  for_each = local.tables

  database  = "sales"
  table     = each.key
  principal = "group:eu"
  predicate = provider::paimon::predicate_from_sql("region = 'EU'", data.paimon_table.orders[each.key].fields)
}

resource "paimon_column_mask_policy" "analysts" {
  for_each = { for pair in setproduct(local.tables, ["email", "vip"]) : join("/", pair) => { table = pair[0], column = pair[1] } }

  database  = "sales"
  table     = each.value.table
  on_column = each.value.column
  principal = "role:analyst"
  transform = provider::paimon::transform_from_sql(
    { email = "CONCAT('***@', region)", vip = "NULL" }[each.value.column],
    data.paimon_table.orders[each.value.table].fields,
  )
}

resource "paimon_permission" "analysts" {
  for_each = local.tables

  resource_type = "TABLE"
  database      = "sales"
  table         = each.key
  access        = "SELECT"
  principal     = "role:analyst"

  # The policies come first: should one fail, the table stays closed.
  depends_on = [
    paimon_row_filter_policy.analysts,
    paimon_row_filter_policy.eu,
    paimon_column_mask_policy.analysts,
  ]
}

# Stewards see everything; no policy is theirs.
resource "paimon_permission" "stewards" {
  for_each = local.tables

  resource_type = "TABLE"
  database      = "sales"
  table         = each.key
  access        = "SELECT"
  principal     = "role:steward"
}

resource "paimon_column_permission" "some" {
  for_each = local.tables

  database     = "sales"
  table        = each.key
  principal    = "user:some_columns"
  column_names = ["id", "region"]
}

# All columns but these, now and when there are more.
resource "paimon_column_permission" "most" {
  for_each = local.tables

  database              = "sales"
  table                 = each.key
  principal             = "user:most_columns"
  excluded_column_names = ["amount", "email"]
}

# What is over is worth nothing, neither a permission nor the restriction that a column range is.
resource "paimon_permission" "expired" {
  for_each = local.tables

  resource_type = "TABLE"
  database      = "sales"
  table         = each.key
  access        = "SELECT"
  principal     = "user:expired"
  expire_time   = "2020-01-01T00:00:00Z"
}

resource "paimon_column_permission" "expired" {
  for_each = local.tables

  database     = "sales"
  table        = each.key
  principal    = "user:expired_columns"
  column_names = ["id"]
  expire_time  = "2020-01-01T00:00:00Z"
}

resource "paimon_permission" "expired_columns" {
  for_each = local.tables

  resource_type = "TABLE"
  database      = "sales"
  table         = each.key
  access        = "SELECT"
  principal     = "user:expired_columns"

  depends_on = [paimon_column_permission.expired]
}
