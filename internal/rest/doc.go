// Package rest is the HTTP client of a Paimon REST catalog: the handshake, authentication, retries, typed errors,
// paging, and the management and catalog calls that the provider needs.
//
// A Client is safe for concurrent use and makes no request before the first call.
package rest
