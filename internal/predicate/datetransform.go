package predicate

import (
	"math"
	"strings"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

const secondsPerDay = 24 * 60 * 60

// ofTime is a part of a DATE, which is midnight, or of a TIMESTAMP.
func ofTime(part func(time.Time) int) computation {
	return func(t Transform, row Row) (datatype.Value, error) {
		v, err := fieldValue(t, row)
		if err != nil {
			return nil, err
		}
		switch v := v.(type) {
		case datatype.Null:
			return v, nil
		case datatype.Date:
			return datatype.Int(part(midnight(v))), nil
		case datatype.Timestamp:
			return datatype.Int(part(time.Unix(v.Seconds, int64(v.Nanos)).UTC())), nil
		default:
			return nil, &ReaderError{t.Name + " needs a DATE or a TIMESTAMP"}
		}
	}
}

func midnight(d datatype.Date) time.Time { return time.Unix(int64(d)*secondsPerDay, 0).UTC() }

func month(t time.Time) int        { return int(t.Month()) }
func quarter(t time.Time) int      { return (month(t) + 2) / 3 }
func dayOfWeek(t time.Time) int    { return int(t.Weekday()) + 1 }       // from Sunday, 1
func weekday(t time.Time) int      { return (int(t.Weekday()) + 6) % 7 } // from Monday, 0
func isoDayOfWeek(t time.Time) int { return weekday(t) + 1 }             // from Monday, 1

func week(t time.Time) int {
	_, week := t.ISOWeek()
	return week
}

func yearOfWeek(t time.Time) int {
	year, _ := t.ISOWeek()
	return year
}

// dateAdd and dateDiff wrap at 32 bits, as Java's integers do.
func dateAdd(in *inputs) datatype.Value { return in.date(0) + datatype.Date(in.integer(1)) }

func dateDiff(in *inputs) datatype.Value { return datatype.Int(in.date(0) - in.date(1)) }

// dateStarts are the formats of DATE_TRUNC, with the first day of the period
// around a day.
var dateStarts = map[string]func(time.Time) time.Time{
	"WEEK":    startOfWeek,
	"MON":     startOfMonth,
	"MONTH":   startOfMonth,
	"MM":      startOfMonth,
	"QUARTER": startOfQuarter,
	"YEAR":    startOfYear,
	"YYYY":    startOfYear,
	"YY":      startOfYear,
}

func startOfWeek(t time.Time) time.Time  { return t.AddDate(0, 0, -weekday(t)) }
func startOfMonth(t time.Time) time.Time { return t.AddDate(0, 0, 1-t.Day()) }
func startOfYear(t time.Time) time.Time  { return t.AddDate(0, 0, 1-t.YearDay()) }

func startOfQuarter(t time.Time) time.Time {
	return startOfMonth(t).AddDate(0, -((month(t) - 1) % 3), 0)
}

// dateTrunc is null for a format that it does not know.
func dateTrunc(in *inputs) datatype.Value {
	start, ok := dateStarts[strings.ToUpper(in.text(1))]
	if !ok {
		return datatype.Null{}
	}
	days := start(midnight(in.date(0))).Unix() / secondsPerDay
	if days < math.MinInt32 {
		in.failf("the date is out of range")
	}
	return datatype.Date(days) //nolint:gosec // Checked, and truncating makes nothing larger.
}
