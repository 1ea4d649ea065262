package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

func TestAnswersThatAreNoSuccessAreClassified(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		want    Error
		text    string
	}{
		"typed": {
			says(404, about("TABLE", "d.t", "404"), "X-Request-Id", "id-1"),
			Error{Status: 404, Code: 404, Typed: true, ResourceType: "TABLE", ResourceName: "d.t", RequestID: "id-1"},
			"GET /v1/p/permissions was answered with 404 Not Found about TABLE d.t: no (request id id-1)",
		},
		"null resource": {
			says(400, `{"resourceType":null,"resourceName":null,"message":"bad","code":400,"extra":{}}`, "X-Acs-Request-Id", "id-2"),
			Error{Status: 400, Code: 400, Typed: true, RequestID: "id-2"},
			"answered with 400 Bad Request: bad (request id id-2)",
		},
		"code beats status": {
			says(404, about("", "", "501")), Error{Status: 404, Code: 501, Typed: true}, "501 Not Implemented (HTTP status 404): no",
		},
		"business code": {says(409, about("POLICY", "x", "50001")), Error{Status: 409, Code: 409, Typed: true, ResourceType: "POLICY", ResourceName: "x"}, "409 Conflict"},
		"code 0":        {says(404, about("TABLE", "x", "0")), Error{Status: 404, Code: 404, Typed: true, ResourceType: "TABLE", ResourceName: "x"}, "404 Not Found"},
		"huge code":     {says(404, about("TABLE", "x", "1e300")), Error{Status: 404, Code: 404, Typed: true, ResourceType: "TABLE", ResourceName: "x"}, "404 Not Found"},
		"code as text":  {says(404, about("TABLE", "x", `"404"`)), Error{Status: 404, Code: 404, ResourceType: "TABLE", ResourceName: "x"}, "404: no"},
		"null code":     {says(404, about("TABLE", "x", "null")), Error{Status: 404, Code: 404, ResourceType: "TABLE", ResourceName: "x"}, ": no"},
		"broken code":   {says(404, about("TABLE", "x", "404.5")), Error{Status: 404, Code: 404, ResourceType: "TABLE", ResourceName: "x"}, ": no"},
		"missing code": {
			says(404, `{"resourceType":"TABLE","resourceName":"x","message":"no"}`), Error{Status: 404, Code: 404, ResourceType: "TABLE", ResourceName: "x"}, ": no",
		},
		"gateway": {
			says(403, `{"Message":"Only HTTPS.","Code":"InvalidProtocol.NeedSsl","RequestId":"r"}`),
			Error{Status: 403, Code: 403},
			"403 Forbidden: InvalidProtocol.NeedSsl: Only HTTPS",
		},
		"empty":           {says(403, ""), Error{Status: 403, Code: 403}, "403 Forbidden: the body is empty"},
		"empty 401":       {says(401, ""), Error{Status: 401, Code: 401}, "answered with 401 Unauthorized"},
		"page":            {says(404, htmlPage, "Content-Type", "text/html"), Error{Status: 404, Code: 404}, "the body (text/html) is not a Paimon error and begins with: 404 Not Found nginx"},
		"text":            {says(500, "\n oops \x1b[31m &lt;"), Error{Status: 500, Code: 500}, "begins with: oops [31m <"},
		"binary":          {says(500, "x\xff\xfe", "Content-Type", "a/b"), Error{Status: 500, Code: 500}, "Error: the body (a/b) is not a Paimon error"},
		"message no text": {says(404, `{"resourceType":"TABLE","message":1,"code":404}`), Error{Status: 404, Code: 404}, "is not a Paimon error"},
		"no message":      {says(404, `{"resourceType":"TABLE","code":404}`), Error{Status: 404, Code: 404}, "is not a Paimon error"},
		"null":            {says(404, `null`), Error{Status: 404, Code: 404}, "is not a Paimon error"},
		"list":            {says(404, `[]`), Error{Status: 404, Code: 404}, "is not a Paimon error"},
		"json text":       {says(404, `"TABLE"`), Error{Status: 404, Code: 404}, "is not a Paimon error"},
		"two values":      {says(404, about("TABLE", "x", "404")+"{}"), Error{Status: 404, Code: 404}, "is not a Paimon error"},
		"odd status":      {says(499, ""), Error{Status: 499, Code: 499}, "answered with 499: the"},
		"not modified":    {says(304, ""), Error{Status: 304, Code: 304}, "304 Not Modified: a redirect, which is not followed"},
		"long message": {
			says(400, `{"message":"`+strings.Repeat("é", 5000)+`","code":400}`), Error{Status: 400, Code: 400, Typed: true}, strings.Repeat("é", 1024) + " …",
		},
		"slow down": {says(429, "", "Retry-After", "7"), Error{Status: 429, Code: 429, RetryAfter: 7 * time.Second}, "after 3 attempts"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := newServer(t, test.handler).client(t).Permissions(t.Context(), tableGrant().Resource, "", "")
			got, ok := errors.AsType[*Error](err)
			if !ok {
				t.Fatalf("got %v", err)
			}
			if text := err.Error(); !strings.Contains(text, test.text) || !utf8.ValidString(text) || len(text) > 3000 {
				t.Errorf("got %q", text)
			}
			compared := *got
			compared.Operation, compared.Path, compared.Message, compared.Hint, compared.Attempts = wire.Operation{}, "", "", "", 0
			if compared != test.want {
				t.Errorf("got  %+v\nwant %+v", compared, test.want)
			}
		})
	}
}

