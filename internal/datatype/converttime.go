package datatype

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	millisPerSecond = 1000
	millisPerDay    = secondsPerDay * millisPerSecond
)

func convertDate(d Date, to Type) Value {
	start := Moment{Seconds: int64(d) * secondsPerDay}
	switch to.Kind {
	case KindTimestamp:
		return Timestamp(start)
	case KindTimestampLTZ:
		return Instant(start)
	default:
		return Text(d.String())
	}
}

func convertTime(t Time, from, to Type) Value {
	on1970 := momentOfMillis(int64(t))
	switch to.Kind {
	case KindTimestamp:
		return Timestamp(on1970)
	case KindTimestampLTZ:
		return Instant(on1970)
	default:
		return Text(timeText(t, from.Precision))
	}
}

// timeText has at least one fraction digit, unless the type has none.
func timeText(t Time, precision int) string {
	m := momentOfMillis(int64(t))
	text := m.utc().Format("15:04:05")
	if precision == 0 {
		return text
	}
	digits := strings.TrimRight(m.utc().Format(".000"), "0")
	return text + (digits + "0")[:min(max(len(digits), len(".0")), precision+1)]
}

func convertMoment(m Moment, from, to Type) Value {
	switch to.Kind {
	case KindInt, KindBigInt:
		return narrow(m.millis()/millisPerSecond, to)
	case KindDate:
		return momentDate(m, from)
	case KindTime:
		return Time((m.millis()%millisPerDay + millisPerDay) % millisPerDay)
	case KindTimestamp:
		return Timestamp(m.truncate(from.Precision, to.Precision))
	case KindTimestampLTZ:
		return Instant(m.truncate(from.Precision, to.Precision))
	default:
		return Text(momentText(m, from.Precision))
	}
}

// momentDate takes a TIMESTAMP before 1970 to the day after, unless it is
// midnight: Java 2.0.0 divides towards zero there, newer ones do not.
func momentDate(m Moment, from Type) Value {
	if from.Kind == KindTimestamp {
		return Date(m.millis() / millisPerDay) //nolint:gosec // Years fit, and Java narrows too.
	}
	return dateOf(m.utc())
}

// momentText has as many fraction digits as the type, or more if they are not
// zero.
func momentText(m Moment, precision int) string {
	text := m.utc().Format("2006-01-02 15:04:05.000000000")
	shortest := len(text) - maxFractionDigits + precision
	for len(text) > shortest && strings.HasSuffix(text, "0") {
		text = text[:len(text)-1]
	}
	return strings.TrimSuffix(text, ".")
}

func (m Moment) millis() int64 { return m.Seconds*millisPerSecond + int64(m.Nanos)/1e6 }

func momentOfMillis(millis int64) Moment {
	t := time.UnixMilli(millis)
	return newMoment(t.Unix(), t.Nanosecond())
}

func newMoment(seconds int64, nanos int) Moment {
	return Moment{Seconds: seconds, Nanos: int32(nanos)} //nolint:gosec // Nanoseconds of one second.
}

// truncate drops fraction digits that the target has not. Java cuts whole
// milliseconds towards zero, so moments before 1970 move forward.
func (m Moment) truncate(from, to int) Moment {
	lost := m.Nanos % powerOfTen(maxFractionDigits-to)
	switch {
	case from <= to || lost == 0:
		return m
	case to > 3:
		m.Nanos -= lost
		return m
	default:
		millis := m.millis()
		return momentOfMillis(millis - millis%int64(powerOfTen(3-to)))
	}
}

// powerOfTen is 10 to the power of at most nine.
func powerOfTen(n int) int32 {
	power := int32(1)
	for range n {
		power *= 10
	}
	return power
}

var countText = regexp.MustCompile(`^-?\d+$`)

// readDate takes the days since 1970, or a date whose parts may be short or
// missing from the end, up to the first blank.
func readDate(text string, _ Type) (Value, bool) {
	if countText.MatchString(text) {
		days, err := strconv.ParseInt(text, 10, 32)
		return Date(days), err == nil
	}
	if i := strings.IndexByte(text, ' '); i > 0 {
		text = text[:i]
	}
	parts := []int{0, 1, 1}
	for i, part := range strings.SplitN(text, "-", len(parts)) {
		n, ok := readPart(part)
		if !ok {
			return nil, false
		}
		parts[i] = int(n)
	}
	return dateFromParts(parts)
}

