package faultproxy

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// Fault answers a request in the catalog's place. It may ask the catalog all the same.
type Fault func(w http.ResponseWriter, r *http.Request, catalog http.Handler)

// Drop closes the connection without an answer. The catalog never sees the request.
func Drop(http.ResponseWriter, *http.Request, http.Handler) {
	panic(http.ErrAbortHandler)
}

// Acted lets the catalog act, throws its answer away and goes on with another fault.
func Acted(fault Fault) Fault {
	return func(w http.ResponseWriter, r *http.Request, catalog http.Handler) {
		ask(r, catalog)
		fault(w, r, catalog)
	}
}

// Delay holds a request back before the catalog gets it. The catalog acts even when the caller has given up meanwhile:
// a request that is on its way cannot be called back.
func Delay(by time.Duration) Fault {
	return func(w http.ResponseWriter, r *http.Request, catalog http.Handler) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		time.Sleep(by)
		late := r.Clone(context.WithoutCancel(r.Context()))
		late.Body = io.NopCloser(bytes.NewReader(body))
		catalog.ServeHTTP(w, late)
	}
}

// Truncate sends the head and half the body of the catalog's answer, then closes the connection.
func Truncate(w http.ResponseWriter, r *http.Request, catalog http.Handler) {
	answer := ask(r, catalog)
	body := answer.Body.Bytes()
	copyHeader(w, answer)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)+1))
	w.WriteHeader(answer.Code)
	_, _ = w.Write(body[:len(body)/2])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// Answer sends an answer of its own.
func Answer(status int, contentType, body string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Busy answers with a status, usually 429 or 503, and the seconds after which to come back.
func Busy(status, seconds int) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
		w.WriteHeader(status)
	}
}

// BusyUntil is Busy with the other form of Retry-After, a date. HTTP dates have whole seconds.
func BusyUntil(status int, wait time.Duration) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		now := time.Now().UTC()
		w.Header().Set("Date", now.Format(http.TimeFormat))
		w.Header().Set("Retry-After", now.Add(wait).Format(http.TimeFormat))
		w.WriteHeader(status)
	}
}

// Retype sends the catalog's own answer under another content type.
func Retype(contentType string) Fault {
	return func(w http.ResponseWriter, r *http.Request, catalog http.Handler) {
		answer := ask(r, catalog)
		copyHeader(w, answer)
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	}
}

// Inflate sends the catalog's own answer behind so many bytes of white space.
func Inflate(size int) Fault {
	return func(w http.ResponseWriter, r *http.Request, catalog http.Handler) {
		answer := ask(r, catalog)
		copyHeader(w, answer)
		w.Header().Set("Content-Length", strconv.Itoa(size+answer.Body.Len()))
		w.WriteHeader(answer.Code)
		blank := bytes.Repeat([]byte(" "), 1<<20)
		for sent := 0; sent < size; sent += len(blank) {
			if _, err := w.Write(blank[:min(len(blank), size-sent)]); err != nil {
				panic(http.ErrAbortHandler) // the reader has had enough
			}
		}
		_, _ = w.Write(answer.Body.Bytes())
	}
}

// Endless gives every page of a listing another one after it, with a token that was never seen before.
func Endless() Fault {
	var pages atomic.Int64
	return paged(func() string { return strconv.FormatInt(pages.Add(1), 10) })
}

// Circle gives every page of a listing the same token.
func Circle() Fault {
	return paged(func() string { return "again" })
}

// paged answers each page with the first one and the token of a next one.
func paged(token func() string) Fault {
	return func(w http.ResponseWriter, r *http.Request, catalog http.Handler) {
		query := r.URL.Query()
		query.Del(wire.ParamPageToken)
		first := r.Clone(r.Context())
		first.URL.RawQuery = query.Encode()
		answer := ask(first, catalog)
		var page map[string]json.RawMessage
		if json.Unmarshal(answer.Body.Bytes(), &page) == nil {
			page["nextPageToken"] = json.RawMessage(strconv.Quote(token()))
		}
		copyHeader(w, answer)
		w.Header().Del("Content-Length")
		w.WriteHeader(answer.Code)
		_ = json.NewEncoder(w).Encode(page)
	}
}

func ask(r *http.Request, catalog http.Handler) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	catalog.ServeHTTP(answer, r)
	return answer
}

func copyHeader(w http.ResponseWriter, answer *httptest.ResponseRecorder) {
	maps.Copy(w.Header(), answer.Header())
}
