package provider

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/rest"
)

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
	resp.Diagnostics.Append(r.planReplacement(ctx, req, planned)...)
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

// planDestroy tells what a policy's destroy uncovers, unless another address is known to take it over, and refuses it while
// another address keeps the record. A replacement is not planned as a destroy.
func (r *core[M, R]) planDestroy(ctx context.Context, state tfsdk.State) diag.Diagnostics {
	var m M
	diags := state.Get(ctx, &m)
	if diags.HasError() {
		return diags
	}
	record := r.toRecord(m)
	if id := r.identityOf(record); !r.register.leave(id) {
		diags.Append(r.sharedWithDestroy(id))
	} else if r.facts != nil && !r.register.isClaimed(id) {
		diags.Append(r.uncovered(record))
	}
	return diags
}

// planReplacement tells what a replacement uncovers that does not end in a policy of the same identity.
func (r *core[M, R]) planReplacement(ctx context.Context, req resource.ModifyPlanRequest, planned R) diag.Diagnostics {
	var m M
	if r.facts == nil || req.State.Raw.IsNull() {
		return nil
	}
	diags := req.State.Get(ctx, &m)
	if diags.HasError() {
		return diags
	}
	prior := r.toRecord(m)
	id := r.identityOf(prior)
	if stays := r.identityIsKnown(req.Plan) && r.identityOf(planned) == id; !stays && !r.register.isClaimed(id) {
		diags.Append(r.uncovered(prior))
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
	if diags.HasError() {
		entry.failed = true // in an apply no create follows, so what it was to take over from another address has to stay there
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
	var unreachable *rest.ConnectError
	switch {
	case rest.IsCode(err, http.StatusForbidden) && !errors.As(err, &unreachable):
		diags.Append(r.unseen(id))
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
