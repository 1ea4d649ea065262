package rest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"runtime"
	"strconv"
	"strings"
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
	loads   int // pages
	delay   time.Duration
	failure error
	// pageSize is how many rows a page has; 0 is any number.
	pageSize int
}

func (f *fakeCatalog) listings() *listings[access.Assignment] {
	look := func(_ context.Context, id access.Identity) (access.Assignment, bool, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.looks++
		a, found := f.records[id]
		return a, found, f.failure
	}
	return newListings(look, f.pages, func(a access.Assignment) access.Identity { return a.Identity })
}

// pages lists what is there when the listing is asked for, page by page.
func (f *fakeCatalog) pages(ctx context.Context, resource access.Resource) iter.Seq2[part[access.Assignment], error] {
	return func(yield func(part[access.Assignment], error) bool) {
		f.mu.Lock()
		var rows []access.Assignment
		for id, a := range f.records {
			if id.Resource == resource {
				rows = append(rows, a)
			}
		}
		failure := f.failure
		f.mu.Unlock()
		size := cmp.Or(f.pageSize, len(rows)+1)
		for more := true; more; rows = rows[min(size, len(rows)):] {
			f.mu.Lock()
			f.loads++
			f.mu.Unlock()
			select {
			case <-time.After(f.delay):
			case <-ctx.Done():
				failure = ctx.Err()
			}
			more = len(rows) > size
			page := part[access.Assignment]{Listing: Listing[access.Assignment]{Rows: rows[:min(size, len(rows))]}, more: more}
			if !yield(page, failure) || failure != nil {
				return
			}
		}
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
	f.wantRequests(t, 1, 0)
	if _, found, err := l.find(t.Context(), grantFor("a").Identity, Now); !found || err != nil {
		t.Errorf("got %v, %v", found, err)
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
		if listing, err := l.all(t.Context(), access.TableResource("d", "t"), false); len(listing.Rows) != 100 || err != nil {
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
		f.wantRequests(t, 1, 1)
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
		time.Sleep(Recent)
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
	listing, err := l.all(t.Context(), sent.Resource, false)
	if err != nil || len(listing.Rows) != 1 || listing.Rows[0].ExpireTime != stored.ExpireTime {
		t.Errorf("got %v, %v", listing, err)
	}
}

// grantOn is a grant on a table of that number.
func grantOn(table int, principal string) access.Assignment {
	a := grantFor(principal)
	a.Resource.Table = strconv.Itoa(table)
	return a
}

func (f *fakeCatalog) crowd(table, rows int) {
	for i := range rows {
		f.set(grantOn(table, "foreign-"+strconv.Itoa(i)))
	}
}

func wantFound(t *testing.T, l *listings[access.Assignment], a access.Assignment) {
	t.Helper()
	if _, found, err := l.find(t.Context(), a.Identity, ThisWalk); !found || err != nil {
		t.Errorf("got %v, %v", found, err)
	}
}

func TestSeveralExpectedRecordsAreListedFromTheFirstOn(t *testing.T) {
	t.Parallel()
	f := &fakeCatalog{}
	f.crowd(0, 5)
	l := f.listings()
	l.expect(grantOn(0, "foreign-1").Identity)
	l.expect(grantOn(0, "foreign-2").Identity)
	l.expect(grantOn(1, "other").Identity)
	wantFound(t, l, grantOn(0, "foreign-1"))
	wantFound(t, l, grantOn(0, "foreign-2"))
	f.wantRequests(t, 0, 1)
}

func TestAWalkLearnsThatResourcesFitAPage(t *testing.T) {
	t.Parallel()
	f := &fakeCatalog{pageSize: 10}
	l := f.listings()
	for table := range habitual {
		f.crowd(table, 5)
		wantFound(t, l, grantOn(table, "foreign-1"))
		wantFound(t, l, grantOn(table, "foreign-2"))
	}
	f.wantRequests(t, habitual, habitual)

	f.crowd(100, 10)
	wantFound(t, l, grantOn(100, "foreign-1"))
	wantFound(t, l, grantOn(100, "foreign-2"))
	f.wantRequests(t, habitual, habitual+1)

	// One that does not fit is not read on, and ends the habit.
	f.crowd(101, 11)
	wantFound(t, l, grantOn(101, "foreign-1"))
	f.wantRequests(t, habitual+1, habitual+2)
	f.crowd(102, 5)
	wantFound(t, l, grantOn(102, "foreign-1"))
	f.wantRequests(t, habitual+2, habitual+2)
}

func TestACrowdedListingIsReadOnlyForManyRecords(t *testing.T) {
	t.Parallel()
	const pages = 3 * fewPages
	f := &fakeCatalog{pageSize: 2}
	f.crowd(0, 2*pages)
	l := f.listings()
	for i := range pages - 1 {
		wantFound(t, l, grantOn(0, "foreign-"+strconv.Itoa(i)))
	}
	if rows := l.shelves[grantOn(0, "").Resource].kept; rows != nil {
		t.Errorf("%d rows are kept", len(rows.rows))
	}
	f.wantRequests(t, pages-1, pages)
	// With more records it is worth it.
	for i := range 2 * pages {
		wantFound(t, l, grantOn(0, "foreign-"+strconv.Itoa(i)))
	}
	f.wantRequests(t, 4*fewPages-1, 2*pages)
}

func TestEverythingIsListedHoweverCrowded(t *testing.T) {
	t.Parallel()
	f := &fakeCatalog{pageSize: 2}
	f.crowd(0, 4*fewPages)
	l := f.listings()
	wantFound(t, l, grantOn(0, "foreign-1"))
	wantFound(t, l, grantOn(0, "foreign-2"))
	if l.has(grantOn(0, "").Resource) {
		t.Error("a part of the listing is kept")
	}
	listing, err := l.all(t.Context(), grantOn(0, "").Resource, false)
	if len(listing.Rows) != 4*fewPages || err != nil || !l.has(grantOn(0, "").Resource) {
		t.Errorf("got %d rows, %v", len(listing.Rows), err)
	}
	f.wantRequests(t, 2, fewPages+2*fewPages)
}

func TestAResourceThatIsGoneIsAskedForOnce(t *testing.T) {
	t.Parallel()
	f := &fakeCatalog{failure: &Error{Status: 404, Code: 404, Typed: true, ResourceType: "TABLE"}}
	l := f.listings()
	for i := range 10 {
		if _, found, err := l.find(t.Context(), grantFor(strconv.Itoa(i)).Identity, ThisWalk); found || !isGone(err, grantFor("").Resource) {
			t.Errorf("got %v, %v", found, err)
		}
	}
	f.wantRequests(t, 1, 0)
	if !l.isGone(grantFor("").Resource) {
		t.Error("nobody knows that it is gone")
	}

	// It may have come back for who wants to see it, and has for who wrote to it.
	f.failure = nil
	if listing, err := l.all(t.Context(), grantFor("").Resource, false); len(listing.Rows) != 0 || err != nil {
		t.Errorf("got %v, %v", listing, err)
	}
	f.wantRequests(t, 1, 1)
	if l.isGone(grantFor("").Resource) {
		t.Error("it is still taken to be gone")
	}
}

// A table that is dropped between two pages: whoever was on the first is gone with it.
func TestAResourceThatGoesWhileItIsListedIsGone(t *testing.T) {
	t.Parallel()
	first, second := tableGrant(), tableGrant()
	second.Principal += "2"
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has(wire.ParamPageToken) {
			notFounds["TABLE"](w, r)
			return
		}
		_, _ = io.WriteString(w, onePermission[:len(onePermission)-1]+`,"nextPageToken":"2"}`)
	})
	c := s.client(t)
	c.Expect(first.Identity)
	c.Expect(second.Identity)
	if _, found, err := c.Assignment(t.Context(), first.Identity, ThisWalk); found || err != nil {
		t.Errorf("found %t, %v", found, err)
	}
}

func TestAWriteToWhatWasGoneBringsItBack(t *testing.T) {
	t.Parallel()
	f := &fakeCatalog{failure: &Error{Status: 404, Code: 404, Typed: true, ResourceType: "TABLE"}}
	l := f.listings()
	for _, principal := range []string{"a", "b"} {
		_, _, _ = l.find(t.Context(), grantFor(principal).Identity, ThisWalk)
	}
	f.failure = nil
	f.set(grantFor("a"))
	written := grantFor("a")
	l.wrote(written.Identity, &written, nil)
	wantFound(t, l, grantFor("a"))
}

func TestALookIsKeptForWhoComesSoon(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fakeCatalog{}
		l := f.listings()
		look := func(atMost time.Duration) bool {
			_, found, err := l.find(t.Context(), grantFor("a").Identity, atMost)
			return found && err == nil
		}
		look(ThisWalk)
		f.set(grantFor("a"))
		time.Sleep(Recent - time.Second)
		if look(Recent) {
			t.Error("asked again")
		}
		f.wantRequests(t, 1, 0)
		time.Sleep(time.Second)
		if !look(Recent) {
			t.Error("an old answer is believed")
		}
		f.wantRequests(t, 2, 0)
	})
}

