package datatype

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
)

// observedCasts are the casts of one type to another that Paimon 2.0.0
// computed, in UTC: pairs of a value and what became of it, or the value alone
// where Java threw.
type observedCasts struct {
	From, To Type
	Values   [][]any
}

func (c *observedCasts) UnmarshalJSON(data []byte) error {
	var raw struct {
		From, To json.RawMessage
		Values   json.RawMessage
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	var fromErr, toErr error
	c.From, fromErr = ParseJSON(raw.From)
	c.To, toErr = ParseJSON(raw.To)
	d := json.NewDecoder(strings.NewReader(string(raw.Values)))
	d.UseNumber()
	return errors.Join(fromErr, toErr, d.Decode(&c.Values))
}

func TestConvertAsJava200Does(t *testing.T) {
	data, err := os.ReadFile("testdata/casts.json")
	if err != nil {
		t.Fatal(err)
	}
	var observed []observedCasts
	if err := json.Unmarshal(data, &observed); err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, o := range observed {
		for _, pair := range o.Values {
			count++
			v, err := FromPlain(pair[0], o.From)
			if err != nil {
				t.Errorf("%s: %v", o.From, err)
				continue
			}
			got, err := Convert(v, o.From, o.To)
			if threw := len(pair) == 1; threw || err != nil {
				if threw != (err != nil) {
					t.Errorf("CAST(%v AS %s) of %s = %v, %v, want %v", pair[0], o.To, o.From, got, err, pair[1:])
				}
				continue
			}
			want, err := FromPlain(pair[1], o.To)
			if err != nil {
				t.Errorf("%s: %v", o.To, err)
			}
			if !reflect.DeepEqual(Plain(got), Plain(want)) {
				t.Errorf("CAST(%v AS %s) of %s = %v, want %v", pair[0], o.To, o.From, Plain(got), Plain(want))
			}
		}
	}
	if count != 1663 {
		t.Errorf("%d observations", count)
	}
}
