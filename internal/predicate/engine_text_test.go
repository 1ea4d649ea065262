package predicate

import (
	"strings"
	"testing"
)

func TestRemarksAreOneTextPerPolicy(t *testing.T) {
	tables, _ := readVectors(t)
	cast := func(column, function string) string {
		return `{"kind":"LEAF","transform":{"name":"CAST","fieldRef":{"index":5,"name":"` + column +
			`","type":"DATE"},"type":"STRING"},"function":"` + function + `","literals":["2026-01-15"]}`
	}
	filters := []struct {
		name, text string
		engines    []Engine
		want       string
	}{
		{"portable", leaf("region", `"STRING"`, "EQUAL", `["a"]`), DefaultEngines(), ``},
		{"no engine", cast("created", "EQUAL"), nil, ``},
		{
			"one", leaf("created", `"DATE"`, "EQUAL", `["2026-01-15"]`), DefaultEngines(), `
java-2.0 refuses the read: a DATE is compared; there no such literal can be read (literals[0]). Compare a CAST to STRING with a text, behind IS NOT NULL in the same AND.`,
		},
		{
			"several", and(cast("created", "LESS_THAN"), cast("created", "NOT_EQUAL"), cast("created", "EQUAL"), leaf("ratio", `"FLOAT"`, "EQUAL", `[0.1]`)),
			Engines(), `
cpp lets rows or values through: the table has a policy; it enforces none and shows every row and raw value. Keep such readers away from the table.
java-1.4, java-2.0 and java-2.1 refuse the read: created may be NULL where it is cast; the first NULL fails (children[0].transform and 2 more). Put created IS NOT NULL before it in the same AND.
rust-0.4 refuses the read: the table has a policy; it reads no table that has one. Keep such readers away from the table.
pypaimon-2.0 and pypaimon-2.1 answer differently: FLOAT has no 0.1 but 0.10000000149011612; there the comparison is in double precision, so no value equals it (children[3].literals[0]). Write IN for EQUAL and NOT_IN for NOT_EQUAL, or a number such as 0.5 that FLOAT has.`,
		},
	}
	for _, tt := range filters {
		t.Run(tt.name, func(t *testing.T) {
			got := ExplainRemarks(CheckEngines(bind(t, tt.text, orders(t)), tt.engines))
			if got != strings.TrimPrefix(tt.want, "\n") {
				t.Errorf("got\n%s", got)
			}
		})
	}

	u, _ := ParseTransform(`{"name":"CAST","fieldRef":{"name":"email","type":"STRING"},"type":"VARCHAR(20)"}`)
	mask, findings := u.Bind(tables["CUS"], "vc20")
	if findings.ReadErr() != nil {
		t.Fatal(findings)
	}
	want := strings.TrimPrefix(`
pypaimon-2.1 lets rows or values through: the mask cuts email to 20 characters; there CAST cuts nothing, so longer values show whole. Do not hide the end of a value by CAST.
java-2.0 refuses the read: email may be NULL where it is cast; the first NULL fails. Cast a NOT NULL column only.
java-2.0 refuses the read: the mask of vc20 reads email; queries that do not select that column fail. Select both, or mask with a function of vc20 itself.`, "\n")
	if got := ExplainRemarks(CheckMask(mask, "vc20", DefaultEngines())); got != want {
		t.Errorf("got\n%s", got)
	}
}
