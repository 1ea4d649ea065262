package devcatalog

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// caller is who sends a request.
type caller struct {
	// effective is the caller itself and all groups that it is in, directly or through other groups.
	effective []string
	// manages says that the caller may manage access everywhere. It gives no right to read.
	manages bool
}

// directory is the principals, their groups, tokens and keys. It comes from the seed at every start and is never stored,
// so no secret ever reaches the database.
type directory struct {
	// open says that no principals are configured: any name is accepted and any caller may do anything.
	open    bool
	known   map[string]bool
	byToken map[string]caller
	byKey   map[string]keyHolder
	nonces  nonces
	// anySignature takes every signature for right, see break.go.
	anySignature bool
}

func newDirectory(principals []SeedPrincipal) (*directory, error) {
	byName, err := principalsByName(principals)
	if err != nil {
		return nil, err
	}
	d := &directory{
		open:    len(principals) == 0,
		known:   map[string]bool{},
		byToken: map[string]caller{},
		byKey:   map[string]keyHolder{},
		nonces:  nonces{until: map[string]time.Time{}},
	}
	for i, p := range principals {
		d.known[p.Name] = true
		for _, group := range p.Groups {
			d.known[group] = true
		}
		if err := d.give(p, newCaller(p.Name, byName)); err != nil {
			return nil, fmt.Errorf("principals[%d]: %w", i, err)
		}
	}
	return d, nil
}

// give lets a principal log in with what it has.
func (d *directory) give(p SeedPrincipal, who caller) error {
	if p.Token != "" {
		if _, twice := d.byToken[p.Token]; twice {
			return fmt.Errorf("%q has the token of another principal", p.Name)
		}
		d.byToken[p.Token] = who
	}
	if p.DLF == nil {
		return nil
	}
	if p.DLF.AccessKeyID == "" || p.DLF.AccessKeySecret == "" {
		return fmt.Errorf("%q: half of the access key in dlf is missing", p.Name)
	}
	if _, twice := d.byKey[p.DLF.AccessKeyID]; twice {
		return fmt.Errorf("%q has the access key ID of another principal", p.Name)
	}
	d.byKey[p.DLF.AccessKeyID] = keyHolder{*p.DLF, who}
	return nil
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

// errNotLoggedIn has no message, and so its answer has no body.
var errNotLoggedIn = &failure{status: http.StatusUnauthorized}

// authenticate tells the caller by its token or signature. Without principals nobody is asked for one.
func (d *directory) authenticate(r *http.Request, body []byte, now time.Time) (caller, error) {
	if d.open {
		return caller{manages: true}, nil
	}
	name, credentials, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if signed, ok := schemes[name]; ok {
		return d.verify(signed, credentials, r, body, now)
	}
	if who, ok := d.byToken[credentials]; ok && strings.EqualFold(name, "Bearer") {
		return who, nil
	}
	return caller{}, errNotLoggedIn
}
