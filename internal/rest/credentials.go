package rest

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"golang.org/x/sync/singleflight"
)

// credential is what proves to the catalog who asks. Two that are the same compare as equal.
type credential interface {
	// authorize puts the credential, or a signature made with it, onto one attempt of a request.
	authorize(attempt *http.Request, r request)
	// secrets are the texts that nobody else may see.
	secrets() []string
	// expiration is when the credential ends; zero when nobody said.
	expiration() time.Time
}

const (
	// forever is the time until the next look at what never changes by itself.
	forever = time.Duration(math.MaxInt64)
	// nextLook is the time until the next look at where no new credential could be had.
	nextLook = 10 * time.Second
)

// credentials keep the present credential and load the next one when it is time.
type credentials struct {
	// setting is the name that users give to where they come from.
	setting string
	load    func(context.Context) (credential, error)
	// lasts is for how long a credential that was just loaded is used without looking for another.
	lasts func(credential) time.Duration

	flights singleflight.Group
	mu      sync.Mutex
	kept    credential // nil until the first was loaded
	due     time.Time
	seen    []string // the secrets of all that were ever kept
}

// fixed is a credential that stays.
func fixed(c credential) *credentials {
	s := &credentials{
		load:  func(context.Context) (credential, error) { return c, nil },
		lasts: func(credential) time.Duration { return forever },
	}
	s.keep(c)
	return s
}

// get returns a credential other than the one that the server refused, which may be nil. However many ask, it is loaded
// once; a caller that is cancelled gives up alone.
func (s *credentials) get(ctx context.Context, refused credential) (credential, error) {
	if kept := s.usable(refused); kept != nil {
		return kept, nil
	}
	flight := s.flights.DoChan("", func() (any, error) { return s.next(context.WithoutCancel(ctx), refused) })
	select {
	case result := <-flight:
		c, _ := result.Val.(credential)
		return c, result.Err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// usable is the kept credential unless it is time for another.
func (s *credentials) usable(refused credential) credential {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == refused || !time.Now().Before(s.due) {
		return nil
	}
	return s.kept
}

// next loads a credential. One that is kept and has not ended is better than none.
func (s *credentials) next(ctx context.Context, refused credential) (credential, error) {
	if kept := s.usable(refused); kept != nil {
		return kept, nil // another flight has just landed
	}
	loaded, err := s.load(ctx)
	if err == nil && hasEnded(loaded) {
		err = fmt.Errorf("the access key there ended at %s, and there is no newer one", loaded.expiration().Format(time.RFC3339))
	}
	if err == nil {
		s.keep(loaded)
		return loaded, nil
	}
	err = fmt.Errorf("%s: %w", s.setting, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil || s.kept == refused || hasEnded(s.kept) {
		return nil, err
	}
	tflog.Warn(ctx, "No new credentials; the present ones are used on", map[string]any{"error": err.Error()})
	s.due = time.Now().Add(nextLook)
	return s.kept, nil
}

func (s *credentials) keep(c credential) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept, s.due = c, time.Now().Add(s.lasts(c))
	for _, secret := range c.secrets() {
		if !slices.Contains(s.seen, secret) {
			s.seen = append(s.seen, secret)
		}
	}
}

// secrets are those of all credentials so far: an old one may still be in what a server says.
func (s *credentials) secrets() []string {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

func hasEnded(c credential) bool {
	end := c.expiration()
	return !end.IsZero() && !time.Now().Before(end)
}

// retried makes three short attempts to load, for a file that is being replaced and a service that is busy.
func retried(load func(context.Context) (credential, error)) func(context.Context) (credential, error) {
	return func(ctx context.Context) (credential, error) {
		for _, pause := range []time.Duration{100 * time.Millisecond, 300 * time.Millisecond} {
			if c, err := load(ctx); err == nil {
				return c, nil
			}
			time.Sleep(pause)
		}
		return load(ctx)
	}
}
