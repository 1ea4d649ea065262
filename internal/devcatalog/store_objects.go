package devcatalog

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// rootID is the id of the catalog itself, the parent of every database.
const rootID = "catalog"

// databaseDefinition is what is kept of a database beside its name. What is kept of a view or function is its body on
// the wire, and that of a table stands in store_tables.go.
type databaseDefinition struct {
	Options map[string]string `json:"options"`
}

// place is where an object stands: under which parent, as which kind, with which name.
type place struct {
	parent string
	kind   access.ResourceType
	name   string
}

// stands says which object a resource stands on: scopes stand on what they are the inside of, columns on their table.
func stands(r access.Resource) access.Resource {
	switch r.Type {
	case access.CatalogAll:
		r.Type = access.Catalog
	case access.DatabaseAll:
		r.Type = access.Database
	case access.Column:
		r.Type = access.Table
	default:
		// Everything else stands on itself.
	}
	return r
}

// objectID finds the object that a resource stands on. An object in a missing database is missing itself, and the
// error names it and not the database, as the reference server does.
func (t *tx) objectID(ctx context.Context, r access.Resource) (string, error) {
	query, args := objectQuery("o.id", r)
	var id string
	err := t.row(ctx, into(&id), query, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return "", missing(r)
	}
	if err != nil {
		return "", fmt.Errorf("look up %s: %w", r, err)
	}
	return id, nil
}

// objectQuery selects columns of the object that a resource stands on, by its path of names.
func objectQuery(columns string, r access.Resource) (query string, args []any) {
	object := stands(r)
	switch object.Type {
	case access.Catalog:
		return "SELECT " + columns + " FROM object o WHERE o.id = ?", []any{rootID}
	case access.Database:
		return "SELECT " + columns + " FROM object o WHERE o.parent = ? AND o.kind = 'DATABASE' AND o.name = ?",
			[]any{rootID, object.Database}
	default:
		names := object.Names()
		return "SELECT " + columns + ` FROM object d JOIN object o ON o.parent = d.id
			WHERE d.parent = ? AND d.kind = 'DATABASE' AND d.name = ? AND o.kind = ? AND o.name = ?`,
			[]any{rootID, object.Database, string(object.Type), names[len(names)-1]}
	}
}

// object finds an object and reads its definition.
func (t *tx) object(ctx context.Context, r access.Resource, definition any) (id string, err error) {
	query, args := objectQuery("o.id, o.definition", r)
	var text string
	err = t.row(ctx, into(&id, &text), query, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return "", missing(r)
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), definition)
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %w", r, err)
	}
	return id, nil
}

// newPlace is where a new object, or one under a new name, will stand. The name must be free.
func (t *tx) newPlace(ctx context.Context, r access.Resource) (place, error) {
	at := place{parent: rootID, kind: r.Type, name: r.Database}
	if r.Type != access.Database {
		parent, err := t.objectID(ctx, access.Resource{Type: access.Database, Database: r.Database})
		if err != nil {
			return place{}, err
		}
		names := r.Names()
		at.parent, at.name = parent, names[len(names)-1]
	}
	var taken bool
	err := t.row(ctx, into(&taken), "SELECT EXISTS (SELECT 1 FROM object WHERE parent = ? AND kind = ? AND name = ?)",
		at.parent, string(at.kind), at.name)
	if err != nil {
		return place{}, fmt.Errorf("look for %s: %w", r, err)
	}
	if taken {
		return place{}, exists(r)
	}
	return at, nil
}

// addRoot makes the catalog itself, the parent of the databases.
func (t *tx) addRoot(ctx context.Context, warehouse string) error {
	_, err := t.exec(ctx, "INSERT INTO object (id, kind, name, definition) VALUES (?, 'CATALOG', ?, '{}')", rootID, warehouse)
	return err
}

// warehouse is the name under which the catalog was last started.
func (t *tx) warehouse(ctx context.Context) (name string, err error) {
	if err := t.row(ctx, into(&name), "SELECT name FROM object WHERE id = ?", rootID); err != nil {
		return "", fmt.Errorf("read the warehouse's name: %w", err)
	}
	return name, nil
}

func (t *tx) renameWarehouse(ctx context.Context, name string) error {
	if _, err := t.exec(ctx, "UPDATE object SET name = ? WHERE id = ?", name, rootID); err != nil {
		return fmt.Errorf("rename the warehouse: %w", err)
	}
	return nil
}

// addObject creates an object and returns its new id.
func (t *tx) addObject(ctx context.Context, r access.Resource, definition any) (id string, err error) {
	at, err := t.newPlace(ctx, r)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(definition)
	if err != nil {
		return "", fmt.Errorf("encode %s: %w", r, err)
	}
	id = newID()
	_, err = t.exec(ctx, "INSERT INTO object (id, kind, parent, name, definition) VALUES (?, ?, ?, ?, ?)",
		id, string(at.kind), at.parent, at.name, string(text))
	if err != nil {
		return "", fmt.Errorf("create %s: %w", r, err)
	}
	return id, nil
}

func (t *tx) saveDefinition(ctx context.Context, id string, definition any) error {
	text, err := json.Marshal(definition)
	if err != nil {
		return fmt.Errorf("encode definition: %w", err)
	}
	if _, err := t.exec(ctx, "UPDATE object SET definition = ? WHERE id = ?", string(text), id); err != nil {
		return fmt.Errorf("save definition: %w", err)
	}
	return nil
}

// moveObject renames an object, within its database or into another. Its id stays, and with it all that hangs on it.
func (t *tx) moveObject(ctx context.Context, from, to access.Resource) error {
	id, err := t.objectID(ctx, from)
	if err != nil {
		return err
	}
	at, err := t.newPlace(ctx, to)
	if err != nil {
		return err
	}
	if _, err := t.exec(ctx, "UPDATE object SET parent = ?, name = ? WHERE id = ?", at.parent, at.name, id); err != nil {
		return fmt.Errorf("rename %s: %w", from, err)
	}
	return nil
}

// dropObject removes an object and, by cascade, what is in it and what hangs on it.
func (t *tx) dropObject(ctx context.Context, r access.Resource) error {
	id, err := t.objectID(ctx, r)
	if err != nil {
		return err
	}
	if _, err := t.exec(ctx, "DELETE FROM object WHERE id = ?", id); err != nil {
		return fmt.Errorf("drop %s: %w", r, err)
	}
	return nil
}

// objectNames lists one page of the names of one kind under a parent, in the order of the names. The pattern is GLOB's;
// empty matches every name.
func (t *tx) objectNames(ctx context.Context, parent string, kind access.ResourceType, glob string, page pageRequest) ([]keyed[string], error) {
	query := "SELECT name FROM object WHERE parent = ? AND kind = ? AND name > ?"
	args := []any{parent, string(kind), page.after}
	if glob != "" {
		query += " AND name GLOB ?"
		args = append(args, glob)
	}
	names, err := collect(ctx, t, func(rows *sql.Rows) (row keyed[string], err error) {
		err = rows.Scan(&row.value)
		row.key = row.value
		return row, err
	}, query+" ORDER BY name LIMIT ?", append(args, page.limit+1)...)
	if err != nil {
		return nil, fmt.Errorf("list names: %w", err)
	}
	return names, nil
}
