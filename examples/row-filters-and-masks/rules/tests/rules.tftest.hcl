variables {
  fields = [
    { name = "id", type = "BIGINT NOT NULL" },
    { name = "name", type = "STRING" },
    { name = "email", type = "STRING" },
    { name = "phone", type = "STRING" },
    { name = "country", type = "STRING" },
    { name = "newsletter", type = "BOOLEAN" },
  ]
}

run "customers_of_other_countries_are_hidden" {
  command = plan

  variables {
    rows = [
      { id = 1, email = "a@example.org", country = "DE", newsletter = true },
      { id = 2, email = "b@example.org", country = "UK", newsletter = true },
      { id = 3, email = "c@example.org", country = "FR", newsletter = false },
      { id = 4, email = "d@example.org", country = "FR", newsletter = null },
      { id = 5, email = "e@example.org", country = null, newsletter = true },
    ]
  }

  assert {
    condition     = jsonencode(output.seen[*].id) == jsonencode([1, 4])
    error_message = "Analysts see the customers ${jsonencode(output.seen[*].id)}."
  }
}

run "values_are_masked" {
  command = plan

  variables {
    rows = [{ id = 1, email = "ada@example.org", phone = "49-1", country = "DE", newsletter = true }]
  }

  # As JSON, since == is false for values of different types, such as a list and a tuple.
  assert {
    condition = jsonencode(output.seen) == jsonencode([
      { id = 1, email = "***", phone = "(hidden)", country = "DE", newsletter = null },
    ])
    error_message = "Analysts see ${jsonencode(output.seen)}."
  }
}

# Some masks fail on NULL, and a query fails with them.
run "customers_without_an_address_do_no_harm" {
  command = plan

  variables {
    rows = [{ id = 1, email = null, phone = null, country = "DE", newsletter = true }]
  }

  assert {
    condition     = output.seen[0].email == "***" && output.seen[0].phone == "(hidden)"
    error_message = "Analysts see ${jsonencode(output.seen)}."
  }
}
