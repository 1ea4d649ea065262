package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestStateBackend(t *testing.T) {
	t.Parallel()
	address, err := new(stateStore).serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		method, sent string
		status       int
		want         string
	}{
		{http.MethodGet, "", http.StatusNoContent, ""},
		{http.MethodPost, "one", http.StatusOK, ""},
		{http.MethodPost, "two", http.StatusOK, ""},
		{http.MethodGet, "", http.StatusOK, "two"},
		{http.MethodDelete, "", http.StatusOK, ""},
		{http.MethodGet, "", http.StatusNoContent, ""},
		{"LOCK", "", http.StatusMethodNotAllowed, ""},
	} {
		request, err := http.NewRequestWithContext(t.Context(), step.method, address, strings.NewReader(step.sent))
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != step.status || string(got) != step.want {
			t.Errorf("%s %s: got %d %q", step.method, step.sent, response.StatusCode, got)
		}
	}
}
