package access_test

import (
	"testing"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// The three ways in which an expiry can be wrong, as CheckExpiry words them.
const (
	noForm      = "not a time of the form 2027-01-31T08:00:00Z or 2027-01-31T08:00:00.250+02:00"
	noValue     = "a date, time or offset that does not exist"
	noPrecision = "finer than milliseconds"
	noYear      = "outside the years 0001 to 9999 in UTC"
)

func TestExpiries(t *testing.T) {
	t.Parallel()
	// written and listed are the instant as FormatExpiry shows it, or one of the reasons above.
	tests := map[string]struct{ text, written, listed string }{
		"plain":                        {"2027-01-01T00:00:00Z", "2027-01-01T00:00:00Z", "2027-01-01T00:00:00Z"},
		"lower case":                   {"2027-01-01t00:00:00z", noForm, "2027-01-01T00:00:00Z"},
		"lower t":                      {"2027-01-01t00:00:00Z", noForm, "2027-01-01T00:00:00Z"},
		"lower z":                      {"2027-01-01T00:00:00z", noForm, "2027-01-01T00:00:00Z"},
		"one fraction digit":           {"2027-01-01T00:00:00.1Z", "2027-01-01T00:00:00.100Z", "2027-01-01T00:00:00.100Z"},
		"three fraction digits":        {"2027-01-01T00:00:00.100Z", "2027-01-01T00:00:00.100Z", "2027-01-01T00:00:00.100Z"},
		"smallest fraction":            {"2027-01-01T00:00:00.001Z", "2027-01-01T00:00:00.001Z", "2027-01-01T00:00:00.001Z"},
		"zero fraction":                {"2027-01-01T00:00:00.000Z", "2027-01-01T00:00:00Z", "2027-01-01T00:00:00Z"},
		"dot without digits":           {"2027-01-01T00:00:00.Z", noForm, "2027-01-01T00:00:00Z"},
		"six digits, whole ms":         {"2027-01-01T00:00:00.123000Z", "2027-01-01T00:00:00.123Z", "2027-01-01T00:00:00.123Z"},
		"nine digits, whole ms":        {"2027-01-01T00:00:00.123000000Z", "2027-01-01T00:00:00.123Z", "2027-01-01T00:00:00.123Z"},
		"six digits, finer":            {"2027-01-01T00:00:00.123456Z", noPrecision, noPrecision},
		"nine digits, finer":           {"2027-01-01T00:00:00.000000001Z", noPrecision, noPrecision},
		"ten digits":                   {"2027-01-01T00:00:00.1230000000Z", noForm, noForm},
		"comma before the fraction":    {"2027-01-01T00:00:00,1Z", noForm, noForm},
		"no seconds":                   {"2027-01-01T00:00Z", noForm, noForm},
		"date only":                    {"2027-01-01", noForm, noForm},
		"no zone":                      {"2027-01-01T00:00:00", noForm, noForm},
		"space instead of T":           {"2027-01-01 00:00:00Z", noForm, noForm},
		"blank before":                 {" 2027-01-01T00:00:00Z", noForm, noForm},
		"blank after":                  {"2027-01-01T00:00:00Z ", noForm, noForm},
		"line feed after":              {"2027-01-01T00:00:00Z\n", noForm, noForm},
		"digits that are not ASCII":    {"２０２７-01-01T00:00:00Z", noForm, noForm},
		"one-digit day":                {"2027-01-1T00:00:00Z", noForm, noForm},
		"a word":                       {"never", noForm, noForm},
		"null as text":                 {"null", noForm, noForm},
		"a number":                     {"1798761600000", noForm, noForm},
		"end of day as 24:00":          {"2027-01-01T24:00:00Z", noValue, "2027-01-02T00:00:00Z"},
		"end of year as 24:00":         {"2027-12-31T24:00:00.000Z", noValue, "2028-01-01T00:00:00Z"},
		"24:00 with a fraction":        {"2027-01-01T24:00:00.1Z", noValue, noValue},
		"24:00 and a second":           {"2027-01-01T24:00:01Z", noValue, noValue},
		"24:01":                        {"2027-01-01T24:01:00Z", noValue, noValue},
		"25:00":                        {"2027-01-01T25:00:00Z", noValue, noValue},
		"leap second":                  {"2027-01-01T23:59:60Z", noValue, "2027-01-01T23:59:59Z"},
		"leap second with a fraction":  {"2027-01-01T23:59:60.5Z", noValue, "2027-01-01T23:59:59.500Z"},
		"leap second at another hour":  {"2027-01-01T22:59:60Z", noValue, noValue},
		"leap second at a minute":      {"2027-01-01T23:58:60Z", noValue, noValue},
		"second 61":                    {"2027-01-01T23:59:61Z", noValue, noValue},
		"minute 60":                    {"2027-01-01T23:60:00Z", noValue, noValue},
		"month 0":                      {"2027-00-01T00:00:00Z", noValue, noValue},
		"month 13":                     {"2027-13-01T00:00:00Z", noValue, noValue},
		"day 0":                        {"2027-01-00T00:00:00Z", noValue, noValue},
		"31 April":                     {"2027-04-31T00:00:00Z", noValue, noValue},
		"31 December":                  {"2027-12-31T00:00:00Z", "2027-12-31T00:00:00Z", "2027-12-31T00:00:00Z"},
		"32 December":                  {"2027-12-32T00:00:00Z", noValue, noValue},
		"29 February of a common year": {"2027-02-29T00:00:00Z", noValue, noValue},
		"29 February of a leap year":   {"2028-02-29T00:00:00Z", "2028-02-29T00:00:00Z", "2028-02-29T00:00:00Z"},
		"29 February of 2000":          {"2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z"},
		"29 February of 2100":          {"2100-02-29T00:00:00Z", noValue, noValue},
		"30 February of a leap year":   {"2028-02-30T00:00:00Z", noValue, noValue},

		"offset 0":                  {"2027-01-01T00:00:00+00:00", "2027-01-01T00:00:00Z", "2027-01-01T00:00:00Z"},
		"offset minus 0":            {"2027-01-01T00:00:00-00:00", "2027-01-01T00:00:00Z", "2027-01-01T00:00:00Z"},
		"east":                      {"2027-01-01T00:00:00+08:00", "2026-12-31T16:00:00Z", "2026-12-31T16:00:00Z"},
		"west by minutes":           {"2027-01-01T00:00:00.25-03:30", "2027-01-01T03:30:00.250Z", "2027-01-01T03:30:00.250Z"},
		"farthest east":             {"2027-01-01T00:00:00+18:00", "2026-12-31T06:00:00Z", "2026-12-31T06:00:00Z"},
		"farthest west":             {"2027-01-01T00:00:00-18:00", "2027-01-01T18:00:00Z", "2027-01-01T18:00:00Z"},
		"too far east":              {"2027-01-01T00:00:00+18:01", noValue, noValue},
		"too far west":              {"2027-01-01T00:00:00-18:01", noValue, noValue},
		"offset of 60 minutes":      {"2027-01-01T00:00:00+08:60", noValue, noValue},
		"offset of hours only":      {"2027-01-01T00:00:00+08", noForm, noForm},
		"offset without a colon":    {"2027-01-01T00:00:00+0800", noForm, noForm},
		"offset with seconds":       {"2027-01-01T00:00:00+08:00:30", noForm, "2026-12-31T15:59:30Z"},
		"offset of 60 seconds":      {"2027-01-01T00:00:00+08:00:60", noForm, noValue},
		"too far west by a second":  {"2027-01-01T00:00:00-18:00:01", noForm, noValue},
		"Z and an offset":           {"2027-01-01T00:00:00Z+08:00", noForm, noForm},
		"zone by name":              {"2027-01-01T00:00:00UTC", noForm, noForm},
		"24:00 with an offset":      {"2027-01-01T24:00:00+08:00", noValue, "2027-01-01T16:00:00Z"},
		"leap second on local time": {"2027-01-01T23:59:60+08:00", noValue, "2027-01-01T15:59:59Z"},

		"first writable instant":       {"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"},
		"year 0":                       {"0000-12-31T23:59:59Z", noYear, "0000-12-31T23:59:59Z"},
		"year 0 that is year 1 in UTC": {"0000-12-31T23:59:59-00:01", "0001-01-01T00:00:59Z", "0001-01-01T00:00:59Z"},
		"year 1 that is year 0 in UTC": {"0001-01-01T00:00:00+00:01", noYear, "0000-12-31T23:59:00Z"},
		"29 February of year 0":        {"0000-02-29T00:00:00Z", noYear, "0000-02-29T00:00:00Z"},
		"last writable instant":        {"9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"},
		"year 10000 by its offset":     {"9999-12-31T23:59:59-00:01", noYear, "+10000-01-01T00:00:59Z"},
		"year 10000 by 24:00":          {"9999-12-31T24:00:00Z", noValue, "+10000-01-01T00:00:00Z"},
		"five digits with a plus":      {"+10000-01-01T00:00:00Z", noForm, "+10000-01-01T00:00:00Z"},
		"year 9999 by its offset":      {"+10000-01-01T00:00:00+00:01", noForm, "9999-12-31T23:59:00Z"},
		"five digits without a plus":   {"10000-01-01T00:00:00Z", noForm, noValue},
		"four digits with a plus":      {"+2027-01-01T00:00:00Z", noForm, noValue},
		"padded with a plus":           {"+02027-01-01T00:00:00Z", noForm, "2027-01-01T00:00:00Z"},
		"three digits":                 {"999-01-01T00:00:00Z", noForm, noForm},
		"before year 0":                {"-0001-01-01T00:00:00Z", noForm, "-0001-01-01T00:00:00Z"},
		"leap year before year 0":      {"-0004-02-29T00:00:00Z", noForm, "-0004-02-29T00:00:00Z"},
		"minus zero":                   {"-0000-01-01T00:00:00Z", noForm, noValue},
		"longer minus zero":            {"-00000-01-01T00:00:00Z", noForm, noValue},
		"last year of all":             {"+1000000000-12-31T23:59:59Z", noForm, "+1000000000-12-31T23:59:59Z"},
		"first year of all":            {"-1000000000-01-01T00:00:00Z", noForm, "-1000000000-01-01T00:00:00Z"},
		"beyond the last year":         {"+1000000001-01-01T00:00:00Z", noForm, noValue},
		"beyond the first year":        {"-1000000001-01-01T00:00:00Z", noForm, noValue},
		"beyond by the offset":         {"+1000000000-12-31T23:59:59-01:00", noForm, noValue},
		"eleven digits":                {"+10000000000-01-01T00:00:00Z", noForm, noForm},
		"the most digits":              {"+9999999999-01-01T00:00:00Z", noForm, noValue},
	}
	outcome := func(instant time.Time, err error) string {
		if err != nil {
			return err.Error()
		}
		return access.FormatExpiry(instant)
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := outcome(access.ParseWrittenExpiry(test.text)); got != test.written {
				t.Errorf("written %q: got %s, want %s", test.text, got, test.written)
			}
			if got := outcome(access.ParseListedExpiry(test.text)); got != test.listed {
				t.Errorf("listed %q: got %s, want %s", test.text, got, test.listed)
			}
		})
	}
}

