package devcatalog

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// failure is an answer that is not a success. Without a resource type, the error is about the request itself.
type failure struct {
	status       int
	resourceType string
	resourceName string
	message      string
}

// Error returns the message that the client gets.
func (f *failure) Error() string {
	return f.message
}

// invalid refuses the shape of a request.
func invalid(format string, args ...any) *failure {
	return &failure{status: http.StatusBadRequest, message: fmt.Sprintf(format, args...)}
}

// missing says that the object which a resource stands on does not exist.
func missing(r access.Resource) *failure {
	return about(http.StatusNotFound, r, "%s does not exist.", r)
}

// exists says that the name is taken.
func exists(r access.Resource) *failure {
	return about(http.StatusConflict, r, "%s exists already.", r)
}

// forbidden says that the caller has no right on the resource.
func forbidden(r access.Resource, format string, args ...any) *failure {
	return about(http.StatusForbidden, r, format, args...)
}

func about(status int, r access.Resource, format string, args ...any) *failure {
	return &failure{status, string(r.Type), errorName(r), fmt.Sprintf(format, args...)}
}

// errorName is how error bodies spell a resource: the catalog has no name of its own, everything else is its path
// with dots.
func errorName(r access.Resource) string {
	if names := r.Names(); len(names) > 0 {
		return strings.Join(names, ".")
	}
	return "catalog"
}

// missingColumn has the resource type of a missing table of a COLUMN request; only the name, which is the bare column,
// tells them apart.
func missingColumn(name string) *failure {
	return &failure{http.StatusNotFound, string(access.Column), name, fmt.Sprintf("Column %q does not exist.", name)}
}

func existingColumn(name string) *failure {
	return &failure{http.StatusConflict, string(access.Column), name, fmt.Sprintf("Column %q exists already.", name)}
}

func unknownPrincipal(name string) *failure {
	return &failure{http.StatusNotFound, wire.ErrorPrincipal, name, fmt.Sprintf("Principal %q does not exist.", name)}
}

// queryAuthOff refuses what protects columns or rows of a table that would not enforce it.
func queryAuthOff(table access.Resource) *failure {
	return about(http.StatusConflict, access.TableResource(table.Database, table.Table),
		"%s.%s needs the option %s=true first.", table.Database, table.Table, wire.OptionQueryAuth)
}

// body renders the error. Clients tell errors about the request by the explicit nulls.
func (f *failure) body() wire.Error {
	body := wire.Error{Message: f.message, Code: f.status}
	if f.resourceType != "" {
		body.ResourceType, body.ResourceName = &f.resourceType, &f.resourceName
	}
	return body
}

// asFailure turns any error into an answer. What is not a failure is a fault of this server.
func asFailure(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	return &failure{status: http.StatusInternalServerError, message: "The catalog failed: " + err.Error()}
}
