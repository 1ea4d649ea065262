-- The store. Foreign keys do the life cycle: whatever hangs on an object hangs on its id, so a rename keeps it, a drop
-- cascades, and an object that is created again under the same name has a new id and starts empty.

-- object is everything that has a name: the catalog (one row, the root), its databases, and what is in them.
CREATE TABLE object (
  id         TEXT NOT NULL PRIMARY KEY,
  kind       TEXT NOT NULL CHECK (kind IN ('CATALOG', 'DATABASE', 'TABLE', 'VIEW', 'FUNCTION')),
  parent     TEXT REFERENCES object (id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  definition TEXT NOT NULL CHECK (json_valid(definition)),
  UNIQUE (parent, kind, name)
) STRICT, WITHOUT ROWID;

-- table_column is a table's current columns. field_id never changes and is never given out again within a table, so
-- column permissions follow a column through renames and do not fall on a new column of an old name.
CREATE TABLE table_column (
  table_id      TEXT    NOT NULL REFERENCES object (id) ON DELETE CASCADE,
  field_id      INTEGER NOT NULL,
  position      INTEGER NOT NULL,
  name          TEXT    NOT NULL,
  type          TEXT    NOT NULL,
  description   TEXT,
  default_value TEXT,
  PRIMARY KEY (table_id, field_id)
) STRICT, WITHOUT ROWID;

-- snapshot is what writers have committed to a table, as they wrote it.
CREATE TABLE snapshot (
  table_id TEXT    NOT NULL REFERENCES object (id) ON DELETE CASCADE,
  id       INTEGER NOT NULL,
  body     TEXT    NOT NULL CHECK (json_valid(body)),
  PRIMARY KEY (table_id, id)
) STRICT, WITHOUT ROWID;

-- permission is one assignment. object_id and resource_type together are the exact resource: a database and
-- everything in it (DATABASE, DATABASE_ALL) are two resources on one object, as are a table and its columns.
-- The sort keys here and below count characters, so that two different keys never join to the same text.
CREATE TABLE permission (
  id            INTEGER PRIMARY KEY,
  object_id     TEXT    NOT NULL REFERENCES object (id) ON DELETE CASCADE,
  resource_type TEXT    NOT NULL,
  access        TEXT    NOT NULL,
  principal     TEXT    NOT NULL,
  column_range  TEXT    CHECK (column_range IN ('ALLOW', 'DENY')),
  expire_time   TEXT,
  expires_at    INTEGER, -- expire_time in milliseconds since 1970
  sort_key      TEXT    NOT NULL AS (length(access) || ':' || access || length(principal) || ':' || principal),
  CHECK ((resource_type = 'COLUMN') = (column_range IS NOT NULL)),
  UNIQUE (object_id, resource_type, principal, sort_key) -- which lists one principal in order, too
) STRICT;
CREATE INDEX permission_page ON permission (object_id, resource_type, sort_key);
CREATE INDEX permission_expiry ON permission (expires_at) WHERE expires_at IS NOT NULL;

-- permission_column is the column range of a COLUMN permission, in the order in which it was granted.
CREATE TABLE permission_column (
  permission_id INTEGER NOT NULL REFERENCES permission (id) ON DELETE CASCADE,
  position      INTEGER NOT NULL,
  table_id      TEXT    NOT NULL,
  field_id      INTEGER NOT NULL,
  PRIMARY KEY (permission_id, position),
  FOREIGN KEY (table_id, field_id) REFERENCES table_column (table_id, field_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX permission_column_field ON permission_column (table_id, field_id);

-- policy is one row filter or column mask. on_column is empty for a row filter; a masked column can be neither renamed
-- nor dropped, so its name is enough.
CREATE TABLE policy (
  id         INTEGER PRIMARY KEY,
  table_id   TEXT NOT NULL REFERENCES object (id) ON DELETE CASCADE,
  type       TEXT NOT NULL CHECK (type IN ('ROW_FILTER', 'COLUMN_MASKING')),
  principal  TEXT NOT NULL,
  on_column  TEXT NOT NULL,
  definition TEXT NOT NULL,
  sort_key   TEXT NOT NULL AS (length(type) || ':' || type || length(principal) || ':' || principal || length(on_column) || ':' || on_column),
  CHECK ((type = 'ROW_FILTER') = (on_column = '')),
  UNIQUE (table_id, type, principal, on_column)
) STRICT;
CREATE INDEX policy_page ON policy (table_id, sort_key);
CREATE INDEX policy_principal ON policy (table_id, principal, sort_key);
