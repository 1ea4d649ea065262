terraform import paimon_row_filter_policy.uk_orders 'TABLE/sales/orders/ROW_FILTER/role:sales_uk'
