package provider

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/paimon-iac/terraform-provider-paimon/internal/rest"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// A create never takes over what differs, and no write is believed to have worked, or to have failed, before the catalog
// has said so.

const (
	// patience is how long a create that finds other content waits for the destroy that may be on its way.
	patience = 2 * time.Second
	// longestPause bounds the wait before a look, however often a busy catalog was asked before.
	longestPause = time.Minute
)

// establish looks before it writes, and returns what is on the server afterwards under this resource's care: the wish,
// what the first half of a replacement left when the second one failed, or nothing.
func (r *core[M, R]) establish(ctx context.Context, entry *entry, wish R) (*R, diag.Diagnostics) {
	id := r.identityOf(wish)
	existing, found, err := r.find(r.client, ctx, id, rest.Recent)
	if err == nil && found && r.sameContent(existing, wish) && !entry.claimed {
		// Nothing will be written, so what the catalog said a while ago is not enough.
		existing, found, err = r.find(r.client, ctx, id, rest.Now)
	}
	if err == nil && found && !r.sameContent(existing, wish) && entry.held == nil {
		// A renamed address with changed content: its destroy may be on its way.
		if err = entry.awaitDeparture(ctx, patience); err == nil {
			existing, found, err = r.find(r.client, ctx, id, rest.Now)
		}
	}
	var diags diag.Diagnostics
	switch {
	case err != nil:
		err = fmt.Errorf("nothing was written, since it is not known whether it exists already: %w", err)
	case entry.stuck:
		entry.failed = true
		diags.Append(r.stuck(id))
		return nil, diags
	case found && r.sameContent(existing, wish):
		if !entry.claimed && entry.held == nil && !entry.announced {
			diags.Append(r.adopted(id))
		}
	case found && entry.held == nil:
		entry.failed = true
		diags.Append(r.occupied(id))
		return nil, diags
	case found && r.definition != nil:
		if diags.Append(r.checkTable(ctx, wish, true)...); diags.HasError() {
			entry.failed = true
			return &existing, diags
		}
		err = r.swap(ctx, existing, wish)
	case found:
		err = r.settle(ctx, wish, existing)
	default:
		err = r.settleAnew(ctx, entry, wish)
	}
	if err == nil {
		entry.claimed = true
		return &wish, diags
	}
	entry.failed = true
	if held, isReplacement := entry.held.(R); isReplacement {
		diags.Append(r.failed("replace", id, err))
		return &held, diags
	}
	diags.Append(r.failed("create", id, err))
	return nil, diags
}

// settleAnew settles a record where none is. When a policy was removed for it at another address, that one is put back if
// the new one is refused.
func (r *core[M, R]) settleAnew(ctx context.Context, entry *entry, wish R) error {
	err := r.settle(ctx, wish)
	old, moved := entry.removed.(R)
	if err == nil || !moved || r.definition == nil {
		return err
	}
	entry.held = old
	return r.putBack(context.WithoutCancel(ctx), old, wish, err)
}

// settle writes a record and makes sure that it is there. When the answer is lost, or came from a gateway in the
// catalog's place, a look decides; only when the record is definitely absent is it written again, and that is looked at,
// too. What is still as it was before, when it was there before, did not get the request either.
func (r *core[M, R]) settle(ctx context.Context, wish R, before ...R) error {
	asBefore := func(existing R) bool {
		return slices.ContainsFunc(before, func(b R) bool { return r.sameContent(existing, b) })
	}
	for attempt := 1; ; attempt++ {
		err := r.write(r.client, ctx, wish)
		// A policy that is in the way of a later attempt is most likely the first one's, which arrived after the look.
		late := (attempt > 1 || rest.WasRepeated(err)) && rest.IsConflict(err, wire.ErrorPolicy)
		if !rest.IsUncertain(err) && !late {
			return err
		}
		if waited := pause(ctx, err, min(r.breather<<(attempt-1), longestPause)); waited != nil {
			return errors.Join(err, waited)
		}
		existing, found, lookErr := r.find(r.client, ctx, r.identityOf(wish), rest.Now)
		switch {
		case lookErr != nil:
			return fmt.Errorf("%w. Whether it took effect is not known, since looking failed too: %w. Plan again to see", err, lookErr)
		case found && r.sameContent(existing, wish):
			return nil
		case found && !asBefore(existing):
			return fmt.Errorf("%w. Something else is there under the same identity", err)
		case attempt < r.attempts(err):
		case attempt > 2:
			return fmt.Errorf("%w. It was tried %d times", err, attempt)
		default:
			return err
		}
	}
}

// attempts is how often a record is written in all. A create of a policy is never repeated without a look, so a catalog that
// is too busy for it is asked from here as often as the client asks for anything else.
func (r *core[M, R]) attempts(err error) int {
	isBusy := rest.IsCode(err, http.StatusTooManyRequests) || rest.IsCode(err, http.StatusServiceUnavailable)
	if r.definition != nil && isBusy {
		return 1 + r.maxRetries
	}
	return 2
}

// pause waits before the next look, as long as the server asked for, else for the time given, and up to a tenth longer, so
// that many do not come back in step.
func pause(ctx context.Context, err error, delay time.Duration) error {
	if answer, ok := errors.AsType[*rest.Error](err); ok && answer.RetryAfter > 0 {
		delay = answer.RetryAfter
	}
	timer := time.NewTimer(delay + rand.N(delay/10+1)) //nolint:gosec // nobody gains by guessing a wait
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
