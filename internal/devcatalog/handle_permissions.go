package devcatalog

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// listPermissions checks the parameters before anything else, then: rights, resource, principal.
func (c *Catalog) listPermissions(ctx context.Context, t *tx, call *call) (any, error) {
	resource, filter, err := listedResource(call.query)
	if err != nil {
		return nil, err
	}
	page, err := c.pageRequest(call.query)
	if err != nil {
		return nil, err
	}
	if err := t.mayManage(ctx, call.caller, resource, call.now); err != nil {
		return nil, err
	}
	objectID, err := t.objectID(ctx, resource)
	if err != nil {
		return nil, err
	}
	if filter.principal != "" {
		if err := c.directory.check(filter.principal); err != nil {
			return nil, err
		}
	}
	keyPrefix := permissionKeyPrefix(resource)
	page, ok := page.within(keyPrefix)
	if !ok {
		return wire.PermissionPage{Permissions: []json.RawMessage{}}, nil
	}
	rows, err := t.permissions(ctx, objectID, resource, filter, page)
	if err != nil {
		return nil, err
	}
	assignments, token := takePage(page, keyPrefix, rows)
	encodedRows, err := encodeRows(assignments, permissionRow)
	return wire.PermissionPage{Permissions: encodedRows, NextPageToken: token}, err
}

// listedResource reads which resource is listed, and what of it. Blank filters do not count.
func listedResource(query url.Values) (resource access.Resource, filter permissionFilter, err error) {
	if !query.Has(wire.ParamResourceType) {
		return resource, filter, invalid("resourceType is missing.")
	}
	resource, err = canonicalResource(ResourceBody{
		Type:     query.Get(wire.ParamResourceType),
		Database: query.Get(wire.ParamDatabase),
		Table:    query.Get(wire.ParamTable),
		View:     query.Get(wire.ParamView),
		Function: query.Get(wire.ParamFunction),
	})
	if err != nil {
		return resource, filter, err
	}
	filter.principal = unlessBlank(query.Get(wire.ParamPrincipal))
	if text := unlessBlank(query.Get(wire.ParamAccess)); text != "" {
		filter.access, err = canonicalAccess(resource.Type, text)
	}
	return resource, filter, err
}

func unlessBlank(text string) string {
	if access.IsBlank(text) {
		return ""
	}
	return text
}

// permissionKeyPrefix is the part of the reference server's sort key that all assignments on one resource share. The
// database holds the rest.
func permissionKeyPrefix(r access.Resource) string {
	var key strings.Builder
	for _, part := range []string{string(r.Type), r.Database, r.Table, r.Function, r.View} {
		if part == "" {
			key.WriteString("-1:")
			continue
		}
		fmt.Fprintf(&key, "%d:%s", len(utf16.Encode([]rune(part))), part)
	}
	return key.String()
}

func permissionRow(a access.Assignment) any {
	row := wire.Permission{
		Resource: wire.Resource{
			Type:     wire.Text(a.Resource.Type),
			Database: wire.Text(a.Resource.Database),
			Table:    wire.Text(a.Resource.Table),
			Function: wire.Text(a.Resource.Function),
			View:     wire.Text(a.Resource.View),
		},
		Access:     wire.Text(a.Access),
		Principal:  wire.Text(a.Principal),
		ExpireTime: wire.Text(a.ExpireTime),
	}
	if a.Resource.Type == access.Column {
		row.Columns = &wire.Columns{ColumnNames: texts(a.Columns.Names), ExcludedColumnNames: texts(a.Columns.Excluded)}
	}
	return row
}

func texts(names []string) []wire.Text {
	converted := make([]wire.Text, len(names))
	for i, name := range names {
		converted[i] = wire.Text(name)
	}
	return converted
}

func encodeRows[T any](values []T, row func(T) any) ([]json.RawMessage, error) {
	rows := make([]json.RawMessage, len(values))
	for i, value := range values {
		text, err := wire.Encode(row(value))
		if err != nil {
			return nil, fmt.Errorf("encode a row: %w", err)
		}
		rows[i] = text
	}
	return rows, nil
}

func (c *Catalog) grantPermission(ctx context.Context, t *tx, call *call) (any, error) {
	var body PermissionBody
	if err := decode(call.body, &body); err != nil {
		return nil, err
	}
	assignment, err := body.assignment()
	if err != nil {
		return nil, err
	}
	return nil, c.grant(ctx, t, call.caller, assignment, call.now)
}

// grant creates or replaces an assignment whose shape is good. The order of the checks is the contract's: rights,
// resource, principal, query-auth, columns.
func (c *Catalog) grant(ctx context.Context, t *tx, who caller, a access.Assignment, now time.Time) error {
	if err := t.mayManage(ctx, who, a.Resource, now); err != nil {
		return err
	}
	if a.Resource.Type == access.Column {
		return c.grantColumns(ctx, t, a)
	}
	objectID, err := t.objectID(ctx, a.Resource)
	if err != nil {
		return err
	}
	if err := c.directory.check(a.Principal); err != nil {
		return err
	}
	return t.putPermission(ctx, objectID, a, nil)
}

func (c *Catalog) grantColumns(ctx context.Context, t *tx, a access.Assignment) error {
	of, err := t.table(ctx, a.Resource)
	if err != nil {
		return err
	}
	if err := c.directory.check(a.Principal); err != nil {
		return err
	}
	if !of.queryAuth() {
		return queryAuthOff(a.Resource)
	}
	for _, name := range slices.Concat(a.Columns.Names, a.Columns.Excluded) {
		if of.columnIndex(name) < 0 {
			return missingColumn(name)
		}
	}
	return t.putPermission(ctx, of.id, a, of)
}

// revokePermission makes an assignment absent. It forgives an absent assignment, but not an absent resource or
// principal.
func (c *Catalog) revokePermission(ctx context.Context, t *tx, call *call) (any, error) {
	var body PermissionBody
	if err := decode(call.body, &body); err != nil {
		return nil, err
	}
	identity, err := body.identity()
	if err != nil {
		return nil, err
	}
	if err := t.mayManage(ctx, call.caller, identity.Resource, call.now); err != nil {
		return nil, err
	}
	objectID, err := t.objectID(ctx, identity.Resource)
	if err != nil {
		return nil, err
	}
	if err := c.directory.check(identity.Principal); err != nil {
		return nil, err
	}
	return nil, t.removePermission(ctx, objectID, identity)
}
