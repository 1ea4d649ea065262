package provider

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// What others do to the records of a configuration between its plan and its apply, behind a plan that does not refresh, and
// while an apply runs.

// send sends a request past Terraform, whatever comes of it.
func (c *catalog) send(operation wire.Operation, names []string, body string) {
	request, err := http.NewRequestWithContext(context.Background(), operation.Method, c.url+operation.URLPath("demo", names...), strings.NewReader(body))
	if err != nil {
		c.t.Error(err)
		return
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Error(err)
		return
	}
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
}

// third is a content that no test configures.
func (s subject) third() object {
	content := maps.Clone(s.first)
	switch s.typeName {
	case "paimon_permission":
		content["expire_time"] = "2133-01-01T00:00:00Z"
	case "paimon_column_permission":
		content["column_names"] = []string{"order_id"}
	case "paimon_row_filter_policy":
		content["predicate"] = strings.Replace(euFilter, "EU", "LATAM", 1)
	default:
		content["transform"] = `{"name":"LOWER","inputs":[{"index":1,"name":"email","type":"STRING"}]}`
	}
	return content
}

// takeAway removes the record of a principal by hand.
func (s subject) takeAway(c *catalog, principal string) {
	body := map[string]string{
		"paimon_permission":         `{"resource":{` + ordersResource + `},"access":"SELECT","principal":%q}`,
		"paimon_column_permission":  `{"resource":{"type":"COLUMN","database":"sales","table":"orders"},"access":"SELECT","principal":%q}`,
		"paimon_row_filter_policy":  `{"type":"ROW_FILTER","principal":%q}`,
		"paimon_column_mask_policy": `{"type":"COLUMN_MASKING","column":"email","principal":%q}`,
	}[s.typeName]
	c.send(s.remove, s.names, fmt.Sprintf(body, principal))
}

// makeSo makes the record of a principal so by hand.
func (s subject) makeSo(c *catalog, content object, principal string) {
	var body string
	switch s.typeName {
	case "paimon_permission":
		body = fmt.Sprintf(`{"resource":{%s},"access":"SELECT","principal":%q,"expireTime":%q}`, ordersResource, principal, content["expire_time"])
	case "paimon_column_permission":
		body = fmt.Sprintf(`{"resource":{"type":"COLUMN","database":"sales","table":"orders"},"access":"SELECT","principal":%q,"columns":{"columnNames":%q}}`,
			principal, content["column_names"])
	case "paimon_row_filter_policy":
		s.takeAway(c, principal)
		body = fmt.Sprintf(`{"principal":%q,"rowFilter":{"predicate":%q}}`, principal, content["predicate"])
	default:
		s.takeAway(c, principal)
		body = fmt.Sprintf(`{"principal":%q,"columnMask":{"onColumn":"email","transform":%q}}`, principal, content["transform"])
	}
	c.send(s.write, s.names, body)
}

// A plan that does not know what others did, since it was saved before or did not refresh, brings about what it says all the
// same, or refuses and leaves what is there. The next plan knows it all.
func TestPlanThatDoesNotKnowWhatOthersDid(t *testing.T) {
	t.Parallel()
	const first, second, third, nothing = "first", "second", "third", "nothing"
	const refused = "exists already with other content"
	for _, test := range []struct {
		deed, before, wish string // the records before, and as they are to be
		meanwhile          string // what the others make of it
		refusal            string // empty where there is none
		left               string // on the server
	}{
		{"create", nothing, first, first, "", first},
		{"create", nothing, first, second, refused, second},
		{"change", first, second, nothing, "", second},
		{"change", first, second, second, "", second},
		{"change", first, second, third, "", second},
		{"keep", first, first, nothing, "", nothing},
		{"keep", first, first, second, "", second},
		{"destroy", first, nothing, nothing, "", nothing},
		{"destroy", first, nothing, third, "", nothing},
	} {
		for name, s := range subjects() {
			const principal = "role:analyst"
			content := map[string]object{first: s.first, second: s.second, third: s.third()}
			config := func(what string) map[string]block {
				if what == nothing {
					return nil
				}
				return s.of(content[what], principal)
			}
			for _, way := range []string{"saved plan", "no refresh"} {
				t.Run(fmt.Sprintf("%s/%s, %s meanwhile/%s", name, test.deed, test.meanwhile, way), func(t *testing.T) {
					t.Parallel()
					c := startCatalog(t, salesSeed)
					stack := newStack(t, c, 1)
					if !stack.apply(config(test.before)) {
						t.Fatal(texts(stack))
					}
					happen := func() {
						if test.meanwhile == nothing {
							s.takeAway(c, principal)
						} else {
							s.makeSo(c, content[test.meanwhile], principal)
						}
					}
					if way == "saved plan" {
						stack.beforeApply = happen
					} else {
						stack.noRefresh = true
						happen()
					}
					switch ok := stack.apply(config(test.wish)); {
					case test.refusal != "":
						wantRefused(t, stack, test.refusal)
					case !ok:
						t.Fatal(texts(stack))
					}
					if got := s.content(c, principal); got != test.left {
						t.Errorf("%s is there, not %s", got, test.left)
					}
					stack.beforeApply, stack.noRefresh = nil, false
					if test.refusal != "" {
						s.takeAway(c, principal)
					}
					if !stack.apply(config(test.wish)) || !stack.settled(config(test.wish)) {
						t.Error(texts(stack))
					}
				})
			}
		}
	}
}

