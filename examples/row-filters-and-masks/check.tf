# Alice is an analyst. What would a query engine show her?
variable "alice_token" {
  type      = string
  sensitive = true
}

provider "paimon" {
  alias = "alice"
  token = var.alice_token
}

data "paimon_query_auth" "alice" {
  provider = paimon.alice
  database = "sales"
  table    = "customers"

  # Whenever one of these changes, the question is asked after the apply. They are all named, since the permission does
  # not pass on the changes of the policies that it depends on.
  depends_on = [
    paimon_row_filter_policy.customers,
    paimon_column_mask_policy.customers,
    paimon_permission.customers,
  ]
}

check "analysts_see_no_addresses" {
  assert {
    condition = contains(
      [for mask in data.paimon_query_auth.alice.masks : "${mask.on_column}: ${mask.transform_sql}"],
      "email: CONCAT('***')",
    )
    error_message = "Alice sees e-mail addresses."
  }
}
