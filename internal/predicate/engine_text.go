package predicate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// ExplainRemarks renders remarks for a person, worst first: one line for all
// engines that do the same for the same reason, with the places where. It is
// empty if there are none.
//
//	java-1.4 and java-2.0 refuse the read: created may be NULL where it is
//	cast; the first NULL fails (transform). Put created IS NOT NULL before …
func ExplainRemarks(remarks []Remark) string {
	type subject struct {
		verdict         Verdict
		message, reason string
	}
	type group struct {
		subject
		remedy          string
		engines, places []string
	}
	var groups []*group
	bySubject := make(map[subject]*group)
	for _, r := range remarks {
		s := subject{r.Verdict, r.Message, r.Reason}
		g := bySubject[s]
		if g == nil {
			g = &group{subject: s, remedy: r.Remedy}
			bySubject[s], groups = g, append(groups, g)
		}
		if !slices.Contains(g.engines, string(r.Engine)) {
			g.engines = append(g.engines, string(r.Engine))
		}
		if r.Path != "" && len(g.engines) == 1 {
			g.places = append(g.places, r.Path)
		}
	}
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(a.verdict, b.verdict) })
	lines := make([]string, len(groups))
	for i, g := range groups {
		lines[i] = enumerate(g.engines) + " " + g.verdict.verb(len(g.engines)) + ": " + g.message + "; " + g.reason +
			places(g.places) + ". " + capitalize(g.remedy) + "."
	}
	return strings.Join(lines, "\n")
}

func (v Verdict) verb(subjects int) string {
	forms := map[Verdict][2]string{
		Opens:   {"lets rows or values through", "let rows or values through"},
		Refuses: {"refuses the read", "refuse the read"},
		Differs: {"answers differently", "answer differently"},
	}[v]
	return forms[min(subjects, 2)-1]
}

// capitalize is for remedies, which begin with an English word.
func capitalize(text string) string {
	first := min(1, len(text))
	return strings.ToUpper(text[:first]) + text[first:]
}

func enumerate(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

func places(paths []string) string {
	switch len(paths) {
	case 0:
		return ""
	case 1:
		return " (" + paths[0] + ")"
	default:
		return " (" + paths[0] + " and " + strconv.Itoa(len(paths)-1) + " more)"
	}
}
