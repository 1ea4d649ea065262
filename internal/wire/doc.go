// Package wire is the Paimon REST contract as data: the operations with their methods and paths, the rows and
// bodies as JSON, the error body, and the encoding of names. It holds no rules and opens no connection, so that
// the client and the dev catalog speak the same bytes without knowing each other.
//
// A nil slice or map without omitempty is written as null, which Paimon's clients do not read where the contract has a
// list or an object: who writes an answer fills it with empty ones.
package wire
