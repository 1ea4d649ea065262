# Every case is a principal of its own, so one apply puts many of them into the catalog. The rules are written as people
# are told to write them, in SQL.
terraform {
  required_providers {
    paimon = {
      source = "paimon-iac/paimon"
    }
  }
}

variable "engines" {
  description = "The readers that are tried."
  type        = set(string)
}

variable "filters" {
  type = map(object({
    table     = string
    principal = string
    sql       = string
  }))
}

variable "masks" {
  type = map(object({
    table     = string
    principal = string
    column    = string
    sql       = string
  }))
}

variable "readers" {
  description = "The principal that all cases here are members of, and the tables that it may read."
  type = object({
    principal = string
    tables    = set(string)
  })
}

provider "paimon" {
  engines = var.engines
}

data "paimon_table" "all" {
  for_each = var.readers.tables

  database = "sales"
  table    = each.key
}

locals {
  predicates = {
    for key, filter in var.filters :
    key => provider::paimon::predicate_from_sql(filter.sql, data.paimon_table.all[filter.table].fields)
  }
  transforms = {
    for key, mask in var.masks :
    key => provider::paimon::transform_from_sql(mask.sql, data.paimon_table.all[mask.table].fields)
  }
}

resource "paimon_row_filter_policy" "case" {
  for_each = var.filters

  database  = "sales"
  table     = each.value.table
  principal = each.value.principal
  predicate = local.predicates[each.key]
}

resource "paimon_column_mask_policy" "case" {
  for_each = var.masks

  database  = "sales"
  table     = each.value.table
  on_column = each.value.column
  principal = each.value.principal
  transform = local.transforms[each.key]
}

resource "paimon_permission" "readers" {
  for_each = var.readers.tables

  resource_type = "TABLE"
  database      = "sales"
  table         = each.key
  access        = "SELECT"
  principal     = var.readers.principal

  # The policies come first: should one fail, the table stays closed.
  depends_on = [
    paimon_row_filter_policy.case,
    paimon_column_mask_policy.case,
  ]
}
