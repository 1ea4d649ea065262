package rest

import (
	"context"
	"sync"

	"golang.org/x/sync/singleflight"
)

// shared loads each key once at a time, however many ask for it, and keeps what was loaded. A failure is not kept.
type shared[V any] struct {
	flights singleflight.Group
	mu      sync.Mutex
	kept    map[string]V
}

// get returns what is kept for the key, or loads it. A caller that is cancelled gives up alone: the load goes on for
// the others.
func (s *shared[V]) get(ctx context.Context, key string, load func(context.Context) (V, error)) (V, error) {
	s.mu.Lock()
	kept, ok := s.kept[key]
	s.mu.Unlock()
	if ok {
		return kept, nil
	}
	flight := s.flights.DoChan(key, func() (any, error) {
		loaded, err := load(context.WithoutCancel(ctx))
		if err == nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.kept == nil {
				s.kept = make(map[string]V)
			}
			s.kept[key] = loaded
		}
		return loaded, err
	})
	var none V
	select {
	case result := <-flight:
		if loaded, ok := result.Val.(V); ok && result.Err == nil {
			return loaded, nil
		}
		return none, result.Err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// drop forgets a key, so that the next caller loads it anew.
func (s *shared[V]) drop(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.kept, key)
}
