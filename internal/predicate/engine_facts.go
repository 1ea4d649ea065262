package predicate

// family is the readers that share their code.
type family uint8

const (
	java family = iota
	python
	rust
	cpp
)

// release is a version of an engine. What is said of it was seen in November
// 2026 by running it, but for java-2.1 and cpp.
type release struct {
	engine Engine
	family family
	// functions and transforms are the newest profiles whose leaf functions and
	// transforms it knows, without the names it lacks; transforms is its age too.
	functions, transforms Profile
	lacks                 []string
}

var releases = []release{
	{engine: EngineJava14, family: java}, // 1.4.2
	{engine: EngineJava20, family: java}, // 2.0.0
	// Not run: what the sources had by September 2026, and what no source was
	// seen to change.
	{engine: EngineJava21, family: java, functions: Java9423, transforms: Java9423},
	{engine: EnginePyPaimon20, family: python}, // 2.0.0
	{
		engine: EnginePyPaimon21, family: python, transforms: Java9905, // 2.1.0
		lacks: []string{"DATE_ADD", "DATE_DIFF", "DATE_TRUNC"},
	},
	{engine: EngineRust04, family: rust}, // 0.4.0
	{engine: EngineCpp, family: cpp},     // apache/paimon-cpp#520, read
}

// fact is what readers of a family do with a sight.
type fact struct {
	code   Code
	family family
	// before is the profile from which on readers no longer do it; 0 is never.
	before Profile
	// only names the one release of a family that does it; empty is all.
	only    Engine
	verdict Verdict
	reason  string
	// certain is set where it is the policies that make a reader fail open,
	// whatever the data. No setting softens that.
	certain bool
}

// facts is what is known of the readers. The first fact that tells counts, and
// where none does readers do as Paimon means it.
//
// Missing are the policies that open Java up to 2.0 and pypaimon 2.0, because
// they never get here: an empty compound, an empty or null text (parsing
// refuses them) and a mask on a column that is not there (binding does).
var facts = []fact{
	{code: CodePolicy, family: rust, verdict: Refuses, reason: "it reads no table that has one"},
	{code: CodePolicy, family: cpp, verdict: Opens, reason: "it enforces none and shows every row and raw value"},

	{code: CodeNewer, family: java, verdict: Refuses, reason: "there the name is unknown"},
	{code: CodeNewer, family: python, verdict: Refuses, reason: "there the name is unknown"},

	// 1.4.2, 2.0.0 and master of 2026-08-22, in all casts but those between
	// types of one timestamp kind that lose no digits. No later change was seen.
	{code: CodeNullCast, family: java, verdict: Refuses, reason: "the first NULL fails"},
	{code: CodeTextCast, family: java, verdict: Refuses, reason: "the first text that does not convert fails"},
	{code: CodeTextCast, family: python, verdict: Refuses, reason: "the first text that does not convert fails"},
	{code: CodeCastLength, family: python, verdict: Differs, reason: "there CAST leaves the text as it is"},
	{code: CodeMaskLength, family: python, verdict: Opens, reason: "there CAST cuts nothing, so longer values show whole"},
	{code: CodeFloatCast, family: python, verdict: Differs, reason: "there 100.0 becomes 100"},
	{code: CodeNestedCast, family: python, verdict: Refuses, reason: "there the type must be a JSON string"},
	// Seen in pypaimon 2.1.0, whose line for CAST is that of 2.0.0, and in Java
	// 1.4.2.
	{code: CodeNestedText, family: python, verdict: Refuses, reason: "there no such CAST exists"},
	{code: CodeBytesCast, family: python, verdict: Refuses, reason: "the first value that is not UTF-8 fails"},
	{code: CodeTimeText, family: python, verdict: Differs, reason: "there the fraction always has three digits"},
	{code: CodeInstantText, family: python, verdict: Differs, reason: "there the text ends in Z"},
	{code: CodeZoneCast, family: java, verdict: Differs, reason: "there the time zone is that of the process, not UTC"},
	{code: CodeIntegerCast, family: python, verdict: Differs, reason: "there what does not fit is the smallest number or 0"},
	{code: CodeDecimalCast, family: python, verdict: Differs, reason: "there what does not fit is 0 and halves may round down"},
	{code: CodeSecondsInt, family: python, verdict: Refuses, reason: "there no such CAST exists"},
	{code: CodeSecondsCast, family: python, verdict: Differs, reason: "there it counts milli-, micro- or nanoseconds"},
	{code: CodeDayCast, family: python, verdict: Differs, reason: "there a moment before 1970 has its own day, not the next"},
	// apache/paimon#8769 mended it before 2.0.0, which has no profile of its own.
	{code: CodeClockCast, family: java, only: EngineJava14, verdict: Differs, reason: "there it is negative before 1970"},
	// Arrow's timestamps have 0, 3, 6 or 9 digits and lose them towards 1970.
	{code: CodeDigitsCast, family: python, verdict: Differs, reason: "there some digits stay and moments before 1970 move forward"},

	// apache/paimon#9640 gave Java's JSON these literals.
	{code: CodeNewLiteral, family: java, before: Java9640, verdict: Refuses, reason: "there no such literal can be read"},
	// 1.4.2 and 2.0.0; right in master of 2026-08-22.
	{code: CodeLikeEscape, family: java, before: Java20260818, verdict: Differs, reason: "there the backslash stands for itself"},
	{code: CodeFloat, family: python, verdict: Differs, reason: "there the comparison is in double precision, so no value equals it"},
	{code: CodeZero, family: python, verdict: Differs, reason: "there they are equal"},
	{code: CodeNoLiterals, family: python, verdict: Refuses, reason: "there it is needed"},
	{code: CodeEmptyConcat, family: python, verdict: Differs, reason: "there it is NULL"},
	{code: CodeCaseMapping, family: python, verdict: Differs, reason: "there it does"},

	// apache/paimon#9416 and pypaimon 2.1.0 read such columns by themselves;
	// pypaimon does not see the column of a part of a date.
	{code: CodeUnselected, family: java, before: Java9640, verdict: Refuses, reason: "queries that do not select that column fail"},
	{code: CodeUnselected, family: python, before: Java9905, verdict: Refuses, reason: "queries that do not select that column fail"},
	{code: CodeDatePart, family: python, verdict: Refuses, reason: "queries that do not select that column fail"},

	// Refused since apache/paimon#9416 and pypaimon 2.1.0, which again does not
	// see the column of a part of a date.
	{code: CodeMaskedSource, family: java, before: Java9640, verdict: Opens, reason: "the raw value of that column shows", certain: true},
	{code: CodeMaskedSource, family: java, verdict: Refuses, reason: "such masks are refused"},
	{code: CodeMaskedSource, family: python, before: Java9905, verdict: Opens, reason: "the raw value of that column shows", certain: true},
	{code: CodeMaskedSource, family: python, verdict: Refuses, reason: "such masks are refused"},
	{code: CodeMaskedDate, family: java, verdict: Refuses, reason: "such masks are refused"},
	{code: CodeMaskedDate, family: python, verdict: Opens, reason: "a part of the raw value of that column shows", certain: true},
}
