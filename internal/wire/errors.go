package wire

// Error is the error body of every operation. ResourceType and ResourceName are explicit nulls when the error is
// about the request itself.
type Error struct {
	ResourceType *string `json:"resourceType"`
	ResourceName *string `json:"resourceName"`
	Message      string  `json:"message"`
	Code         int     `json:"code"`
}

// The resource types of error bodies that are not resource types of permissions.
const (
	ErrorPrincipal = "PRINCIPAL"
	ErrorPolicy    = "POLICY"
)
