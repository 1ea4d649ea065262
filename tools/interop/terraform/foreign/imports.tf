import {
  to = paimon_row_filter_policy.foreign
  id = "TABLE/sales/orders/ROW_FILTER/user:foreign"
}

import {
  to = paimon_column_mask_policy.foreign
  id = "TABLE/sales/orders/COLUMN_MASKING/email/user:foreign"
}

import {
  to = paimon_permission.granted
  id = "TABLE/sales/orders/SELECT/user:granted"
}

import {
  to = paimon_column_permission.granted
  id = "COLUMN/sales/orders/SELECT/user:granted_columns"
}
