package predicate

import (
	"fmt"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// Severity says whether a finding refuses the text.
type Severity uint8

const (
	// Error refuses the text, at least in the strict reading.
	Error Severity = iota
	// Warning only tells.
	Warning
)

// Code names the rule behind a finding. Codes are stable.
type Code string

// The codes of errors.
const (
	CodeSize         Code = "size"          // longer than MaxTextBytes
	CodeBlank        Code = "blank"         // empty or white space only
	CodeSyntax       Code = "syntax"        // not JSON
	CodeTrailing     Code = "trailing-text" // text after the JSON value
	CodeUnicode      Code = "unicode"       // half of a surrogate pair
	CodeDepth        Code = "depth"         // nested deeper than MaxDepth
	CodeDuplicateKey Code = "duplicate-key"
	CodeUnknownKey   Code = "unknown-key"
	CodeShape        Code = "shape"        // a key is missing or holds the wrong kind of JSON
	CodeUnknownName  Code = "unknown-name" // kind, function or transform
	CodeArgument     Code = "argument"     // an input or option of a transform
	CodeOperand      Code = "operand"      // the function does not work on this type
	CodeLiteralCount Code = "literal-count"
	CodeLiteral      Code = "literal"      // a literal is not a value of its type
	CodeNullLiteral  Code = "null-literal" // a null that makes the leaf match nothing
	CodePattern      Code = "pattern"      // a LIKE pattern with a bad escape
	CodeType         Code = "type"         // not a Paimon type
	CodeCast         Code = "cast"         // no cast rule
	CodeColumn       Code = "column"       // the table has no such column
	CodeDeclaredType Code = "declared-type"
	CodeMaskType     Code = "mask-type" // a mask's output is not of its column's type
)

// Position is a place in a text.
type Position struct {
	// Line and Column start at 1; a column counts characters.
	Line, Column int
	// Offset is the number of bytes before the place.
	Offset int
}

// Finding is one thing to say about a text.
type Finding struct {
	Code     Code
	Severity Severity
	// Refusal says, for an error, which readings refuse the text.
	Refusal datatype.Refusal
	Position
	// Path leads to the place in the JSON, such as "children[1].literals[0]";
	// empty for the whole.
	Path    string
	Message string
	Remedy  string
}

// String is the finding as one line: place, message, remedy.
func (f Finding) String() string {
	place := fmt.Sprintf("line %d, column %d", f.Line, f.Column)
	if f.Path != "" {
		place += " (" + f.Path + ")"
	}
	return place + ": " + f.Message + "; " + f.Remedy
}

// FindingError is a finding that refuses a text.
type FindingError struct{ Finding Finding }

func (e *FindingError) Error() string { return e.Finding.String() }

// Findings are what parsing or binding found, in the order of the text as far
// as it was read.
type Findings []Finding

// Err is the first error of the strict reading, nil if there is none. It is a
// [*FindingError].
func (fs Findings) Err() error { return fs.refusedAtLeastBy(datatype.RefusedByClient) }

// ServerErr is the first error that the reference server with the newest
// profile has too.
func (fs Findings) ServerErr() error { return fs.refusedAtLeastBy(datatype.RefusedByServer) }

// ReadErr is the first error that keeps even the lenient reading from telling
// what the text means.
func (fs Findings) ReadErr() error { return fs.refusedAtLeastBy(datatype.RefusedByAll) }

func (fs Findings) refusedAtLeastBy(r datatype.Refusal) error {
	for _, f := range fs {
		if f.Severity == Error && f.Refusal >= r {
			return &FindingError{f}
		}
	}
	return nil
}

// Errors are the findings that refuse the text in the strict reading.
func (fs Findings) Errors() Findings { return fs.ofSeverity(Error) }

// Warnings are the findings that refuse nothing.
func (fs Findings) Warnings() Findings { return fs.ofSeverity(Warning) }

func (fs Findings) ofSeverity(s Severity) Findings {
	var some Findings
	for _, f := range fs {
		if f.Severity == s {
			some = append(some, f)
		}
	}
	return some
}

// notes collects findings.
type notes struct{ findings Findings }

func (n *notes) refuse(by datatype.Refusal, code Code, at Position, where *path, message, remedy string) {
	n.findings = append(n.findings, Finding{
		Code: code, Refusal: by, Position: at, Path: where.String(), Message: message, Remedy: remedy,
	})
}

// careless notes what a server accepts and a careful client does not.
func (n *notes) careless(code Code, at Position, where *path, message, remedy string) {
	n.refuse(datatype.RefusedByClient, code, at, where, message, remedy)
}

// unreadable notes what nobody accepts.
func (n *notes) unreadable(code Code, at Position, where *path, message, remedy string) {
	n.refuse(datatype.RefusedByAll, code, at, where, message, remedy)
}
