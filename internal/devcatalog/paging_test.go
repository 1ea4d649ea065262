package devcatalog

import (
	"strings"
	"testing"
	"testing/quick"
)

func TestTheTokenIsTheReferenceServers(t *testing.T) {
	t.Parallel()
	const key, wire = "5:TABLE5:sales6:orders-1:-1:6:SELECT7:analyst", "djEANTpUQUJMRTU6c2FsZXM2Om9yZGVycy0xOi0xOjY6U0VMRUNUNzphbmFseXN0"
	if got := encodeToken(key); got != wire {
		t.Errorf("got %s, want %s", got, wire)
	}
	if got, ok := decodeToken(wire); !ok || got != key {
		t.Errorf("got %q %v, want %q", got, ok, key)
	}
}

func TestEveryKeyComesBackFromItsToken(t *testing.T) {
	t.Parallel()
	roundTrip := func(key string) bool {
		got, ok := decodeToken(encodeToken(key))
		return ok && got == key
	}
	if err := quick.Check(roundTrip, nil); err != nil {
		t.Error(err)
	}
}

func TestATokenOfAnotherListingStandsBeforeOrBehind(t *testing.T) {
	t.Parallel()
	for after, want := range map[string]struct {
		after string
		ok    bool
	}{
		"":   {"", true},
		"a":  {"", true},
		"bx": {"x", true},
		"b":  {"", true},
		"c":  {"", false},
	} {
		page, ok := pageRequest{5, after}.within("b")
		if ok != want.ok || page.after != want.after || ok && page.limit != 5 {
			t.Errorf("after %q: got %+v %v, want %+v", after, page, ok, want)
		}
	}
}

// FuzzPageToken looks for tokens that the decoder does not survive or reads in two ways.
func FuzzPageToken(f *testing.F) {
	for _, token := range []string{"", "!", "djEA", "djEAeA", "djEAeB", "djIAeA", "djEANTpUQUJMRTU6c2FsZXM2"} {
		f.Add(token)
	}
	f.Fuzz(func(t *testing.T, token string) {
		key, ok := decodeToken(token)
		if !ok {
			return
		}
		if again, ok := decodeToken(encodeToken(key)); !ok || again != key {
			t.Errorf("%q decodes to %q, which comes back as %q", token, key, again)
		}
		if strings.ContainsAny(token, "+/= ") {
			t.Errorf("%q is no token but decodes to %q", token, key)
		}
	})
}
