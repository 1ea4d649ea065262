package wire

import "encoding/json"

// RowFilter is the definition of a row filter: a Paimon predicate as JSON text inside a string.
type RowFilter struct {
	Predicate Text `json:"predicate"`
}

// ColumnMask is the definition of a column mask: the column and a Paimon transform as JSON text inside a string.
type ColumnMask struct {
	OnColumn  Text `json:"onColumn"`
	Transform Text `json:"transform"`
}

// Policy is one row of a policy listing and, without Resource, the body of a create. Exactly one of the
// definitions is present; there is no type member.
type Policy struct {
	Resource   *Resource   `json:"resource,omitempty"`
	RowFilter  *RowFilter  `json:"rowFilter,omitempty"`
	ColumnMask *ColumnMask `json:"columnMask,omitempty"`
	Principal  Text        `json:"principal"`
}

// PolicyDrop is the body of a drop. Column goes with COLUMN_MASKING only.
type PolicyDrop struct {
	Type      Text `json:"type"`
	Principal Text `json:"principal"`
	Column    Text `json:"column,omitempty"`
}

// PolicyPage is one page of a policy listing, its rows undecoded.
type PolicyPage struct {
	Policies      []json.RawMessage `json:"policies"`
	NextPageToken string            `json:"nextPageToken,omitempty"`
}
