# The grant that somebody made by hand is managed here from now on.
import {
  to = paimon_permission.carol_on_employees
  id = "TABLE/hr/employees/ALL/user:carol"
}

resource "paimon_permission" "carol_on_employees" {
  resource_type = "TABLE"
  database      = "hr"
  table         = "employees"
  access        = "ALL"
  principal     = "user:carol"
}
