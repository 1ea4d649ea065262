package wire

import "encoding/json"

// Config is the answer of the handshake. Effective options are defaults, overlaid by the client's own, overlaid by
// overrides; entries that end up null are dropped.
type Config struct {
	Defaults  map[string]*Text `json:"defaults"`
	Overrides map[string]*Text `json:"overrides"`
}

// The options of the handshake that matter to a management client.
const (
	OptionPrefix       = "prefix"
	OptionHeaderPrefix = "header."
)

// OptionQueryAuth is the table option that must be "true" before a table takes policies or column permissions.
const OptionQueryAuth = "query-auth.enabled"

// Identifier names a table or view.
type Identifier struct {
	Database string `json:"database"`
	Object   string `json:"object"`
}

// Rename is the body of a table or view rename.
type Rename struct {
	Source      Identifier `json:"source"`
	Destination Identifier `json:"destination"`
}

// Field is a column. Type is a JSON string for atomic types and an object for nested ones.
type Field struct {
	ID           int             `json:"id"`
	Name         string          `json:"name"`
	Type         json.RawMessage `json:"type"`
	Description  *string         `json:"description,omitempty"`
	DefaultValue *string         `json:"defaultValue,omitempty"`
}

// Schema is the schema of a table.
type Schema struct {
	Fields        []Field           `json:"fields"`
	PartitionKeys []string          `json:"partitionKeys"`
	PrimaryKeys   []string          `json:"primaryKeys"`
	Options       map[string]string `json:"options"`
	Comment       *string           `json:"comment,omitempty"`
}

// Table is the answer of GetTable.
type Table struct {
	ID         string `json:"id"`
	Database   string `json:"database"`
	Name       string `json:"name"`
	Path       string `json:"path"`
	IsExternal bool   `json:"isExternal"`
	SchemaID   int64  `json:"schemaId"`
	Schema     Schema `json:"schema"`
}

// CreateTableBody is the body of CreateTable.
type CreateTableBody struct {
	Identifier Identifier `json:"identifier"`
	Schema     Schema     `json:"schema"`
}

// AlterTableBody is the body of AlterTable: changes in the order in which they apply.
type AlterTableBody struct {
	Changes []TableChange `json:"changes"`
}

// TableChange is one schema change. Action tells which of the other members count.
type TableChange struct {
	Action          string          `json:"action"`
	FieldNames      []string        `json:"fieldNames,omitempty"`
	Key             string          `json:"key,omitempty"`
	Value           string          `json:"value,omitempty"`
	Comment         *string         `json:"comment,omitempty"`
	NewName         string          `json:"newName,omitempty"`
	DataType        json.RawMessage `json:"dataType,omitempty"`
	NewDataType     json.RawMessage `json:"newDataType,omitempty"`
	KeepNullability bool            `json:"keepNullability,omitempty"`
	NewNullability  *bool           `json:"newNullability,omitempty"`
	NewComment      *string         `json:"newComment,omitempty"`
	NewDefaultValue *string         `json:"newDefaultValue,omitempty"`
	Move            *Move           `json:"move,omitempty"`
}

// Move places a column: FIRST, LAST, or BEFORE and AFTER the reference field.
type Move struct {
	FieldName          string `json:"fieldName"`
	ReferenceFieldName string `json:"referenceFieldName,omitempty"`
	Type               string `json:"type"`
}

// Database is the answer of GetDatabase.
type Database struct {
	ID       string            `json:"id"`
	Name     string            `json:"name"`
	Location string            `json:"location"`
	Options  map[string]string `json:"options"`
}

// CreateDatabaseBody is the body of CreateDatabase.
type CreateDatabaseBody struct {
	Name    string            `json:"name"`
	Options map[string]string `json:"options"`
}

// AlterDatabaseBody is the body of AlterDatabase.
type AlterDatabaseBody struct {
	Removals []string          `json:"removals"`
	Updates  map[string]string `json:"updates"`
}

// AlterDatabaseResult is the answer of AlterDatabase.
type AlterDatabaseResult struct {
	Removed []string `json:"removed"`
	Updated []string `json:"updated"`
	Missing []string `json:"missing"`
}

// DatabasePage is one page of ListDatabases. Paimon's Python client fails when the key nextPageToken is absent.
type DatabasePage struct {
	Databases     []string `json:"databases"`
	NextPageToken *string  `json:"nextPageToken"`
}

// TablePage is one page of ListTables.
type TablePage struct {
	Tables        []string `json:"tables"`
	NextPageToken *string  `json:"nextPageToken"`
}

// ViewPage is one page of ListViews.
type ViewPage struct {
	Views         []string `json:"views"`
	NextPageToken *string  `json:"nextPageToken"`
}

// FunctionPage is one page of ListFunctions.
type FunctionPage struct {
	Functions     []string `json:"functions"`
	NextPageToken *string  `json:"nextPageToken"`
}

// ViewSchema is what a view is made of.
type ViewSchema struct {
	Fields   []Field           `json:"fields"`
	Query    string            `json:"query"`
	Dialects map[string]string `json:"dialects"`
	Comment  *string           `json:"comment,omitempty"`
	Options  map[string]string `json:"options"`
}

// View is the answer of GetView.
type View struct {
	ID     string     `json:"id"`
	Name   string     `json:"name"`
	Schema ViewSchema `json:"schema"`
}

// CreateViewBody is the body of CreateView.
type CreateViewBody struct {
	Identifier Identifier `json:"identifier"`
	Schema     ViewSchema `json:"schema"`
}

// Function is the answer of GetFunction and, without UUID, the body of CreateFunction. The parts that only engines
// read are carried as they are.
type Function struct {
	UUID          string            `json:"uuid,omitempty"`
	Name          string            `json:"name"`
	InputParams   json.RawMessage   `json:"inputParams,omitempty"`
	ReturnParams  json.RawMessage   `json:"returnParams,omitempty"`
	Deterministic bool              `json:"deterministic"`
	Definitions   json.RawMessage   `json:"definitions,omitempty"`
	Comment       *string           `json:"comment,omitempty"`
	Options       map[string]string `json:"options,omitempty"`
}

// AuthBody is the body of AuthTableQuery. A missing or null Select asks for every column.
type AuthBody struct {
	Select []string `json:"select"`
}

// AuthResult is the answer of AuthTableQuery: what the calling principal may see of the table. The texts are
// predicates and transforms as JSON inside strings.
type AuthResult struct {
	Filter        []string          `json:"filter,omitempty"`
	ColumnMasking map[string]string `json:"columnMasking,omitempty"`
}

// CommitBody is the body of CommitSnapshot. The snapshot is the writer's own and goes back to readers as it came; the
// statistics beside it are of no use here.
type CommitBody struct {
	TableID  string          `json:"tableId"`
	Snapshot json.RawMessage `json:"snapshot"`
}

// CommitResult is the answer of CommitSnapshot. A commit that another was faster than is no error: the writer tries
// again on top of that one.
type CommitResult struct {
	Success bool `json:"success"`
}

// SnapshotResult is the answer of GetSnapshot.
type SnapshotResult struct {
	Snapshot TableSnapshot `json:"snapshot"`
}

// TableSnapshot is the latest snapshot with what the catalog counted. Paimon's Python client insists on every member.
type TableSnapshot struct {
	Snapshot             json.RawMessage `json:"snapshot"`
	RecordCount          int64           `json:"recordCount"`
	FileSizeInBytes      int64           `json:"fileSizeInBytes"`
	FileCount            int64           `json:"fileCount"`
	LastFileCreationTime int64           `json:"lastFileCreationTime"`
}
