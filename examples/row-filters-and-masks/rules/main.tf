# What analysts see of sales.customers. Nothing in here talks to a catalog, so `terraform test` proves it anywhere.
terraform {
  required_providers {
    paimon = {
      source = "paimon-iac/paimon"
    }
  }
}

variable "fields" {
  description = "The columns of the table, from data.paimon_table."
  type        = list(object({ name = string, type = string }))
}

variable "rows" {
  description = "Rows to try the rules on. Only the tests give some."
  type        = any
  default     = []
}

locals {
  filter = provider::paimon::predicate_from_sql(
    "country IN ('DE', 'FR') AND (newsletter = TRUE OR newsletter IS NULL)",
    var.fields,
  )

  masks = {
    for column, sql in {
      email      = "CONCAT('***')"
      phone      = "CONCAT('(hidden)')"
      newsletter = "NULL"
    } : column => provider::paimon::transform_from_sql(sql, var.fields)
  }
}

output "filter" {
  value = local.filter
}

output "masks" {
  value = local.masks
}

# The rows that pass the filter, with the masks put on.
output "seen" {
  value = [
    for row in var.rows : merge(row, {
      for column, mask in local.masks : column => provider::paimon::transform_apply(mask, row)
    })
    if provider::paimon::predicate_matches(local.filter, row)
  ]
}
