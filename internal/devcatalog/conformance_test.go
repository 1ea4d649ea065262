package devcatalog_test

import (
	"fmt"
	"testing"
)

// conformanceSeed has one caller who may manage everything and one who may do nothing, and an open and a protected
// table.
const conformanceSeed = `
warehouse: demo
principals:
  - {name: "user:admin", token: admin, manages: true}
  - {name: "user:nobody", token: nobody}
  - {name: "user:carol", token: carol, groups: ["role:a", "role:b"]}
  - {name: "role:a"}
  - {name: "role:b"}
databases:
  - name: sales
    tables:
      - name: orders
        options: {query-auth.enabled: "true"}
        columns:
          - {name: id, type: INT}
          - {name: region, type: STRING}
          - {name: note, type: STRING NOT NULL}
          - {name: email, type: STRING}
          - {name: active, type: BOOLEAN}
      - name: plain
        columns: [{name: id, type: INT}]
    views: [{name: recent, query: SELECT 1}]
    functions: [{name: twice}]
  - name: hr
`

// The resources of the cases.
var (
	orders       = resource("TABLE", "sales", "orders")
	orderColumns = resource("COLUMN", "sales", "orders")
	noTable      = resource("TABLE", "sales", "nope")
	catalogRoot  = resource("CATALOG")
	catalogAll   = resource("CATALOG_ALL")
	sales        = resource("DATABASE", "sales")
	salesAll     = resource("DATABASE_ALL", "sales")
	recent       = resource("VIEW", "sales", "recent")
	twice        = resource("FUNCTION", "sales", "twice")
)

// conformanceCase is one row of the contract's table of cases.
type conformanceCase struct {
	number int
	what   string
	// choice says what this catalog does where the contract leaves it to the server.
	choice string
	check  func(*server)
}

func TestConformance(t *testing.T) {
	t.Parallel()
	for _, c := range conformanceCases() {
		t.Run(fmt.Sprintf("case %02d: %s", c.number, c.what), func(t *testing.T) {
			t.Parallel()
			c.check(start(t, conformanceSeed).as("admin"))
		})
	}
}

// clientCases are the contract's cases in which a server has no part, with what they ask of a client.
var clientCases = map[int]string{
	29: "an empty page with a token, which this catalog never sends, ends a listing",
	30: "a short page with a token, which this catalog never sends, does not",
	32: "the same token forever, which this catalog never sends, must not loop",
	66: "an error whose body has another code than its status, which this catalog never sends",
	70: "unknown members in answers, which this catalog never sends, are ignored",
	71: "rows that break the contract, which this catalog never lists, do not fail the page",
}

func TestEveryCaseOfTheContractIsAccountedForOnce(t *testing.T) {
	t.Parallel()
	seen := map[int]int{}
	for number, reason := range clientCases {
		if reason == "" {
			t.Errorf("case %d is left out without a reason", number)
		}
		seen[number]++
	}
	for _, c := range conformanceCases() {
		seen[c.number]++
	}
	const cases = 75
	for number := 1; number <= cases; number++ {
		if seen[number] != 1 {
			t.Errorf("case %d is accounted for %d times, want once", number, seen[number])
		}
	}
	if len(seen) != cases {
		t.Errorf("%d numbers are accounted for, want %d", len(seen), cases)
	}
}

func conformanceCases() []conformanceCase {
	return append(append(permissionCases(), listingCases()...), append(policyCases(), lifeCycleCases()...)...)
}

// concurrently calls from so many goroutines at once, and checks what each got last.
func concurrently(tb testing.TB, n int, call func(i int) (reply, error), check func(reply)) {
	tb.Helper()
	type outcome struct {
		answer reply
		err    error
	}
	begin, outcomes := make(chan struct{}), make(chan outcome, n)
	for i := range n {
		go func() {
			<-begin
			answer, err := call(i)
			outcomes <- outcome{answer, err}
		}()
	}
	close(begin)
	for range n {
		got := <-outcomes
		if got.err != nil {
			tb.Error(got.err)
			continue
		}
		check(got.answer)
	}
}
