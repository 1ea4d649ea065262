// Package sqltext is Paimon's row filters and column masks as people write and
// read them, in a small language that looks like SQL.
//
// Rendering loses nothing: every predicate and transform that can be read has
// a text of its own, and the text of a valid one compiles to it again. What a
// server stored although no reader can evaluate it is shown in a form that
// does not pass for SQL, and characters that hide themselves or others are
// shown as escapes.
//
// The parser is written by hand. The language has two levels of precedence,
// which two functions say as clearly as a grammar, and what makes a parser for
// it worth having lies outside of one: types of literals follow from columns,
// NOT is pushed down while reading, and an error names the place, what is
// wrong there and what to write instead.
package sqltext
