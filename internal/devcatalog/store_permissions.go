package devcatalog

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// The column ranges as they are stored.
const (
	allowRange = "ALLOW"
	denyRange  = "DENY"
)

// putPermission creates the assignment or replaces everything that is not identity: columns and expiry. The table is
// that of a COLUMN assignment, whose columns it must have.
func (t *tx) putPermission(ctx context.Context, objectID string, a access.Assignment, of *table) error {
	var id int64
	err := t.row(ctx, into(&id), `
		INSERT INTO permission (object_id, resource_type, access, principal, column_range, expire_time, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (object_id, resource_type, principal, sort_key) DO UPDATE SET column_range = excluded.column_range,
			expire_time = excluded.expire_time, expires_at = excluded.expires_at
		RETURNING id`,
		objectID, string(a.Resource.Type), string(a.Access), a.Principal, rangeOf(a), nullText(a.ExpireTime), expiresAt(a.ExpireTime))
	if err != nil {
		return fmt.Errorf("store %s: %w", a.Identity, err)
	}
	if a.Resource.Type != access.Column {
		return nil
	}
	if _, err := t.exec(ctx, "DELETE FROM permission_column WHERE permission_id = ?", id); err != nil {
		return fmt.Errorf("clear the columns of %s: %w", a.Identity, err)
	}
	for i, name := range slices.Concat(a.Columns.Names, a.Columns.Excluded) {
		_, err := t.exec(ctx, "INSERT INTO permission_column (permission_id, position, table_id, field_id) VALUES (?, ?, ?, ?)",
			id, i, of.id, of.columns[of.columnIndex(name)].ID)
		if err != nil {
			return fmt.Errorf("store column %q of %s: %w", name, a.Identity, err)
		}
	}
	return nil
}

func rangeOf(a access.Assignment) *string {
	kind := allowRange
	switch {
	case a.Resource.Type != access.Column:
		return nil
	case a.Columns.Excluded != nil:
		kind = denyRange
	}
	return &kind
}