func TestAnEmptyTextIsNoInstant(t *testing.T) {
	t.Parallel()
	if _, err := access.ParseWrittenExpiry(""); err == nil {
		t.Error("written: want an error")
	}
	if _, err := access.ParseListedExpiry(""); err == nil {
		t.Error("listed: want an error")
	}
}

func TestExpiryProblems(t *testing.T) {
	t.Parallel()
	const remedy = " Write an RFC 3339 time with a zone and at most milliseconds, such as 2027-01-31T00:00:00Z."
	for text, reason := range map[string]string{
		"":                            "",
		"2027-01-01T00:00:00+08:00":   "",
		" ":                           noForm,
		"2027-01-01t00:00:00z":        noForm,
		"2027-02-29T00:00:00Z":        noValue,
		"2027-01-01T00:00:00.123456Z": noPrecision,
		"0000-01-01T00:00:00Z":        noYear,
	} {
		if reason == "" {
			wantProblems(t, access.CheckExpiry(text))
			continue
		}
		wantProblems(t, access.CheckExpiry(text), `expire_time: "`+text+`" is `+reason+"."+remedy)
	}
}

func TestExpiriesAreSentInUTCWithThreeFractionDigitsOrNone(t *testing.T) {
	t.Parallel()
	east := time.FixedZone("", 8*60*60)
	for want, instant := range map[string]time.Time{
		"2027-01-01T00:00:00Z":     time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
		"2026-12-31T16:00:00Z":     time.Date(2027, 1, 1, 0, 0, 0, 0, east),
		"2026-12-31T16:00:00.010Z": time.Date(2027, 1, 1, 0, 0, 0, 10_000_000, east),
		"2027-01-01T00:00:00.999Z": time.Date(2027, 1, 1, 0, 0, 0, 999_999_999, time.UTC),
		"0001-01-01T00:00:00Z":     {},
	} {
		if got := access.FormatExpiry(instant); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestExpiriesAreComparedAsInstants(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		a, b string
		want bool
	}{
		"none":                        {"", "", true},
		"none and one":                {"", "2027-01-01T00:00:00Z", false},
		"same text":                   {"2027-01-01T00:00:00Z", "2027-01-01T00:00:00Z", true},
		"zeros after the fraction":    {"2027-01-01T00:00:00.100Z", "2027-01-01T00:00:00.1Z", true},
		"other zone":                  {"2027-01-01T00:00:00+08:00", "2026-12-31T16:00:00Z", true},
		"end of day":                  {"2027-01-01T24:00:00Z", "2027-01-02T00:00:00Z", true},
		"case":                        {"2027-01-01t00:00:00z", "2027-01-01T00:00:00Z", true},
		"a millisecond later":         {"2027-01-01T00:00:00.001Z", "2027-01-01T00:00:00Z", false},
		"same unreadable text":        {"soon", "soon", true},
		"different unreadable texts":  {"soon", "later", false},
		"unreadable and readable":     {"soon", "2027-01-01T00:00:00Z", false},
		"unreadable and none":         {"soon", "", false},
		"same text, too fine to read": {"2027-01-01T00:00:00.123456Z", "2027-01-01T00:00:00.123456Z", true},
		"too fine to read":            {"2027-01-01T00:00:00.123456Z", "2027-01-01T00:00:00.1234560Z", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := access.SameExpiry(test.a, test.b); got != test.want {
				t.Errorf("a to b: got %t, want %t", got, test.want)
			}
			if got := access.SameExpiry(test.b, test.a); got != test.want {
				t.Errorf("b to a: got %t, want %t", got, test.want)
			}
		})
	}
}

