package access_test

import (
	"slices"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// wantProblems compares what a check found with "attribute: text remedy" lines, in order.
func wantProblems(t *testing.T, got access.Problems, want ...string) {
	t.Helper()
	var lines []string
	for _, p := range got {
		if p.Attribute == "" || p.Text == "" || p.Remedy == "" {
			t.Errorf("a problem needs an attribute, a text and a remedy: %#v", p)
		}
		lines = append(lines, p.Attribute+": "+p.Error())
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got problems\n%q\nwant\n%q", lines, want)
	}
}

// attributes tells which attributes a check blames, where the texts are another test's business.
func attributes(problems access.Problems) []string {
	var names []string
	for _, p := range problems {
		names = append(names, p.Attribute)
	}
	return names
}

func wantAttributes(t *testing.T, got access.Problems, want ...string) {
	t.Helper()
	if names := attributes(got); !slices.Equal(names, want) {
		t.Errorf("got problems with %q, want with %q: %v", names, want, got)
	}
}

func TestProblemsAreAnErrorOnlyWhenThereAreAny(t *testing.T) {
	t.Parallel()
	// A nil slice in an error interface would not be nil.
	if err := (access.Problems{}).Err(); err != nil {
		t.Errorf("no problems: got error %v", err)
	}
	if err := access.Problems(nil).Err(); err != nil {
		t.Errorf("nil problems: got error %v", err)
	}
	err := access.Problems{
		{Attribute: "access", Text: "It is wrong.", Remedy: "Change it."},
		{Attribute: "principal", Text: "It is blank.", Remedy: "Fill it."},
	}.Err()
	const want = "access: It is wrong. Change it. principal: It is blank. Fill it."
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
