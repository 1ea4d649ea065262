package wire

import "strings"

// MaxPageSize is the largest maxResults that the contract allows on a listing.
const MaxPageSize = 1000

// Operation is one row of the contract: what is called, how and where.
type Operation struct {
	// Action is the name that Alibaba Cloud DLF gives the operation in its access rules and signatures.
	Action string
	// Method is the HTTP method.
	Method string
	// Path is the template below the base URI; each {name} stands for exactly one path segment.
	Path string
	// Repeatable says that sending the request a second time leaves the server as sending it once did. A policy
	// create is not: its repetition answers 409 although the first one succeeded.
	Repeatable bool
}

// The operations of the management API and of the catalog around it.
var (
	GetConfig = Operation{"GetConfig", get, "/v1/config", true}

	ListPermissions  = Operation{"ListPermissionAssignments", get, "/v1/{prefix}/permissions", true}
	GrantPermission  = Operation{"GrantPermissionAssignment", post, "/v1/{prefix}/permissions/grant", true}
	RevokePermission = Operation{"RevokePermissionAssignment", post, "/v1/{prefix}/permissions/revoke", true}
	ListPolicies     = Operation{"ListPolicies", get, tablePath + "/policies", true}
	CreatePolicy     = Operation{"CreatePolicy", post, tablePath + "/policies", false}
	DropPolicy       = Operation{"DropPolicy", post, tablePath + "/policies/drop", true}

	ListDatabases  = Operation{"ListDatabases", get, "/v1/{prefix}/databases", true}
	CreateDatabase = Operation{"CreateDatabase", post, "/v1/{prefix}/databases", false}
	GetDatabase    = Operation{"GetDatabase", get, databasePath, true}
	AlterDatabase  = Operation{"AlterDatabase", post, databasePath, false}
	DropDatabase   = Operation{"DropDatabase", del, databasePath, true}

	ListTables     = Operation{"ListTables", get, databasePath + "/tables", true}
	CreateTable    = Operation{"CreateTable", post, databasePath + "/tables", false}
	GetTable       = Operation{"GetTable", get, tablePath, true}
	AlterTable     = Operation{"AlterTable", post, tablePath, false}
	DropTable      = Operation{"DropTable", del, tablePath, true}
	RenameTable    = Operation{"RenameTable", post, "/v1/{prefix}/tables/rename", false}
	AuthTableQuery = Operation{"AuthTableQuery", post, tablePath + "/auth", true}
	GetSnapshot    = Operation{"GetTableSnapshot", get, tablePath + "/snapshot", true}
	CommitSnapshot = Operation{"CommitTable", post, tablePath + "/commit", false}

	ListViews  = Operation{"ListViews", get, databasePath + "/views", true}
	CreateView = Operation{"CreateView", post, databasePath + "/views", false}
	GetView    = Operation{"GetView", get, databasePath + "/views/{view}", true}
	DropView   = Operation{"DropView", del, databasePath + "/views/{view}", true}
	RenameView = Operation{"RenameView", post, "/v1/{prefix}/views/rename", false}

	ListFunctions  = Operation{"ListFunctions", get, databasePath + "/functions", true}
	CreateFunction = Operation{"CreateFunction", post, databasePath + "/functions", false}
	GetFunction    = Operation{"GetFunction", get, databasePath + "/functions/{function}", true}
	DropFunction   = Operation{"DropFunction", del, databasePath + "/functions/{function}", true}
)

// The HTTP methods, spelled here since net/http would bring all of its client and server along.
const (
	get  = "GET"
	post = "POST"
	del  = "DELETE"
)

const (
	databasePath = "/v1/{prefix}/databases/{database}"
	tablePath    = databasePath + "/tables/{table}"
)

// URLPath fills the template with the prefix and the names in the order of their placeholders, encoded for the
// wire. The caller passes exactly as many names as the template has placeholders after {prefix}.
func (o Operation) URLPath(prefix string, names ...string) string {
	segments := strings.Split(o.Path, "/")
	next := 0
	for i, segment := range segments {
		switch {
		case segment == "{prefix}":
			segments[i] = EncodePrefix(prefix)
		case isPlaceholder(segment):
			segments[i] = EncodeName(names[next])
			next++
		}
	}
	return strings.Join(segments, "/")
}

// Match tells whether an escaped request path is this operation's, and returns the decoded values of its
// placeholders, the prefix first. A segment is split off before it is decoded, so %2F stays inside a name.
func (o Operation) Match(escapedPath string) (names []string, ok bool) {
	want := strings.Split(o.Path, "/")
	got := strings.Split(escapedPath, "/")
	if len(want) != len(got) {
		return nil, false
	}
	for i, segment := range want {
		if !isPlaceholder(segment) {
			if segment != got[i] {
				return nil, false
			}
			continue
		}
		name, err := DecodeName(got[i])
		if err != nil || name == "" {
			return nil, false
		}
		names = append(names, name)
	}
	return names, true
}

func isPlaceholder(segment string) bool {
	return strings.HasPrefix(segment, "{")
}
