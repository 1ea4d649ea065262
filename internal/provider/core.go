package provider

import (
	"context"
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
	r.setIdentity(ctx, resp.Identity, id)
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
	r.setIdentity(ctx, resp.Identity, id)
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
	r.setIdentity(ctx, resp.Identity, id)
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
	r.setIdentity(ctx, resp.Identity, id)
	resp.Diagnostics.Append(diagnostics...)
}