// readPart reads digits that blanks may surround.
func readPart(text string) (int32, bool) {
	n, err := strconv.ParseUint(trimJava(text), 10, 31)
	return int32(n), err == nil
}

// readTime takes the milliseconds of the day, or a clock with an offset that
// is added. Parts are not checked against 24 and 60.
func readTime(text string, _ Type) (Value, bool) {
	if countText.MatchString(text) {
		millis, err := strconv.ParseInt(text, 10, 32)
		return Time(millis), err == nil
	}
	clock, offset, sign := text, "0", int32(1)
	if before, after, found := strings.Cut(text, "-"); found {
		clock, offset, sign = before, after, -1
	} else if before, after, found := strings.Cut(text, "+"); found {
		clock, offset = before, after
	}
	parts := strings.SplitN(clock, ":", 3)
	offsetHour, offsetMinute, minutes := strings.Cut(offset, ":")
	if !minutes {
		offsetMinute = "0"
	} else if len(parts) < 3 {
		return nil, false // Java takes the offset's colon for one of the clock.
	}
	var millis int32
	if len(parts) == 3 {
		var fraction string
		parts[2], fraction, _ = strings.Cut(parts[2], ".")
		millis = readMillis(trimJava(fraction))
	}
	for i, part := range parts {
		n, ok := readPart(part)
		if !ok {
			return nil, false
		}
		millis += n * []int32{3600000, 60000, 1000}[i]
	}
	hours, hoursOK := readPart(offsetHour)
	more, moreOK := readPart(offsetMinute)
	return Time(millis + sign*(hours*3600000+more*60000)), hoursOK && moreOK
}

// readMillis rounds at the fourth digit. What is no digit counts as zero.
func readMillis(fraction string) int32 {
	var millis int32
	weight := int32(100)
	for _, c := range fraction {
		if weight == 0 {
			if c >= '5' {
				millis++
			}
			break
		}
		if '0' <= c && c <= '9' {
			millis += weight * (c - '0')
		}
		weight /= 10
	}
	return millis
}

// readTimestamp takes a count since 1970 in the unit of the precision, or a
// date with or without a time.
func readTimestamp(text string, to Type) (Value, bool) {
	if !countText.MatchString(text) {
		m, ok := readDateTime(text, to.Precision)
		return Timestamp(m), ok
	}
	count, err := strconv.ParseInt(text, 10, 64)
	if err != nil || to.Precision%3 != 0 {
		return nil, false
	}
	unit := int64(powerOfTen(to.Precision))
	part := (count%unit + unit) % unit
	return Timestamp(newMoment((count-part)/unit, int(part)*int(powerOfTen(maxFractionDigits-to.Precision)))), true
}

func readInstant(text string, to Type) (Value, bool) {
	m, ok := readDateTime(text, to.Precision)
	return Instant(m), ok
}

// Every part but the year may be empty, which is its least value. A time after
// a T is for readers newer than Java 2.0.0.
var dateTimeText = regexp.MustCompile(
	`^(\d{4})-(\d{0,2})-(\d{0,2})(?: (\d{0,2}):(\d{0,2}):(\d{0,2})(?:\.(\d{0,9}))?)?$`)

func readDateTime(text string, precision int) (Moment, bool) {
	parts := dateTimeText.FindStringSubmatch(text)
	if parts == nil {
		return Moment{}, false
	}
	var (
		least = [...]int{1, 1, 1, 0, 0, 0}
		most  = [...]int{9999, 12, 31, 24, 59, 59}
		n     [len(least)]int
	)
	for i, part := range parts[1 : 1+len(least)] {
		n[i] = least[i]
		if part != "" {
			n[i], _ = strconv.Atoi(part) // At most four digits.
		}
		if n[i] < least[i] || n[i] > most[i] {
			return Moment{}, false
		}
	}
	nanos, _ := strconv.Atoi((parts[7] + "000000000")[:maxFractionDigits])
	if n[3] == 24 && (n[4] != 0 || n[5] != 0 || nanos != 0) {
		return Moment{}, false
	}
	nanos -= nanos % int(powerOfTen(maxFractionDigits-precision))
	// A day that the month has not is its last day; 24:00:00 is the next day.
	lastDay := time.Date(n[0], time.Month(n[1])+1, 0, 0, 0, 0, 0, time.UTC).Day()
	t := time.Date(n[0], time.Month(n[1]), min(n[2], lastDay), n[3], n[4], n[5], 0, time.UTC)
	return newMoment(t.Unix(), nanos), true
}
