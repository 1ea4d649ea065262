package predicate

import "github.com/paimon-iac/terraform-provider-paimon/internal/datatype"

// Check is what the strict reading has against the leaf as it stands, from
// whatever text it was built: its operand, the number of its literals, and
// literals that its function makes nothing of. What is wrong with the
// transform is told by [Transform.Check].
func (l *Leaf) Check() Findings {
	var n notes
	if !l.Transform.Output().IsZero() {
		checkOperand(&n, l, nil)
	}
	checkLiteralCount(&n, l, l.at, nil)
	literals := (*path)(nil).member("literals")
	for i, literal := range l.Literals {
		checkLiteral(&n, l, literal, literals.item(i))
	}
	return n.findings
}

// Check is what the strict reading has against the transform as it stands: its
// column, the number of its inputs, and each of them.
func (t Transform) Check() Findings {
	var n notes
	if t.Field != nil {
		checkField(&n, t, nil, datatype.RefusedByAll)
	}
	facts, inputs := transforms[t.Name], (*path)(nil).member("inputs")
	if facts.hasInputs() && checkInputCount(&n, t.Name, len(t.Inputs), t.at, inputs) {
		for i, in := range t.Inputs {
			checkInput(&n, in, facts.input(i), inputs.item(i))
		}
	}
	return n.findings
}
