package rest

import (
	"net/http"
	"reflect"
	"testing"
)

func TestQueryAuthAsksForTheColumnsAndReadsTheRules(t *testing.T) {
	t.Parallel()
	s := newServer(t, answers(
		says(200, `{"filter":["{}"],"columnMasking":{"email":"[]"},"new":1}`),
		says(200, `{"filter":null}`),
		says(403, about("TABLE", "d.t", "403")),
	))
	c := s.client(t)
	got, err := c.QueryAuth(t.Context(), "d", "t", []string{"id", "email"})
	want := QueryAuth{Filters: []string{"{}"}, Masks: map[string]string{"email": "[]"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err = c.QueryAuth(t.Context(), "d", "t", nil); err != nil || got.Filters != nil || got.Masks != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err = c.QueryAuth(t.Context(), "d", "t", nil); !IsCode(err, http.StatusForbidden) {
		t.Errorf("got %v", err)
	}
	for i, body := range []string{`{"select":["id","email"]}`, `{"select":null}`} {
		if s.seen()[i].body != body {
			t.Errorf("sent %s", s.seen()[i].body)
		}
	}
}
