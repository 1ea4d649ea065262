terraform {
  required_providers {
    paimon = {
      source = "paimon-iac/paimon"
    }
  }
}

# Everything comes from the environment: PAIMON_URI, PAIMON_WAREHOUSE and PAIMON_TOKEN.
provider "paimon" {}
