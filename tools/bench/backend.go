package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// stateStore is Terraform's http backend with a single state in it.
type stateStore struct {
	mu    sync.Mutex
	state []byte // nil while there is none
}

func (s *stateStore) get() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

func (s *stateStore) set(state []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = state
}

// ServeHTTP is the backend's protocol; without a lock address Terraform asks for no locks.
func (s *stateStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet:
		state := s.get()
		if state == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		_, _ = w.Write(state) // Terraform says so itself when the answer breaks off
	case http.MethodPost:
		state, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.set(state)
	case http.MethodDelete:
		s.set(nil)
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

// serve answers on a loopback port until the context ends.
func (s *stateStore) serve(ctx context.Context) (address string, err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("serve the state: %w", err)
	}
	server := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	go func() { _ = server.Serve(listener) }() // Terraform says so itself when nobody answers
	return fmt.Sprintf("http://%s/state", listener.Addr()), nil
}
