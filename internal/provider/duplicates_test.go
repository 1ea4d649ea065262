package provider

import (
	"maps"
	"strings"
	"testing"
)

// under gives one block several addresses.
func under(b block, addresses ...string) map[string]block {
	config := make(map[string]block)
	for _, address := range addresses {
		config[address] = b
	}
	return config
}

// merged is a configuration made of several.
func merged(configs ...map[string]block) map[string]block {
	all := make(map[string]block)
	for _, config := range configs {
		maps.Copy(all, config)
	}
	return all
}

// standard is one block of each resource, each for a principal.
func standard(principal string) map[string]block {
	blocks := make(map[string]block)
	for name, s := range subjects() {
		blocks[name] = s.of(s.first, principal)["a"]
	}
	return blocks
}

// wantRefused checks that the last plan or apply was refused with one error.
func wantRefused(t *testing.T, s *stack, text string) {
	t.Helper()
	if len(s.errors) != 1 || !strings.Contains(s.errors[0].Summary+": "+s.errors[0].Detail, text) {
		t.Fatalf("not one error with %q, but: %s", text, texts(s))
	}
}

func TestTwoAddressesForOneRecordAreRefusedAtPlan(t *testing.T) {
	t.Parallel()
	for name, b := range standard("role:analyst") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, salesSeed)
			both := under(b, "a", "b")

			s := newStack(t, c, 10)
			if s.plan(both); writes(c.record.take()) > 0 {
				t.Error("something was written")
			}
			wantRefused(t, s, "is managed by another resource of this configuration, too.")

			// One of them is in the state already.
			if !s.apply(under(b, "a")) {
				t.Fatal(texts(s))
			}
			s.plan(both)
			wantRefused(t, s, "is managed by another resource of this configuration, too.")

			// Both are, as after two imports by command.
			s.state["b"] = s.state["a"]
			for _, s.noRefresh = range []bool{false, true} {
				s.plan(both)
				wantRefused(t, s, "is managed by another resource of this configuration, too.")
			}
			// Dropping one from the configuration would take the record from both.
			for range 5 {
				s.plan(under(b, "a"))
				wantRefused(t, s, "with a removed block that has destroy = false, or with terraform state rm")
			}
			delete(s.state, "b")
			if !s.settled(under(b, "a")) {
				t.Errorf("out of the state, and still: %s", texts(s))
			}
			// A destroy of everything takes both out.
			s.state["b"] = s.state["a"]
			if !s.apply(nil) || len(s.state) > 0 {
				t.Errorf("cannot be destroyed: %s", texts(s))
			}
		})
	}
}

// Two addresses that want one record differently: the second is refused, whenever it is found out, and what the first one made
// stays as it is.
//
// pulumi/pulumi-aws#1980, pulumi/pulumi#3845, hashicorp/terraform-provider-aws#106.
func TestTwoAddressesThatWantOneRecordDifferently(t *testing.T) {
	t.Parallel()
	for name, subject := range subjects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startCatalog(t, salesSeed)
			s := newStack(t, c, 10)
			first, second := subject.of(subject.first, "role:analyst")["a"], subject.of(subject.second, "role:analyst")["a"]
			both := merged(under(first, "a"), under(second, "b"))
			s.apply(both)
			wantRefused(t, s, "is managed by another resource of this configuration, too.")
			if n := writes(c.record.take()); n > 0 {
				t.Errorf("%d requests changed something", n)
			}
			// With -target, one plan never sees the other address.
			if !s.apply(under(first, "a")) {
				t.Fatal(texts(s))
			}
			targeted := newStack(t, c, 10)
			targeted.apply(under(second, "b"))
			wantRefused(t, targeted, "exists already with other content")
			if !strings.Contains(texts(targeted), "role:analyst") {
				t.Errorf("does not name the record: %s", texts(targeted))
			}
			if got := subject.content(c, "role:analyst"); got != "first" || !s.settled(under(first, "a")) {
				t.Errorf("%s is there: %s", got, texts(s))
			}
		})
	}
}

// An address that moves on to another record while a second one keeps the old record would take it along.
func TestAddressThatMovesOnDoesNotTakeTheRecordOfAnother(t *testing.T) {
	t.Parallel()
	for name, b := range standard("role:analyst") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStack(t, startCatalog(t, salesSeed), 10)
			if !s.apply(under(b, "a")) {
				t.Fatal(texts(s))
			}
			s.state["b"] = s.state["a"]
			s.plan(merged(under(b, "a"), under(standard("role:other")[name], "b")))
			wantRefused(t, s, "this plan destroys it at one while the other keeps it")
		})
	}
}

