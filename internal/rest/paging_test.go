package rest

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

func TestListingsAreFollowedToTheirEnd(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		pages   []string
		want    []string
		asked   int
		failure string
	}{
		"one page":                          {pages: []string{`{"databases":["a","b"]}`}, want: []string{"a", "b"}, asked: 1},
		"no rows":                           {pages: []string{`{"databases":[]}`}, asked: 1},
		"null rows":                         {pages: []string{`{"databases":null}`}, asked: 1},
		"null token, unknown keys":          {pages: []string{`{"x":1,"databases":["a"],"nextPageToken":null}`}, want: []string{"a"}, asked: 1},
		"empty token":                       {pages: []string{`{"databases":["a"],"nextPageToken":""}`}, want: []string{"a"}, asked: 1},
		"short pages":                       {pages: []string{`{"databases":["b"],"nextPageToken":"1"}`, `{"databases":["a"],"nextPageToken":"2"}`, `{"databases":["c"]}`}, want: []string{"b", "a", "c"}, asked: 3},
		"an empty page with a token":        {pages: []string{`{"databases":["a"],"nextPageToken":"1"}`, `{"databases":[],"nextPageToken":"2"}`}, want: []string{"a"}, asked: 2},
		"a blank token":                     {pages: []string{`{"databases":["a"],"nextPageToken":" "}`, `{"databases":["b"]}`}, want: []string{"a", "b"}, asked: 2},
		"the same token":                    {pages: []string{`{"databases":["a"],"nextPageToken":"1"}`}, asked: 2, failure: "same page token twice"},
		"tokens in a circle":                {pages: []string{`{"databases":["a"],"nextPageToken":"1"}`, `{"databases":["b"],"nextPageToken":"2"}`, `{"databases":["a"],"nextPageToken":"1"}`}, asked: 3, failure: "same page token twice"},
		"a later page that is no page":      {pages: []string{`{"databases":["a"],"nextPageToken":"1"}`, `{}`}, asked: 2, failure: "is not the JSON"},
		"a later page that does not answer": {pages: []string{`{"databases":["a"],"nextPageToken":"1"}`, ``}, asked: 2, failure: "is not the JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var handlers []http.HandlerFunc
			for _, p := range test.pages {
				handlers = append(handlers, says(200, p))
			}
			s := newServer(t, answers(handlers...))
			got, err := s.client(t).Databases(t.Context())
			if test.failure != "" {
				if err == nil || !strings.Contains(err.Error(), test.failure) || got != nil {
					t.Errorf("got %v, %v", got, err)
				}
			} else if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("got %v, %v", got, err)
			}
			if len(s.seen()) != test.asked {
				t.Errorf("asked %d times", len(s.seen()))
			}
		})
	}
}

func TestFreshTokensWithoutEndEnd(t *testing.T) {
	t.Parallel()
	var next atomic.Int32
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"tables":["t"],"nextPageToken":"%d"}`, next.Add(1))
	})
	c := s.client(t)
	c.pageLimit = 7
	if _, err := c.Tables(t.Context(), "d"); err == nil || !strings.Contains(err.Error(), "more than 7 pages") || len(s.seen()) != 7 {
		t.Errorf("got %v after %d pages", err, len(s.seen()))
	}
}

func TestEveryPageIsAskedForWithTheSameFilters(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		body := `{"permissions":[null],"policies":[null]}`
		if r.URL.Query().Get("pageToken") == "" {
			body = `{"permissions":[null],"policies":[null],"nextPageToken":"a+b/c d=="}`
		}
		_, _ = io.WriteString(w, body)
	})
	c := s.client(t)
	if _, err := c.Permissions(t.Context(), access.TableResource("d", "t"), "p", access.Select); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Policies(t.Context(), "d", "t", PolicyFilter{Type: access.ColumnMasking, Principal: "p", Column: "c"}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Policies(t.Context(), "d", "t", PolicyFilter{}); err != nil {
		t.Fatal(err)
	}
	const second = "&pageToken=a%2Bb%2Fc%20d%3D%3D"
	want := []string{
		"/v1/p/permissions?access=SELECT&database=d&maxResults=1000&principal=p&resourceType=TABLE&table=t",
		"/v1/p/permissions?access=SELECT&database=d&maxResults=1000" + second + "&principal=p&resourceType=TABLE&table=t",
		"/v1/p/databases/d/tables/t/policies?column=c&maxResults=1000&principal=p&type=COLUMN_MASKING",
		"/v1/p/databases/d/tables/t/policies?column=c&maxResults=1000" + second + "&principal=p&type=COLUMN_MASKING",
		"/v1/p/databases/d/tables/t/policies?maxResults=1000",
		"/v1/p/databases/d/tables/t/policies?maxResults=1000" + second,
	}
	for i, got := range s.seen() {
		if got.target != want[i] {
			t.Errorf("got  %s\nwant %s", got.target, want[i])
		}
	}
}

func TestAListingThatGrowsForEverEnds(t *testing.T) {
	t.Parallel()
	var page atomic.Int32
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		says(200, fmt.Sprintf(`{"databases":["%s"],"nextPageToken":"%d"}`, strings.Repeat("x", 1000), page.Add(1)))(w, r)
	})
	c := s.client(t)
	c.listingLimit = 5000
	if _, err := c.Databases(t.Context()); err == nil || !strings.Contains(err.Error(), "the listing is larger than") || len(s.seen()) > 6 {
		t.Errorf("got %v after %d requests", err, len(s.seen()))
	}
}
