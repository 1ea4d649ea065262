import {
  to = paimon_column_permission.salaries_for_finance
  identity = {
    database  = "hr"
    table     = "employees"
    principal = "role:finance"
  }
}
