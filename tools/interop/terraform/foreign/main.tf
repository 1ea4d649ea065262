# Other clients have made these; the import blocks of a file beside this one take them over.
terraform {
  required_providers {
    paimon = {
      source = "paimon-iac/paimon"
    }
  }
}

variable "region" {
  type    = string
  default = "EU"
}

variable "hidden" {
  type    = string
  default = "hidden"
}

variable "expire_time" {
  type    = string
  default = "2031-01-01T00:00:00Z"
}

variable "columns" {
  type    = set(string)
  default = ["id", "region"]
}

provider "paimon" {
  engines = ["pypaimon-2.1"]
}

data "paimon_table" "orders" {
  database = "sales"
  table    = "orders"
}

resource "paimon_row_filter_policy" "foreign" {
  database  = "sales"
  table     = "orders"
  principal = "user:foreign"
  predicate = provider::paimon::predicate_from_sql("region = '${var.region}'", data.paimon_table.orders.fields)
}

resource "paimon_column_mask_policy" "foreign" {
  database  = "sales"
  table     = "orders"
  on_column = "email"
  principal = "user:foreign"
  transform = provider::paimon::transform_from_sql("CONCAT('${var.hidden}')", data.paimon_table.orders.fields)
}

resource "paimon_permission" "granted" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "orders"
  access        = "SELECT"
  principal     = "user:granted"
  expire_time   = var.expire_time
}

resource "paimon_column_permission" "granted" {
  database     = "sales"
  table        = "orders"
  principal    = "user:granted_columns"
  column_names = var.columns
}
