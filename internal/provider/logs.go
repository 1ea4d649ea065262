package provider

import (
	"slices"
	"strings"
)

// silenceLogs turns the logs of the SDK and of the provider off, unless a variable of the environment asks for some log.
// The SDK writes every trace line as JSON even when nobody asked, and Terraform parses and drops it, which is about half
// the time of a large plan (hashicorp/terraform-plugin-framework#1269).
func silenceLogs(environment []string, set func(name, value string) error) error {
	if slices.ContainsFunc(environment, func(variable string) bool { return strings.HasPrefix(variable, "TF_LOG") }) {
		return nil
	}
	for _, name := range []string{"TF_LOG_SDK", "TF_LOG_PROVIDER_PAIMON"} {
		if err := set(name, "off"); err != nil {
			return err
		}
	}
	return nil
}
