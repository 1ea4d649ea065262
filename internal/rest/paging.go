package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/url"
	"strconv"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// page is one page of a listing.
type page[R any] struct {
	key  string // the member that holds the rows
	rows []R
	next string
	size int64 // bytes
}

// UnmarshalJSON refuses an object without the rows' member. Read as an empty page, the answer of a proxy that says
// {"status":"ok"} to everything would make every permission look revoked. A null is an empty page, as in Java.
func (p *page[R]) UnmarshalJSON(data []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return err
	}
	p.size = int64(len(data))
	rows, ok := members[p.key]
	if !ok {
		return fmt.Errorf("no %q", p.key)
	}
	if err := json.Unmarshal(rows, &p.rows); err != nil {
		return err
	}
	if next, ok := members["nextPageToken"]; ok {
		return json.Unmarshal(next, &p.next)
	}
	return nil
}

// isLast says that no page follows.
func (p page[R]) isLast() bool {
	return p.next == "" || len(p.rows) == 0
}

// list follows a listing to its end and returns all rows.
func list[R any](ctx context.Context, c *Client, operation wire.Operation, key string, names []string, query url.Values) ([]R, error) {
	var rows []R
	for page, err := range pages[R](ctx, c, operation, key, names, query) {
		if err != nil {
			return nil, err
		}
		rows = append(rows, page.rows...)
	}
	return rows, nil
}

// pages follows a listing to its end, which a failure is, too. A short page may have successors; an empty one has none,
// whatever token it carries. A token that comes again would turn the listing into a circle, so it is an error.
func pages[R any](ctx context.Context, c *Client, operation wire.Operation, key string, names []string, query url.Values) iter.Seq2[page[R], error] {
	return func(yield func(page[R], error) bool) {
		ctx, cancel := context.WithTimeoutCause(ctx, listingTimeout, fmt.Errorf("gave up after %s", listingTimeout))
		defer cancel()
		query.Set(wire.ParamMaxResults, strconv.Itoa(wire.MaxPageSize))
		fail := func(err error) { yield(page[R]{}, err) }
		seen := make(map[string]bool)
		size := int64(0)
		for range c.pageLimit {
			got := page[R]{key: key}
			if err := c.call(ctx, operation, names, query, nil, &got); err != nil {
				fail(err)
				return
			}
			if size += got.size; size > c.listingLimit {
				fail(fmt.Errorf("%s %s: the listing is larger than %d MiB", operation.Method, operation.Path, c.listingLimit>>20))
				return
			}
			if !yield(got, nil) || got.isLast() {
				return
			}
			if seen[got.next] {
				fail(fmt.Errorf("%s %s: the server gave the same page token twice, so its listing never ends", operation.Method, operation.Path))
				return
			}
			seen[got.next] = true
			query.Set(wire.ParamPageToken, got.next)
		}
		fail(fmt.Errorf("%s %s: the listing has more than %d pages", operation.Method, operation.Path, c.pageLimit))
	}
}
