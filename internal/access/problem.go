package access

import "strings"

// Problem says which attribute of a value is wrong, how, and what to do. Attribute is the name that users write.
type Problem struct { //nolint:errname // a finding first, an error only where nobody can show findings
	Attribute string
	Text      string
	Remedy    string
}

// Error returns the text and the remedy.
func (p Problem) Error() string {
	return strings.TrimSpace(p.Text + " " + p.Remedy)
}

// Problems is everything that a check found; empty means that the value is good.
type Problems []Problem //nolint:errname // see Problem

// Err returns the problems as one error that names the attributes, or nil when there are none.
func (ps Problems) Err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}

// Error names each attribute with its problem.
func (ps Problems) Error() string {
	texts := make([]string, len(ps))
	for i, p := range ps {
		texts[i] = p.Attribute + ": " + p.Error()
	}
	return strings.Join(texts, " ")
}
