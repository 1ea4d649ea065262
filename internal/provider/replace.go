package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/rest"
)

// A changed definition is a replacement, and Terraform runs that as a destroy and a create that may lie far apart, or
// never meet when something between them fails. The table would be open all that time. So the plan hands the destroy
// what comes after it, in private data, and the destroy drops the old policy and creates the new one back to back.

const (
	// successorKey is where the plan leaves the successor in private data.
	successorKey = "successor"
	// checkedKey tells the second planning of a replacement that the first has checked it.
	checkedKey = "checked"
	// ownerKey tells it that the record was claimed for the same address.
	ownerKey = "owner"
)

// privateData is how the framework passes private data around.
type privateData interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// successor is what a create that was planned will make. When the plan was for a replacement, the destroy that comes
// first finds it; a plain destroy finds none.
type successor struct {
	ID         string  `json:"id"`
	Definition *string `json:"definition"` // nil for a permission, and while the definition is unknown
}

func (s successor) save(ctx context.Context, private privateData) diag.Diagnostics {
	encoded, err := json.Marshal(s)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic("Internal error of the provider", err.Error())}
	}
	return private.SetKey(ctx, successorKey, encoded)
}

// forget removes keys. What a plan leaves in private data goes into the state unless it is removed, and a definition
// would be kept there twice.
func forget(ctx context.Context, private privateData, keys ...string) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, key := range keys {
		diags.Append(private.SetKey(ctx, key, nil)...)
	}
	return diags
}

// successorOf returns what the plan left for the destroy of an identity, when it is half of a replacement.
func successorOf(ctx context.Context, private privateData, id access.Identity) (successor, bool) {
	encoded, diags := private.GetKey(ctx, successorKey)
	var next successor
	if diags.HasError() || json.Unmarshal(encoded, &next) != nil {
		return successor{}, false
	}
	return next, next.ID == id.ID()
}

// handOver is the destroy's half of a replacement.
func (r *core[M, R]) handOver(ctx context.Context, entry *entry, old R, next successor) diag.Diagnostics {
	var diags diag.Diagnostics
	if err := ctx.Err(); err != nil {
		// No create follows an interrupt, and the state would lose what is in force.
		diags.Append(r.failed("replace", r.identityOf(old), err))
		return diags
	}
	entry.held = old
	if r.definition == nil || next.Definition == nil || *r.definition(&old) == "" {
		return diags // the create does both halves
	}
	wish := old
	*r.definition(&wish) = *next.Definition
	if r.sameContent(old, wish) {
		return diags // tainted, or replaced by command: dropping it would only open the table for a moment
	}
	err := r.swap(ctx, old, wish)
	var refused *refusedError
	switch {
	case err == nil && ctx.Err() != nil:
		// No create follows an interrupt. The next refresh reads what is in force now.
		diags.Append(r.failed("replace", r.identityOf(old), fmt.Errorf("%w; the new definition is in force", ctx.Err())))
	case err == nil:
		entry.claimed, entry.held = true, wish
	case errors.As(err, &refused) && ctx.Err() == nil:
		// The create tries once more: what the new definition needs may exist by then.
	default:
		diags.Append(r.failed("replace", r.identityOf(old), err))
	}
	return diags
}

// refusedError says that a new definition was refused and that the old one is in force again.
type refusedError struct {
	reason error
}

func (e *refusedError) Error() string {
	return e.reason.Error() + ". The old definition was put back and is in force"
}

func (e *refusedError) Unwrap() error { return e.reason }

// swap drops a policy and creates another of the same identity in its place, back to back, and puts the old one back
// when the new one is refused. It goes on when Terraform is interrupted: stopping between the two would leave the
// table open.
func (r *core[M, R]) swap(ctx context.Context, old, wish R) error {
	ctx = context.WithoutCancel(ctx)
	if err := r.remove(r.client, ctx, r.identityOf(old)); err != nil {
		return r.afterFailedDrop(ctx, old, wish, fmt.Errorf("the old definition could not be dropped: %w", err))
	}
	err := r.settle(ctx, wish)
	if err == nil {
		return nil
	}
	return r.putBack(ctx, old, wish, err)
}

// afterFailedDrop is what to do, and to say, when an old definition could not be dropped. A drop whose answer was lost may
// act at any time, and would take with it what is created on top of it, so nothing new is.
func (r *core[M, R]) afterFailedDrop(ctx context.Context, old, wish R, err error) error {
	if !rest.IsUncertain(err) {
		return err
	}
	const warning = "The drop may still act, and nothing would be in force then: plan again at once"
	if _, found, lookErr := r.find(r.client, ctx, r.identityOf(old), rest.Now); lookErr == nil && found {
		return fmt.Errorf("%w. The old definition is in force. %s", err, warning)
	}
	err = r.putBack(ctx, old, wish, err)
	if refused, isBack := errors.AsType[*refusedError](err); isBack {
		return fmt.Errorf("%w. The old definition is in force. %s", refused.reason, warning)
	}
	return err
}

// putBack makes the old definition be in force again after a swap failed, and returns how that ended. What is in force
// in the end is looked up, so that nobody is told that a table is open that is not, or the other way round.
func (r *core[M, R]) putBack(ctx context.Context, old, wish R, reason error) error {
	back := r.settle(ctx, old)
	if back == nil {
		return &refusedError{reason: reason}
	}
	existing, found, err := r.find(r.client, ctx, r.identityOf(old), rest.Now)
	switch {
	case err != nil:
		return fmt.Errorf("%w. The old definition could not be put back either: %w. IT IS NOT KNOWN WHAT IS IN FORCE NOW: plan again at once", reason, back)
	case !found:
		return fmt.Errorf("%w. The old definition could not be put back either: %w. NOTHING IS IN FORCE NOW: apply again at once", reason, back)
	case r.sameContent(existing, wish):
		return nil
	case r.sameContent(existing, old):
		return &refusedError{reason: reason}
	default:
		return fmt.Errorf("%w. Something else is in force now, which somebody made meanwhile: plan again to see", reason)
	}
}