func nullText(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// expiresAt is the expiry as a number that SQL can compare. Years that do not fit are as good as the first or last
// instant that does.
func expiresAt(text string) *int64 {
	instant, err := access.ParseListedExpiry(text)
	if err != nil {
		return nil
	}
	const most = math.MaxInt64 / 1000
	millis := instant.UnixMilli()
	switch {
	case instant.Unix() >= most:
		millis = math.MaxInt64
	case instant.Unix() <= -most:
		millis = math.MinInt64
	}
	return &millis
}

// removePermission makes the assignment absent.
func (t *tx) removePermission(ctx context.Context, objectID string, i access.Identity) error {
	_, err := t.exec(ctx, "DELETE FROM permission WHERE object_id = ? AND resource_type = ? AND principal = ? AND access = ?",
		objectID, string(i.Resource.Type), i.Principal, string(i.Access))
	if err != nil {
		return fmt.Errorf("remove %s: %w", i, err)
	}
	return nil
}

// permissionFilter narrows a listing; empty members do not.
type permissionFilter struct {
	principal string
	access    access.Access
}

// permissions lists one page of the assignments on one exact resource, whose object is given by its id.
func (t *tx) permissions(ctx context.Context, objectID string, r access.Resource, filter permissionFilter, page pageRequest) ([]keyed[access.Assignment], error) {
	conditions, args := "p.object_id = ? AND p.resource_type = ?", []any{objectID, string(r.Type)}
	if filter.principal != "" {
		conditions += " AND p.principal = ?"
		args = append(args, filter.principal)
	}
	if filter.access != "" {
		conditions += " AND p.access = ?"
		args = append(args, string(filter.access))
	}
	query := permissionQuery + " WHERE " + conditions + " AND p.sort_key > ? ORDER BY p.sort_key LIMIT ?"
	rows, err := collect(ctx, t, scanPermission(r), query, append(args, page.after, page.limit+1)...)
	if err != nil {
		return nil, fmt.Errorf("list permissions on %s: %w", r, err)
	}
	return rows, nil
}

// permissionQuery reads assignments with their columns under the names that the columns have now.
const permissionQuery = `
	SELECT p.sort_key, p.access, p.principal, coalesce(p.expire_time, ''), coalesce(p.column_range, ''),
		CASE WHEN p.column_range IS NULL THEN '[]' ELSE (
			SELECT json_group_array(c.name ORDER BY pc.position)
			FROM permission_column pc JOIN table_column c ON c.table_id = pc.table_id AND c.field_id = pc.field_id
			WHERE pc.permission_id = p.id) END
	FROM permission p`

func scanPermission(r access.Resource) func(*sql.Rows) (keyed[access.Assignment], error) {
	return func(rows *sql.Rows) (row keyed[access.Assignment], err error) {
		var kind, list string
		a := &row.value
		a.Resource = r
		if err := rows.Scan(&row.key, &a.Access, &a.Principal, &a.ExpireTime, &kind, &list); err != nil {
			return row, err
		}
		switch kind {
		case allowRange:
			err = json.Unmarshal([]byte(list), &a.Columns.Names)
		case denyRange:
			err = json.Unmarshal([]byte(list), &a.Columns.Excluded)
		}
		return row, err
	}
}

// columnRanges lists the column ranges that are in force on a table for any of the principals.
func (t *tx) columnRanges(ctx context.Context, of *table, principals []string, now time.Time) ([]access.Columns, error) {
	list, err := jsonList(principals)
	if err != nil {
		return nil, err
	}
	rows, err := collect(ctx, t, scanPermission(of.resource), permissionQuery+`
		WHERE p.object_id = ? AND p.resource_type = 'COLUMN' AND p.principal IN (SELECT value FROM json_each(?))
			AND (p.expires_at IS NULL OR p.expires_at > ?)`, of.id, list, now.UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("read the column permissions of %s: %w", of.resource, err)
	}
	ranges := make([]access.Columns, len(rows))
	for i, row := range rows {
		ranges[i] = row.value.Columns
	}
	return ranges, nil
}

// holds says whether one of the principals has one of the accesses, in force now, on the exact resource.
func (t *tx) holds(ctx context.Context, objectID string, kind access.ResourceType, accesses []access.Access, principals []string, now time.Time) (held bool, err error) {
	accessList, err := jsonList(accesses)
	if err != nil {
		return false, err
	}
	principalList, err := jsonList(principals)
	if err != nil {
		return false, err
	}
	err = t.row(ctx, into(&held), `
		SELECT EXISTS (SELECT 1 FROM permission WHERE object_id = ? AND resource_type = ?
			AND principal IN (SELECT value FROM json_each(?)) AND access IN (SELECT value FROM json_each(?))
			AND (expires_at IS NULL OR expires_at > ?))`,
		objectID, string(kind), principalList, accessList, now.UnixMilli())
	if err != nil {
		return false, fmt.Errorf("look up rights on %s: %w", kind, err)
	}
	return held, nil
}

// hasColumnPermissions says whether any COLUMN assignment, expired or not, is stored on the table.
func (t *tx) hasColumnPermissions(ctx context.Context, tableID string) (has bool, err error) {
	err = t.row(ctx, into(&has), "SELECT EXISTS (SELECT 1 FROM permission WHERE object_id = ? AND resource_type = 'COLUMN')", tableID)
	if err != nil {
		return false, fmt.Errorf("look for column permissions: %w", err)
	}
	return has, nil
}

// settleColumnRanges follows up on dropped columns. A denylist without columns denies nothing and goes; an allowlist
// without columns would allow nothing, so the drop is refused, even when the assignment has expired.
func (t *tx) settleColumnRanges(ctx context.Context, tableID string) error {
	const empty = `object_id = ? AND resource_type = 'COLUMN'
		AND NOT EXISTS (SELECT 1 FROM permission_column WHERE permission_id = permission.id)`
	allowed, err := collect(ctx, t, scanText, "SELECT principal FROM permission WHERE column_range = 'ALLOW' AND "+empty, tableID)
	if err != nil {
		return fmt.Errorf("look for emptied allowlists: %w", err)
	}
	if len(allowed) > 0 {
		return invalid("The column permission of %q would have no column left: revoke it first.", allowed[0])
	}
	if _, err := t.exec(ctx, "DELETE FROM permission WHERE "+empty, tableID); err != nil {
		return fmt.Errorf("remove emptied denylists: %w", err)
	}
	return nil
}

// purgeExpired removes every assignment that is over.
func (t *tx) purgeExpired(ctx context.Context, now time.Time) error {
	if _, err := t.exec(ctx, "DELETE FROM permission WHERE expires_at <= ?", now.UnixMilli()); err != nil {
		return fmt.Errorf("purge expired permissions: %w", err)
	}
	return nil
}

func scanText(rows *sql.Rows) (text string, err error) {
	err = rows.Scan(&text)
	return text, err
}

// jsonList carries a list of any length into a statement of fixed text.
func jsonList[T any](values []T) (string, error) {
	text, err := json.Marshal(values)
	if err != nil {
		return "", fmt.Errorf("encode a list for the database: %w", err)
	}
	return string(text), nil
}
