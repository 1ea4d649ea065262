package rest

import (
	"maps"
	"slices"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// kept is a listing by identity.
type kept[R any] struct {
	identityOf func(R) access.Identity

	rows      map[access.Identity]R
	doubles   []R // rows whose identity was listed before, which breaks the contract
	malformed []string
	gone      error     // the catalog's word that there is no such resource
	at        time.Time // when it was asked for
	edited    bool      // has rows as they were written, which the server may spell otherwise
}

// add adds a page.
func (k *kept[R]) add(page Listing[R]) {
	for _, row := range page.Rows {
		id := k.identityOf(row)
		if _, known := k.rows[id]; known {
			k.doubles = append(k.doubles, row)
		} else {
			k.rows[id] = row
		}
	}
	k.malformed = append(k.malformed, page.Malformed...)
}

// put makes a record be as it was written, nil for none.
func (k *kept[R]) put(id access.Identity, row *R) {
	delete(k.rows, id)
	k.doubles = slices.DeleteFunc(k.doubles, func(double R) bool { return k.identityOf(double) == id })
	if row != nil {
		k.rows[id], k.edited = *row, true
	}
}

// find returns what the listing says of a record.
func (k *kept[R]) find(id access.Identity) verdict[R] {
	if k.gone != nil {
		return verdict[R]{err: k.gone, at: k.at}
	}
	row, found := k.rows[id]
	v := verdict[R]{row: row, found: found, at: k.at}
	if !found && len(k.malformed) > 0 {
		v.err = &MalformedError{Row: k.malformed[0]}
	}
	return v
}

// listing is the listing as it came, in any order.
func (k *kept[R]) listing() Listing[R] {
	return Listing[R]{Rows: slices.AppendSeq(slices.Clone(k.doubles), maps.Values(k.rows)), Malformed: k.malformed}
}

// isWhole says that a listing is what the server would say, but for the spelling of what was written where that will do.
// What does not exist may do so by now.
func (k *kept[R]) isWhole(asWritten bool) bool {
	return k != nil && k.gone == nil && (asWritten || !k.edited)
}

// verdict is what the catalog said of one record.
type verdict[R any] struct {
	row   R
	found bool
	err   error // why nothing can be said, or that the resource itself is gone
	at    time.Time
}

// verdictOn is the answer that a record was written as row, nil for none.
func verdictOn[R any](row *R, at time.Time) verdict[R] {
	if row == nil {
		return verdict[R]{at: at}
	}
	return verdict[R]{row: *row, found: true, at: at}
}
