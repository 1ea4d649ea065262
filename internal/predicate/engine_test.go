package predicate

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// observation is what readers did in November 2026 with a valid vector on a
// handful of rows, and what its author should be warned of.
type observation struct {
	Kind, Name, Warn string
	Did              []deed
}

// deed is what some engines did alike.
type deed struct {
	Engines []Engine
	// Error is set where the read failed, for RowsInError only if there are
	// any.
	Error       string
	RowsInError []int
	// Kept are the rows a filter let through, Masked the values of a mask.
	Kept   []int
	Masked []*string
}

// javaMaster is Paimon's master branch of 2026-08-22, which was never
// released: it shows from when on a fact does not hold any more.
const javaMaster Engine = "java-master"

func readObservations(t *testing.T) map[string]observation {
	t.Helper()
	data, err := os.ReadFile("testdata/engines.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []observation
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	byName := make(map[string]observation, len(all))
	for _, o := range all {
		byName[o.Kind+"/"+o.Name] = o
	}
	return byName
}

func (o observation) of(e Engine) *deed {
	i := slices.IndexFunc(o.Did, func(d deed) bool { return slices.Contains(d.Engines, e) })
	if i < 0 {
		return nil
	}
	return &o.Did[i]
}

// yardstick is what Paimon means: Java 2.0.0 where it reads the policy, but for
// the backslash in LIKE, and else the first that reads it; nil if none does.
func (o observation) yardstick() *deed {
	engines := []Engine{EngineJava20, javaMaster, EnginePyPaimon21}
	if o.Name == "like escaped percent" {
		engines = engines[1:]
	}
	for _, e := range engines {
		if d := o.of(e); d.Error == "" || d.RowsInError != nil {
			return d
		}
	}
	return nil
}

const (
	refused   = "refused"
	different = "different"
	asMeant   = "as meant"
)

// outcome compares a deed with the yardstick. Rows on which the yardstick
// fails say nothing.
func (d *deed) outcome(yardstick *deed) string {
	if d.Error != "" {
		return refused
	}
	failed := func(row int) bool { return slices.Contains(yardstick.RowsInError, row) }
	if !slices.Equal(slices.DeleteFunc(slices.Clone(d.Kept), failed), slices.DeleteFunc(slices.Clone(yardstick.Kept), failed)) {
		return different
	}
	for row, value := range d.Masked {
		if !failed(row) && !reflect.DeepEqual(value, yardstick.Masked[row]) {
			return different
		}
	}
	return asMeant
}

// foretold is the outcome that the remarks tell of. Those about queries that do
// not select a column are left out: every column was selected.
func foretold(remarks []Remark) string {
	outcome := asMeant
	for _, r := range remarks {
		switch {
		case r.Code == CodeUnselected || r.Code == CodeDatePart:
		case r.Verdict == Refuses:
			return refused
		default:
			outcome = different
		}
	}
	return outcome
}

// notForetold is where rows and facts do not meet.
var notForetold = map[string]string{
	"transform/cast to varchar pypaimon-2.0":                          "no value of the rows is longer than 20 characters",
	"transform/cast to varchar pypaimon-2.1":                          "no value of the rows is longer than 20 characters",
	"predicate/double greater_than with NaN in the data pypaimon-2.0": "a NaN in the data is not seen in the policy",
	"predicate/double greater_than with NaN in the data pypaimon-2.1": "a NaN in the data is not seen in the policy",
}

// survey binds a valid vector and looks at it.
func (v vector) survey(t *testing.T, fields []datatype.Field) []sight {
	t.Helper()
	if v.Kind == "predicate" {
		p, findings := ParsePredicate(v.text(t))
		if findings.Err() != nil {
			t.Fatal(findings)
		}
		bound, _ := p.Bind(fields)
		return surveyPredicate(bound)
	}
	u, findings := ParseTransform(v.text(t))
	if findings.Err() != nil {
		t.Fatal(findings)
	}
	// Not by Bind, which wants the column that some vectors do not have.
	bound, _ := newBinder(fields).transform(u, nil, true)
	var onColumn string
	if v.OnColumn != nil {
		onColumn = *v.OnColumn
	}
	return surveyMask(bound, onColumn)
}

func TestEnginesDoWhatTheFactsSay(t *testing.T) {
	tables, vectors := readVectors(t)
	observations := readObservations(t)
	master := release{engine: javaMaster, family: java, functions: Java20260818, transforms: Java20260818}
	compared := make(map[Engine]int)
	unmet := make(map[string]bool)
	for _, v := range vectors {
		name := v.Kind + "/" + v.Name
		o, ok := observations[name]
		if v.Valid != ok {
			t.Errorf("%s: valid = %t, observed = %t", name, v.Valid, ok)
		}
		if !ok {
			continue
		}
		sights := v.survey(t, tables[v.Table])
		for _, r := range append(slices.Clone(releases), master) {
			d := o.of(r.engine)
			if d == nil {
				continue
			}
			compared[r.engine]++
			remarks := r.judge(sights)
			if got, want := foretold(remarks), d.outcome(o.yardstick()); got != want {
				key := name + " " + string(r.engine)
				if unmet[key] = true; notForetold[key] == "" {
					t.Errorf("%s: %s, the facts say %s: %s", key, want, got, ExplainRemarks(remarks))
				}
			}
		}
	}
	for key := range notForetold {
		if !unmet[key] {
			t.Errorf("%s is no exception", key)
		}
	}
	want := map[Engine]int{
		EngineJava14: 149, EngineJava20: 149, javaMaster: 149, EnginePyPaimon20: 149, EnginePyPaimon21: 149,
		EngineRust04: 135, // not run on the vectors that were found later
	}
	if !reflect.DeepEqual(compared, want) {
		t.Errorf("compared %v, want %v", compared, want)
	}
}

// TestVectorsWarn finds every warning of the vectors' author again, advice or
// remark.
func TestVectorsWarn(t *testing.T) {
	codes := map[string]Code{
		"null element never matches": CodeNullIgnored, "matches no row": CodeMatchesNothing,
		"same as IS NOT NULL": CodeMatchesAll, "lower bound above upper bound": CodeMatchesNothing,
		"Java <= 2.0.0 evaluates escaped patterns": CodeLikeEscape, "filters nothing": CodeMatchesAll,
		"paimon-rust rejects it": CodePolicy, "send literals: []": CodeNoLiterals,
		"0.0 and -0.0": CodeZero, "FLOAT literal": CodeFloat, "literal longer than VARCHAR(20)": CodeLongLiteral,
		"CHAR values are compared byte by byte": CodeCharPadding, "CAST of a nullable column": CodeNullCast,
		"text that is not a number fails the read": CodeTextCast, "constant condition": CodeConstant,
		"always null": CodeAlwaysNull, "engines disagree: empty string or null": CodeEmptyConcat,
		"mask returns the protected column itself": CodeIdentity, "ignore the length": CodeMaskLength,
		"does not shorten in pypaimon": CodeMaskLength, "nullable value in a NOT NULL column": CodeNullsInNotNull,
		"mask is always the empty string": CodeAlwaysEmpty, "UPPER/LOWER outside simple case mapping": CodeCaseMapping,
		"values shorter than the count are returned whole": CodeShortWhole,
	}
	left := map[string]string{
		"send the index":                        "the index never counts",
		"declared type differs from the column": "nor does the declared type of IS_NULL",
		"fails closed if email also has a mask": "needs the other mask, see TestMasksThatReadMaskedColumns",
	}
	tables, vectors := readVectors(t)
	observations := readObservations(t)
	warned, used := 0, make(map[string]bool)
	for _, v := range vectors {
		warn := observations[v.Kind+"/"+v.Name].Warn
		if warn == "" || left[warn] != "" {
			used[warn] = true
			continue
		}
		sights := v.survey(t, tables[v.Table])
		told := advice(sights)
		for _, r := range judge(sights, Engines()) {
			told = append(told, r.Finding)
		}
		understood := false
		for text, code := range codes {
			if !strings.Contains(warn, text) {
				continue
			}
			understood, used[text] = true, true
			if !slices.ContainsFunc(told, func(f Finding) bool { return f.Code == code }) {
				t.Errorf("%s: %q is not told", v.Name, text)
			}
		}
		if !understood {
			t.Errorf("%s: what is %q?", v.Name, warn)
		}
		warned++
	}
	for text := range codes {
		if !used[text] {
			t.Errorf("no vector warns of %q", text)
		}
	}
	for text := range left {
		if !used[text] {
			t.Errorf("no vector warns of %q", text)
		}
	}
	if warned != 39 {
		t.Errorf("%d vectors warn", warned)
	}
}

func bind(t *testing.T, text string, fields []datatype.Field) Predicate {
	t.Helper()
	p, findings := ParsePredicate(text)
	if p == nil {
		t.Fatal(findings)
	}
	bound, more := p.Bind(fields)
	if err := append(findings, more...).Err(); err != nil {
		t.Fatal(err)
	}
	return bound
}

func or(children ...string) string {
	return strings.Replace(and(children...), `"AND"`, `"OR"`, 1)
}

func TestACastIsGuardedByWhatDecidesBeforeIt(t *testing.T) {
	const (
		cast    = `{"kind":"LEAF","transform":{"name":"CAST","fieldRef":{"name":"created","type":"DATE","index":5},"type":"STRING"},"function":"EQUAL","literals":["2026-01-15"]}`
		ofKey   = `{"kind":"LEAF","transform":{"name":"CAST","fieldRef":{"name":"order_id","type":"BIGINT NOT NULL","index":0},"type":"STRING"},"function":"EQUAL","literals":["1"]}`
		sameTS  = `{"kind":"LEAF","transform":{"name":"CAST","fieldRef":{"name":"ts","type":"TIMESTAMP(3)","index":6},"type":"TIMESTAMP(6)"},"function":"IS_NULL","literals":[]}`
		fewer   = `{"kind":"LEAF","transform":{"name":"CAST","fieldRef":{"name":"ts","type":"TIMESTAMP(3)","index":6},"type":"TIMESTAMP(0)"},"function":"IS_NULL","literals":[]}`
		castAll = `{"kind":"LEAF","transform":{"name":"CAST","fieldRef":{"name":"created","type":"DATE","index":5},"type":"STRING"},"function":"IS_NOT_NULL","literals":[]}`
	)
	var (
		notNull = leaf("created", `"DATE"`, "IS_NOT_NULL", `[]`)
		isNull  = leaf("created", `"DATE"`, "IS_NULL", `[]`)
		other   = leaf("qty", `"INT"`, "EQUAL", `[1]`)
	)
	tests := []struct {
		name, text string
		guarded    bool
	}{
		{"alone", cast, false},
		{"NOT NULL column", ofKey, true},
		{"between timestamps", sameTS, true},
		{"to a timestamp of fewer digits", fewer, false},
		{"after IS NOT NULL", and(notNull, cast), true},
		{"before IS NOT NULL", and(cast, notNull), false},
		{"after IS NOT NULL of another column", and(other, cast), false},
		{"after a comparison of the column", and(leaf("created", `"DATE"`, "EQUAL", `["2026-01-15"]`), cast), true},
		{"after IS NULL", and(isNull, cast), false},
		{"after TRUE over the column", and(leaf("created", `"DATE"`, "TRUE", `[]`), cast), false},
		{"after IS NOT NULL of the cast", and(castAll, cast), false},
		{"below an OR in the AND", and(notNull, or(other, cast)), true},
		{"after an AND in the AND", and(and(other, notNull), cast), true},
		{"after an OR in the AND", and(or(other, notNull), cast), false},
		{"after IS NOT NULL in an OR", or(notNull, cast), false},
		{"after IS NULL in an OR", or(isNull, cast), true},
		{"after the AND with the guard", or(and(notNull, other), cast), false},
	}
	for _, tt := range tests {
		remarks := CheckEngines(bind(t, tt.text, orders(t)), []Engine{EngineJava20})
		throws := slices.ContainsFunc(remarks, func(r Remark) bool { return r.Code == CodeNullCast })
		if throws == tt.guarded {
			t.Errorf("%s: remarked = %t", tt.name, throws)
		}
	}
}

// TestReadersCastSomeTypesInTheirOwnWay is what their casts were seen to do
// outside of the vectors.
func TestReadersCastSomeTypesInTheirOwnWay(t *testing.T) {
	tests := []struct{ from, to, java20, python21 string }{
		{"TIME(0)", "STRING", "", "time-text"},
		{"TIME(3)", "TIMESTAMP_LTZ(3)", "", ""},
		{"TIMESTAMP_LTZ(6)", "STRING", "zone-cast", "instant-text"},
		{"TIMESTAMP_LTZ(6)", "DATE", "zone-cast", ""},
		{"TIMESTAMP_LTZ(6)", "TIME(3)", "zone-cast", ""},
		{"TIMESTAMP_LTZ(6)", "TIMESTAMP(6)", "zone-cast", ""},
		{"TIMESTAMP_LTZ(6)", "TIMESTAMP_LTZ(6)", "", ""},
		{"TIMESTAMP(6)", "TIMESTAMP_LTZ(6)", "zone-cast", ""},
		{"DATE", "TIMESTAMP_LTZ(3)", "zone-cast", ""},
		{"STRING", "TIMESTAMP_LTZ(3)", "text-cast zone-cast", "text-cast"},
		{"BINARY(3)", "STRING", "", "bytes-cast"},
		{"BYTES", "STRING", "", "bytes-cast"},
		{"BYTES", "VARBINARY(3)", "", ""},
		{`{"type":"ARRAY","element":"INT"}`, "STRING", "", "nested-text"},
		{`{"type":"MAP","key":"INT","value":"INT"}`, "STRING", "", "nested-text"},
		{`{"type":"ROW","fields":[{"id":0,"name":"city","type":"STRING"}]}`, "STRING", "", "nested-text"},
		{"DOUBLE", "TINYINT", "", "integer-cast"},
		{"FLOAT", "BIGINT", "", "integer-cast"},
		{"DECIMAL(10, 2)", "INT", "", ""},
		{"FLOAT", "DECIMAL(10, 2)", "", "decimal-cast"},
		{"DOUBLE", "FLOAT", "", ""},
		{"TIMESTAMP(0)", "INT", "", "seconds-int"},
		{"TIMESTAMP(0)", "BIGINT", "", ""},
		{"TIMESTAMP(3)", "BIGINT", "", "seconds-cast"},
		{"TIMESTAMP_LTZ(6)", "BIGINT", "", "seconds-cast"},
		{"TIMESTAMP(3)", "DATE", "", "day-cast"},
		{"TIMESTAMP(3)", "TIME(3)", "", ""}, // Java 1.4 alone differs
		{"TIMESTAMP(6)", "TIMESTAMP(3)", "", "digits-cast"},
		{"TIMESTAMP(3)", "TIMESTAMP(1)", "", "digits-cast"},
		{"TIMESTAMP(6)", "TIMESTAMP(0)", "", "digits-cast"},
		{"TIMESTAMP(3)", "TIMESTAMP(0)", "", ""},
		{"TIMESTAMP(3)", "TIMESTAMP(6)", "", ""},
	}
	for _, tt := range tests {
		from, err := datatype.Parse(tt.from)
		if err != nil {
			t.Fatal(err)
		}
		to, err := datatype.Parse(tt.to)
		if err != nil {
			t.Fatal(err)
		}
		if !datatype.CanCast(from, to) {
			t.Errorf("%s to %s: there is no such cast", tt.from, tt.to)
		}
		from.NotNull = true
		cast := Transform{Name: "CAST", Field: &FieldRef{Name: "seen", Type: from}, Type: to}
		for engine, want := range map[Engine]string{EngineJava20: tt.java20, EnginePyPaimon21: tt.python21} {
			if got := codesOfRemarks(CheckMask(cast, "seen", []Engine{engine})); got != want {
				t.Errorf("%s to %s: %s %q, want %q", tt.from, tt.to, engine, got, want)
			}
		}
		if advice := Advise(&Leaf{Transform: cast, Function: "IS_NULL", Literals: []Literal{}}); codesOf(advice) != "" && tt.from != "STRING" {
			t.Errorf("%s to %s: advice %s", tt.from, tt.to, codesOf(advice))
		}
	}
}

func TestOnlyTheSignOfAZeroThatCountsIsRemarked(t *testing.T) {
	for _, tt := range []struct {
		function, literals string
		want               int
	}{
		{"EQUAL", `[0]`, 1},
		{"IN", `[0.0, 1, -0.0]`, 2},
		{"GREATER_THAN", `[0.0]`, 0},
		{"GREATER_THAN", `[-0.0]`, 1},
		{"LESS_THAN", `[0.0]`, 1},
		{"LESS_THAN", `[-0.0]`, 0},
		{"BETWEEN", `[-0.0, 0.0]`, 0},
		{"BETWEEN", `[0.0, 1.0]`, 1},
		{"NOT_BETWEEN", `[-1.0, -0.0]`, 1},
		{"EQUAL", `[1]`, 0},
	} {
		text := leaf("score", `"DOUBLE"`, tt.function, tt.literals)
		if remarks := CheckEngines(bind(t, text, orders(t)), DefaultEngines()); len(remarks) != tt.want {
			t.Errorf("%s %s: %s", tt.function, tt.literals, ExplainRemarks(remarks))
		}
	}
	if remarks := CheckEngines(bind(t, leaf("qty", `"INT"`, "EQUAL", `[0]`), orders(t)), DefaultEngines()); remarks != nil {
		t.Errorf("integers: %s", ExplainRemarks(remarks))
	}
}

func TestPatternsOfFourShapesIgnoreEscapes(t *testing.T) {
	for pattern, want := range map[string]bool{
		`50\\%`: true, `50\\%%`: false, `%50\\\\%`: true, `%\\\\`: true, `a\\_%`: false, `a%b\\\\`: false, `a%`: false,
	} {
		text := leaf("region", `"STRING"`, "LIKE", `["`+pattern+`"]`)
		remarks := CheckEngines(bind(t, text, orders(t)), []Engine{EngineJava14})
		if got := len(remarks) > 0; got != want {
			t.Errorf("%s: remarked = %t", pattern, got)
		}
	}
}

// TestMasksThatReadMaskedColumns covers the one way to open a released reader
// that takes two policies.
func TestMasksThatReadMaskedColumns(t *testing.T) {
	email := Mask{"email", Transform{Name: "FIELD_REF", Field: &FieldRef{Name: "region"}}}
	phone := Mask{"phone_number", Transform{Name: "CONCAT", Inputs: []Input{
		{Kind: InputField, Field: FieldRef{Name: "email"}}, {Kind: InputField, Field: FieldRef{Name: "phone_number"}},
	}}}
	year := Mask{"age", Transform{Name: "YEAR", Field: &FieldRef{Name: "born"}}}
	born := Mask{"born", Transform{Name: "CAST", Field: &FieldRef{Name: "email"}}}
	tests := []struct {
		name  string
		masks []Mask
		want  map[Engine]Verdict
	}{
		{"alone", []Mask{phone}, nil},
		{"apart", []Mask{email, year}, nil},
		{"reads a masked column", []Mask{phone, email}, map[Engine]Verdict{
			EngineJava14: Opens, EngineJava20: Opens, EngineJava21: Refuses, EnginePyPaimon20: Opens, EnginePyPaimon21: Refuses,
		}},
		// The older ones do not know YEAR and refuse the mask by itself.
		{"reads a part of a masked date", []Mask{year, born}, map[Engine]Verdict{
			EngineJava21: Refuses, EnginePyPaimon21: Opens,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got map[Engine]Verdict
			for _, r := range CheckMasks(tt.masks, Engines()) {
				if got == nil {
					got = make(map[Engine]Verdict)
				}
				got[r.Engine] = r.Verdict
				if opens := r.Verdict == Opens; opens != (r.Severity == Error) {
					t.Errorf("%s: severity %d", r.Engine, r.Severity)
				}
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("verdicts %v, want %v", got, tt.want)
			}
		})
	}
}

// TestWhatReleasedReadersSkipIsAnError covers the five ways to open Java 1.4.2
// that one policy is enough for. No reader is asked: they are refused for all.
func TestWhatReleasedReadersSkipIsAnError(t *testing.T) {
	for name, text := range map[string]string{
		"empty compound": and(), "empty compound below": or(leaf("qty", `"INT"`, "EQUAL", `[1]`), and()), "empty": "", "null": "null",
	} {
		if _, findings := ParsePredicate(text); findings.ServerErr() == nil {
			t.Errorf("%s filter: accepted", name)
		}
		if _, findings := ParseTransform(text); findings.ServerErr() == nil {
			t.Errorf("%s mask: accepted", name)
		}
	}
	constant, _ := ParseTransform(`{"name":"CONCAT","inputs":["x"]}`)
	if _, findings := constant.Bind(orders(t), "nope"); findings.ServerErr() == nil {
		t.Error("mask on a column that is not there: accepted")
	}
}

func TestEveryFactIsReachedOnce(t *testing.T) {
	for i, f := range facts {
		for _, other := range facts[:i] {
			if f.code == other.code && f.family == other.family && (other.before == 0 || other.before == f.before) {
				t.Errorf("%s: the fact is hidden by another", f.code)
			}
		}
		if !slices.ContainsFunc(releases, func(r release) bool { return f.family == r.family && (f.before == 0 || r.transforms < f.before) }) {
			t.Errorf("%s: the fact is about no release", f.code)
		}
	}
}

func TestEngines(t *testing.T) {
	want := []Engine{"java-1.4", "java-2.0", "java-2.1", "pypaimon-2.0", "pypaimon-2.1", "rust-0.4", "cpp"}
	if got := Engines(); !slices.Equal(got, want) {
		t.Errorf("engines %v", got)
	}
	if got := DefaultEngines(); !slices.Equal(got, []Engine{"java-2.0", "pypaimon-2.1"}) {
		t.Errorf("default engines %v", got)
	}
}
