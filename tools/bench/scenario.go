package main

import (
	"fmt"
	"strings"
)

// scenario is what one runs Terraform for.
type scenario struct {
	name      string
	arguments []string
	// applied says that state and catalog have the records already.
	applied bool
	// changed says that one record in a hundred is configured otherwise than it was applied.
	changed bool
	// ends is what Terraform must print: a measurement of something else is worse than none.
	ends     func(workload) string
	variants []variant
}

// variant is what is compared.
type variant struct {
	name      string
	arguments []string // on top of the scenario's
	settings  []string // of the environment
	twins     bool     // terraform_data instead of records
}

var (
	shared    = variant{name: "shared"}
	noRefresh = variant{name: "no-refresh", arguments: []string{"-refresh=false"}}
	unshared  = variant{name: "unshared", settings: []string{"PAIMON_UNSHARED=1"}}
	twin      = variant{name: "terraform_data", twins: true}
)

// side tells the two kinds of configuration apart.
func (v variant) side() string {
	if v.twins {
		return "twins"
	}
	return "records"
}

var scenarios = []scenario{
	{
		name:      "create",
		arguments: []string{"apply", "-auto-approve"},
		ends:      func(w workload) string { return applied(w.records, 0, 0) },
		variants:  []variant{shared, unshared, twin},
	},
	{
		name:      "plan",
		arguments: []string{"plan"},
		applied:   true,
		ends:      noChanges,
		variants:  []variant{shared, noRefresh, unshared, twin},
	},
	{
		name:      "refresh-only",
		arguments: []string{"plan", "-refresh-only"},
		applied:   true,
		ends:      noChanges,
		variants:  []variant{shared, unshared, twin},
	},
	{
		name:      "change",
		arguments: []string{"apply", "-auto-approve"},
		applied:   true,
		changed:   true,
		ends: func(w workload) string {
			if w.kind.replaced {
				return applied(w.changed(), 0, w.changed())
			}
			return applied(0, w.changed(), 0)
		},
		variants: []variant{shared, twin},
	},
	{
		name:      "destroy",
		arguments: []string{"destroy", "-auto-approve"},
		applied:   true,
		ends:      func(w workload) string { return fmt.Sprintf("Destroy complete! Resources: %d destroyed.", w.records) },
		variants:  []variant{shared, twin},
	},
}

func applied(added, changed, destroyed int) string {
	return fmt.Sprintf("Apply complete! Resources: %d added, %d changed, %d destroyed.", added, changed, destroyed)
}

func noChanges(workload) string { return "No changes." }

func scenarioNames() []string {
	var names []string
	for _, s := range scenarios {
		names = append(names, s.name)
	}
	return names
}

func scenarioNamed(name string) (scenario, error) {
	for _, s := range scenarios {
		if s.name == name {
			return s, nil
		}
	}
	return scenario{}, fmt.Errorf("scenario %q: there are %s", name, strings.Join(scenarioNames(), ", "))
}
