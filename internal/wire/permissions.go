package wire

import "encoding/json"

// Resource is the object of a permission or policy. Which locators are present follows from the type.
type Resource struct {
	Type     Text `json:"type"`
	Database Text `json:"database,omitempty"`
	Table    Text `json:"table,omitempty"`
	Function Text `json:"function,omitempty"`
	View     Text `json:"view,omitempty"`
}

// Columns is the column range of a COLUMN permission: an allowlist or a denylist.
type Columns struct {
	ColumnNames         []Text `json:"columnNames,omitempty"`
	ExcludedColumnNames []Text `json:"excludedColumnNames,omitempty"`
}

// Permission is one row of a permission listing and the body of a grant.
type Permission struct {
	Resource   Resource `json:"resource"`
	Access     Text     `json:"access"`
	Principal  Text     `json:"principal"`
	Columns    *Columns `json:"columns,omitempty"`
	ExpireTime Text     `json:"expireTime,omitempty"`
}

// Revocation is the body of a revoke. The contract allows no other members.
type Revocation struct {
	Resource  Resource `json:"resource"`
	Access    Text     `json:"access"`
	Principal Text     `json:"principal"`
}

// PermissionPage is one page of a permission listing. Rows stay undecoded, so that one malformed row does not
// fail the page.
type PermissionPage struct {
	Permissions   []json.RawMessage `json:"permissions"`
	NextPageToken string            `json:"nextPageToken,omitempty"`
}

// The query parameters of the listings.
const (
	ParamResourceType = "resourceType"
	ParamDatabase     = "database"
	ParamTable        = "table"
	ParamFunction     = "function"
	ParamView         = "view"
	ParamPrincipal    = "principal"
	ParamAccess       = "access"
	ParamType         = "type"
	ParamColumn       = "column"
	ParamMaxResults   = "maxResults"
	ParamPageToken    = "pageToken"
	ParamWarehouse    = "warehouse"
)
