package sqltext_test

import (
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate/sqltext"
)

// allFields are the fields of all tables of the vectors, as one table.
func allFields(tb testing.TB) []datatype.Field {
	tb.Helper()
	tables, _ := readVectors(tb)
	var fields []datatype.Field
	seen := make(map[string]bool)
	for _, name := range []string{"ORD", "TYP", "CUS"} {
		for _, f := range tables[name] {
			if !seen[f.Name] {
				seen[f.Name] = true
				fields = append(fields, f)
			}
		}
	}
	return fields
}

// TestPredicatesCompile compares what texts compile to with the text that
// people read.
func TestPredicatesCompile(t *testing.T) {
	tests := []struct{ sql, want string }{
		// Spelling.
		{"qty=1", "qty = 1"},
		{"qty != 1 and region is not null", "qty <> 1 AND region IS NOT NULL"},
		{"upper(region) Like 'A%'", "UPPER(region) LIKE 'A%'"},
		{"`region` = E'it\\'s\\u0041'", "region = 'it''sA'"},
		{"qty\n\t= 1", "qty = 1"},
		{"`select` = 'a' AND `a.b` = 'b'", "`select` = 'a' AND `a.b` = 'b'"},
		// Sides.
		{"5 < qty", "qty > 5"},
		{"5 >= qty AND TRUE = paid", "qty <= 5 AND paid = TRUE"},
		{"DATE '2026-01-15' <> created", "created <> DATE '2026-01-15'"},
		{"'A' = UPPER('a')", "UPPER('a') = 'A'"},
		// Literals take the type of the operand.
		{"score = 100", "score = 100.0"},
		{"score = -0", "score = 0.0"},
		{"amount = 1.5", "amount = 1.50"},
		{"amount = 15e-1", "amount = 1.50"},
		{"order_id = 9007199254740993", "order_id = 9007199254740993"},
		{"created >= '2026-01-15'", "created >= DATE '2026-01-15'"},
		{"tm = '12:34'", "tm = TIME '12:34:00'"},
		{"ts = '2026-01-15T12:34:56.7'", "ts = TIMESTAMP '2026-01-15 12:34:56.700'"},
		{"ltz < TIMESTAMP_LTZ '2026-01-15 04:34:56Z'", "ltz < TIMESTAMP_LTZ '2026-01-15T04:34:56Z'"},
		{"ARRAY_CONTAINS(days, '2026-01-15')", "ARRAY_CONTAINS(days, DATE '2026-01-15')"},
		{"region IN ('a', NULL)", "region IN ('a', NULL)"},
		// Trees.
		{"qty = 1 AND qty = 2 AND qty = 3", "qty = 1 AND qty = 2 AND qty = 3"},
		{"qty = 1 AND (qty = 2 AND qty = 3)", "qty = 1 AND (qty = 2 AND qty = 3)"},
		{"(qty = 1 AND qty = 2) OR qty = 3", "qty = 1 AND qty = 2 OR qty = 3"},
		{"qty = 1 OR qty = 2 AND qty = 3", "qty = 1 OR qty = 2 AND qty = 3"},
		{"(((qty = 1)))", "qty = 1"},
		{"TRUE AND FALSE(region)", "TRUE AND FALSE(region)"},
		// NOT.
		{"NOT qty = 1", "qty <> 1"},
		{"NOT (NOT qty = 1)", "qty = 1"},
		{"NOT qty < 1 AND NOT qty <= 2", "qty >= 1 AND qty > 2"},
		{"NOT (qty = 1 OR region IS NULL) AND paid = TRUE", "(qty <> 1 AND region IS NOT NULL) AND paid = TRUE"},
		{"NOT (qty IN (1) AND NOT (region LIKE 'a' OR TRUE))", "qty NOT IN (1) OR (region LIKE 'a' OR TRUE)"},
		{"NOT 5 < qty", "qty <= 5"},
		{"NOT TRUE(region)", "FALSE(region)"},
		{"NOT qty NOT BETWEEN 1 AND 2", "qty BETWEEN 1 AND 2"},
		// Operands.
		{"addr.geo.lat > 1", "addr.geo.lat > 1.0"},
		{"`addr`.`city` = 'a'", "addr.city = 'a'"},
		{"TRIM(region) = 'a'", "TRIM(BOTH FROM region) = 'a'"},
		{"trim('x' FROM region) = 'a'", "TRIM(BOTH 'x' FROM region) = 'a'"},
		{"CAST(qty AS varchar ( 20 ) not null) = 'a'", "CAST(qty AS VARCHAR(20) NOT NULL) = 'a'"},
		{
			`CAST(region AS {"type":"ARRAY","element":"INT"}) IS NULL`,
			`CAST(region AS {"type":"ARRAY","element":"INT"}) IS NULL`,
		},
		{"rpad(region, 3, NULL) = 'a'", "RPAD(region, 3, NULL) = 'a'"},
		{"SUBSTRING(region, -0) = 'a'", "SUBSTRING(region, 0) = 'a'"},
	}
	fields := allFields(t)
	for _, tt := range tests {
		p, err := sqltext.ParsePredicate(tt.sql, fields)
		if err != nil {
			t.Errorf("%s: %v", tt.sql, err)
			continue
		}
		if got := sqltext.Predicate(p); got != tt.want {
			t.Errorf("%s\ncompiles to %s\nwant        %s", tt.sql, got, tt.want)
		}
		checkStrict(t, p, fields)
	}
}

// TestColumnsComeFromTheTable reads what no rendering shows.
func TestColumnsComeFromTheTable(t *testing.T) {
	p, err := sqltext.ParsePredicate("note IS NULL", allFields(t))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"kind":"LEAF","transform":{"name":"FIELD_REF","fieldRef":{"index":12,"name":"note","type":"VARCHAR(20)"}},` +
		`"function":"IS_NULL","literals":[]}`
	if got := p.Canonical(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestReservedWords has a column of every reserved word.
func TestReservedWords(t *testing.T) {
	const words = "AND ARRAY AS BETWEEN BOTH CAST DATE E FALSE FOR FROM IN IS LEADING LIKE NOT NULL OR PLACING SELECT TIME " +
		"TIMESTAMP TIMESTAMP_LTZ TRAILING TRUE"
	for word := range strings.FieldsSeq(words + " UPPER OVERLAY LPAD STARTS_WITH") {
		for _, name := range []string{word, strings.ToLower(word)} {
			fields := []datatype.Field{{Name: name, Type: datatype.String()}}
			p, err := sqltext.ParsePredicate("TRIM(`"+name+"` FROM `"+name+"`) LIKE 'a' AND `"+name+"` = 'a'", fields)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			checkPredicate(t, p, fields)
		}
	}
}
