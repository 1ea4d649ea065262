package provider

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
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
}

// patience is how long a create that finds other content waits for the destroy that may be on its way.
const patience = 2 * time.Second

// breather is how long to wait before looking what became of a request whose answer was lost, unless the server asked
// for a time. Tests make it short.
var breather = time.Second

// record is what can be done with a record: the server calls, and the rules that need no server.
type record[R any] struct {
	identityOf  func(R) access.Identity
	check       func(R) access.Problems
	sameContent func(a, b R) bool
	expiry      func(R) string // empty for what does not expire
	// fits checks a record against what is around it; nil for what does not hang on columns.
	fits func(R, surroundings) []finding
	// facts, definition and exposes are about a policy's definition, which only a replacement changes; nil where writing
	// replaces what is there. Exposes says what a principal sees once the policy is gone.
	facts      *definitionFacts
	definition func(*R) *string
	exposes    func(R) string
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

// ModifyPlan makes the id known, checks what is to be created or changed, and warns of what a reviewer should know.
func (r *core[M, R]) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		resp.Diagnostics.Append(forget(ctx, resp.Private, successorKey)...)
		resp.Diagnostics.Append(r.planDestroy(ctx, req.State)...)
		return
	}
	var m M
	resp.Diagnostics.Append(req.Plan.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	planned := r.toRecord(m)
	if r.identityIsKnown(req.Plan) {
		id := r.identityOf(planned).ID()
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("id"), id)...)
		if req.State.Raw.IsNull() {
			resp.Diagnostics.Append(r.successor(id, req.Plan, planned).save(ctx, resp.Private)...)
		}
		resp.Diagnostics.Append(r.claim(ctx, req, resp, r.identityOf(planned))...)
		if resp.Diagnostics.HasError() {
			return
		}
	}
	if r.facts != nil && isDecided(req.Plan.Raw, r.facts.attribute) {
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root(r.facts.sqlAttribute), r.facts.sql(*r.definition(&planned)))...)
	}
	if len(unknownAttributes(resp.Plan.Raw)) == 0 {
		resp.Diagnostics.Append(r.checkChange(ctx, req, resp, planned)...)
	}
	if expiry := r.expiry(planned); r.client != nil && access.Expired(expiry, r.client.Now()) {
		resp.Diagnostics.AddAttributeWarning(path.Root("expire_time"), "The "+r.noun+" has expired",
			fmt.Sprintf("%s expired at %s and gives nothing any more. Set a later expire_time, or remove the resource.", r.identityOf(planned), expiry))
	}
}

// planDestroy tells what a policy's destroy uncovers, and refuses it while another address keeps the record. A
// replacement is not planned as a destroy.
func (r *core[M, R]) planDestroy(ctx context.Context, state tfsdk.State) diag.Diagnostics {
	var m M
	diags := state.Get(ctx, &m)
	if diags.HasError() {
		return diags
	}
	record := r.toRecord(m)
	if id := r.identityOf(record); !r.register.leave(id) {
		diags.Append(r.sharedWithDestroy(id))
	} else if r.exposes != nil {
		diags.AddWarning("Destroying a "+r.noun+" uncovers data", r.exposes(record))
	}
	return diags
}

// claim refuses a second address for one record: each would undo what the other does, and the destroy of one would take
// the record from both. A provider never sees addresses; two plans in one walk are for two addresses, except that a
// replacement is planned twice, and the second planning gets the private data of the first.
func (r *core[M, R]) claim(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse, id access.Identity) diag.Diagnostics {
	var diags diag.Diagnostics
	owner := strconv.Quote(rand.Text())
	if first, _ := req.Private.GetKey(ctx, ownerKey); req.State.Raw.IsNull() && len(first) > 0 {
		owner = string(first)
	}
	diags.Append(resp.Private.SetKey(ctx, ownerKey, []byte(owner))...)
	if !r.register.claim(id, owner) {
		diags.Append(r.shared(id))
	}
	if req.State.Raw.IsNull() {
		return diags
	}
	var before M
	diags.Append(req.State.Get(ctx, &before)...)
	switch prior := r.identityOf(r.toRecord(before)); {
	case diags.HasError():
	case prior == id && !r.register.stay(id):
		diags.Append(r.sharedWithDestroy(id))
	case prior != id && !r.register.leave(prior):
		diags.Append(r.sharedWithDestroy(prior))
	}
	return diags
}

// checkChange checks a record when it is created or changed. A replacement is planned twice, the second time without the
// prior state; what was checked the first time is not checked again.
func (r *core[M, R]) checkChange(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse, planned R) diag.Diagnostics {
	id := r.identityOf(planned).ID()
	if req.State.Raw.IsNull() {
		if checked, _ := req.Private.GetKey(ctx, checkedKey); string(checked) == strconv.Quote(id) {
			return forget(ctx, resp.Private, checkedKey)
		}
		return r.checkCreate(ctx, planned)
	}
	var before M
	diags := req.State.Get(ctx, &before)
	if diags.HasError() {
		return diags
	}
	prior := r.toRecord(before)
	if r.identityOf(prior) != r.identityOf(planned) {
		return diags // the second planning sees a create
	}
	if !r.sameContent(prior, planned) {
		diags.Append(r.checkTable(ctx, planned, r.facts != nil)...)
	}
	diags.Append(resp.Private.SetKey(ctx, checkedKey, []byte(strconv.Quote(id)))...)
	return diags
}

