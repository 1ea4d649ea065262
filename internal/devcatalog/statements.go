package devcatalog

import (
	"context"
	"database/sql"
	"maps"
	"sync"
)

// statements keeps the prepared form of every statement text. Compiling a statement takes SQLite longer than running
// it, and the texts are few: what varies goes in as arguments.
type statements struct {
	mutex    sync.Mutex
	prepared map[string]*sql.Stmt
}

func (s *statements) all() map[string]*sql.Stmt {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return maps.Clone(s.prepared)
}

// learn prepares the texts that a transaction used for the first time. It has to wait until the transaction is over,
// which held the only connection.
func (s *statements) learn(ctx context.Context, db *sql.DB, used map[string]*sql.Stmt) error {
	known := s.all()
	for text := range used {
		if known[text] != nil {
			continue
		}
		statement, err := db.PrepareContext(ctx, text)
		if err != nil {
			return err
		}
		if err := s.add(text, statement); err != nil {
			return err
		}
	}
	return nil
}

// add keeps a statement unless another request was faster.
func (s *statements) add(text string, statement *sql.Stmt) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.prepared[text] != nil {
		return statement.Close()
	}
	s.prepared[text] = statement
	return nil
}

// tx is one transaction. Its methods are spread over the store_*.go files, one for each kind of object.
type tx struct {
	*sql.Tx
	known map[string]*sql.Stmt // prepared before this transaction
	used  map[string]*sql.Stmt // prepared for this transaction
}

// statement returns the text's prepared form within the transaction.
func (t *tx) statement(ctx context.Context, text string) (*sql.Stmt, error) {
	if statement := t.used[text]; statement != nil {
		return statement, nil
	}
	if known := t.known[text]; known != nil {
		t.used[text] = t.StmtContext(ctx, known)
		return t.used[text], nil
	}
	statement, err := t.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	t.used[text] = statement
	return statement, nil
}