// While an apply changes, creates and destroys, others remove its records and make them something else, again and again. The
// next apply, undisturbed, brings about what is configured.
func TestOthersChangeThingsDuringAnApply(t *testing.T) {
	t.Parallel()
	for range rounds(2) {
		c := startCatalog(t, salesSeed)
		s := newStack(t, c, 4)
		before, after := make(map[string]block), make(map[string]block)
		var wanted []block
		for name, subject := range subjects() {
			for i := range 6 {
				address, principal := fmt.Sprintf("%s[%d]", name, i), fmt.Sprintf("role:%d", i)
				before[address] = subject.of(subject.first, principal)["a"]
				if i > 0 { // the others are destroyed
					after[address] = subject.of(subject.second, principal)["a"]
					wanted = append(wanted, after[address])
				}
			}
			fresh := subject.of(subject.first, "role:new")["a"]
			after[name+" new"] = fresh
			wanted = append(wanted, fresh)
		}
		if !s.apply(before) {
			t.Fatal(texts(s))
		}
		stop, stopped := make(chan struct{}), make(chan int)
		s.beforeApply = func() {
			go func() {
				for n := 0; ; n++ {
					select {
					case <-stop:
						stopped <- n
						return
					default:
					}
					for _, subject := range subjects() { // any of them
						principal := fmt.Sprintf("role:%d", rand.IntN(6)) //nolint:gosec // nobody gains by guessing it
						if rand.IntN(2) == 0 {                            //nolint:gosec // nor this
							subject.takeAway(c, principal)
						} else {
							subject.makeSo(c, subject.third(), principal)
						}
						break
					}
				}
			}()
		}
		s.apply(after)
		close(stop)
		if n := <-stopped; n == 0 {
			t.Error("nobody did anything")
		}
		s.beforeApply = nil
		// What was destroyed may have been made again, and is somebody else's then.
		for _, subject := range subjects() {
			subject.takeAway(c, "role:0")
		}
		if !s.apply(after) || !s.settled(after) {
			t.Fatal(texts(s))
		}
		wantOnServer(t, c, wanted, nil)
	}
}

// A replacement is refused, and somebody else makes a policy before the old one is put back: nobody is told that the old one is
// in force.
func TestRefusedReplacementWhosePlaceIsTaken(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"row filter", "column mask"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const principal = "role:analyst"
			s := subjects()[name]
			c := startCatalog(t, salesSeed)
			stack := newStack(t, c, 1)
			if !stack.apply(s.of(s.first, principal)) {
				t.Fatal(texts(stack))
			}
			refuse := refuseFor(principal)
			c.record.intercept(func(r *http.Request) http.HandlerFunc {
				refusal := refuse(r)
				if refusal != nil {
					s.makeSo(c, s.third(), principal)
				}
				return refusal
			})
			stack.apply(s.of(s.second, principal))
			if text := texts(stack); len(stack.errors) == 0 || strings.Contains(text, "put back and is in force") || !strings.Contains(text, "Something else is in force now") {
				t.Errorf("got: %s", text)
			}
			c.record.intercept(nil)
			if !stack.apply(s.of(s.second, principal)) || !stack.settled(s.of(s.second, principal)) {
				t.Error(texts(stack))
			}
		})
	}
}
