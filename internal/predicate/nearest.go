package predicate

import (
	"iter"
	"strings"
)

// Nearest is the candidate a person most likely meant, empty if none is near:
// one that differs in case only, or else in at most a third of its letters.
func Nearest(word string, candidates iter.Seq[string]) string {
	best, bestDistance := "", len(word)/3+1
	for candidate := range candidates {
		if strings.EqualFold(word, candidate) {
			return candidate
		}
		if max(len(word)-len(candidate), len(candidate)-len(word)) > 4*bestDistance {
			continue // Too long to be near, whatever the letters; four bytes make one at most.
		}
		d := editDistance(word, candidate)
		if d < bestDistance || d == bestDistance && candidate < best {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// editDistance counts the letters to insert, delete or replace (Levenshtein).
func editDistance(a, b string) int {
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range to {
			substitute := diagonal
			if x != y {
				substitute++
			}
			diagonal = row[j+1]
			row[j+1] = min(substitute, row[j]+1, diagonal+1)
		}
	}
	return row[len(to)]
}
