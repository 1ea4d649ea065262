package predicate

import "strconv"

// path is a place in the JSON as a chain up to the root, which is nil. Chains
// cost nothing until a finding needs the text.
type path struct {
	parent *path
	key    string
	index  int
}

func (p *path) member(key string) *path { return &path{parent: p, key: key} }

func (p *path) item(index int) *path { return &path{parent: p, index: index} }

func (p *path) String() string {
	switch {
	case p == nil:
		return ""
	case p.key == "":
		return p.parent.String() + "[" + strconv.Itoa(p.index) + "]"
	case p.parent == nil:
		return p.key
	default:
		return p.parent.String() + "." + p.key
	}
}
