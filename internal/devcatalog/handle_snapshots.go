package devcatalog

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// errorSnapshot is the resource type by which readers tell an empty table from a missing one.
const errorSnapshot = "SNAPSHOT"

// getSnapshot gives the last commit back as it came. The sizes are in the files, which this catalog does not look into.
func (c *Catalog) getSnapshot(ctx context.Context, t *tx, call *call) (any, error) {
	r := tableInPath(call)
	id, err := t.objectID(ctx, r)
	if err != nil {
		return nil, err
	}
	body, err := t.latestSnapshot(ctx, id)
	if err != nil {
		return nil, err
	}
	if body == nil {
		return nil, &failure{http.StatusNotFound, errorSnapshot, errorName(r), r.String() + " has no snapshot."}
	}
	var counted struct {
		TotalRecordCount int64 `json:"totalRecordCount"`
		TimeMillis       int64 `json:"timeMillis"`
	}
	if err := json.Unmarshal(body, &counted); err != nil {
		return nil, err
	}
	return wire.SnapshotResult{Snapshot: wire.TableSnapshot{
		Snapshot:             body,
		RecordCount:          counted.TotalRecordCount,
		LastFileCreationTime: counted.TimeMillis,
	}}, nil
}

// commitSnapshot takes the snapshot that follows the last one. Another one, and one of a table that had the name before,
// comes too late; that is no error but an answer.
func (c *Catalog) commitSnapshot(ctx context.Context, t *tx, call *call) (any, error) {
	if c.tableRoot == "" {
		return nil, &failure{status: http.StatusNotImplemented, message: "This catalog has no place for the files of tables (--table-root)."}
	}
	id, err := t.objectID(ctx, tableInPath(call))
	if err != nil {
		return nil, err
	}
	var body wire.CommitBody
	if err := decode(call.body, &body); err != nil {
		return nil, err
	}
	var snapshot struct {
		ID int64 `json:"id"`
	}
	if err := json.Unmarshal(body.Snapshot, &snapshot); err != nil || snapshot.ID < 1 {
		return nil, invalid("The snapshot has no id.")
	}
	if body.TableID != id {
		return wire.CommitResult{}, nil
	}
	added, err := t.addSnapshot(ctx, id, snapshot.ID, body.Snapshot)
	return wire.CommitResult{Success: added}, err
}
