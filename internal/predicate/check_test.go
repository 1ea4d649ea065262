package predicate

import (
	"slices"
	"testing"
)

// TestCheckFindsWhatParsingFinds checks the trees of all vectors that can be
// read for what does not depend on their text.
func TestCheckFindsWhatParsingFinds(t *testing.T) {
	checked := []Code{CodeOperand, CodeLiteralCount, CodeNullLiteral, CodePattern, CodeArgument, CodeCast}
	_, vectors := readVectors(t)
	for _, v := range vectors {
		var parsed, found Findings
		if v.Kind == "predicate" {
			var p Predicate
			p, parsed = ParsePredicate(v.text(t))
			found = checkAll(p)
		} else {
			var u Transform
			u, parsed = ParseTransform(v.text(t))
			found = u.Check()
		}
		if parsed.ReadErr() != nil {
			continue
		}
		for _, code := range checked {
			has := func(f Finding) bool { return f.Code == code }
			if slices.ContainsFunc(parsed, has) != slices.ContainsFunc(found, has) {
				t.Errorf("%s: parsing finds %v, checking %v", v.Name, parsed, found)
			}
		}
	}
}

func checkAll(p Predicate) Findings {
	switch p := p.(type) {
	case *Leaf:
		return append(p.Transform.Check(), p.Check()...)
	case *Compound:
		var all Findings
		for _, child := range p.Children {
			all = append(all, checkAll(child)...)
		}
		return all
	default:
		return nil
	}
}
