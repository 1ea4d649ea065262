package rest

import (
	"context"
	"iter"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// Client talks to one catalog.
type Client struct {
	config      Config
	base        string // without slashes at its end
	credentials *credentials
	transport   http.RoundTripper

	handshake sync.Once
	ready     chan struct{} // closed when the handshake has ended
	session   session
	failure   error

	tables      shared[Table]
	assignments *listings[access.Assignment]
	policies    *listings[access.Policy]

	// skew is what to add to the local clock, in nanoseconds, to get the clock of the server's last answer.
	skew atomic.Int64

	// What tests make small.
	bodyLimit    int64
	listingLimit int64
	pageLimit    int
	pace         func(time.Duration) time.Duration // between attempts
}

// New returns a client for a configuration that passes Check. It makes no request.
func New(config Config) (*Client, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	base, err := config.base()
	if err != nil {
		return nil, err
	}
	transport, err := config.transport()
	if err != nil {
		return nil, err
	}
	c := &Client{
		config:       config,
		base:         strings.TrimRight(config.URI, "/"),
		credentials:  config.credentials(base),
		transport:    transport,
		ready:        make(chan struct{}),
		bodyLimit:    largestBody,
		listingLimit: largestListing,
		pageLimit:    mostPages,
		pace:         func(delay time.Duration) time.Duration { return delay },
	}
	c.assignments = newListings(c.lookForAssignment, func(ctx context.Context, r access.Resource) iter.Seq2[part[access.Assignment], error] {
		return c.permissionPages(ctx, r, "", "")
	}, func(a access.Assignment) access.Identity { return a.Identity })
	c.policies = newListings(c.lookForPolicy, func(ctx context.Context, r access.Resource) iter.Seq2[part[access.Policy], error] {
		return c.policyPages(ctx, r, PolicyFilter{})
	}, func(p access.Policy) access.Identity { return p.Identity })
	c.assignments.unshared, c.policies.unshared = config.Unshared, config.Unshared
	return c, nil
}

// Expect notes that a record will be asked for. Where several are expected on a resource, its listing answers from the
// first on.
func (c *Client) Expect(id access.Identity) {
	if id.Access.IsPolicy() {
		c.policies.expect(id)
	} else {
		c.assignments.expect(id)
	}
}

// IsGone says whether the catalog's last word on the resource of a record that was looked up is that it does not exist.
func (c *Client) IsGone(id access.Identity) bool {
	if id.Access.IsPolicy() {
		return c.policies.isGone(id.Resource)
	}
	return c.assignments.isGone(id.Resource)
}

// Now is the server's clock as far as its last answer told it, else the local one.
func (c *Client) Now() time.Time {
	return time.Now().Add(time.Duration(c.skew.Load()))
}

// readClock notes how far the server's clock is from ours. The header has whole seconds.
func (c *Client) readClock(header http.Header) {
	if date, err := http.ParseTime(header.Get("Date")); err == nil {
		c.skew.Store(int64(time.Until(date)))
	}
}
