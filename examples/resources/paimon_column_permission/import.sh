terraform import paimon_column_permission.salaries_for_finance 'COLUMN/hr/employees/SELECT/role:finance'
