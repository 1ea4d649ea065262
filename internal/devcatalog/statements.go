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
// which held the only connection; and since that is committed, what fails here fails nobody and is tried again.
func (s *statements) learn(ctx context.Context, db *sql.DB, used map[string]statement) {
	known := s.all()
	for text := range used {
		if known[text] != nil {
			continue
		}
		prepared, err := db.PrepareContext(ctx, text)
		if err != nil {
			return
		}
		s.add(text, prepared)
	}
}

// add keeps a statement unless another request was faster.
func (s *statements) add(text string, prepared *sql.Stmt) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.prepared[text] != nil {
		_ = prepared.Close()
		return
	}
	s.prepared[text] = prepared
}

// tx is one transaction. Its methods are spread over the store_*.go files, one for each kind of object.
type tx struct {
	*sql.Tx
	known map[string]*sql.Stmt // prepared before this transaction
	used  map[string]statement // prepared for this transaction
}

// statement is a prepared statement that is closed with its transaction, and by nobody else.
type statement struct {
	*sql.Stmt
}

// statement returns the text's prepared form within the transaction.
func (t *tx) statement(ctx context.Context, text string) (statement, error) {
	if used, ok := t.used[text]; ok {
		return used, nil
	}
	if known, ok := t.known[text]; ok {
		t.used[text] = statement{t.StmtContext(ctx, known)}
		return t.used[text], nil
	}
	fresh, err := t.PrepareContext(ctx, text)
	if err != nil {
		return statement{}, err
	}
	t.used[text] = statement{fresh}
	return t.used[text], nil
}
