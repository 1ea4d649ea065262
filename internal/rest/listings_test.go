package rest

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// fakeCatalog is the server side of listings: records by identity, and a count of what was asked.
type fakeCatalog struct {
	mu      sync.Mutex
	records map[access.Identity]access.Assignment
	looks   int
	loads   int
	delay   time.Duration
	failure error
}

func (f *fakeCatalog) listings() *listings[access.Assignment] {
	return &listings[access.Assignment]{
		identityOf: func(a access.Assignment) access.Identity { return a.Identity },
		look: func(_ context.Context, id access.Identity) (access.Assignment, bool, error) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.looks++
			a, found := f.records[id]
			return a, found, f.failure
		},
		load: func(ctx context.Context, _ access.Resource) (Listing[access.Assignment], error) {
			f.mu.Lock()
			f.loads++
			var listing Listing[access.Assignment]
			for _, a := range f.records {
				listing.Rows = append(listing.Rows, a)
			}
			failure := f.failure
			f.mu.Unlock()
			select {
			case <-time.After(f.delay):
				return listing, failure
			case <-ctx.Done():
				return listing, ctx.Err()
			}
		},
		now:     time.Now,
		shelves: make(map[access.Resource]*shelf[access.Assignment]),
	}
}

func (f *fakeCatalog) set(a access.Assignment) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.records == nil {
		f.records = make(map[access.Identity]access.Assignment)
	}
	f.records[a.Identity] = a
}

func (f *fakeCatalog) wantRequests(t *testing.T, looks, loads int) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.looks != looks || f.loads != loads {
		t.Errorf("%d filtered requests and %d listings, want %d and %d", f.looks, f.loads, looks, loads)
	}
}

func grantFor(principal string) access.Assignment {
	return access.Assignment{Identity: access.Identity{Resource: access.TableResource("d", "t"), Access: access.Select, Principal: principal}}
}

func TestTheOnlyRecordOfACrowdedResourceCostsAFilteredRequest(t *testing.T) {
	t.Parallel()
	f := &fakeCatalog{}
	f.set(grantFor("a"))
	l := f.listings()
	for range 2 {
		if _, found, err := l.find(t.Context(), grantFor("a").Identity, ThisWalk); !found || err != nil {
			t.Errorf("got %v, %v", found, err)
		}
	}
	f.wantRequests(t, 2, 0)
}

func TestManyRecordsOfAResourceCostOneListing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fakeCatalog{delay: time.Second}
		for i := range 100 {
			f.set(grantFor(strconv.Itoa(i)))
		}
		l := f.listings()
		var group sync.WaitGroup
		for i := range 200 {
			group.Go(func() {
				_, found, err := l.find(t.Context(), grantFor(strconv.Itoa(i)).Identity, ThisWalk)
				if found != (i < 100) || err != nil {
					t.Errorf("%d: got %v, %v", i, found, err)
				}
			})
		}
		group.Wait()
		f.wantRequests(t, 1, 1)
		if listing, err := l.all(t.Context(), access.TableResource("d", "t")); len(listing.Rows) != 100 || err != nil {
			t.Errorf("got %d rows, %v", len(listing.Rows), err)
		}
		f.wantRequests(t, 1, 1)
	})
}

// both makes a listing kept.
func both(t *testing.T, l *listings[access.Assignment]) {
	t.Helper()
	for _, principal := range []string{"a", "b"} {
		if _, _, err := l.find(t.Context(), grantFor(principal).Identity, ThisWalk); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAConfirmedWriteIsSeenWithoutAnotherRequest(t *testing.T) {
	t.Parallel()
	f := &fakeCatalog{}
	l := f.listings()
	both(t, l)
	written := grantFor("b")
	written.ExpireTime = "2030-01-01T00:00:00Z"
	l.wrote(written.Identity, &written, nil)
	if got, found, _ := l.find(t.Context(), written.Identity, ThisWalk); !found || got.ExpireTime != written.ExpireTime {
		t.Errorf("got %v, %v", got, found)
	}
	l.wrote(written.Identity, nil, nil)
	if _, found, _ := l.find(t.Context(), written.Identity, ThisWalk); found {
		t.Error("still there")
	}
	f.wantRequests(t, 1, 1)
}

func TestAWriteDuringALoadIsNotLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fakeCatalog{delay: time.Second}
		f.set(grantFor("gone"))
		l := f.listings()
		_, _, _ = l.find(t.Context(), grantFor("a").Identity, ThisWalk)
		loaded := make(chan struct{})
		go func() {
			defer close(loaded)
			both(t, l)
		}()
		synctest.Wait() // the listing has left the server
		added := grantFor("added")
		l.wrote(added.Identity, &added, nil)
		l.wrote(grantFor("gone").Identity, nil, nil)
		<-loaded
		if _, found, _ := l.find(t.Context(), added.Identity, ThisWalk); !found {
			t.Error("what was added meanwhile is missing")
		}
		if _, found, _ := l.find(t.Context(), grantFor("gone").Identity, ThisWalk); found {
			t.Error("what was removed meanwhile is back")
		}
		f.wantRequests(t, 2, 1)
	})
}

