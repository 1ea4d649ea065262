package predicate

import "slices"

// The codes of what [Advise] and [AdviseMask] warn of.
const (
	CodeMatchesNothing Code = "matches-nothing"
	CodeMatchesAll     Code = "matches-all"  // or all that are not NULL
	CodeNullIgnored    Code = "null-ignored" // a null among other literals
	CodeConstant       Code = "constant"     // the condition reads no column
	CodeCharPadding    Code = "char-padding" // CHAR is not blank padded
	CodeLongLiteral    Code = "long-literal" // longer than the column can be
	CodeFloat          Code = "float"        // not exact in FLOAT
	CodeZero           Code = "zero"         // 0.0 is not -0.0
	CodeCaseMapping    Code = "case-mapping" // UPPER or LOWER of special letters
	CodeNoLiterals     Code = "no-literals"  // the list is missing, not empty
	CodeTextCast       Code = "text-cast"    // CAST of text to another type
	CodeCastLength     Code = "cast-length"  // CAST to text of a length
	CodeMaskLength     Code = "mask-length"  // CAST to a shorter text, in a mask
	CodeIdentity       Code = "identity"     // a mask that masks nothing
	CodeAlwaysNull     Code = "always-null"  // of a null input
	CodeAlwaysEmpty    Code = "always-empty" // of no characters
	CodeShortWhole     Code = "short-whole"  // a mask that shows short values whole
	CodeNullsInNotNull Code = "not-null"     // NULL in a NOT NULL column
)

// The codes that say nothing but that some readers differ, so that they are
// told by remarks only.
const (
	CodePolicy       Code = "policy"        // any policy at all
	CodeNewer        Code = "newer"         // a name that is newer than Paimon 2.0
	CodeNewLiteral   Code = "new-literal"   // of a temporal type or DECIMAL
	CodeLikeEscape   Code = "like-escape"   // a backslash in a simple pattern
	CodeNullCast     Code = "null-cast"     // CAST of what may be NULL
	CodeFloatCast    Code = "float-cast"    // CAST of FLOAT or DOUBLE to text
	CodeNestedCast   Code = "nested-cast"   // CAST to ARRAY, MAP or ROW
	CodeNestedText   Code = "nested-text"   // CAST of ARRAY, MAP or ROW to text
	CodeBytesCast    Code = "bytes-cast"    // CAST of BYTES or BINARY to text
	CodeTimeText     Code = "time-text"     // CAST of TIME to text
	CodeInstantText  Code = "instant-text"  // CAST of TIMESTAMP_LTZ to text
	CodeZoneCast     Code = "zone-cast"     // CAST that takes a time zone
	CodeIntegerCast  Code = "integer-cast"  // CAST of FLOAT or DOUBLE to an integer
	CodeDecimalCast  Code = "decimal-cast"  // CAST of FLOAT or DOUBLE to DECIMAL
	CodeSecondsInt   Code = "seconds-int"   // CAST of a timestamp to INT
	CodeSecondsCast  Code = "seconds-cast"  // CAST of a timestamp to BIGINT
	CodeDayCast      Code = "day-cast"      // CAST of TIMESTAMP to DATE
	CodeClockCast    Code = "clock-cast"    // CAST of TIMESTAMP to TIME
	CodeDigitsCast   Code = "digits-cast"   // CAST of a timestamp to one of fewer digits
	CodeEmptyConcat  Code = "empty-concat"  // CONCAT of nothing
	CodeUnselected   Code = "unselected"    // a mask reads another column
	CodeDatePart     Code = "date-part"     // YEAR and the like
	CodeMaskedSource Code = "masked-source" // a mask reads a column that has a mask
	CodeMaskedDate   Code = "masked-date"   // the same by a part of a date
)

var forReadersOnly = []Code{
	CodePolicy, CodeNewer, CodeNewLiteral, CodeLikeEscape, CodeNullCast, CodeFloatCast, CodeNestedCast, CodeNestedText,
	CodeBytesCast, CodeTimeText, CodeInstantText, CodeZoneCast, CodeIntegerCast, CodeDecimalCast, CodeSecondsInt,
	CodeSecondsCast, CodeDayCast, CodeClockCast, CodeDigitsCast, CodeEmptyConcat, CodeUnselected, CodeDatePart,
}

// Advise warns of what is legal in a row filter and most likely not meant,
// whichever readers there are. It believes the types of columns, so give it a
// predicate that is bound.
func Advise(p Predicate) Findings { return advice(surveyPredicate(p)) }

// AdviseMask warns of a bound transform as the mask of a column, see [Advise].
func AdviseMask(t Transform, onColumn string) Findings { return advice(surveyMask(t, onColumn)) }

func advice(sights []sight) Findings {
	var findings Findings
	for _, s := range sights {
		if !slices.Contains(forReadersOnly, s.Code) {
			findings = append(findings, s.Finding)
		}
	}
	return findings
}

// Except leaves out what the remarks tell already, with the readers' names.
func (fs Findings) Except(remarks []Remark) Findings {
	return slices.DeleteFunc(slices.Clone(fs), func(f Finding) bool {
		return slices.ContainsFunc(remarks, func(r Remark) bool { return r.Code == f.Code && r.Path == f.Path })
	})
}
