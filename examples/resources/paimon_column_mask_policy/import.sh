terraform import paimon_column_mask_policy.email_for_marketing 'TABLE/sales/customers/COLUMN_MASKING/email/role:marketing'