func TestAnUncertainWriteDropsTheListing(t *testing.T) {
	t.Parallel()
	f := &fakeCatalog{}
	l := f.listings()
	both(t, l)
	f.set(grantFor("b"))
	l.wrote(grantFor("b").Identity, nil, &NoAnswerError{Operation: wire.GrantPermission, Err: errors.New("cut")})
	if _, found, _ := l.find(t.Context(), grantFor("b").Identity, ThisWalk); !found {
		t.Error("the old listing is believed")
	}
	f.wantRequests(t, 1, 2)
}

func TestAnOldListingIsNotBelievedByWhoWantsARecentOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fakeCatalog{}
		l := f.listings()
		both(t, l)
		f.set(grantFor("b"))
		time.Sleep(Recent + time.Second)
		if _, found, _ := l.find(t.Context(), grantFor("b").Identity, ThisWalk); found {
			t.Error("asked again")
		}
		if _, found, _ := l.find(t.Context(), grantFor("b").Identity, Recent); !found {
			t.Error("the old listing is believed")
		}
		f.wantRequests(t, 2, 1)
	})
}

func TestACancelledLookUpDoesNotFailTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fakeCatalog{delay: time.Second}
		f.set(grantFor("c"))
		l := f.listings()
		_, _, _ = l.find(t.Context(), grantFor("a").Identity, ThisWalk)
		ctx, cancel := context.WithCancel(t.Context())
		var group sync.WaitGroup
		group.Go(func() {
			if _, _, err := l.find(ctx, grantFor("b").Identity, ThisWalk); !errors.Is(err, context.Canceled) {
				t.Errorf("the cancelled one got %v", err)
			}
		})
		synctest.Wait()
		for range 9 {
			group.Go(func() {
				if _, found, err := l.find(t.Context(), grantFor("c").Identity, ThisWalk); !found || err != nil {
					t.Errorf("got %v, %v", found, err)
				}
			})
		}
		cancel()
		group.Wait()
		f.wantRequests(t, 1, 1)
	})
}

func TestAFailedListingIsNotKept(t *testing.T) {
	t.Parallel()
	f := &fakeCatalog{failure: errors.New("down")}
	l := f.listings()
	for _, principal := range []string{"a", "b", "b"} {
		if _, _, err := l.find(t.Context(), grantFor(principal).Identity, ThisWalk); err == nil {
			t.Error("no error")
		}
	}
	f.wantRequests(t, 1, 2)
}

// A flight that left before an uncertain write is no answer for who asks after it.
func TestALookAfterAnUncertainWriteDoesNotJoinAnOlderLoad(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fakeCatalog{delay: time.Second}
		l := f.listings()
		_, _, _ = l.find(t.Context(), grantFor("a").Identity, ThisWalk)
		go func() { _, _, _ = l.find(t.Context(), grantFor("b").Identity, ThisWalk) }()
		synctest.Wait()
		f.set(grantFor("b"))
		l.wrote(grantFor("b").Identity, nil, &NoAnswerError{Operation: wire.GrantPermission, Err: errors.New("cut")})
		if _, found, _ := l.find(t.Context(), grantFor("b").Identity, ThisWalk); !found {
			t.Error("got the answer from before the write")
		}
	})
}

// What was written is shown as the server spells it, so that an output does not change with the next plan.
func TestAListingAfterAWriteIsReadAnew(t *testing.T) {
	t.Parallel()
	f := &fakeCatalog{}
	l := f.listings()
	both(t, l)
	sent := grantFor("b")
	sent.ExpireTime = "2030-01-01T01:00:00+01:00"
	l.wrote(sent.Identity, &sent, nil)
	stored := sent
	stored.ExpireTime = "2030-01-01T00:00:00Z"
	f.set(stored)
	listing, err := l.all(t.Context(), sent.Resource)
	if err != nil || len(listing.Rows) != 1 || listing.Rows[0].ExpireTime != stored.ExpireTime {
		t.Errorf("got %v, %v", listing, err)
	}
}
