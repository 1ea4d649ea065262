package datatype

import "testing"

func FuzzParseType(f *testing.F) {
	for _, v := range readVectors(f) {
		f.Add(string(v.Input))
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := ParseJSON([]byte(text))
		if err != nil {
			return
		}
		canonical := string(parsed.AppendJSON(nil))
		again, err := ParseJSON([]byte(canonical))
		if err != nil {
			t.Fatalf("the canonical text %s of %q cannot be read: %v", canonical, text, err)
		}
		if !again.Equal(parsed) || string(again.AppendJSON(nil)) != canonical {
			t.Fatalf("canonical text changed from %s to %s", canonical, again.AppendJSON(nil))
		}
		if !parsed.SameFamily(again) {
			t.Fatalf("%s is not of its own family", canonical)
		}
	})
}