func TestAnExpiryIsAnExclusiveBound(t *testing.T) {
	t.Parallel()
	at := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	tests := map[string]struct {
		expiry string
		now    time.Time
		want   bool
	}{
		"before":                 {"2027-01-01T00:00:00Z", at.Add(-time.Nanosecond), false},
		"at the instant":         {"2027-01-01T00:00:00Z", at, true},
		"after":                  {"2027-01-01T00:00:00Z", at.Add(time.Nanosecond), true},
		"at it, in another zone": {"2027-01-01T08:00:00+08:00", at.In(time.FixedZone("", -3600)), true},
		"none never passes":      {"", at, false},
		"unreadable never does":  {"soon", at, false},
		"before year 0":          {"-0001-01-01T00:00:00Z", at, true},
		"far future":             {"+999999999-01-01T00:00:00Z", at, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := access.Expired(test.expiry, test.now); got != test.want {
				t.Errorf("got %t, want %t", got, test.want)
			}
		})
	}
}

func FuzzExpiry(f *testing.F) {
	for _, text := range []string{
		"2027-01-01T00:00:00Z", "2027-01-01T00:00:00.123000+18:00", "2027-01-01t24:00:00.z", "2028-02-29T23:59:60-00:30",
		"0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59.999-18:00", "+1000000000-12-31T23:59:59Z", "-0001-01-01T00:00:00+08:00:30", "",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		listed, err := access.ParseListedExpiry(text)
		written, errWritten := access.ParseWrittenExpiry(text)
		if (len(access.CheckExpiry(text)) == 0) != (text == "" || errWritten == nil) {
			t.Errorf("CheckExpiry and ParseWrittenExpiry (%v) disagree on %q", errWritten, text)
		}
		if errWritten == nil && (err != nil || !written.Equal(listed)) {
			t.Errorf("%q may be written as %v and is listed as %v, %v", text, written, listed, err)
		}
		if err != nil {
			return
		}
		sent := access.FormatExpiry(listed)
		if !access.SameExpiry(text, sent) {
			t.Errorf("%q is sent as %s, which is another instant", text, sent)
		}
		again, err := access.ParseWrittenExpiry(sent)
		if writable := listed.Year() >= 1 && listed.Year() <= 9999; (err == nil) != writable {
			t.Errorf("%q is sent as %s: %v", text, sent, err)
		}
		if err == nil && access.FormatExpiry(again) != sent {
			t.Errorf("%q is sent as %s and then as %s", text, sent, access.FormatExpiry(again))
		}
	})
}
