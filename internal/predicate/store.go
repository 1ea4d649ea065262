package predicate

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

// StorePredicate is what the reference server with the newest profile does to
// a row filter: it parses as Jackson does, resolves columns by name, and
// returns the canonical text it stores. The error is its refusal of the
// policy, a [*FindingError].
func StorePredicate(text string, fields []datatype.Field) (string, error) {
	p, findings := ParsePredicate(text)
	if err := findings.ServerErr(); err != nil {
		return "", err
	}
	bound, findings := p.Bind(fields)
	if err := findings.ServerErr(); err != nil {
		return "", err
	}
	return bound.Canonical(), nil
}

// StoreTransform is what the reference server does to a column mask, see
// [StorePredicate]. The mask must give the type of onColumn.
func StoreTransform(text string, fields []datatype.Field, onColumn string) (string, error) {
	t, findings := ParseTransform(text)
	if err := findings.ServerErr(); err != nil {
		return "", err
	}
	bound, findings := t.Bind(fields, onColumn)
	if err := findings.ServerErr(); err != nil {
		return "", err
	}
	return bound.Canonical(), nil
}

// storedAs is what the server writes for a literal that was decoded with a
// declared type of another family than the column's. The server keeps the Java
// object and hands it to the writer of the column's type, which takes a text
// of anything, writes what Jackson makes of the object for scalars, and fails
// for the other types. False also stands for the combinations that were never
// observed.
func storedAs(v datatype.Value, column datatype.Type) (datatype.Value, bool) {
	if v == (datatype.Null{}) {
		return v, true
	}
	switch column.Kind {
	case datatype.KindChar, datatype.KindVarchar:
		return javaText(v)
	case datatype.KindBoolean, datatype.KindTinyInt, datatype.KindSmallInt, datatype.KindInt, datatype.KindBigInt,
		datatype.KindFloat, datatype.KindDouble:
		return javaObject(v)
	case datatype.KindDate:
		return dateArray(v)
	case datatype.KindTimestamp:
		m, ok := v.(datatype.Instant)
		return datatype.Timestamp(m), ok
	case datatype.KindTimestampLTZ:
		m, ok := v.(datatype.Timestamp)
		return datatype.Instant(m), ok
	case datatype.KindDecimal:
		_, ok := v.(datatype.Decimal)
		return v, ok
	default:
		return nil, false
	}
}

// javaText is the toString of the object behind a literal.
func javaText(v datatype.Value) (datatype.Value, bool) {
	switch v := v.(type) {
	case datatype.Bool, datatype.Int, datatype.Float, datatype.Double:
		// Only an infinite number is quoted in JSON.
		return datatype.Text(strings.Trim(string(v.AppendJSON(nil)), `"`)), true
	case datatype.Date:
		return datatype.Text(strconv.Itoa(int(v))), true
	case datatype.Time:
		return datatype.Text(strconv.Itoa(int(v))), true
	case datatype.Decimal:
		return datatype.Text(v.Number.Text('f')), true
	default:
		return nil, false
	}
}

// javaObject is what Jackson writes for the object behind a literal: dates and
// times are integers inside, and a text is dumped as the memory it lies in,
// which no reader can parse again.
func javaObject(v datatype.Value) (datatype.Value, bool) {
	switch v := v.(type) {
	case datatype.Bool, datatype.Int, datatype.Float, datatype.Double, datatype.Verbatim:
		return v, true
	case datatype.Date:
		return datatype.Int(v), true
	case datatype.Time:
		return datatype.Int(v), true
	case datatype.Text:
		memory := base64.StdEncoding.EncodeToString([]byte(v))
		return datatype.Verbatim(fmt.Sprintf(
			`{"segments":[{"heapMemory":"%s","array":"%s","offHeap":false}],"offset":0,"sizeInBytes":%d}`,
			memory, memory, len(v))), true
	default:
		return nil, false
	}
}

// dateArray is the one form seen of a DATE that was declared an integer, from
// a server before apache/paimon#9640.
func dateArray(v datatype.Value) (datatype.Value, bool) {
	days, ok := v.(datatype.Int)
	if !ok || days < math.MinInt32 || days > math.MaxInt32 {
		return nil, false
	}
	t := time.Unix(int64(days)*24*60*60, 0).UTC()
	return datatype.Verbatim(fmt.Sprintf("[%d,%d,%d]", t.Year(), t.Month(), t.Day())), true
}
