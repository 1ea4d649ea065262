package rest

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// listings answers look-ups of single records from listings that many of them share. The API has no call for one
// record, and Terraform asks for each resource by itself: without sharing, a plan would cost a request per grant.
//
// The first record asked for on a resource costs one filtered request, since the resource may be crowded with records
// that nobody here manages. A second one is answered, like all that follow, from the whole listing, which is read once.
// A confirmed write changes its row, and a write that ends otherwise drops the listing.
type listings[R any] struct {
	identityOf func(R) access.Identity
	look       func(context.Context, access.Identity) (R, bool, error) // filtered by identity
	load       func(context.Context, access.Resource) (Listing[R], error)
	now        func() time.Time

	flights singleflight.Group
	mu      sync.Mutex
	shelves map[access.Resource]*shelf[R]
}

// shelf is what is known of one resource.
type shelf[R any] struct {
	first   access.Identity // the first record that was asked for
	several bool            // whether another one was
	kept    *kept[R]        // nil while there is no listing
	// While a listing is on its way, writes are noted here: it may have been made before them.
	loading bool
	since   time.Time
	changes []func(*kept[R])
	spoiled bool // a write came in between of which nobody knows what it left
}

// kept is a listing by identity.
type kept[R any] struct {
	rows      map[access.Identity]R
	doubles   []R // rows whose identity was listed before, which breaks the contract
	malformed []string
	at        time.Time // when it was asked for
	edited    bool      // has rows as they were written, which the server may spell otherwise
}

// find looks up one record in what the server said at most that long ago. Not found is definite.
func (l *listings[R]) find(ctx context.Context, id access.Identity, atMost time.Duration) (R, bool, error) {
	var none R
	k, look := l.ask(id, atMost)
	if look {
		return l.look(ctx, id)
	}
	if k == nil {
		loaded, err := l.loadOnce(ctx, id.Resource)
		if err != nil {
			return none, false, err
		}
		k = loaded
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	row, found := k.rows[id]
	if !found && len(k.malformed) > 0 {
		return none, false, &MalformedError{Row: k.malformed[0]}
	}
	return row, found, nil
}

// ask notes that a record is asked for, and returns the listing that answers, or that a look at this one record is
// better: it is the only one that anybody asks for, or the listing is too old for it.
func (l *listings[R]) ask(id access.Identity, atMost time.Duration) (k *kept[R], look bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shelf(id.Resource)
	if s.first == (access.Identity{}) {
		s.first = id
	}
	s.several = s.several || s.first != id
	if s.kept != nil && l.now().Sub(s.kept.at) > atMost {
		return nil, true
	}
	return s.kept, s.kept == nil && !s.several
}

// all returns the whole listing of a resource as the server spells it.
func (l *listings[R]) all(ctx context.Context, resource access.Resource) (Listing[R], error) {
	l.mu.Lock()
	k := l.shelf(resource).kept
	usable := k != nil && !k.edited
	l.mu.Unlock()
	if !usable {
		loaded, err := l.loadOnce(ctx, resource)
		if err != nil {
			return Listing[R]{}, err
		}
		k = loaded
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return Listing[R]{Rows: slices.AppendSeq(slices.Clone(k.doubles), maps.Values(k.rows)), Malformed: k.malformed}, nil
}

// loadOnce reads a listing, for all who ask for it meanwhile, and keeps it. A caller that is cancelled gives up alone.
func (l *listings[R]) loadOnce(ctx context.Context, resource access.Resource) (*kept[R], error) {
	flight := l.flights.DoChan(flightOf(resource), func() (any, error) {
		l.begin(resource)
		listing, err := l.load(context.WithoutCancel(ctx), resource)
		return l.end(resource, listing, err)
	})
	select {
	case result := <-flight:
		k, _ := result.Val.(*kept[R])
		return k, result.Err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func flightOf(resource access.Resource) string {
	return string(resource.Type) + "\x00" + strings.Join(resource.Names(), "\x00")
}

func (l *listings[R]) begin(resource access.Resource) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shelf(resource)
	s.loading, s.since, s.changes, s.spoiled = true, l.now(), nil, false
}

func (l *listings[R]) end(resource access.Resource, listing Listing[R], err error) (*kept[R], error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shelf(resource)
	s.loading = false
	if err != nil {
		return nil, err
	}
	k := &kept[R]{rows: make(map[access.Identity]R, len(listing.Rows)), malformed: listing.Malformed, at: s.since}
	for _, row := range listing.Rows {
		if _, known := k.rows[l.identityOf(row)]; known {
			k.doubles = append(k.doubles, row)
		} else {
			k.rows[l.identityOf(row)] = row
		}
	}
	for _, change := range s.changes {
		change(k)
	}
	s.changes = nil
	if !s.spoiled {
		s.kept = k
	}
	return k, nil
}

// wrote notes how a write of a record ended: with row as the record now, nil for none. Any failure may mean that the
// resource is not what the listing says, and those who wait for one that is on its way must not get it for an answer.
func (l *listings[R]) wrote(id access.Identity, row *R, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shelf(id.Resource)
	if err != nil {
		s.kept, s.spoiled = nil, true
		l.flights.Forget(flightOf(id.Resource))
		return
	}
	l.change(s, func(k *kept[R]) {
		delete(k.rows, id)
		k.doubles = slices.DeleteFunc(k.doubles, func(row R) bool { return l.identityOf(row) == id })
		if row != nil {
			k.rows[id], k.edited = *row, true
		}
	})
}

func (l *listings[R]) change(s *shelf[R], change func(*kept[R])) {
	if s.kept != nil {
		change(s.kept)
	}
	if s.loading {
		s.changes = append(s.changes, change)
	}
}

// shelf returns the shelf of a resource. The caller holds the lock.
func (l *listings[R]) shelf(resource access.Resource) *shelf[R] {
	s, known := l.shelves[resource]
	if !known {
		s = &shelf[R]{}
		l.shelves[resource] = s
	}
	return s
}
