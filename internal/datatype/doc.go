// Package datatype knows Apache Paimon's data types and the values that can
// be written as literals of them.
//
// It reads and prints types in Paimon's notation, compares them as Paimon
// does, says which casts exist, and decodes JSON literals without loss.
// Everything is a pure value; integers and decimals never pass through
// floating point.
package datatype
