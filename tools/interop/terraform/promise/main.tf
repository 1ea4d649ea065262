# What policies promise, from the texts that are in the catalog. Nothing in here talks to one.
terraform {
  required_providers {
    paimon = {
      source = "paimon-iac/paimon"
    }
  }
}

# The texts by key, each with the rows that it is tried on: of them only the columns that it reads.
variable "filters" {
  type = any
}

variable "masks" {
  type = any
}

# A row on which readers fail is null.
output "shown" {
  value = {
    for key, filter in var.filters :
    key => [for row in filter.rows : try(provider::paimon::predicate_matches(filter.json, row), null)]
  }
}

# Each value in a list of one, since they have different types.
output "values" {
  value = {
    for key, mask in var.masks :
    key => [for row in mask.rows : try([provider::paimon::transform_apply(mask.json, row)], null)]
  }
}
