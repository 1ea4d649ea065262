package provider

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rounds is how often a test that depends on chance runs: what PAIMON_STRESS says, else a few times.
func rounds(usual int) int {
	if n, err := strconv.Atoi(os.Getenv("PAIMON_STRESS")); err == nil {
		return n
	}
	return usual
}

// six are blocks of every resource, one of them with its content changed when asked for.
func six(changed bool) []block {
	var blocks []block
	for i, name := range []string{"row filter", "permission", "column mask", "column permission", "row filter", "permission"} {
		s := subjects()[name]
		content := s.first
		if changed && i == 0 {
			content = s.second
		}
		blocks = append(blocks, s.of(content, fmt.Sprintf("role:%d", i))["a"])
	}
	return blocks
}

// shapes are the ways in which addresses change that no moved block tells of: from the blocks before to those after.
func shapes() map[string]func(before, after []block) (map[string]block, map[string]block) {
	named := func(form string, blocks []block) map[string]block {
		config := make(map[string]block)
		for i, b := range blocks {
			config[fmt.Sprintf(form, i)] = b
		}
		return config
	}
	renamed := func(from, to string) func(before, after []block) (map[string]block, map[string]block) {
		return func(before, after []block) (map[string]block, map[string]block) {
			return named(from, before), named(to, after)
		}
	}
	// A shift and a rotation keep the type of an address, so each type has its own.
	byType := func(blocks []block, arrange func([]block) []block) map[string]block {
		config := make(map[string]block)
		types := make(map[string][]block)
		for _, b := range blocks {
			types[b.typeName] = append(types[b.typeName], b)
		}
		for name, group := range types {
			maps.Copy(config, named(name+"[%d]", arrange(group)))
		}
		return config
	}
	same := func(blocks []block) []block { return blocks }
	return map[string]func(before, after []block) (map[string]block, map[string]block){
		"key renamed":         renamed(`test["%d"]`, `test["new-%d"]`),
		"resource renamed":    renamed("before%d", "after%d"),
		"moved into a module": renamed("test[%d]", "module.m.test[%d]"),
		"count shifted": func(before, after []block) (map[string]block, map[string]block) {
			first := subjects()["row filter"].of(subjects()["row filter"].first, "role:first")["a"]
			return byType(append([]block{first}, before...), same), byType(after, same)
		},
		"keys rotated": func(before, after []block) (map[string]block, map[string]block) {
			return byType(before, same), byType(after, func(group []block) []block {
				return append(slices.Clone(group[1:]), group[0])
			})
		},
	}
}

// wantOnServer checks that the catalog has exactly one record for each block, with the block's content or, where that is
// allowed, with the one before.
func wantOnServer(t *testing.T, c *catalog, blocks, before []block) {
	t.Helper()
	total := 0
	for name, s := range subjects() {
		total += strings.Count(string(c.do(s.list, s.names, s.query, "")), `"principal"`)
		for i, b := range blocks {
			if b.typeName != s.typeName {
				continue
			}
			principal := b.config["principal"].(string) //nolint:forcetypeassert // every block has one
			got := s.content(c, principal)
			if !s.has(got, b) && (before == nil || !s.has(got, before[i])) {
				t.Errorf("%s for %s: %s is there", name, principal, got)
			}
		}
	}
	if total != len(blocks) {
		t.Errorf("the catalog has %d records, not %d", total, len(blocks))
	}
}

// has says whether a content is that of a block.
func (s subject) has(content string, b block) bool {
	return content == "first" && fmt.Sprint(s.of(s.first, "")["a"].config) == withoutPrincipal(b) ||
		content == "second" && fmt.Sprint(s.of(s.second, "")["a"].config) == withoutPrincipal(b)
}

func withoutPrincipal(b block) string {
	config := maps.Clone(b.config)
	config["principal"] = ""
	return fmt.Sprint(config)
}

// Addresses that change without a moved block are destroyed here and created there, in any order. Nothing is lost.
//
// snowflakedb/terraform-provider-snowflake#3826, cyrilgdn/terraform-provider-rabbitmq#1, hashicorp/terraform#24704,
// Mongey/terraform-provider-kafka#404, terraform-google-modules/terraform-google-cloud-storage#446.
func TestRenamedAddressesLoseNothing(t *testing.T) {
	t.Parallel()
	for shape, build := range shapes() {
		for _, parallelism := range []int{1, 10, 32} {
			for _, changed := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%d/changed %t", shape, parallelism, changed), func(t *testing.T) {
					t.Parallel()
					refused := 0
					for range rounds(2) {
						c := startCatalog(t, salesSeed)
						s := newStack(t, c, parallelism)
						s.destroysFirst = shape == "count shifted" || shape == "keys rotated"
						before, after := build(six(false), six(changed))
						if !s.apply(before) {
							t.Fatal(texts(s))
						}
						if !s.apply(after) {
							refused++
							if !changed || parallelism > 1 {
								t.Fatalf("refused: %s", texts(s))
							}
							if !strings.Contains(texts(s), "moved block") {
								t.Errorf("no word of moved: %s", texts(s))
							}
							wantOnServer(t, c, six(true), six(false))
							s.parallelism = 10
							if !s.apply(after) {
								t.Fatalf("not healed: %s", texts(s))
							}
						}
						wantOnServer(t, c, six(changed), nil)
						if !s.settled(after) {
							t.Errorf("the next plan is not empty: %s", texts(s))
						}
					}
					t.Logf("%d rounds, %d healed by a second apply", rounds(2), refused)
				})
			}
		}
	}
}

// A create that fails at the new address, for whatever reason, does not let the destroy at the old one lose the record.
func TestDestroyKeepsWhatTheNewAddressCouldNotTakeOver(t *testing.T) {
	t.Parallel()
	for name, b := range standard("role:analyst") {
		c := startCatalog(t, salesSeed)
		state := startWalk(t, c).create(b.typeName, b.config)
		w := startWalk(t, c)
		plan := w.plan(b.typeName, nil, b.config, nil)
		c.record.intercept(func(*http.Request) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }
		})
		if made, _, diags := w.apply(b.typeName, nil, b.config, plan); made != nil || len(diags) == 0 {
			t.Errorf("%s: created, and nothing could be looked up", name)
		}
		c.record.intercept(nil)
		kept, _, diags := w.apply(b.typeName, state, nil, planned{})
		if kept == nil || len(diags) != 1 || !strings.Contains(diags[0].Detail, "moved block") {
			t.Errorf("%s: the state has %v, %v", name, kept, diags)
		}
		if got := subjects()[name].content(c, "role:analyst"); got != "first" {
			t.Errorf("%s: %s is there", name, got)
		}
	}
}
