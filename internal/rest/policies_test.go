package rest

import (
	"errors"
	"slices"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

func TestPoliciesAreReadByTheirDefinition(t *testing.T) {
	t.Parallel()
	const rows = `{"policies":[
		{"resource":{"type":"TABLE","database":"old","table":"old"},"rowFilter":{"predicate":"{\"<\":1}"},"principal":"p"},
		{"columnMask":{"onColumn":"c","transform":"{}"},"principal":"p","extra":1},
		{"rowFilter":{"predicate":null},"principal":"q"},
		{"principal":"p"},
		{"rowFilter":{"predicate":"{}"},"columnMask":{"onColumn":"c","transform":"{}"},"principal":"p"}]}`
	s := newServer(t, says(200, rows))
	c := s.client(t)
	listing, err := c.Policies(t.Context(), "d", "t", PolicyFilter{})
	if err != nil {
		t.Fatal(err)
	}
	want := []access.Policy{
		{Identity: access.ColumnMaskIdentity("d", "t", "c", "p"), Definition: "{}"},
		{Identity: access.RowFilterIdentity("d", "t", "p"), Definition: `{"<":1}`},
		{Identity: access.RowFilterIdentity("d", "t", "q")},
	}
	if len(listing.Rows) != len(want) || len(listing.Malformed) != 2 {
		t.Fatalf("got %+v", listing)
	}
	for _, p := range want {
		if !slices.Contains(listing.Rows, p) {
			t.Errorf("%+v is missing", p)
		}
	}
	if got, found, err := c.Policy(t.Context(), want[0].Identity, ThisWalk); err != nil || !found || got != want[0] {
		t.Errorf("got %+v, %v, %v", got, found, err)
	}
	_, _, err = c.Policy(t.Context(), access.ColumnMaskIdentity("d", "t", "other", "p"), ThisWalk)
	if _, ok := errors.AsType[*MalformedError](err); !ok {
		t.Errorf("got %v", err)
	}
}

func TestAConflictTellsWhatItIsAbout(t *testing.T) {
	t.Parallel()
	for resourceType, exists := range map[string]bool{"POLICY": true, "TABLE": false} {
		s := newServer(t, says(409, about(resourceType, "x", "409")))
		if err := createCall(t.Context(), s.client(t)); IsConflict(err, wire.ErrorPolicy) != exists || !IsCode(err, 409) {
			t.Errorf("%s: %v", resourceType, err)
		}
	}
}
