package rest

import (
	"context"
	"errors"
	"hash/maphash"
	"iter"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// listings answers look-ups of single records from what many of them share. The API has no call for one record, and
// Terraform asks for each resource by itself: without sharing, a plan would cost a request per grant.
//
// A resource's listing is read once, however many ask for it meanwhile, and kept, and so is the answer of a look. A
// confirmed write changes its row, and a write that ends otherwise drops what is known of the resource. Whether to look
// or to list is decided in looks.go.
type listings[R any] struct {
	look       lookFunc[R]
	load       loadFunc[R]
	identityOf func(R) access.Identity
	unshared   bool // every look-up is a look

	flights singleflight.Group
	mu      sync.Mutex
	shelves map[access.Resource]*shelf[R]
	habit   habit
	seed    maphash.Seed
}

// lookFunc asks for one record, filtered by its identity.
type lookFunc[R any] func(context.Context, access.Identity) (R, bool, error)

// loadFunc asks for a resource's records, page by page.
type loadFunc[R any] func(context.Context, access.Resource) iter.Seq2[part[R], error]

func newListings[R any](look lookFunc[R], load loadFunc[R], identityOf func(R) access.Identity) *listings[R] {
	return &listings[R]{
		look:       look,
		load:       load,
		identityOf: identityOf,
		shelves:    make(map[access.Resource]*shelf[R]),
		seed:       maphash.MakeSeed(),
	}
}

// part is one page of a listing.
type part[R any] struct {
	Listing[R]

	more bool // whether pages follow
}

// shelf is what is known of one resource.
type shelf[R any] struct {
	records map[uint64]struct{} // those that were asked for, or will be, each as a hash, since they are only counted
	whole   bool                // somebody asked for all there are
	pages   int                 // how many the listing had, or is taken to have
	looked  map[access.Identity]verdict[R]
	kept    *kept[R]
	flight  *flight[R] // the listing that is on its way
	writes  int
}

// flight is a listing that is on its way. The server may have made it before the writes that are noted here.
type flight[R any] struct {
	kept    *kept[R]
	pages   int
	changes []func(*kept[R])
}

// errCrowded ends a listing that is not worth reading on.
var errCrowded = errors.New("crowded")

// find looks up one record in what the server said less than that long ago. Not found is definite.
func (l *listings[R]) find(ctx context.Context, id access.Identity, atMost time.Duration) (R, bool, error) {
	if l.unshared {
		return l.look(ctx, id)
	}
	v, known, list := l.recall(id, atMost)
	if !known && list {
		k, err := l.loadOnce(ctx, id.Resource)
		if err != nil {
			return v.row, false, err
		}
		v, known = l.verdictOf(k, id, atMost)
	}
	if !known {
		v = l.lookAt(ctx, id)
	}
	return v.row, v.found, v.err
}

// expect notes that a record will be asked for.
func (l *listings[R]) expect(id access.Identity) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count(id)
}

// count counts a record among those that are needed. The caller holds the lock.
func (l *listings[R]) count(id access.Identity) {
	l.shelf(id.Resource).records[maphash.Comparable(l.seed, id)] = struct{}{}
}

// recall notes that a record is asked for, and returns what is known of it, or whether to ask for the whole listing.
func (l *listings[R]) recall(id access.Identity, atMost time.Duration) (v verdict[R], known, list bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shelf(id.Resource)
	if v, known = s.looked[id]; known && isRecent(v.at, atMost) {
		return v, true, false
	}
	if s.kept != nil && isRecent(s.kept.at, atMost) {
		return s.kept.find(id), true, false
	}
	if atMost == Now {
		return v, false, false
	}
	if s.kept != nil {
		// What is too old is asked for as if it was the first time.
		s.kept = nil
		clear(s.records)
	}
	l.count(id)
	return v, false, s.flight != nil || l.habit.worth(len(s.records)) >= s.pages
}

func isRecent(at time.Time, atMost time.Duration) bool {
	return time.Since(at) < atMost
}

// verdictOf is what a listing says of a record, if there is a listing and it is recent.
func (l *listings[R]) verdictOf(k *kept[R], id access.Identity, atMost time.Duration) (verdict[R], bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if k == nil || !isRecent(k.at, atMost) {
		return verdict[R]{}, false
	}
	return k.find(id), true
}

// lookAt asks for one record, and keeps a definite answer unless it may have been made before a write.
func (l *listings[R]) lookAt(ctx context.Context, id access.Identity) verdict[R] {
	l.mu.Lock()
	s := l.shelf(id.Resource)
	v, writes := verdict[R]{at: time.Now()}, s.writes
	l.mu.Unlock()
	v.row, v.found, v.err = l.look(ctx, id)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case s.writes != writes:
	case v.err == nil:
		s.looked[id] = v
	case isGone(v.err, id.Resource):
		s.kept = &kept[R]{gone: v.err, at: v.at} // which answers for all its records
	}
	return v
}

