import {
  to = paimon_column_permission.salaries_for_finance
  id = "COLUMN/hr/employees/SELECT/role:finance"
}
