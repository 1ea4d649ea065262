package rest

import (
	"context"
	"encoding/json"
	"iter"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// Listing is what a listing endpoint answered.
type Listing[R any] struct {
	Rows []R
	// Malformed holds the JSON of rows that do not have the contract's shape at all. While there is one, nobody can
	// say for sure that an identity is not listed.
	Malformed []string
}

// Permissions lists the direct assignments on one exact resource, all pages. Principal and access
// narrow the listing when they are not empty. The rows are what the server said, which may break the contract. A listing
// that is not narrowed is shared with the look-ups of Assignment.
func (c *Client) Permissions(ctx context.Context, resource access.Resource, principal string, given access.Access) (Listing[access.Assignment], error) {
	isNarrowed := principal != "" || given != ""
	if isNarrowed && !c.assignments.has(resource) {
		return c.listPermissions(ctx, resource, principal, given)
	}
	listing, err := c.assignments.all(ctx, resource, false)
	return listing.keep(func(a access.Assignment) bool { return matches(a.Principal, principal) && matches(a.Access, given) }), err
}

// listPermissions asks the server.
//
// A server refuses to filter by a principal that it no longer knows. Such a principal may still hold records, so the
// whole listing is read then, and filtered here.
func (c *Client) listPermissions(ctx context.Context, resource access.Resource, principal string, given access.Access) (Listing[access.Assignment], error) {
	listing, err := collect(c.permissionPages(ctx, resource, principal, given))
	if principal != "" && IsMissing(err, wire.ErrorPrincipal) {
		listing, err = collect(c.permissionPages(ctx, resource, "", given))
		return listing.keep(func(a access.Assignment) bool { return a.Principal == principal }), err
	}
	return listing, err
}

// permissionPages asks for page after page.
func (c *Client) permissionPages(ctx context.Context, resource access.Resource, principal string, given access.Access) iter.Seq2[part[access.Assignment], error] {
	query := url.Values{wire.ParamResourceType: {string(resource.Type)}}
	for _, l := range resource.Type.Locators() {
		query.Set(string(l), resource.Locator(l)) // the locators are spelled like the query parameters
	}
	setUnlessEmpty(query, wire.ParamPrincipal, principal)
	setUnlessEmpty(query, wire.ParamAccess, string(given))
	return decoded(c, pages[json.RawMessage](ctx, c, wire.ListPermissions, "permissions", nil, query), func(row wire.Permission) (access.Assignment, bool) {
		a, ok := assignmentOf(row)
		if a.Resource == resource {
			a.Resource = resource // one copy of the names for all rows
		}
		return a, ok
	})
}

// Assignment looks up one permission in what the server said at most that long ago. Not found is definite: the server
// listed the resource without it, or said with a typed 404 that the resource is gone.
func (c *Client) Assignment(ctx context.Context, id access.Identity, atMost time.Duration) (access.Assignment, bool, error) {
	a, found, err := c.assignments.find(ctx, id, atMost)
	if isGone(err, id.Resource) {
		err = nil
	}
	return a, found, err
}

// lookForAssignment asks the server for one permission.
func (c *Client) lookForAssignment(ctx context.Context, id access.Identity) (access.Assignment, bool, error) {
	listing, err := c.listPermissions(ctx, id.Resource, id.Principal, id.Access)
	if err != nil {
		return access.Assignment{}, false, err
	}
	return find(listing, id, func(a access.Assignment) access.Identity { return a.Identity })
}

// Grant makes an assignment so: it creates it, or replaces the columns and the expiry of an existing one.
func (c *Client) Grant(ctx context.Context, a access.Assignment) error {
	body := wire.Permission{
		Resource:   wireResource(a.Resource),
		Access:     wire.Text(a.Access),
		Principal:  wire.Text(a.Principal),
		ExpireTime: wire.Text(a.ExpireTime),
	}
	if expiry, err := access.ParseListedExpiry(a.ExpireTime); err == nil {
		body.ExpireTime = wire.Text(access.FormatExpiry(expiry))
	}
	if !a.Columns.IsZero() {
		body.Columns = &wire.Columns{ColumnNames: texts(a.Columns.Names), ExcludedColumnNames: texts(a.Columns.Excluded)}
	}
	err := c.call(ctx, wire.GrantPermission, nil, nil, body, nil)
	c.assignments.wrote(a.Identity, &a, err)
	return err
}

// Revoke makes an assignment absent. A resource that is gone has no assignments, so that is success too; a principal
// that the server no longer knows is success only when a look at the resource shows no such assignment.
func (c *Client) Revoke(ctx context.Context, id access.Identity) error {
	body := wire.Revocation{Resource: wireResource(id.Resource), Access: wire.Text(id.Access), Principal: wire.Text(id.Principal)}
	return remove(ctx, c, id, c.assignments, func() error {
		return c.call(ctx, wire.RevokePermission, nil, nil, body, nil)
	})
}

func find[R any](listing Listing[R], id access.Identity, identity func(R) access.Identity) (R, bool, error) {
	for _, row := range listing.Rows {
		if identity(row) == id {
			return row, true, nil
		}
	}
	var none R
	if len(listing.Malformed) > 0 {
		return none, false, &MalformedError{Row: listing.Malformed[0]}
	}
	return none, false, nil
}

// MalformedError says that a listing has a row that nobody can read, so that the absence of another is not proven.
type MalformedError struct {
	Row string
}

// Error shows the row.
func (e *MalformedError) Error() string {
	return "the catalog listed a row that is not a permission or policy of the contract, so nothing can be said for sure: " + cut(e.Row, 200)
}

// matches says whether a value passes a filter; an empty one does not count.
func matches[T ~string](value, filter T) bool {
	return filter == "" || value == filter
}

// keep drops the other rows.
func (l Listing[R]) keep(isWanted func(R) bool) Listing[R] {
	l.Rows = slices.DeleteFunc(l.Rows, func(row R) bool { return !isWanted(row) })
	return l
}

// collect gathers the pages of a listing.
func collect[R any](parts iter.Seq2[part[R], error]) (Listing[R], error) {
	var whole Listing[R]
	for page, err := range parts {
		if err != nil {
			return Listing[R]{}, err
		}
		whole.Rows = append(whole.Rows, page.Rows...)
		whole.Malformed = append(whole.Malformed, page.Malformed...)
	}
	return whole, nil
}

// decoded reads the rows of each page as it comes.
func decoded[W, R any](c *Client, raw iter.Seq2[page[json.RawMessage], error], read func(W) (R, bool)) iter.Seq2[part[R], error] {
	return func(yield func(part[R], error) bool) {
		for p, err := range raw {
			if !yield(part[R]{Listing: decodeRows(c, p.rows, read), more: !p.isLast()}, err) {
				return
			}
		}
	}
}

func decodeRows[W, R any](c *Client, raw []json.RawMessage, read func(W) (R, bool)) Listing[R] {
	listing := Listing[R]{Rows: make([]R, 0, len(raw))}
	for _, data := range raw {
		var decoded W
		if err := json.Unmarshal(data, &decoded); err == nil {
			if row, ok := read(decoded); ok {
				listing.Rows = append(listing.Rows, row)
				continue
			}
		}
		listing.Malformed = append(listing.Malformed, c.redact(string(data)))
	}
	return listing
}

func assignmentOf(row wire.Permission) (access.Assignment, bool) {
	resource := resourceOf(row.Resource)
	a := access.Assignment{
		Identity: access.Identity{
			Resource:  resource,
			Access:    inUpperCase(access.Access(row.Access), resource.Type.Accesses),
			Principal: string(row.Principal),
		},
		ExpireTime: string(row.ExpireTime),
	}
	if row.Columns != nil {
		a.Columns = access.Columns{Names: names(row.Columns.ColumnNames), Excluded: names(row.Columns.ExcludedColumnNames)}
	}
	return a, row.Resource.Type != ""
}

func wireResource(r access.Resource) wire.Resource {
	return wire.Resource{
		Type:     wire.Text(r.Type),
		Database: wire.Text(r.Database),
		Table:    wire.Text(r.Table),
		View:     wire.Text(r.View),
		Function: wire.Text(r.Function),
	}
}

func resourceOf(r wire.Resource) access.Resource {
	return access.Resource{
		Type:     inUpperCase(access.ResourceType(r.Type), access.ResourceTypes),
		Database: string(r.Database),
		Table:    string(r.Table),
		View:     string(r.View),
		Function: string(r.Function),
	}
}

// inUpperCase reads one of the known words in any case, as Paimon's own readers do; a word that is none of them stays
// as the server wrote it.
func inUpperCase[W ~string](word W, known func() []W) W {
	if upper := W(strings.ToUpper(string(word))); upper != word && slices.Contains(known(), upper) {
		return upper
	}
	return word
}

func texts(names []string) []wire.Text {
	var converted []wire.Text
	for _, name := range names {
		converted = append(converted, wire.Text(name))
	}
	return converted
}

func names(texts []wire.Text) []string {
	var converted []string
	for _, text := range texts {
		converted = append(converted, string(text))
	}
	return converted
}

func setUnlessEmpty(query url.Values, key, value string) {
	if value != "" {
		query.Set(key, value)
	}
}
