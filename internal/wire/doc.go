// Package wire is the Paimon REST contract as data: the operations with their methods and paths, the rows and
// bodies as JSON, the error body, and the encoding of names. It holds no rules and opens no connection, so that
// the client and the dev catalog speak the same bytes without knowing each other.
package wire
