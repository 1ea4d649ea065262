package dlf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// MetadataURL is where an ECS instance finds the keys of its roles.
const MetadataURL = "http://100.100.100.200/latest/meta-data/Ram/security-credentials/"

const (
	sessionPath = "/latest/api/token"
	// One session serves the requests of one look.
	sessionSeconds = "60"
	// metadataTimeout bounds one request; the service is on the same machine.
	metadataTimeout = 5 * time.Second
)

// Metadata gets the keys of a RAM role from the metadata service of the ECS instance it runs on.
type Metadata struct {
	// URL is the address of the keys, MetadataURL on every instance.
	URL string
	// Role is the name of the role; empty asks the service for it.
	Role string
	// AllowTokenless goes on without a session token where the service has none to give. Anything on the instance that can
	// be made to send a request could get the keys then.
	AllowTokenless bool
}

// Credentials asks the service. It is never asked through a proxy, which would see the keys.
func (m Metadata) Credentials(ctx context.Context) (Credentials, error) {
	look := metadataLook{keys: strings.TrimRight(m.URL, "/") + "/", client: &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		Timeout:       metadataTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	var err error
	if look.session, err = look.begin(ctx, m.AllowTokenless); err != nil {
		return Credentials{}, err
	}
	role := m.Role
	if role == "" {
		if role, err = look.role(ctx); err != nil {
			return Credentials{}, err
		}
	}
	document, err := look.get(ctx, look.keys+url.PathEscape(role))
	switch {
	case errors.Is(err, errMissing):
		return Credentials{}, fmt.Errorf("%w %q", ErrNoRole, role)
	case err != nil:
		return Credentials{}, err
	}
	c, err := ParseToken(document)
	if err != nil {
		return Credentials{}, fmt.Errorf("the answer of the metadata service for the role %s: %w", role, err)
	}
	return c, nil
}

// metadataLook is one series of requests to the service.
type metadataLook struct {
	keys    string // the address of the keys, which ends in a slash
	client  *http.Client
	session string
}

// begin asks for a session token; it is empty where the service has none and that is allowed.
func (l metadataLook) begin(ctx context.Context, allowTokenless bool) (string, error) {
	service, err := url.Parse(l.keys)
	if err != nil {
		return "", errors.New("the address of the metadata service cannot be read")
	}
	header := http.Header{"X-Aliyun-Ecs-Metadata-Token-Ttl-Seconds": {sessionSeconds}}
	status, body, err := l.send(ctx, http.MethodPut, service.Scheme+"://"+service.Host+sessionPath, header)
	switch {
	case err != nil:
		return "", err
	case status == http.StatusOK:
		return strings.TrimSpace(string(body)), nil
	case (status == http.StatusNotFound || status == http.StatusMethodNotAllowed) && allowTokenless:
		return "", nil
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		return "", fmt.Errorf("%w (status %d)", ErrTokenless, status)
	default:
		return "", fmt.Errorf("the metadata service answered a request for a session token with status %d", status)
	}
}

var (
	// ErrTokenless is a metadata service that has no session tokens, while its keys may only be taken with one.
	ErrTokenless = errors.New("the metadata service gives no session token")
	// ErrNoRole is a role that the instance does not have.
	ErrNoRole = errors.New("the instance has no RAM role")

	errMissing = errors.New("the metadata service answered with status 404")
)

// role is the name of the instance's role.
func (l metadataLook) role(ctx context.Context) (string, error) {
	body, err := l.get(ctx, l.keys)
	if err != nil && !errors.Is(err, errMissing) {
		return "", err
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(body)), "\n")
	role := strings.TrimSpace(line)
	if role == "" {
		return "", errors.New("the metadata service names no RAM role; is one attached to the instance?")
	}
	return role, nil
}

func (l metadataLook) get(ctx context.Context, address string) ([]byte, error) {
	header := http.Header{}
	if l.session != "" {
		header.Set("X-Aliyun-Ecs-Metadata-Token", l.session)
	}
	status, body, err := l.send(ctx, http.MethodGet, address, header)
	if err != nil {
		return nil, err
	}
	switch status {
	case http.StatusOK:
		return body, nil
	case http.StatusNotFound:
		return nil, errMissing
	default:
		return nil, fmt.Errorf("the metadata service answered with status %d", status)
	}
}

// send makes a request. No error shows anything of what was answered.
func (l metadataLook) send(ctx context.Context, method, address string, header http.Header) (int, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return 0, nil, errors.New("the address of the metadata service cannot be used")
	}
	request.Header = header
	response, err := l.client.Do(request)
	if err != nil {
		return 0, nil, fmt.Errorf("the metadata service cannot be reached: %w", err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, largestToken))
	if err != nil {
		return 0, nil, fmt.Errorf("reading the answer of the metadata service: %w", err)
	}
	return response.StatusCode, body, nil
}
