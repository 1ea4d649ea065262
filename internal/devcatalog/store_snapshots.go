package devcatalog

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
)

// addSnapshot stores the snapshot that follows the last one of the table, and says whether it does.
func (t *tx) addSnapshot(ctx context.Context, tableID string, id int64, body json.RawMessage) (added bool, err error) {
	n, err := t.exec(ctx, `
		INSERT INTO snapshot (table_id, id, body)
		SELECT ?1, ?2, ?3 WHERE ?2 = (SELECT COALESCE(MAX(id), 0) + 1 FROM snapshot WHERE table_id = ?1)`,
		tableID, id, string(body))
	if err != nil {
		return false, fmt.Errorf("store the snapshot %d: %w", id, err)
	}
	return n > 0, nil
}

// latestSnapshot is the last snapshot of a table, nil when there is none.
func (t *tx) latestSnapshot(ctx context.Context, tableID string) (json.RawMessage, error) {
	var body string
	err := t.row(ctx, into(&body), "SELECT body FROM snapshot WHERE table_id = ? ORDER BY id DESC LIMIT 1", tableID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the latest snapshot: %w", err)
	}
	return json.RawMessage(body), nil
}
