// Package predicate is the language of Apache Paimon's row filters and column
// masks: a Predicate selects rows, a Transform computes a value.
//
// One parser reads the JSON text of both and records what it finds as pure
// values, so that three readings of one text share it: the strict reading of
// what a person writes, the reading of the reference server, which coerces as
// Jackson does, and the lenient reading of what a server lists. A text is
// checked against a table by binding it to the table's fields.
//
// The package opens no connection and keeps no state.
package predicate
