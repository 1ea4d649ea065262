package rest

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// page is one decoded page of a listing.
type page[R any] struct {
	rows []R
	next string
}

// list follows a listing to its end and returns all rows. A short page may have successors; an empty one has none,
// whatever token it carries. A token that comes again would turn the listing into a circle, so it is an error.
func list[P, R any](ctx context.Context, c *Client, operation wire.Operation, names []string, query url.Values, read func(P) page[R]) ([]R, error) {
	query.Set(wire.ParamMaxResults, strconv.Itoa(wire.MaxPageSize))
	var rows []R
	seen := make(map[string]bool)
	for range mostPages {
		var answer P
		if err := c.call(ctx, operation, names, query, nil, &answer); err != nil {
			return nil, err
		}
		got := read(answer)
		rows = append(rows, got.rows...)
		if got.next == "" || len(got.rows) == 0 {
			return rows, nil
		}
		if seen[got.next] {
			return nil, fmt.Errorf("%s %s: the server gave the same page token twice, so its listing never ends", operation.Method, operation.Path)
		}
		seen[got.next] = true
		query.Set(wire.ParamPageToken, got.next)
	}
	return nil, fmt.Errorf("%s %s: the listing has more than %d pages", operation.Method, operation.Path, mostPages)
}
