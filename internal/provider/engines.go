package provider

import (
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
)

func engineNames() []string {
	var names []string
	for _, engine := range predicate.Engines() {
		names = append(names, string(engine))
	}
	return names
}

// engineList is for the documentation.
func engineList() string {
	return "`" + strings.Join(engineNames(), "`, `") + "`"
}
