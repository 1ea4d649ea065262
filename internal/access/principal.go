package access

import "fmt"

// MaxPrincipalLength is the longest principal in UTF-16 code units; a character beyond the basic plane, such as an
// emoji, counts two.
const MaxPrincipalLength = 128

// CheckPrincipal reports a principal that is blank or too long. A principal is opaque otherwise: case-sensitive,
// never trimmed, of any format.
func CheckPrincipal(principal string) Problems {
	if IsBlank(principal) {
		return Problems{{
			Attribute: "principal",
			Text:      "The principal must not be blank.",
			Remedy:    `Write it as the catalog knows it, such as "role:analyst".`,
		}}
	}
	if n := utf16Length(principal); n > MaxPrincipalLength {
		return Problems{{
			Attribute: "principal",
			Text:      fmt.Sprintf("The principal is %d UTF-16 code units long; at most %d are allowed.", n, MaxPrincipalLength),
			Remedy:    "Use the shorter name that the catalog knows.",
		}}
	}
	return nil
}
