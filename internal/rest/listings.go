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

// oldest is how long a kept listing is believed.
const oldest = time.Minute

// listings answers look-ups of single records from listings that many of them share. The API has no call for one
// record, and Terraform asks for each resource by itself: without sharing, a plan would cost a request per grant.
//
// The first record asked for on a resource costs one filtered request, since the resource may be crowded with records
// that nobody here manages. A second one is answered, like all that follow, from the whole listing, which is read once.
// A confirmed write changes its row, and an uncertain one drops the listing.
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
	changes []func(*kept[R])
	spoiled bool // an uncertain write came in between
}

// kept is a listing by identity.
type kept[R any] struct {
	rows      map[access.Identity]R
	doubles   []R // rows whose identity was listed before, which breaks the contract
	malformed []string
	at        time.Time
}

// find looks up one record. Not found is definite.
func (l *listings[R]) find(ctx context.Context, id access.Identity) (R, bool, error) {
	var none R
	k, alone := l.ask(id)
	if alone {
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

// ask notes that a record is asked for, and returns the listing that answers, if there is one, or that this record is the
// only one that anybody asks for.
func (l *listings[R]) ask(id access.Identity) (k *kept[R], alone bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shelf(id.Resource)
	if s.first == (access.Identity{}) {
		s.first = id
	}
	s.several = s.several || s.first != id
	k = l.believed(s)
	return k, k == nil && !s.several
}

// all returns the whole listing of a resource, sorted by import ID.
func (l *listings[R]) all(ctx context.Context, resource access.Resource) (Listing[R], error) {
	l.mu.Lock()
	k := l.believed(l.shelf(resource))
	l.mu.Unlock()
	if k == nil {
		loaded, err := l.loadOnce(ctx, resource)
		if err != nil {
			return Listing[R]{}, err
		}
		k = loaded
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	rows := slices.AppendSeq(slices.Clone(k.doubles), maps.Values(k.rows))
	slices.SortFunc(rows, func(a, b R) int { return strings.Compare(l.identityOf(a).ID(), l.identityOf(b).ID()) })
	return Listing[R]{Rows: rows, Malformed: k.malformed}, nil
}

// loadOnce reads a listing, for all who ask for it meanwhile, and keeps it. A caller that is cancelled gives up alone.
func (l *listings[R]) loadOnce(ctx context.Context, resource access.Resource) (*kept[R], error) {
	key := string(resource.Type) + "\x00" + strings.Join(resource.Names(), "\x00")
	flight := l.flights.DoChan(key, func() (any, error) {
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

func (l *listings[R]) begin(resource access.Resource) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shelf(resource)
	s.loading, s.changes, s.spoiled = true, nil, false
}

func (l *listings[R]) end(resource access.Resource, listing Listing[R], err error) (*kept[R], error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shelf(resource)
	s.loading = false
	if err != nil {
		return nil, err
	}
	k := &kept[R]{rows: make(map[access.Identity]R, len(listing.Rows)), malformed: listing.Malformed, at: l.now()}
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

// wrote notes how a write of a record ended: with row as the record now, nil for none.
func (l *listings[R]) wrote(id access.Identity, row *R, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shelf(id.Resource)
	switch {
	case err == nil:
		l.change(s, func(k *kept[R]) {
			delete(k.rows, id)
			k.doubles = slices.DeleteFunc(k.doubles, func(row R) bool { return l.identityOf(row) == id })
			if row != nil {
				k.rows[id] = *row
			}
		})
	case IsUncertain(err):
		s.kept, s.spoiled = nil, true
	}
}

func (l *listings[R]) change(s *shelf[R], change func(*kept[R])) {
	if s.kept != nil {
		change(s.kept)
	}
	if s.loading {
		s.changes = append(s.changes, change)
	}
}

// believed returns the kept listing unless it is too old. The caller holds the lock.
func (l *listings[R]) believed(s *shelf[R]) *kept[R] {
	if s.kept == nil || l.now().Sub(s.kept.at) > oldest {
		return nil
	}
	return s.kept
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
