package rest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestSharedLoadsOnceForAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s shared[int]
		var loads atomic.Int32
		load := func(ctx context.Context) (int, error) {
			time.Sleep(time.Second)
			return int(loads.Add(1)), ctx.Err()
		}
		var group sync.WaitGroup
		for range 10 {
			group.Go(func() {
				if got, err := s.get(t.Context(), "k", load); got != 1 || err != nil {
					t.Errorf("got %d, %v", got, err)
				}
			})
		}
		group.Wait()
		if got, _ := s.get(t.Context(), "k", load); got != 1 {
			t.Errorf("not kept: %d", got)
		}
		if got, _ := s.get(t.Context(), "other", load); got != 2 {
			t.Errorf("keys are not apart: %d", got)
		}
		s.drop("k")
		if got, _ := s.get(t.Context(), "k", load); got != 3 {
			t.Errorf("not dropped: %d", got)
		}
	})
}

func TestACancelledCallerDoesNotEndTheLoadOfTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s shared[int]
		load := func(ctx context.Context) (int, error) {
			select {
			case <-time.After(time.Second):
				return 1, nil
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		var group sync.WaitGroup
		group.Go(func() {
			if _, err := s.get(ctx, "k", load); !errors.Is(err, context.Canceled) {
				t.Errorf("the cancelled caller got %v", err)
			}
		})
		synctest.Wait()
		for range 9 {
			group.Go(func() {
				if got, err := s.get(t.Context(), "k", load); got != 1 || err != nil {
					t.Errorf("got %d, %v", got, err)
				}
			})
		}
		cancel()
		group.Wait()
	})
}

func TestAFailedLoadIsNotKept(t *testing.T) {
	t.Parallel()
	var s shared[int]
	cause := errors.New("down")
	if _, err := s.get(t.Context(), "k", func(context.Context) (int, error) { return 7, cause }); !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
	if got, err := s.get(t.Context(), "k", func(context.Context) (int, error) { return 8, nil }); got != 8 || err != nil {
		t.Errorf("got %d, %v", got, err)
	}
}
