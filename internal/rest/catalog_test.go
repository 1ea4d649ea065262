package rest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/datatype"
)

func TestATableIsRead(t *testing.T) {
	t.Parallel()
	s := newServer(t, says(200, `{"id":"u","name":"t","schemaId":3,"owner":"o","schema":{"fields":[
		{"id":0,"name":"id","type":"BIGINT NOT NULL"},
		{"id":4,"name":"name","type":"VARCHAR(2147483647)","description":"who","defaultValue":"x"},
		{"id":5,"name":"tags","type":{"type":"ARRAY NOT NULL","element":"INTEGER"}},
		{"id":6,"name":"new","type":"QUATERNION(3) NOT NULL"},
		{"id":7,"name":"nested","type":{"type":"GRAPH", "node": "INT"}},
		{"id":8,"name":"none"}],
		"partitionKeys":["dt"],"primaryKeys":["id","dt"],"options":{"query-auth.enabled":"true"},"comment":"all orders"}}`))
	table, err := s.client(t).Table(t.Context(), "d b", "t/1")
	if err != nil {
		t.Fatal(err)
	}
	if got := s.seen()[0].target; got != "/v1/p/databases/d%20b/tables/t%2F1" {
		t.Errorf("asked for %s", got)
	}
	want := []struct {
		name, text string
		kind       datatype.Kind
	}{
		{"id", "BIGINT NOT NULL", datatype.KindBigInt},
		{"name", "STRING", datatype.KindVarchar},
		{"tags", `{"type":"ARRAY NOT NULL","element":"INT"}`, datatype.KindArray},
		{"new", "QUATERNION(3) NOT NULL", datatype.KindNone},
		{"nested", `{"type":"GRAPH","node":"INT"}`, datatype.KindNone},
		{"none", "", datatype.KindNone},
	}
	if len(table.Columns) != len(want) {
		t.Fatalf("got %+v", table.Columns)
	}
	for i, w := range want {
		if got := table.Columns[i]; got.Name != w.name || got.TypeText != w.text || got.Type.Kind != w.kind {
			t.Errorf("got %+v, want %+v", got, w)
		}
	}
	if got := table.Columns[1]; got.ID != 4 || *got.Description != "who" || *got.DefaultValue != "x" {
		t.Errorf("got %+v", got)
	}
	if table.Comment != "all orders" || !slices.Equal(table.PartitionKeys, []string{"dt"}) || !slices.Equal(table.PrimaryKeys, []string{"id", "dt"}) ||
		!maps.Equal(table.Options, map[string]string{"query-auth.enabled": "true"}) {
		t.Errorf("got %+v", table)
	}
}

func TestATableWithoutFieldsIsNoTable(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{}`, `{"schema":{}}`, `{"schema":{"fields":null}}`, `{"schema":{"fields":{}}}`, `null`, ``} {
		if _, err := newServer(t, says(200, body)).client(t).Table(t.Context(), "d", "t"); err == nil || !strings.Contains(err.Error(), "is not the JSON") {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestAMissingTableIsToldApartFromAMissingRoute(t *testing.T) {
	t.Parallel()
	for name, missing := range map[string]bool{"TABLE": true, "DATABASE": true, "html": false, "empty": false, "PRINCIPAL": false} {
		if _, err := newServer(t, notFounds[name]).client(t).Table(t.Context(), "d", "t"); err == nil || IsMissing(err, "TABLE", "DATABASE") != missing {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNamesAreListedInTheServersOrder(t *testing.T) {
	t.Parallel()
	s := newServer(t, says(200, `{"databases":["b","a"],"tables":["z","y"],"nextPageToken":null}`))
	c := s.client(t)
	if got, err := c.Databases(t.Context()); err != nil || !slices.Equal(got, []string{"b", "a"}) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := c.Tables(t.Context(), "d b"); err != nil || !slices.Equal(got, []string{"z", "y"}) {
		t.Errorf("got %v, %v", got, err)
	}
	if got := s.seen()[1].target; got != "/v1/p/databases/d%20b/tables?maxResults=1000" {
		t.Errorf("asked for %s", got)
	}
}
