package devcatalog

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// caller is who sends a request.
type caller struct {
	// effective is the caller itself and all groups that it is in, directly or through other groups.
	effective []string
	// manages says that the caller may manage access everywhere. It gives no right to read.
	manages bool
}

// directory is the principals, their groups and tokens. It comes from the seed at every start and is never stored, so
// no token ever reaches the database.
type directory struct {
	// open says that no principals are configured: any name is accepted and any caller may do anything.
	open    bool
	known   map[string]bool
	byToken map[string]caller
}

func newDirectory(principals []SeedPrincipal) (*directory, error) {
	byName, err := principalsByName(principals)
	if err != nil {
		return nil, err
	}
	d := &directory{open: len(principals) == 0, known: map[string]bool{}, byToken: map[string]caller{}}
	for i, p := range principals {
		d.known[p.Name] = true
		for _, group := range p.Groups {
			d.known[group] = true
		}
		if p.Token == "" {
			continue
		}
		if _, twice := d.byToken[p.Token]; twice {
			return nil, fmt.Errorf("principals[%d]: %q has the token of another principal", i, p.Name)
		}
		d.byToken[p.Token] = newCaller(p.Name, byName)
	}
	return d, nil
}

func principalsByName(principals []SeedPrincipal) (map[string]SeedPrincipal, error) {
	byName := make(map[string]SeedPrincipal, len(principals))
	for i, p := range principals {
		if err := access.CheckPrincipal(p.Name).Err(); err != nil {
			return nil, fmt.Errorf("principals[%d]: %w", i, err)
		}
		for _, group := range p.Groups {
			if err := access.CheckPrincipal(group).Err(); err != nil {
				return nil, fmt.Errorf("principals[%d].groups: %w", i, err)
			}
		}
		if _, twice := byName[p.Name]; twice {
			return nil, fmt.Errorf("principals[%d]: %q is listed twice", i, p.Name)
		}
		byName[p.Name] = p
	}
	return byName, nil
}

func newCaller(name string, byName map[string]SeedPrincipal) caller {
	effective := withGroups(name, byName)
	return caller{
		effective: effective,
		manages:   slices.ContainsFunc(effective, func(name string) bool { return byName[name].Manages }),
	}
}

// withGroups returns the principal and its groups, transitively. Groups may contain each other.
func withGroups(name string, byName map[string]SeedPrincipal) []string {
	names := []string{name}
	for i := 0; i < len(names); i++ {
		for _, group := range byName[names[i]].Groups {
			if !slices.Contains(names, group) {
				names = append(names, group)
			}
		}
	}
	return names
}

// knows says whether a principal may be named in a permission or policy.
func (d *directory) knows(name string) bool {
	return d.open || d.known[name]
}

// check refuses a principal that does not exist.
func (d *directory) check(name string) error {
	if !d.knows(name) {
		return unknownPrincipal(name)
	}
	return nil
}

// authenticate tells the caller by its token. Without principals nobody is asked for one.
func (d *directory) authenticate(r *http.Request) (caller, bool) {
	if d.open {
		return caller{manages: true}, true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return caller{}, false
	}
	who, ok := d.byToken[token]
	return who, ok
}
