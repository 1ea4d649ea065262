package access

import (
	"errors"
	"regexp"
	"strconv"
	"time"
)

// expiryForm is the shape shared by everything that is written and listed as an expiry.
//
//	1 year  2 month  3 day  4 hour  5 minute  6 second  7 ".fraction"  8 fraction  9 zone
var expiryForm = regexp.MustCompile(`^([+-]?\d{4,10})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.(\d{0,9}))?([Zz]|[+-]\d\d:\d\d(:\d\d)?)$`)

var (
	errExpiryForm      = errors.New("not a time of the form 2027-01-31T08:00:00Z or 2027-01-31T08:00:00.250+02:00")
	errExpiryValue     = errors.New("a date, time or offset that does not exist")
	errExpiryPrecision = errors.New("finer than milliseconds")
	errExpiryYear      = errors.New("outside the years 0001 to 9999 in UTC")
)

// lastInstantYear is the last year of java.time.Instant, and, negative, the first.
const lastInstantYear = 1_000_000_000

// writtenExpiry is the stricter form of what users write: RFC 3339 with T, and Z or an offset.
var writtenExpiry = regexp.MustCompile(`^\d{4}-\d\d-\d\dT(\d\d):\d\d:(\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$`)

// ParseWrittenExpiry reads an expiry as users may write it: RFC 3339 with "T", and "Z" or an offset up to ±18:00, up to
// nine fraction digits that make whole milliseconds, in the years 0001 to 9999.
func ParseWrittenExpiry(text string) (time.Time, error) {
	m := writtenExpiry.FindStringSubmatch(text)
	if m == nil {
		return time.Time{}, errExpiryForm
	}
	if hour, second := m[1], m[2]; hour == "24" || second == "60" {
		return time.Time{}, errExpiryValue // listed, they are other instants than they look like
	}
	instant, err := ParseListedExpiry(text)
	if err != nil {
		return time.Time{}, err
	}
	if year := instant.Year(); year < 1 || year > 9999 {
		return time.Time{}, errExpiryYear
	}
	return instant, nil
}

// ParseListedExpiry reads an expiry as servers may list it: what java.time.Instant.parse takes on any JDK, offsets
// included, as long as it is whole milliseconds. 24:00:00 is the next midnight, and a leap second counts as :59.
func ParseListedExpiry(text string) (time.Time, error) {
	m := expiryForm.FindStringSubmatch(text)
	if m == nil {
		return time.Time{}, errExpiryForm
	}
	year, ok := expiryYear(m[1])
	number := func(i int) int {
		n, _ := strconv.Atoi(m[i]) // two digits
		return n
	}
	month, day, hour, minute, second := number(2), number(3), number(4), number(5), number(6)
	nanos := fractionNanos(m[8])
	if hour == 23 && minute == 59 && second == 60 {
		second = 59
	}
	endOfDay := hour == 24 && minute == 0 && second == 0 && nanos == 0
	if !ok || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || (hour > 23 && !endOfDay) || minute > 59 || second > 59 {
		return time.Time{}, errExpiryValue
	}
	offset, ok := zoneOffset(m[9])
	if !ok {
		return time.Time{}, errExpiryValue
	}
	instant := time.Date(year, time.Month(month), day, hour, minute, second, nanos, time.UTC).Add(-offset)
	if y := instant.Year(); y < -lastInstantYear || y > lastInstantYear {
		return time.Time{}, errExpiryValue
	}
	if nanos%int(time.Millisecond) != 0 {
		return time.Time{}, errExpiryPrecision
	}
	return instant, nil
}

// expiryYear reads a year as java.time does: four digits need no sign, "+" stands before more than four, and there is
// no negative zero.
func expiryYear(text string) (int, bool) {
	year, err := strconv.Atoi(text)
	if err != nil { // ten digits may be too many for an int of 32 bits
		return 0, false
	}
	switch text[0] {
	case '+':
		return year, len(text) > len("+9999")
	case '-':
		return year, year != 0
	default:
		return year, len(text) == len("9999")
	}
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

func fractionNanos(digits string) int {
	n, _ := strconv.Atoi((digits + "000000000")[:9])
	return n
}

// zoneOffset reads Z or an offset, which may have seconds. java.time knows offsets up to 18 hours.
func zoneOffset(zone string) (time.Duration, bool) {
	if zone == "Z" || zone == "z" {
		return 0, true
	}
	hours, _ := strconv.Atoi(zone[1:3])
	minutes, _ := strconv.Atoi(zone[4:6])
	seconds := 0
	if len(zone) > len("+00:00") {
		seconds, _ = strconv.Atoi(zone[7:9])
	}
	offset := time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute + time.Duration(seconds)*time.Second
	if zone[0] == '-' {
		offset = -offset
	}
	return offset, minutes < 60 && seconds < 60 && offset.Abs() <= 18*time.Hour
}

// FormatExpiry writes an instant in the one form that every server takes: UTC with Z, and three fraction digits or
// none.
func FormatExpiry(instant time.Time) string {
	instant = instant.UTC()
	layout := "2006-01-02T15:04:05Z"
	if instant.Nanosecond() != 0 {
		layout = "2006-01-02T15:04:05.000Z"
	}
	text := instant.Format(layout)
	if instant.Year() > 9999 {
		text = "+" + text // without it java.time does not read a year of more than four digits
	}
	return text
}

// SameExpiry compares two expiries as instants; empty means none. A text that cannot be read equals only itself.
func SameExpiry(a, b string) bool {
	if a == b {
		return true
	}
	left, errLeft := ParseListedExpiry(a)
	right, errRight := ParseListedExpiry(b)
	return errLeft == nil && errRight == nil && left.Equal(right)
}

// Expired says whether an expiry has passed at now. The expiry is an exclusive bound: at that instant the grant
// already gives nothing. An expiry that is empty or cannot be read never passes.
func Expired(expiry string, now time.Time) bool {
	instant, err := ParseListedExpiry(expiry)
	return err == nil && !now.Before(instant)
}

// CheckExpiry reports an expiry that ParseWrittenExpiry refuses; empty is none, and good.
func CheckExpiry(expiry string) Problems {
	if expiry == "" {
		return nil
	}
	if _, err := ParseWrittenExpiry(expiry); err != nil {
		return Problems{{
			Attribute: "expire_time",
			Text:      quote(expiry) + " is " + err.Error() + ".",
			Remedy:    "Write an RFC 3339 time with a zone and at most milliseconds, such as 2027-01-31T00:00:00Z.",
		}}
	}
	return nil
}
