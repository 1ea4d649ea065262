package provider

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/rest"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// managedResource is what each of the four resources has to be.
type managedResource interface {
	resource.ResourceWithConfigure
	resource.ResourceWithIdentity
	resource.ResourceWithImportState
	resource.ResourceWithModifyPlan
	resource.ResourceWithMoveState
	resource.ResourceWithUpgradeState
	resource.ResourceWithValidateConfig
}

// core is what the four resources share: validation, planning, the four operations and import. R is the record that
// one instance stands for, an access.Assignment or an access.Policy; M is the resource's model.
//
// Each resource embeds a core and adds its name, schema and mapping.
type core[M, R any] struct {
	*connection
	record[R]
	typeName string
	noun     string // "permission", as messages say it
	kind     access.Kind
	identity []identityAttribute
	toRecord func(model M) R
	// toModel writes what the server said into the prior model, keeping the prior spelling of what means the same.
	toModel func(record R, prior M) M
	// version0 reads states of version 0.
	version0 version0[M]
}

const (
	// patience is how long a create that finds other content waits for the destroy that may be on its way.
	patience = 2 * time.Second
	// longestPause bounds the wait before a look, however often a busy catalog was asked before.
	longestPause = time.Minute
)

// record is what can be done with a record: the server calls, and the rules that need no server.
type record[R any] struct {
	identityOf  func(R) access.Identity
	check       func(R) access.Problems
	sameContent func(a, b R) bool
	expiry      func(R) string // empty for what does not expire
	// fits checks a record against what is around it; nil for what does not hang on columns.
	fits func(R, surroundings) []finding
	// facts and definition are about the definition of a policy, which only a replacement changes. They are nil for what
	// is replaced by writing it.
	facts      *definitionFacts
	definition func(*R) *string
	find       func(client *rest.Client, ctx context.Context, id access.Identity, atMost time.Duration) (R, bool, error)
	write      func(*rest.Client, context.Context, R) error
	remove     func(*rest.Client, context.Context, access.Identity) error
}

// assignments is the record of permissions and column permissions.
func assignments() record[access.Assignment] {
	return record[access.Assignment]{
		identityOf:  func(a access.Assignment) access.Identity { return a.Identity },
		check:       access.Assignment.Check,
		sameContent: access.Assignment.SameContent,
		expiry:      func(a access.Assignment) string { return a.ExpireTime },
		find:        (*rest.Client).Assignment,
		write:       (*rest.Client).Grant,
		remove:      (*rest.Client).Revoke,
	}
}

// Metadata names the resource.
func (r *core[M, R]) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = r.typeName
}

// Configure takes the connection of the walk. It is nil while Terraform only validates.
func (r *core[M, R]) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.connection = connectionOf(req.ProviderData, &resp.Diagnostics)
}

// IdentitySchema lists the identity attributes. Version 0 is for ever.
func (r *core[M, R]) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	attributes := make(map[string]identityschema.Attribute, len(r.identity))
	for _, a := range r.identity {
		attributes[a.name] = identityschema.StringAttribute{
			Description:       a.description,
			RequiredForImport: !a.optional,
			OptionalForImport: a.optional,
		}
	}
	resp.IdentitySchema = identityschema.Schema{Attributes: attributes}
}

// ValidateConfig reports everything that the configuration alone decides. What hangs on an unknown value is decided
// later.
func (r *core[M, R]) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var m M
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	for _, problem := range r.check(r.toRecord(m)) {
		if isDecided(req.Config.Raw, problem.Attribute) {
			resp.Diagnostics.AddAttributeError(path.Root(problem.Attribute), "Invalid "+r.noun, problem.Error())
		}
	}
}

// columnLists are decided together: each says something about the other.
var columnLists = []string{"column_names", "excluded_column_names"}

// isDecided says whether everything is known that a problem with this attribute hangs on.
func isDecided(config tftypes.Value, attribute string) bool {
	needed := []string{attribute}
	if slices.Contains(columnLists, attribute) {
		needed = columnLists
	}
	unknown := unknownAttributes(config)
	return !slices.ContainsFunc(needed, func(name string) bool { return slices.Contains(unknown, name) })
}

