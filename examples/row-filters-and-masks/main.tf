terraform {
  required_providers {
    paimon = {
      source = "paimon-iac/paimon"
    }
  }
}

# PAIMON_URI, PAIMON_WAREHOUSE and PAIMON_TOKEN come from the environment.
provider "paimon" {}

data "paimon_table" "customers" {
  database = "sales"
  table    = "customers"
}

# The rules are a module of their own, so that they can be tested without a catalog.
module "rules" {
  source = "./rules"
  fields = data.paimon_table.customers.fields
}

resource "paimon_row_filter_policy" "customers" {
  database  = "sales"
  table     = "customers"
  principal = "role:analyst"
  predicate = module.rules.filter
}

resource "paimon_column_mask_policy" "customers" {
  for_each = module.rules.masks

  database  = "sales"
  table     = "customers"
  on_column = each.key
  principal = "role:analyst"
  transform = each.value
}

resource "paimon_permission" "customers" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "customers"
  access        = "SELECT"
  principal     = "role:analyst"

  # The policies come first: should one fail, the table stays closed.
  depends_on = [
    paimon_row_filter_policy.customers,
    paimon_column_mask_policy.customers,
  ]
}