func TestAWriteChangesWhatALookFound(t *testing.T) {
	t.Parallel()
	f := &fakeCatalog{}
	l := f.listings()
	_, _, _ = l.find(t.Context(), grantFor("a").Identity, ThisWalk)
	written := grantFor("a")
	l.wrote(written.Identity, &written, nil)
	wantFound(t, l, written)
	l.wrote(written.Identity, nil, nil)
	if _, found, _ := l.find(t.Context(), written.Identity, ThisWalk); found {
		t.Error("still there")
	}
	f.wantRequests(t, 1, 0)
	f.set(written)
	l.wrote(written.Identity, nil, &NoAnswerError{Operation: wire.GrantPermission, Err: errors.New("cut")})
	wantFound(t, l, written)
	f.wantRequests(t, 2, 0)
}

// When two listings of a resource are on their way, the one from before an uncertain write is not kept.
func TestAnOverhauledLoadIsNotKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fakeCatalog{delay: 2 * time.Second}
		l := f.listings()
		_, _, _ = l.find(t.Context(), grantFor("a").Identity, ThisWalk)
		var group sync.WaitGroup
		group.Go(func() { _, _, _ = l.find(t.Context(), grantFor("b").Identity, ThisWalk) })
		time.Sleep(time.Second)
		f.set(grantFor("b"))
		l.wrote(grantFor("b").Identity, nil, &NoAnswerError{Operation: wire.GrantPermission, Err: errors.New("cut")})
		group.Go(func() { wantFound(t, l, grantFor("b")) })
		synctest.Wait()
		time.Sleep(time.Second) // the first has come
		wantFound(t, l, grantFor("b"))
		group.Wait()
		f.wantRequests(t, 1, 2)
	})
}

