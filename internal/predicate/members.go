package predicate

import (
	"slices"
	"strconv"
	"strings"
)

// object describes the keys of a JSON object.
type object struct {
	// discriminator says what the object is; empty where nothing does. Jackson
	// reads the first one and ignores others.
	discriminator string
	keys          []string
	// atOnce is set for objects that Jackson builds as soon as it has seen all
	// keys: a duplicate after that is an error. Elsewhere the last one counts.
	atOnce bool
}

// members sorts the members of an object by key, under Jackson's rules for
// duplicate and unknown keys.
func (p *parser) members(n *node, o object, where *path) map[string]*node {
	found := make(map[string]*node, len(o.keys))
	discriminated := false
	for i := range n.members {
		m := &n.members[i]
		switch {
		case m.key == o.discriminator && o.discriminator != "":
			if discriminated {
				p.duplicate(m, where, "the first")
			}
			discriminated = true
		case !slices.Contains(o.keys, m.key):
			p.careless(CodeUnknownKey, m.at, where.member(m.key),
				"unknown key "+strconv.Quote(m.key)+", which servers drop", o.removal(m.key))
		case found[m.key] == nil:
			found[m.key] = &m.value
		case o.atOnce && len(found) == len(o.keys):
			p.unreadable(CodeDuplicateKey, m.at, where.member(m.key),
				"duplicate key "+strconv.Quote(m.key), "remove one of the two")
		default:
			p.duplicate(m, where, "the last")
			found[m.key] = &m.value
		}
	}
	return found
}

func (p *parser) duplicate(m *member, where *path, winner string) {
	p.careless(CodeDuplicateKey, m.at, where.member(m.key),
		"duplicate key "+strconv.Quote(m.key)+", of which servers take "+winner+" and other readers another",
		"remove one of the two")
}

func (o object) removal(key string) string {
	if near := Nearest(key, slices.Values(o.keys)); near != "" {
		return "remove it, or did you mean " + strconv.Quote(near) + "?"
	}
	return "remove it; the keys here are " + quotedList(slices.Concat([]string{o.discriminator}, o.keys))
}

// quotedList joins names for a message, leaving empty ones out.
func quotedList(names []string) string {
	var quoted []string
	for _, name := range names {
		if name != "" {
			quoted = append(quoted, strconv.Quote(name))
		}
	}
	return strings.Join(quoted, ", ")
}

// discriminator is the text of the key that says what an object is.
func (p *parser) discriminator(n *node, key string, where *path, what string) (string, bool) {
	if n.kind != objectNode {
		p.unreadable(CodeShape, n.at, where, what+" is a JSON object", `write {"`+key+`": …}`)
		return "", false
	}
	for i := range n.members {
		if m := &n.members[i]; m.key == key {
			if m.value.kind != textNode {
				p.unreadable(CodeShape, m.value.at, where.member(key), strconv.Quote(key)+" is a string", "write a name in double quotes")
				return "", false
			}
			return m.value.text, true
		}
	}
	p.unreadable(CodeShape, n.at, where, what+" needs the key "+strconv.Quote(key), "add it")
	return "", false
}

// isMissing tells a key that is absent or null.
func isMissing(n *node) bool { return n == nil || n.kind == nullNode }
