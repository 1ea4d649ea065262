package dlf

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const document = `{"AccessKeyId":"id","AccessKeySecret":"s3cr3t","SecurityToken":"t0ken","Expiration":"2099-01-31T08:00:00Z"}`

// service is the metadata service of an instance with one role.
type service struct {
	putStatus int    // of a request for a session token; 0 gives one
	roles     string // the answer to who asks for the role
	document  string

	mu    sync.Mutex
	asked []string
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked = append(s.asked, r.Method+" "+r.URL.Path)
	s.mu.Unlock()
	switch {
	case r.Method == http.MethodPut && r.URL.Path == "/latest/api/token" && s.putStatus == 0 && r.Header.Get("X-Aliyun-Ecs-Metadata-Token-Ttl-Seconds") != "":
		_, _ = io.WriteString(w, "a-session\n")
	case r.Method == http.MethodPut:
		w.WriteHeader(max(s.putStatus, http.StatusBadRequest))
	case s.putStatus == 0 && r.Header.Get("X-Aliyun-Ecs-Metadata-Token") != "a-session":
		w.WriteHeader(http.StatusForbidden)
	case r.URL.Path == "/keys/":
		_, _ = io.WriteString(w, s.roles)
	case r.URL.Path == "/keys/the-role":
		_, _ = io.WriteString(w, s.document)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func TestKeysComeFromTheMetadataService(t *testing.T) {
	t.Parallel()
	const put, ask, get = "PUT /latest/api/token", "GET /keys/", "GET /keys/the-role"
	want := Credentials{"id", "s3cr3t", "t0ken", time.Date(2099, 1, 31, 8, 0, 0, 0, time.UTC)}
	for name, test := range map[string]struct {
		service *service
		role    string
		allow   bool
		asked   []string
		failure string
	}{
		"of the instance's role": {&service{roles: " the-role\nanother\n", document: document}, "", false, []string{put, ask, get}, ""},
		"of a given role":        {&service{document: document}, "the-role", false, []string{put, get}, ""},
		"with a session token although none is asked for": {
			&service{document: document}, "the-role", true, []string{put, get}, "",
		},
		"without session tokens":          {&service{putStatus: 404, document: document}, "the-role", false, []string{put}, ErrTokenless.Error() + " (status 404)"},
		"without session tokens, allowed": {&service{putStatus: 405, document: document}, "the-role", true, []string{put, get}, ""},
		"refused":                         {&service{putStatus: 403, document: document}, "the-role", true, []string{put}, "session token with status 403"},
		"no role":                         {&service{roles: " \n"}, "", false, []string{put, ask}, "names no RAM role"},
		"an unknown role":                 {&service{}, "other", false, []string{put, "GET /keys/other"}, `no RAM role "other"`},
		"a role with signs":               {&service{}, "a/b c", false, []string{put, "GET /keys/a/b c"}, `no RAM role "a/b c"`},
		"no keys":                         {&service{document: `{"AccessKeyId":"s3cr3t"}`}, "the-role", false, []string{put, get}, "for the role the-role: AccessKeySecret is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := test.service
			server := httptest.NewServer(s)
			t.Cleanup(server.Close)
			got, err := Metadata{URL: server.URL + "/keys", Role: test.role, AllowTokenless: test.allow}.Credentials(t.Context())
			if test.failure == "" && (err != nil || got != want) {
				t.Errorf("got %+v, %v", got, err)
			}
			if test.failure != "" && (err == nil || !strings.Contains(err.Error(), test.failure) || strings.Contains(err.Error(), "s3cr3t")) {
				t.Errorf("got %v, want %q", err, test.failure)
			}
			if !slices.Equal(s.asked, test.asked) {
				t.Errorf("asked %q", s.asked)
			}
		})
	}
}

func TestTheMetadataServiceSendsNobodyElsewhere(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	t.Cleanup(elsewhere.Close)
	server := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	t.Cleanup(server.Close)
	if _, err := (Metadata{URL: server.URL, AllowTokenless: true}).Credentials(t.Context()); err == nil || !strings.Contains(err.Error(), "status 307") {
		t.Errorf("got %v", err)
	}
}

func TestAMetadataServiceThatIsNotThereIsToldOf(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	for _, address := range []string{server.URL, "http://a b/", "://"} {
		if _, err := (Metadata{URL: address}).Credentials(t.Context()); err == nil || errors.Is(err, ErrTokenless) || !strings.Contains(err.Error(), "metadata service") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// The variables of proxies are read once in a process, so this test is a process of its own, too.
func TestNoProxySeesKeys(t *testing.T) {
	t.Parallel()
	const inside = "PAIMON_TEST_BEHIND_A_PROXY"
	if os.Getenv(inside) != "" {
		if _, err := (Metadata{URL: "http://metadata.invalid/"}).Credentials(t.Context()); err == nil {
			t.Error("the service was reached")
		}
		return
	}
	proxy := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("the proxy was asked for %s", r.RequestURI) }))
	t.Cleanup(proxy.Close)
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$") //nolint:gosec // it is this program
	again.Env = append(os.Environ(), inside+"=1", "HTTP_PROXY="+proxy.URL, "NO_PROXY=")
	if output, err := again.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, output)
	}
}