// A principal that is unknown at plan is known when the apply plans again.
func TestTwoAddressesAreRefusedAtApplyWhenOneWasUnknown(t *testing.T) {
	t.Parallel()
	for name, b := range standard("role:analyst") {
		c := startCatalog(t, salesSeed)
		late := block{b.typeName, maps.Clone(b.config)}
		late.config["principal"] = unknown
		w := startWalk(t, c)
		w.plan(b.typeName, nil, b.config, nil)
		wantNoErrors(t, w.plan(b.typeName, nil, late.config, nil).diags)

		w = startWalk(t, c)
		w.create(b.typeName, b.config)
		again := w.plan(b.typeName, nil, b.config, nil)
		if len(again.diags) == 0 || !isError(again.diags[0]) {
			t.Errorf("%s: not refused", name)
		}
	}
}

// What looks like two addresses at some moment, and is not.
func TestOneAddressIsNeverTakenForTwo(t *testing.T) {
	t.Parallel()
	changedFilter := subjects()["row filter"].of(subjects()["row filter"].second, "role:analyst")["a"]
	for name, b := range standard("role:analyst") {
		other := standard("role:other")[name]
		changed := subjects()[name].of(subjects()[name].second, "role:analyst")["a"]
		// Each case goes from a configuration to another one, perhaps by a change of the state in between.
		cases := map[string]struct {
			before, after map[string]block
			meanwhile     func(*stack)
		}{
			"no-op":                  {under(b, "a"), under(b, "a"), nil},
			"without refresh":        {under(b, "a"), under(b, "a"), func(s *stack) { s.noRefresh = true }},
			"changed":                {under(b, "a"), under(changed, "a"), nil},
			"changed, no refresh":    {under(b, "a"), under(changed, "a"), func(s *stack) { s.noRefresh = true }},
			"tainted":                {under(b, "a"), under(b, "a"), taint},
			"tainted and changed":    {under(b, "a"), under(changed, "a"), taint},
			"tainted, no refresh":    {under(b, "a"), under(b, "a"), func(s *stack) { taint(s); s.noRefresh = true }},
			"another record":         {under(b, "a"), under(other, "a"), nil},
			"moved":                  {under(b, "a"), under(b, "b"), func(s *stack) { s.state["b"] = s.state["a"]; delete(s.state, "a") }},
			"forgotten and imported": {under(b, "a"), under(b, "b"), func(s *stack) { s.state["b"] = imported(b); delete(s.state, "a") }},
			"renamed":                {under(b, "a"), under(b, "b"), nil},
			"swapped":                {merged(under(b, "a"), under(other, "b")), merged(under(other, "a"), under(b, "b")), nil},
			"shifted":                {merged(under(other, "0"), under(b, "1")), under(b, "0"), nil},
			"one of two destroyed":   {merged(under(b, "a"), under(other, "b")), under(b, "a"), nil},
			"destroyed":              {under(b, "a"), nil, nil},
			"gone":                   {under(b, "a"), under(b, "a"), func(s *stack) { s.vanish(t) }},
			"gone and renamed":       {under(b, "a"), under(b, "b"), func(s *stack) { s.vanish(t) }},
			"beside another kind":    {under(b, "a"), merged(under(b, "a"), under(changedFilter, "filter")), nil},
		}
		for title, test := range cases {
			if name == "row filter" && title == "beside another kind" {
				continue
			}
			t.Run(name+"/"+title, func(t *testing.T) {
				t.Parallel()
				s := newStack(t, startCatalog(t, salesSeed), 10)
				if !s.apply(test.before) {
					t.Fatal(texts(s))
				}
				if test.meanwhile != nil {
					test.meanwhile(s)
				}
				if !s.apply(test.after) || !s.settled(test.after) {
					t.Error(texts(s))
				}
			})
		}
	}
}

func taint(s *stack) {
	for address, i := range s.state {
		i.tainted = true
		s.state[address] = i
	}
}

// imported is what the state has of a block after an import: no private data.
func imported(b block) instance {
	return instance{typeName: b.typeName, values: maps.Clone(b.config)}
}

// vanish removes the record of the address "a" past Terraform.
func (s *stack) vanish(t *testing.T) {
	t.Helper()
	i := s.state["a"]
	_, _, diags := startWalk(t, s.catalog).apply(i.typeName, i.values, nil, planned{})
	wantNoErrors(t, diags)
}
