package devcatalog

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"

	"github.com/google/uuid"
	// The driver registers itself as "sqlite".
	_ "modernc.org/sqlite"
)

// schemaVersion is kept in the database file, so that a file of another version is refused rather than misread.
const schemaVersion = 3

//go:embed schema.sql
var schema string

// store is the SQLite database.
type store struct {
	db         *sql.DB
	statements statements
}

// openStore opens a database file, or a database in memory when the path is empty.
func openStore(path string) (*store, error) {
	// In WAL mode a commit is in the operating system's hands before it is answered, so it survives the end of this
	// process; NORMAL gives up only what a power cut would take.
	pragmas := url.Values{"_pragma": {"foreign_keys(1)", "journal_mode(WAL)", "synchronous(NORMAL)", "busy_timeout(5000)"}}
	name := ":memory:"
	if path != "" {
		name = (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath()}).String()
	}
	db, err := sql.Open("sqlite", name+"?"+pragmas.Encode())
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	// A database in memory is its connection, and SQLite has one writer anyway. One connection also makes every
	// request see and leave a whole state, without locks of our own.
	db.SetMaxOpenConns(1)
	return &store{db: db, statements: statements{prepared: map[string]*sql.Stmt{}}}, nil
}

func (s *store) close() error {
	return s.db.Close()
}

// within runs the work in one transaction, which is committed when the work returns no error.
func (s *store) within(ctx context.Context, work func(*tx) error) error {
	sqlTx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin transaction: %w", err)
	}
	t := &tx{Tx: sqlTx, known: s.statements.all(), used: map[string]statement{}}
	if err := work(t); err != nil {
		return errors.Join(err, ignoreDone(t.Rollback()))
	}
	if err := t.Commit(); err != nil {
		return fmt.Errorf("commit transaction: %w", err)
	}
	s.statements.learn(context.WithoutCancel(ctx), s.db, t.used)
	return nil
}

// ignoreDone drops the complaint that a cancelled context has rolled the transaction back already.
func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// create makes the tables when the database is new, and says whether it was.
func (t *tx) create(ctx context.Context) (fresh bool, err error) {
	var version int
	if err := t.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return false, fmt.Errorf("read the database's version: %w", err)
	}
	switch version {
	case schemaVersion:
		return false, nil
	case 0:
		_, err := t.ExecContext(ctx, fmt.Sprintf("%s; PRAGMA user_version = %d", schema, schemaVersion))
		if err != nil {
			return false, fmt.Errorf("create the tables: %w", err)
		}
		return true, nil
	default:
		return false, fmt.Errorf("the database has version %d, this catalog reads version %d", version, schemaVersion)
	}
}

// exec runs a statement and returns how many rows it changed.
func (t *tx) exec(ctx context.Context, query string, args ...any) (int64, error) {
	prepared, err := t.statement(ctx, query)
	if err != nil {
		return 0, err
	}
	result, err := prepared.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// row runs a query for one row and reads it into the targets.
func (t *tx) row(ctx context.Context, targets []any, query string, args ...any) error {
	prepared, err := t.statement(ctx, query)
	if err != nil {
		return err
	}
	return prepared.QueryRowContext(ctx, args...).Scan(targets...)
}

// into gathers what row reads into.
func into(targets ...any) []any {
	return targets
}

// collect runs a query and reads each of its rows with scan.
func collect[T any](ctx context.Context, t *tx, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	prepared, err := t.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	rows, err := prepared.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var values []T
	for rows.Next() {
		value, err := scan(rows)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, rows.Err()
}

func newID() string {
	return uuid.NewString()
}
