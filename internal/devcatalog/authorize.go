package devcatalog

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

var (
	managing = []access.Access{access.Grant, access.All}
	reading  = []access.Access{access.Select, access.All}
)

// covering returns the resources on which an access reaches r: r itself and the scopes around it. DATABASE and CATALOG
// reach only themselves; DATABASE_ALL is the inside of the database and not the database. An access to a table reaches
// its columns.
func covering(r access.Resource) []access.Resource {
	inCatalog := access.Resource{Type: access.CatalogAll}
	switch r.Type {
	case access.Catalog, access.CatalogAll:
		return []access.Resource{r}
	case access.Database, access.DatabaseAll:
		return []access.Resource{r, inCatalog}
	default:
		return []access.Resource{stands(r), {Type: access.DatabaseAll, Database: r.Database}, inCatalog}
	}
}

// reaches says whether the caller has one of the accesses on r or on what covers it. Whether r exists does not matter:
// the scopes around a missing table decide as they would for any other.
func (t *tx) reaches(ctx context.Context, who caller, accesses []access.Access, r access.Resource, now time.Time) (bool, error) {
	for _, scope := range covering(r) {
		id, err := t.objectID(ctx, scope)
		if isMissing(err) {
			continue
		}
		if err != nil {
			return false, err
		}
		if held, err := t.holds(ctx, id, scope.Type, accesses, who.effective, now); held || err != nil {
			return held, err
		}
	}
	return false, nil
}

func isMissing(err error) bool {
	f, ok := errors.AsType[*failure](err)
	return ok && f.status == http.StatusNotFound
}

// mayManage refuses a caller who may not manage the access on r. The reference server checks rights before existence,
// so this 403 hides every 404.
func (t *tx) mayManage(ctx context.Context, who caller, r access.Resource, now time.Time) error {
	if who.manages {
		return nil
	}
	allowed, err := t.reaches(ctx, who, managing, r, now)
	if err != nil || allowed {
		return err
	}
	return forbidden(r, "You may not manage permissions of %s: that takes GRANT or ALL on it or on a scope around it.", r)
}

// visibleColumns says which columns a caller may select: all, unless column permissions of its principals restrict
// them; several restrict together. It refuses a caller without any right to read the table.
func (t *tx) visibleColumns(ctx context.Context, who caller, of *table, now time.Time) (func(name string) bool, error) {
	ranges, err := t.columnRanges(ctx, of, who.effective, now)
	if err != nil {
		return nil, err
	}
	if len(ranges) == 0 {
		allowed, err := t.reaches(ctx, who, reading, of.resource, now)
		if err != nil {
			return nil, err
		}
		if !allowed {
			return nil, forbidden(of.resource, "You may not read %s: that takes SELECT or ALL on it or on a scope around it, or SELECT on columns of it.", of.resource)
		}
	}
	return func(name string) bool {
		return of.columnIndex(name) >= 0 && !slices.ContainsFunc(ranges, func(r access.Columns) bool { return hides(r, name) })
	}, nil
}

// hides says whether a column range keeps a column from its principal.
func hides(r access.Columns, name string) bool {
	if r.Excluded != nil {
		return slices.Contains(r.Excluded, name)
	}
	return !slices.Contains(r.Names, name)
}

func columnNames(columns []datatype.Field) []string {
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = column.Name
	}
	return names
}