func TestUnsharedLooksAreARequestEach(t *testing.T) {
	t.Parallel()
	f := &fakeCatalog{}
	f.crowd(0, 5)
	l := f.listings()
	l.unshared = true
	for _, principal := range []string{"foreign-1", "foreign-2", "foreign-2"} {
		wantFound(t, l, grantOn(0, principal))
	}
	f.wantRequests(t, 3, 0)
}

// What is kept of a crowded table is bounded by what is managed on it, and small for each row.
func TestKeptListingsAreSmall(t *testing.T) {
	const pages = fewPages
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		page, _ := strconv.Atoi(r.URL.Query().Get("pageToken"))
		body := strings.TrimSuffix(pageOf(page*1000, 1000), "}")
		if page < pages-1 {
			body += fmt.Sprintf(`,"nextPageToken":"%d"`, page+1)
		}
		says(200, body+"}")(w, r)
	})
	c := s.client(t)
	c.Expect(grantFor("1").Identity)
	_, _, _ = c.Assignment(t.Context(), grantFor("1").Identity, Now) // what is made once
	before := liveHeap()
	if _, found, err := c.Assignment(t.Context(), grantFor("2").Identity, ThisWalk); !found || err != nil {
		t.Fatal(found, err)
	}
	if kept := len(c.assignments.shelves[grantFor("").Resource].kept.rows); kept != pages*1000 {
		t.Errorf("%d rows are kept", kept)
	}
	if perRow := (liveHeap() - before) / (pages * 1000); perRow > 600 {
		t.Errorf("%d bytes are kept of each row", perRow)
	}
	runtime.KeepAlive(c)
}

func liveHeap() int {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc) //nolint:gosec // fits
}
