terraform import paimon_permission.products_for_analysts 'TABLE/sales/products/SELECT/role:analyst'
