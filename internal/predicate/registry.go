package predicate

import (
	"iter"
	"maps"
)

// TransformNames yields the names of the transforms, in no order.
func TransformNames() iter.Seq[string] { return maps.Keys(transforms) }

// TakesInputs tells the transforms that take a list of inputs from those that
// take one column or nothing.
func TakesInputs(transform string) bool { return transforms[transform].hasInputs() }
