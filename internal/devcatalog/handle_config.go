package devcatalog

import (
	"context"
	"fmt"
	"net/http"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// getConfig is the handshake. The prefix of all other paths is the warehouse's name. One released client fails when
// defaults is absent, so it is always there.
func (c *Catalog) getConfig(_ context.Context, _ *tx, call *call) (any, error) {
	if asked := call.query.Get(wire.ParamWarehouse); asked != "" && asked != c.warehouse {
		return nil, &failure{status: http.StatusNotFound, message: fmt.Sprintf("There is no warehouse %q here.", asked)}
	}
	return wire.Config{
		Defaults:  map[string]*wire.Text{},
		Overrides: map[string]*wire.Text{wire.OptionPrefix: new(wire.Text(c.warehouse))},
	}, nil
}
