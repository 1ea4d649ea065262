package provider

import (
	"context"
	"sync"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// register remembers what one walk plans and does to each identity. An address that is renamed without a moved block
// loses nothing by it: Terraform then creates the record at one address and destroys it at another, in any order, and
// neither operation knows of the other. And two addresses for one record are noticed. Configure makes a new register for
// every walk.
type register struct {
	mu      sync.Mutex
	entries map[access.Identity]*entry
}

// entry is one identity's row. Its fields belong to whoever holds the turn, the first ones to the register's lock.
type entry struct {
	// inState says that the walk has read the record for an address that is in the state.
	inState bool
	// owner is the address that plans to have the record, as a token. Stays says that it has the record already, leaves
	// that some address plans to part with it.
	owner         string
	stays, leaves bool

	turn chan struct{} // holds one token while nobody works on the identity
	// announced says that the plan has told what a create will meet.
	announced bool
	// claimed says that this walk made the record what one address wants, so that a destroy, which can only come from
	// another address, leaves it alone.
	claimed bool
	// failed says that a create was refused or ended with an error. A destroy of the record at another address would
	// lose what the create did not replace.
	failed bool
	// stuck says that a destroy ended with an error, so that the state still has the record at another address.
	stuck bool
	// held is the record that a destroy left to its other half, the create of a replacement: what the state has to say
	// when that fails. It is nil when there was no such destroy.
	held any
	// removed is the record that a destroy removed at another address; nil when none did.
	removed any
	// departed is closed when a destroy has removed the record.
	departed chan struct{}
}

func newRegister() *register {
	return &register{entries: make(map[access.Identity]*entry)}
}

// acquire waits for the turn to work on an identity. The caller releases it when done.
func (r *register) acquire(ctx context.Context, id access.Identity) (*entry, error) {
	r.mu.Lock()
	e := r.entry(id)
	r.mu.Unlock()
	return e, e.acquire(ctx)
}

// noteInState notes that an address of the state has the record. It does not wait for a turn.
func (r *register) noteInState(id access.Identity) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entry(id).inState = true
}

// isInState says whether an address of the state is known to have the record.
func (r *register) isInState(id access.Identity) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.entry(id).inState
}

// claim notes that an address plans to have the record, and says whether it is the only one.
func (r *register) claim(id access.Identity, owner string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.entry(id)
	if e.owner == "" {
		e.owner = owner
	}
	return e.owner == owner
}

// isClaimed says whether an address is known to plan to have the record.
func (r *register) isClaimed(id access.Identity) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.entry(id).owner != ""
}

// stay notes that an address has the record and keeps it, and says whether no other address parts with it.
func (r *register) stay(id access.Identity) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.entry(id)
	e.stays = true
	return !e.leaves
}

// leave notes that an address has the record and is to part with it, and says whether no other address keeps it.
func (r *register) leave(id access.Identity) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.entry(id)
	e.leaves = true
	return !e.stays
}

// entry returns the row of an identity. The caller holds the lock.
func (r *register) entry(id access.Identity) *entry {
	e, known := r.entries[id]
	if !known {
		e = &entry{turn: make(chan struct{}, 1), departed: make(chan struct{})}
		e.turn <- struct{}{}
		r.entries[id] = e
	}
	return e
}

func (e *entry) acquire(ctx context.Context) error {
	select {
	case <-e.turn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (e *entry) release() {
	e.turn <- struct{}{}
}

// depart notes that the record is gone.
func (e *entry) depart() {
	select {
	case <-e.departed:
	default:
		close(e.departed)
	}
}

// awaitDeparture gives the turn away for a while, in case a destroy of the same identity is still to come in this walk.
// It is the caller's turn again when it returns without an error.
func (e *entry) awaitDeparture(ctx context.Context, patience time.Duration) error {
	e.release()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-e.departed:
	case <-timer.C:
	case <-ctx.Done():
	}
	// The turn is taken back whatever happened, since the caller releases it in any case.
	<-e.turn
	return ctx.Err()
}
