package datatype

import (
	"math"
	"strconv"
	"strings"
	"time"
)

const secondsPerDay = 24 * 60 * 60

// String is the ISO date, "2026-01-15".
func (v Date) String() string {
	return time.Unix(int64(v)*secondsPerDay, 0).UTC().Format(time.DateOnly)
}

// String is the ISO time of day, "12:34:56" or "12:34:56.789".
func (v Time) String() string {
	m := Moment{Seconds: int64(v / 1000), Nanos: int32(v % 1000 * 1e6)}
	return m.utc().Format("15:04:05") + fraction(m.Nanos)
}

// String is the ISO date and time, "2026-01-15T12:34:56".
func (v Timestamp) String() string { return Moment(v).String() }

// String is the ISO instant in UTC, "2026-01-15T12:34:56Z".
func (v Instant) String() string { return Moment(v).String() + "Z" }

// String is the ISO date and time, with as many groups of three fraction
// digits as are needed.
func (m Moment) String() string { return m.utc().Format("2006-01-02T15:04:05") + fraction(m.Nanos) }

func (m Moment) utc() time.Time { return time.Unix(m.Seconds, int64(m.Nanos)).UTC() }

func fraction(nanos int32) string {
	if nanos == 0 {
		return ""
	}
	digits := strconv.Itoa(1e9 + int(nanos))[1:]
	for strings.HasSuffix(digits, "000") {
		digits = digits[:len(digits)-3]
	}
	return "." + digits
}

// parseDate reads YYYY-MM-DD.
func parseDate(text string) (Date, bool) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return 0, false
	}
	return dateOf(t), true
}

func dateOf(t time.Time) Date {
	return Date(math.Floor(float64(t.Unix()) / secondsPerDay))
}

// parseClock reads HH:MM, HH:MM:SS or HH:MM:SS.fffffffff as the time since
// midnight.
func parseClock(text string) (time.Duration, bool) {
	whole, digits, hasFraction := strings.Cut(text, ".")
	layout := "15:04:05"
	if len(whole) == len("15:04") && !hasFraction {
		layout = "15:04"
	}
	t, err := time.Parse(layout, whole)
	if err != nil || len(whole) != len(layout) {
		return 0, false
	}
	clock := t.Sub(t.Truncate(24 * time.Hour))
	if !hasFraction {
		return clock, true
	}
	if len(digits) == 0 || len(digits) > maxFractionDigits || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	nanos, err := strconv.Atoi((digits + "000000000")[:maxFractionDigits])
	return clock + time.Duration(nanos), err == nil
}

// parseMoment reads YYYY-MM-DDTHH:MM[:SS[.fffffffff]].
func parseMoment(text string) (Moment, bool) {
	day, clock, ok := strings.Cut(text, "T")
	date, dateOK := parseDate(day)
	sinceMidnight, clockOK := parseClock(clock)
	if !ok || !dateOK || !clockOK {
		return Moment{}, false
	}
	return momentOf(date, sinceMidnight), true
}

func momentOf(date Date, clock time.Duration) Moment {
	return Moment{
		Seconds: int64(date)*secondsPerDay + int64(clock/time.Second),
		Nanos:   int32(clock % time.Second),
	}
}

// dateFromParts reads [year, month, day], which servers wrote before
// apache/paimon#9640.
func dateFromParts(parts []int) (Date, bool) {
	if len(parts) != 3 {
		return 0, false
	}
	t := time.Date(parts[0], time.Month(parts[1]), parts[2], 0, 0, 0, 0, time.UTC)
	ok := t.Year() == parts[0] && int(t.Month()) == parts[1] && t.Day() == parts[2] && inYears(parts[0])
	return dateOf(t), ok
}

func inYears(year int) bool { return year >= 0 && year <= 9999 }

// clockFromParts reads [hour, minute], [hour, minute, second] or [hour,
// minute, second, nanosecond], which servers wrote before apache/paimon#9640.
func clockFromParts(parts []int) (time.Duration, bool) {
	limits := []int{24, 60, 60, 1e9}
	units := []time.Duration{time.Hour, time.Minute, time.Second, time.Nanosecond}
	if len(parts) < 2 || len(parts) > len(limits) {
		return 0, false
	}
	var clock time.Duration
	for i, part := range parts {
		if part < 0 || part >= limits[i] {
			return 0, false
		}
		clock += time.Duration(part) * units[i]
	}
	return clock, true
}

// momentFromParts reads a date and a time of day in one array.
func momentFromParts(parts []int) (Moment, bool) {
	if len(parts) < 3 {
		return Moment{}, false
	}
	date, dateOK := dateFromParts(parts[:3])
	clock, clockOK := clockFromParts(parts[3:])
	return momentOf(date, clock), dateOK && clockOK
}
