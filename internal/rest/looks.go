package rest

import (
	"math"
	"time"
)

// The catalog is asked for a record in one of two ways: by a look, a request that is filtered by the record's identity, or
// by a listing of the whole resource, which answers for every record of it and takes a request a page. This file says
// which; listings.go does as it says.

const (
	// fewPages is what a listing may have for the sake of two records.
	fewPages = 20
	// habitual is how many listings of one page make a habit.
	habitual = 2
)

// habit is what the walk has shown so far: how many listings in a row had one page.
type habit int

// worth says how many pages of a resource's listing are worth reading for so many records of it; 0 means that a look is
// better. It also bounds what is kept in memory, to a page for each record that is managed here or fewPages.
func (h habit) worth(records int) int {
	switch {
	case records > 1:
		return max(fewPages, records)
	case h >= habitual:
		// The resource is most likely like the others, so its only page costs what a look costs, and more will be asked.
		return 1
	default:
		// The resource may be crowded with records that nobody here manages.
		return 0
	}
}

// next is the habit after a listing of so many pages.
func (h habit) next(pages int) habit {
	if pages > 1 {
		return 0
	}
	return h + 1
}

// The ages of an answer that look-ups take.
const (
	// Now asks the server.
	Now time.Duration = 0
	// Recent is what a create may believe when it decides that nothing is in its way.
	Recent = time.Minute
	// ThisWalk is anything that this client has read.
	ThisWalk time.Duration = math.MaxInt64
)
