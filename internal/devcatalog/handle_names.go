package devcatalog

import (
	"context"
	"net/url"
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// The resources that the names in a path stand for.

func databaseInPath(c *call) access.Resource {
	return access.Resource{Type: access.Database, Database: c.names[0]}
}

func tableInPath(c *call) access.Resource {
	return access.TableResource(c.names[0], c.names[1])
}

func viewInPath(c *call) access.Resource {
	return access.Resource{Type: access.View, Database: c.names[0], View: c.names[1]}
}

func functionInPath(c *call) access.Resource {
	return access.Resource{Type: access.Function, Database: c.names[0], Function: c.names[1]}
}

// checkNewName refuses a name that cannot be addressed, before an object gets it.
func checkNewName(r access.Resource) error {
	return refuse(append(r.CheckShape(), r.CheckNames()...))
}

// listNames lists one page of the names of one kind in a database, or of the databases themselves. The token is nil on
// the last page, which clients of the catalog endpoints want as an explicit null.
func (c *Catalog) listNames(ctx context.Context, t *tx, query url.Values, in access.Resource, kind access.ResourceType, patternParam string) (names []string, token *string, err error) {
	page, err := c.pageRequest(query)
	if err != nil {
		return nil, nil, err
	}
	glob, err := globOf(query.Get(patternParam))
	if err != nil {
		return nil, nil, err
	}
	parent, err := t.objectID(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	rows, err := t.objectNames(ctx, parent, kind, glob, page)
	if err != nil {
		return nil, nil, err
	}
	names, next := takePage(page, "", rows)
	return names, nullText(next), nil
}

// globOf translates a name pattern, SQL's LIKE with a wildcard % at the end at most, into SQLite's GLOB, which unlike
// its LIKE tells upper from lower case.
func globOf(pattern string) (string, error) {
	var glob strings.Builder
	escaped := false
	for i, r := range pattern {
		switch {
		case !escaped && r == '\\':
			escaped = true
			continue
		case !escaped && r == '%' && i < len(pattern)-1:
			return "", invalid("The pattern %q has a %% that is not at its end: only prefixes can be matched.", pattern)
		case !escaped && r == '%':
			glob.WriteByte('*')
		case !escaped && r == '_':
			glob.WriteByte('?')
		case r == '*' || r == '?' || r == '[':
			glob.WriteString("[" + string(r) + "]")
		default:
			glob.WriteRune(r)
		}
		escaped = false
	}
	if escaped {
		return "", invalid("The pattern %q ends in an escape.", pattern)
	}
	return glob.String(), nil
}