// Create makes the record so, unless something else is there under its identity.
func (r *core[M, R]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var m M
	resp.Diagnostics.Append(req.Plan.Get(ctx, &m)...)
	resp.Diagnostics.Append(forget(ctx, resp.Private, successorKey, checkedKey, ownerKey)...)
	r.checkReachable(r.typeName, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	wish := r.toRecord(m)
	id := r.identityOf(wish)
	resp.Diagnostics.Append(r.setIdentity(ctx, resp.Identity, id)...)
	entry, err := r.register.acquire(ctx, id)
	if err != nil {
		resp.Diagnostics.Append(r.failed("create", id, err))
		return
	}
	defer entry.release()
	made, diags := r.establish(ctx, entry, wish)
	resp.Diagnostics.Append(diags...)
	if made != nil {
		resp.Diagnostics.Append(resp.State.Set(ctx, r.toModel(*made, m))...)
	}
}

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

// Read brings the state up to what the server says. The identity comes first: an object that turns out to be gone
// still needs one in states that were written without.
func (r *core[M, R]) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var m M
	resp.Diagnostics.Append(req.State.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	prior := r.toRecord(m)
	id := r.identityOf(prior)
	resp.Diagnostics.Append(r.setIdentity(ctx, resp.Identity, id)...)
	if r.client == nil {
		return
	}
	current, found, err := r.find(r.client, ctx, id, rest.ThisWalk)
	switch {
	case err != nil:
		resp.Diagnostics.Append(r.failed("read", id, err))
	case found:
		// The response begins as the state, and writing a state costs more than all else here.
		if next := r.toModel(current, m); !reflect.DeepEqual(next, m) {
			resp.Diagnostics.Append(resp.State.Set(ctx, next)...)
		}
		r.register.noteInState(id)
		if r.facts != nil {
			r.facts.warnOfUnreadable(&resp.Diagnostics, id, *r.definition(&current))
		}
	case access.Expired(r.expiry(prior), r.client.Now()):
		// The server has cleaned up what had expired. Creating it again would be dead on arrival, plan after plan.
		resp.Diagnostics.Append(resp.State.Set(ctx, r.toModel(prior, m))...)
	default:
		resp.Diagnostics.Append(r.goneWithTable(id)...)
		resp.State.RemoveResource(ctx)
	}
}

// Update replaces the record's content in place.
func (r *core[M, R]) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var m, before M
	resp.Diagnostics.Append(req.Plan.Get(ctx, &m)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &before)...)
	resp.Diagnostics.Append(forget(ctx, resp.Private, successorKey, checkedKey, ownerKey)...)
	r.checkReachable(r.typeName, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	wish := r.toRecord(m)
	id := r.identityOf(wish)
	resp.Diagnostics.Append(r.setIdentity(ctx, resp.Identity, id)...)
	entry, err := r.register.acquire(ctx, id)
	if err != nil {
		resp.Diagnostics.Append(r.failed("update", id, err))
		return
	}
	defer entry.release()
	if prior := r.toRecord(before); !r.sameContent(wish, prior) {
		if err := r.settle(ctx, wish, prior); err != nil {
			resp.Diagnostics.Append(r.failed("update", id, err))
			return
		}
	}
	entry.claimed = true
	resp.Diagnostics.Append(resp.State.Set(ctx, r.toModel(wish, m))...)
}

// Delete makes the record absent, or is the first half of a replacement.
func (r *core[M, R]) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var m M
	resp.Diagnostics.Append(req.State.Get(ctx, &m)...)
	r.checkReachable(r.typeName, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	old := r.toRecord(m)
	id := r.identityOf(old)
	entry, err := r.register.acquire(ctx, id)
	if err != nil {
		resp.Diagnostics.Append(r.failed("destroy", id, err))
		return
	}
	defer entry.release()
	next, isReplacement := successorOf(ctx, req.Private, id)
	switch {
	case entry.claimed:
		return
	case entry.failed:
		entry.stuck = true
		resp.Diagnostics.Append(r.kept(id))
	case isReplacement:
		resp.Diagnostics.Append(r.handOver(ctx, entry, old, next)...)
	default:
		if err := r.remove(r.client, ctx, id); err != nil {
			entry.stuck = true
			resp.Diagnostics.Append(r.failed("destroy", id, err))
			return
		}
		entry.removed = old
		entry.depart()
	}
}

// ImportState takes an import ID in either spelling, or a resource identity.
func (r *core[M, R]) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	id, diags := r.importedIdentity(ctx, req)
	resp.Diagnostics.Append(diags...)
	r.checkReachable(r.typeName, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	switch _, found, err := r.find(r.client, ctx, id, rest.ThisWalk); {
	case err != nil:
		resp.Diagnostics.Append(r.failed("import", id, err))
		return
	case !found:
		resp.Diagnostics.Append(r.absent(id))
		return
	}
	var diagnostics diag.Diagnostics
	for _, a := range r.identity {
		diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(a.name), nullable(a.of(&id)))...)
	}
	diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), id.ID())...)
	diagnostics.Append(r.setIdentity(ctx, resp.Identity, id)...)
	resp.Diagnostics.Append(diagnostics...)
}
