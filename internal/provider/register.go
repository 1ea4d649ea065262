package provider

import (
	"context"
	"sync"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// register remembers what one walk did to each identity, so that an address that is renamed without a moved block
// loses nothing: Terraform then creates the record at one address and destroys it at another, in any order, and
// neither operation knows of the other. Configure makes a new register for every walk.
type register struct {
	mu      sync.Mutex
	entries map[access.Identity]*entry
}

// entry is one identity's row. Its fields belong to whoever holds the turn.
type entry struct {
	turn chan struct{} // holds one token while nobody works on the identity
	// claimed says that this walk created or adopted the record, so that a destroy of it, which can only come from
	// another address, leaves it alone.
	claimed bool
}

func newRegister() *register {
	return &register{entries: make(map[access.Identity]*entry)}
}

// acquire waits for the turn to work on an identity. The caller calls release when done.
func (r *register) acquire(ctx context.Context, id access.Identity) (e *entry, release func(), err error) {
	r.mu.Lock()
	e, known := r.entries[id]
	if !known {
		e = &entry{turn: make(chan struct{}, 1)}
		e.turn <- struct{}{}
		r.entries[id] = e
	}
	r.mu.Unlock()
	select {
	case <-e.turn:
		return e, func() { e.turn <- struct{}{} }, nil
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}
