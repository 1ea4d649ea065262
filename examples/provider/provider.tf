terraform {
  required_providers {
    paimon = {
      source = "paimon-iac/paimon"
    }
  }
}

# The token comes from the environment variable PAIMON_TOKEN, so that it is in no file.
provider "paimon" {
  uri       = "https://paimon.example.com"
  warehouse = "lake"
}