// checkCreate checks what is to be created. When that is the second half of a replacement, the first is over by now: an
// error here would end it without a create, which alone can say what is in force.
func (r *core[M, R]) checkCreate(ctx context.Context, planned R) diag.Diagnostics {
	var diags diag.Diagnostics
	id := r.identityOf(planned)
	entry, err := r.register.acquire(ctx, id)
	if err != nil {
		diags.Append(r.failed("plan", id, err))
		return diags
	}
	defer entry.release()
	if entry.held != nil || entry.claimed {
		return diags
	}
	diags.Append(r.checkTable(ctx, planned, false)...)
	if !diags.HasError() {
		diags.Append(r.announce(ctx, entry, planned)...)
	}
	return diags
}

// announce tells a reviewer what a create will meet. It looks for what this walk does not know to be in the state, since
// a plan that creates what a colleague made by hand looks like any other. It refuses nothing: in a renamed address the
// same happens, and only the create knows how it ends.
func (r *core[M, R]) announce(ctx context.Context, entry *entry, planned R) diag.Diagnostics {
	var diags diag.Diagnostics
	id := r.identityOf(planned)
	if r.client == nil || entry.announced || r.register.isInState(id) {
		return diags
	}
	entry.announced = true
	existing, found, err := r.find(r.client, ctx, id, rest.ThisWalk)
	switch {
	case rest.IsCode(err, http.StatusForbidden):
	case err != nil:
		diags.Append(r.failed("plan", id, err))
	case found && r.sameContent(existing, planned):
		diags.Append(r.adopted(id))
	case found:
		diags.Append(r.willBeOccupied(id))
	}
	return diags
}

// successor is what a create that is being planned will make.
func (r *core[M, R]) successor(id string, plan tfsdk.Plan, planned R) successor {
	next := successor{ID: id}
	if r.facts != nil && isDecided(plan.Raw, r.facts.attribute) {
		next.Definition = r.definition(&planned)
	}
	return next
}

func (r *core[M, R]) identityIsKnown(plan tfsdk.Plan) bool {
	unknown := unknownAttributes(plan.Raw)
	return !slices.ContainsFunc(r.identity, func(a identityAttribute) bool { return slices.Contains(unknown, a.name) })
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
		err = r.settle(ctx, wish)
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

// settle writes a record and makes sure that it is there. When the answer is lost, or came from a gateway in the
// catalog's place, a look decides; only when the record is definitely absent is it written a second time, and that is
// looked at, too. What is still as it was before, when it was there before, did not get the request either.
func (r *core[M, R]) settle(ctx context.Context, wish R, before ...R) error {
	asBefore := func(existing R) bool {
		return slices.ContainsFunc(before, func(b R) bool { return r.sameContent(existing, b) })
	}
	var err error
	for attempt := range 2 {
		err = r.write(r.client, ctx, wish)
		// A policy that is in the way of the second attempt is most likely the first one's, which arrived after the look.
		late := attempt > 0 && rest.IsConflict(err, wire.ErrorPolicy)
		if !rest.IsUncertain(err) && !late {
			return err
		}
		if waited := pause(ctx, err); waited != nil {
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
		}
	}
	return err
}

// pause waits as long as the server asked for before the next look, and a moment when it did not.
func pause(ctx context.Context, err error) error {
	delay := breather
	var answer *rest.Error
	if errors.As(err, &answer) && answer.RetryAfter > 0 {
		delay = answer.RetryAfter
	}
	timer := time.NewTimer(delay)
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
		resp.Diagnostics.Append(resp.State.Set(ctx, r.toModel(current, m))...)
		r.register.noteInState(id)
		if r.facts != nil {
			r.facts.warnOfUnreadable(&resp.Diagnostics, id, *r.definition(&current))
		}
	case access.Expired(r.expiry(prior), r.client.Now()):
		// The server has cleaned up what had expired. Creating it again would be dead on arrival, plan after plan.
		resp.Diagnostics.Append(resp.State.Set(ctx, r.toModel(prior, m))...)
	default:
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
		resp.Diagnostics.Append(r.kept(id))
	case isReplacement:
		resp.Diagnostics.Append(r.handOver(ctx, entry, old, next)...)
	default:
		if err := r.remove(r.client, ctx, id); err != nil {
			resp.Diagnostics.Append(r.failed("destroy", id, err))
			return
		}
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
	var diagnostics diag.Diagnostics
	for _, a := range r.identity {
		diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(a.name), nullable(a.of(&id)))...)
	}
	diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), id.ID())...)
	diagnostics.Append(r.setIdentity(ctx, resp.Identity, id)...)
	resp.Diagnostics.Append(diagnostics...)
}
