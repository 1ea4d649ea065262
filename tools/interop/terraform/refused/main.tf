# Rules that no plan may let through, as the JSON that somebody might paste.
terraform {
  required_providers {
    paimon = {
      source = "paimon-iac/paimon"
    }
  }
}

variable "filters" {
  type = map(string)
}

variable "masks" {
  type = map(object({
    principal = string
    column    = string
    json      = string
  }))
}

provider "paimon" {}

resource "paimon_row_filter_policy" "refused" {
  for_each = var.filters

  database  = "sales"
  table     = "orders"
  principal = "user:${each.key}"
  predicate = each.value
}

resource "paimon_column_mask_policy" "refused" {
  for_each = var.masks

  database  = "sales"
  table     = "orders"
  on_column = each.value.column
  principal = "user:${each.value.principal}"
  transform = each.value.json
}