func TestAnswersThatAreNotTheContractsJSONAreErrors(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"empty":         "",
		"page":          htmlPage,
		"half":          `{"permissions":[`,
		"list":          `[]`,
		"null":          `null`,
		"text":          `"x"`,
		"other object":  `{"status":"ok"}`,
		"other listing": noPolicies,
		"rows no list":  `{"permissions":{}}`,
		"token number":  `{"permissions":[],"nextPageToken":1}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, says(200, body, "Content-Type", "text/"+testToken))
			_, _, err := s.client(t).Assignment(t.Context(), tableGrant().Identity, ThisWalk)
			if err == nil || !strings.Contains(err.Error(), "status 200, text/[removed]) is not the JSON that a Paimon catalog sends") || len(s.seen()) != 1 {
				t.Errorf("got %v", err)
			}
			if err := s.client(t).Grant(t.Context(), tableGrant()); (err != nil) == (body == "" || json.Valid([]byte(body))) || err != nil && !IsUncertain(err) {
				t.Errorf("a write: %v", err)
			}
		})
	}
}

func TestUncertainIsWhatMayHaveTakenEffect(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]bool{400: false, 401: false, 403: false, 404: false, 409: false, 429: true, 500: true, 501: false, 502: true, 503: true, 504: true, 302: false} {
		if err := fmt.Errorf("wrapped: %w", &Error{Status: code, Code: code}); IsUncertain(err) != want {
			t.Errorf("%d: %v", code, !want)
		}
	}
	if !IsUncertain(fmt.Errorf("wrapped: %w", &NoAnswerError{Err: errors.New("x")})) || IsUncertain(nil) || IsUncertain(context.Canceled) {
		t.Error("errors of the transport are not told apart")
	}
}

// An echo is what servers and proxies do with what they got: every text of theirs may have the credentials.
func TestCredentialsAreInNoError(t *testing.T) {
	t.Parallel()
	secret := testToken + " " + testHeader
	for name, handler := range map[string]http.HandlerFunc{
		"message":       says(400, `{"message":"token `+secret+`","code":400}`),
		"foreign code":  says(400, `{"message":"x","code":"`+secret+`"}`),
		"name and type": says(400, about(secret, secret, "400")),
		"page":          says(400, "<p>"+secret),
		"at the cut":    says(400, strings.Repeat("x", 200-len(testToken)/2)+testToken),
		"far away":      says(400, `{"message":"`+strings.Repeat("x", longestMessage-len(testToken)/2)+testToken+`","code":400}`),
		"request id":    says(400, "", "X-Request-Id", secret),
		"content type":  says(400, "x", "Content-Type", "text/"+secret),
		"redirect":      says(302, "", "Location", "http://"+testToken+".test/"+secret),
		"broken":        cutShort(400, secret),
		"row":           says(200, `{"permissions":[{"x":"`+secret+`"}],"policies":[]}`),
		"type of 200":   says(200, secret, "Content-Type", "text/"+secret),
		"status line": func(w http.ResponseWriter, _ *http.Request) {
			connection, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_, _ = connection.Write([]byte("HTTP/1.1 " + testToken + "\r\n\r\n"))
				_ = connection.Close()
			}
		},
		"reason": func(w http.ResponseWriter, _ *http.Request) {
			connection, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_, _ = connection.Write([]byte("HTTP/1.1 503 " + testToken + "\r\nContent-Length: 0\r\n\r\n"))
				_ = connection.Close()
			}
		},
	} {
		for _, onHandshake := range []bool{true, false} {
			t.Run(fmt.Sprint(name, " ", onHandshake), func(t *testing.T) {
				t.Parallel()
				s := newServer(t, handler)
				if onHandshake {
					s.config = ""
				}
				err := listCall(t.Context(), s.client(t))
				if err == nil {
					t.Fatal("no error")
				}
				// Half a secret is one, too.
				if text := fmt.Sprintf("%v %+v", err, err); strings.Contains(text, testToken[:6]) || strings.Contains(text, testHeader) {
					t.Error(text)
				}
			})
		}
	}
}

func TestHeadersOfTheServerAreCredentialsToo(t *testing.T) {
	t.Parallel()
	s := newServer(t, says(400, `{"message":"a-server-secret","code":400}`))
	s.config = `{"defaults":{"prefix":"p","header.X-Session":"a-server-secret"}}`
	if err := listCall(t.Context(), s.client(t)); err == nil || strings.Contains(err.Error(), "a-server-secret") {
		t.Error(err)
	}
}

func FuzzErrorBody(f *testing.F) {
	f.Add(404, about("TABLE", "d.t", "404"), "application/json")
	f.Add(404, about("TABLE", "d.t", `"404"`), "")
	f.Add(403, `{"Message":"m","Code":"C"}`, "text/plain")
	f.Add(302, htmlPage, "text/html")
	f.Add(500, "<a <b> &lt; "+testToken, "\xff")
	f.Add(400, `{"message":"`+testToken+`","code":400.0}`, "")
	c := &Client{credentials: fixed(bearerToken(testToken))}
	f.Fuzz(func(t *testing.T, status int, body, contentType string) {
		got := &answer{status: status, header: http.Header{"Content-Type": {contentType}}, body: []byte(body)}
		e := c.newError(request{operation: wire.ListPermissions, path: "/v1/p/permissions"}, got, 1)
		text := e.Error()
		if strings.Contains(e.Message, testToken) || len(e.Message) > longestMessage+len(" …") || len(text) > 4*longestMessage {
			t.Errorf("message %q", e.Message)
		}
		if e.Code != status && (e.Code < 400 || e.Code > 599 || !e.Typed) {
			t.Errorf("code %d of status %d", e.Code, status)
		}
		if IsMissing(e, "TABLE") && (!e.Typed || e.Code != 404) {
			t.Error("missing without proof")
		}
	})
}
