package devcatalog

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

const (
	defaultPageSize = 100
	// tokenVersion opens every token, so that a token of another form is refused rather than misread.
	tokenVersion = "v1\x00"
)

// pageRequest is the part of a listing that a client asks for: at most limit rows whose sort key is greater than after.
// Keys instead of offsets make a page cost the same wherever it starts, and rows that come and go between two pages
// shift nothing.
type pageRequest struct {
	limit int
	after string
}

func (c *Catalog) pageRequest(query url.Values) (pageRequest, error) {
	page := pageRequest{limit: min(defaultPageSize, c.maxPageSize)}
	if query.Has(wire.ParamMaxResults) {
		size, err := strconv.ParseUint(query.Get(wire.ParamMaxResults), 10, 0)
		if err != nil || size < 1 || size > wire.MaxPageSize {
			return pageRequest{}, invalid("maxResults must be an integer from 1 to %d.", wire.MaxPageSize)
		}
		page.limit = min(int(size), c.maxPageSize)
	}
	if query.Has(wire.ParamPageToken) {
		key, ok := decodeToken(query.Get(wire.ParamPageToken))
		if !ok {
			return pageRequest{}, invalid("pageToken is not a token of this catalog.")
		}
		page.after = key
	}
	return page, nil
}

// within gives the page among keys that all begin with the prefix, the prefix cut off. A token of another listing
// stands before all of them or behind; behind, there is no page left.
func (p pageRequest) within(prefix string) (page pageRequest, ok bool) {
	rest, inside := strings.CutPrefix(p.after, prefix)
	switch {
	case inside:
		return pageRequest{p.limit, rest}, true
	case p.after < prefix:
		return pageRequest{limit: p.limit}, true
	default:
		return pageRequest{}, false
	}
}

// keyed is a listed value with its sort key.
type keyed[T any] struct {
	key   string
	value T
}

// takePage splits rows that were read one beyond the limit into the page and the token of the next one, which is empty
// on the last page.
func takePage[T any](p pageRequest, keyPrefix string, rows []keyed[T]) (values []T, token string) {
	if len(rows) > p.limit {
		rows = rows[:p.limit]
		token = encodeToken(keyPrefix + rows[len(rows)-1].key)
	}
	values = make([]T, len(rows))
	for i, row := range rows {
		values[i] = row.value
	}
	return values, token
}

func encodeToken(key string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(tokenVersion + key))
}

func decodeToken(token string) (key string, ok bool) {
	text, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return "", false
	}
	return strings.CutPrefix(string(text), tokenVersion)
}
