package access

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// escapeLocator and unescapeLocator handle the only two escapes of an import ID: % and / in locators and columns.
var (
	escapeLocator   = strings.NewReplacer("%", "%25", "/", "%2F")
	unescapeLocator = strings.NewReplacer("%25", "%", "%2F", "/", "%2f", "/")
)

// ID is the import ID: TYPE/locators/access[/column]/principal. In locators and the column % and / are escaped; the
// principal is the rest of the text, verbatim.
func (i Identity) ID() string {
	parts := []string{string(i.Resource.Type)}
	for _, name := range i.Resource.Names() {
		parts = append(parts, escapeLocator.Replace(name))
	}
	parts = append(parts, string(i.Access))
	if i.Access == ColumnMasking {
		parts = append(parts, escapeLocator.Replace(i.Column))
	}
	return strings.Join(append(parts, i.Principal), "/")
}

// ParseID reads an import ID in either spelling: the path form that ID writes, or the query form of the Apache
// provider (resource_type=TABLE&database=…). The identity that it returns has passed Check.
func ParseID(id string) (Identity, error) {
	head, _, _ := strings.Cut(id, "/")
	parse := parsePathID
	if strings.Contains(head, "=") {
		parse = parseQueryID
	}
	identity, err := parse(id)
	if err != nil {
		return Identity{}, err
	}
	// JSON would replace such bytes on the way, and another identity would be asked for than was written.
	if !utf8.ValidString(identity.ID()) {
		return Identity{}, errors.New("the ID is not UTF-8: write its names in UTF-8")
	}
	if err := identity.Check().Err(); err != nil {
		return Identity{}, err
	}
	return identity, nil
}

// idParts takes one slash-separated part after the other from the front of an ID.
type idParts struct {
	rest string
	done bool
	form string // what the whole is expected to look like, for the messages
}

func (p *idParts) next(what string) (string, error) {
	if p.done {
		return "", fmt.Errorf("the %s is missing: write %s", what, p.form)
	}
	part, rest, found := strings.Cut(p.rest, "/")
	p.rest, p.done = rest, !found
	if IsBlank(part) {
		return "", fmt.Errorf("the %s is empty: write %s", what, p.form)
	}
	return part, nil
}

// nextName takes a part and undoes its escapes.
func (p *idParts) nextName(what string) (string, error) {
	part, err := p.next(what)
	if err != nil {
		return "", err
	}
	name := unescapeLocator.Replace(part)
	if escapes := strings.Count(part, "%25") + strings.Count(part, "%2F") + strings.Count(part, "%2f"); escapes != strings.Count(part, "%") {
		return "", fmt.Errorf("the %s %q has a %% that is not %%25 or %%2F: write it as %q", what, part, escapeLocator.Replace(name))
	}
	return name, nil
}

// last takes everything that is left, slashes included.
func (p *idParts) last(what string) (string, error) {
	if p.done {
		return "", fmt.Errorf("the %s is missing: write %s", what, p.form)
	}
	if IsBlank(p.rest) {
		return "", fmt.Errorf("the %s is empty: write %s", what, p.form)
	}
	return p.rest, nil
}

// pathForm shows the path form of a type's identities: TABLE/<database>/<table>/<access>/<principal>.
func pathForm(t ResourceType, given string) string {
	parts := []string{string(t)}
	for _, l := range t.Locators() {
		parts = append(parts, "<"+string(l)+">")
	}
	return strings.Join(append(parts, given, "<principal>"), "/")
}

func parsePathID(id string) (Identity, error) {
	parts := &idParts{rest: id, form: "<resource type>/<names>/<access>/<principal>, such as TABLE/sales/orders/SELECT/role:analyst"}
	resourceType, err := parts.next("resource type")
	if err != nil {
		return Identity{}, err
	}
	identity := Identity{Resource: Resource{Type: ResourceType(resourceType)}}
	facts, known := identity.Resource.Type.facts()
	if !known {
		return Identity{}, unknownType(identity.Resource.Type)
	}
	parts.form = pathForm(facts.kind, "<access>")
	for _, l := range facts.locators {
		if *identity.Resource.locator(l), err = parts.nextName(string(l) + " name"); err != nil {
			return Identity{}, err
		}
	}
	given, err := parts.next("access")
	if err != nil {
		return Identity{}, err
	}
	identity.Access = Access(given)
	if identity.Access.IsPolicy() && facts.kind != Table {
		return Identity{}, fmt.Errorf("a policy hangs on a table: write TABLE/…/%s/…", given)
	}
	if identity.Access == ColumnMasking {
		parts.form = pathForm(Table, given+"/<column>")
		if identity.Column, err = parts.nextName("column"); err != nil {
			return Identity{}, err
		}
	}
	identity.Principal, err = parts.last("principal")
	return identity, err
}

// parseQueryID reads the query form. Which of its three key sets it is follows from the keys that only one has; a
// column permission is a permission of type COLUMN there.
func parseQueryID(id string) (Identity, error) {
	values, err := url.ParseQuery(id)
	if err != nil {
		return Identity{}, fmt.Errorf("the query form is not encoded as a URL query, with %% as %%25 and & as %%26: %w", err)
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if len(values[key]) > 1 {
			return Identity{}, fmt.Errorf("the key %s is given twice: remove one", key)
		}
	}
	switch {
	case values.Has("resource_type") || values.Has("access"):
		return permissionFromQuery(values)
	case values.Has("column"):
		identity := ColumnMaskIdentity(values.Get("database"), values.Get("table"), values.Get("column"), values.Get("principal"))
		return identity, checkKeys(values, "database", "table", "column", "principal")
	default:
		identity := RowFilterIdentity(values.Get("database"), values.Get("table"), values.Get("principal"))
		return identity, checkKeys(values, "database", "table", "principal")
	}
}

func permissionFromQuery(values url.Values) (Identity, error) {
	identity := Identity{
		Resource:  Resource{Type: ResourceType(values.Get("resource_type"))},
		Access:    Access(values.Get("access")),
		Principal: values.Get("principal"),
	}
	facts, known := identity.Resource.Type.facts()
	if !known && values.Has("resource_type") {
		return Identity{}, unknownType(identity.Resource.Type)
	}
	if identity.Access.IsPolicy() {
		return Identity{}, errors.New("a policy has no resource_type and access in the query form: write database=…&table=…&principal=…, and column=… for a mask")
	}
	keys := []string{"resource_type"}
	for _, l := range facts.locators {
		*identity.Resource.locator(l) = values.Get(string(l))
		keys = append(keys, string(l))
	}
	return identity, checkKeys(values, append(keys, "access", "principal")...)
}

func checkKeys(values url.Values, want ...string) error {
	for _, key := range want {
		if !values.Has(key) {
			return fmt.Errorf("the key %s is missing: expected %s", key, list(want))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(want, key) {
			return fmt.Errorf("the key %s does not belong here: expected %s", key, list(want))
		}
	}
	return nil
}