// all returns the whole listing of a resource, as the server spells it or, where that will do, as this client wrote it.
func (l *listings[R]) all(ctx context.Context, resource access.Resource, asWritten bool) (Listing[R], error) {
	k, usable := l.wantAll(resource, asWritten)
	for !usable {
		loaded, err := l.loadOnce(ctx, resource)
		if err != nil {
			return Listing[R]{}, err
		}
		// There is none when the flight had given up before all were asked for.
		k, usable = loaded, loaded != nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return k.listing(), k.gone
}

// wantAll notes that everything on a resource is asked for, and returns the listing that is kept and whether it will do.
func (l *listings[R]) wantAll(resource access.Resource, asWritten bool) (k *kept[R], usable bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shelf(resource)
	s.whole = true
	return s.kept, s.kept.isWhole(asWritten)
}

// has says whether the whole listing of a resource can be had without a request.
func (l *listings[R]) has(resource access.Resource) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.shelf(resource).kept.isWhole(false)
}

// isGone says whether the catalog's last word on a resource was that there is no such thing.
func (l *listings[R]) isGone(resource access.Resource) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := l.shelf(resource).kept
	return k != nil && k.gone != nil
}

// loadOnce reads a listing, for all who ask for it meanwhile, and keeps it. It returns none when the resource turns out
// to be crowded. A caller that is cancelled gives up alone.
func (l *listings[R]) loadOnce(ctx context.Context, resource access.Resource) (*kept[R], error) {
	loading := l.flights.DoChan(flightOf(resource), func() (any, error) {
		f := l.begin(resource)
		return l.end(resource, f, l.read(context.WithoutCancel(ctx), resource, f))
	})
	select {
	case result := <-loading:
		k, _ := result.Val.(*kept[R])
		return k, result.Err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func flightOf(resource access.Resource) string {
	return string(resource.Type) + "\x00" + strings.Join(resource.Names(), "\x00")
}

func (l *listings[R]) begin(resource access.Resource) *flight[R] {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := &flight[R]{kept: &kept[R]{identityOf: l.identityOf, rows: make(map[access.Identity]R), at: time.Now()}}
	l.shelf(resource).flight = f
	return f
}

// read reads page after page, as long as that is worth it.
func (l *listings[R]) read(ctx context.Context, resource access.Resource, f *flight[R]) error {
	for page, err := range l.load(ctx, resource) {
		if err != nil {
			return err
		}
		f.kept.add(page.Listing)
		f.pages++
		if page.more && !l.isWorth(resource, f.pages+1) {
			return errCrowded
		}
	}
	return nil
}

// isWorth says whether a resource's listing of so many pages is worth reading.
func (l *listings[R]) isWorth(resource access.Resource, pages int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shelf(resource)
	return s.whole || l.habit.worth(len(s.records)) >= pages
}

func (l *listings[R]) end(resource access.Resource, f *flight[R], err error) (*kept[R], error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, k := l.shelf(resource), f.kept
	isCurrent := s.flight == f
	if isCurrent {
		s.flight = nil
	}
	switch {
	case isGone(err, resource):
		k.gone = err
		isCurrent = isCurrent && len(f.changes) == 0 // else it is back
	case errors.Is(err, errCrowded):
		// A guess; the next attempt is worth it only for more records by then.
		s.pages = 2 * f.pages
		l.habit = l.habit.next(s.pages)
		return nil, nil //nolint:nilnil // no listing, and no failure either
	case err != nil:
		return nil, err
	default:
		s.pages, l.habit = f.pages, l.habit.next(f.pages)
	}
	for _, change := range f.changes {
		change(k)
	}
	if isCurrent {
		s.kept = k
		clear(s.looked)
	}
	return k, nil
}

// wrote notes how a write of a record ended: with row as the record now, nil for none. Any failure may mean that the
// resource is not what was listed, and those who ask from now on must not be answered by what is on its way.
func (l *listings[R]) wrote(id access.Identity, row *R, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shelf(id.Resource)
	s.writes++
	if err != nil || s.kept != nil && s.kept.gone != nil {
		s.kept, s.flight = nil, nil
		clear(s.looked)
		l.flights.Forget(flightOf(id.Resource))
		return
	}
	if _, was := s.looked[id]; was {
		s.looked[id] = verdictOn(row, time.Now())
	}
	if s.kept != nil {
		s.kept.put(id, row)
	}
	if s.flight != nil {
		s.flight.changes = append(s.flight.changes, func(k *kept[R]) { k.put(id, row) })
	}
}

// shelf returns the shelf of a resource. The caller holds the lock.
func (l *listings[R]) shelf(resource access.Resource) *shelf[R] {
	s, known := l.shelves[resource]
	if !known {
		s = &shelf[R]{records: make(map[uint64]struct{}), looked: make(map[access.Identity]verdict[R]), pages: 1}
		l.shelves[resource] = s
	}
	return s
}
