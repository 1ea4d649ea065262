# Alice is an analyst. She logs in beside the provider's own caller; the rest of her settings is in the environment.
variable "alice_token" {
  type      = string
  sensitive = true
}

provider "paimon" {
  alias = "alice"
  token = var.alice_token
}

data "paimon_query_auth" "alice_on_orders" {
  provider = paimon.alice
  database = "sales"
  table    = "orders"

  # Whenever one of these changes, the question is asked after the apply. They are all named, since a permission that
  # depends on the policies does not pass their changes on.
  depends_on = [
    paimon_row_filter_policy.eu_orders,
    paimon_column_mask_policy.order_notes,
    paimon_permission.orders_for_analysts,
  ]
}

# A plan or apply warns when the catalog answers something else.
check "analysts_are_restricted" {
  assert {
    condition     = length(data.paimon_query_auth.alice_on_orders.filters) > 0
    error_message = "Alice sees every order."
  }

  assert {
    condition     = contains(data.paimon_query_auth.alice_on_orders.masks[*].on_column, "note")
    error_message = "Alice sees the notes on the orders."
  }
}
