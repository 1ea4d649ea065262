package devcatalog

import "github.com/paimon-iac/terraform-provider-paimon/internal/wire"

// breakage is a way to be wrong on purpose. A test that would not notice one of them proves nothing.
type breakage struct {
	// filters and masks change what readers are told to apply.
	filters change
	masks   change
	// losesQueryAuth hides the option from who reads, so that readers do not even ask.
	losesQueryAuth bool
	// keepsPolicies answers a drop as if it were done.
	keepsPolicies bool
	// anySignature takes every signature for right.
	anySignature bool
}

type change int

const (
	unchanged change = iota
	dropped
	lastOnly
)

// breaks are the faults by name.
var breaks = map[string]breakage{
	"no-filter":           {filters: dropped},
	"no-mask":             {masks: dropped},
	"last-filter-wins":    {filters: lastOnly},
	"keep-policy-on-drop": {keepsPolicies: true},
	"lose-query-auth":     {losesQueryAuth: true},
	"any-signature":       {anySignature: true},
}

func (b breakage) changeAuth(answer *wire.AuthResult) {
	if b.filters == dropped {
		answer.Filter = nil
	}
	if b.filters == lastOnly && len(answer.Filter) > 1 {
		answer.Filter = answer.Filter[len(answer.Filter)-1:]
	}
	if b.masks == dropped {
		answer.ColumnMasking = nil
	}
}

// changeTable leaves those alone who manage: they would refuse to protect the table, and nobody would come to read it.
func (b breakage) changeTable(who caller, answer *wire.Table) {
	if b.losesQueryAuth && !who.manages {
		delete(answer.Schema.Options, wire.OptionQueryAuth)
	}
}
