package main

import (
	"maps"
	"strings"
	"testing"
)

func TestRequestsAreCountedByOperation(t *testing.T) {
	t.Parallel()
	const log = `{"method":"GET","path":"/v1/config","query":"warehouse=demo","status":200,"milliseconds":0.1}
{"method":"GET","path":"/v1/demo/permissions","query":"resourceType=TABLE","status":200,"milliseconds":0.1}
{"method":"GET","path":"/v1/demo/permissions","query":"","status":400,"milliseconds":0.1}
{"method":"POST","path":"/v1/demo/permissions/grant","query":"","status":200,"milliseconds":0.1}
{"method":"GET","path":"/v1/demo/databases/lake/tables/t0000/policies","query":"","status":200,"milliseconds":0.1}
{"method":"POST","path":"/v1/demo/databases/lake/tables/t0000/policies","query":"","status":409,"milliseconds":0.1}
{"method":"GET","path":"/healthz","query":"","status":204,"milliseconds":0}
`
	want := map[string]int{
		"GetConfig": 1, "ListPermissionAssignments": 2, "GrantPermissionAssignment": 1, "ListPolicies": 1, "CreatePolicy": 1, "GET /healthz": 1,
	}
	if got, err := countRequests(strings.NewReader(log)); err != nil || !maps.Equal(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := countRequests(strings.NewReader(log[:len(log)-9])); err == nil {
		t.Errorf("half a line counts: %v", got)
	}
}
