import {
  to = paimon_column_mask_policy.email_for_marketing
  id = "TABLE/sales/customers/COLUMN_MASKING/email/role:marketing"
}
