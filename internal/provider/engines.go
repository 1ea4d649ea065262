package provider

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

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

// enginesOf are the readers in use; the default ones where nobody says.
func enginesOf(set types.Set) []predicate.Engine {
	if set.IsNull() {
		return predicate.DefaultEngines()
	}
	var engines []predicate.Engine
	for _, name := range names(set) {
		engines = append(engines, predicate.Engine(name))
	}
	return engines
}
