# Finance may read these columns and no others, also when the table gets more columns.
resource "paimon_column_permission" "salaries_for_finance" {
  database     = "hr"
  table        = "employees"
  principal    = "role:finance"
  column_names = ["id", "department", "salary"]
}
