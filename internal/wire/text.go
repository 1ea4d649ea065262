package wire

import (
	"bytes"
	"encoding/json"
)

// Text is a string member that is read leniently: null is the empty text, and any value that is not a string is
// kept as its JSON text, so that one odd member cannot hide the page it stands on.
type Text string

// UnmarshalJSON reads any JSON value.
func (t *Text) UnmarshalJSON(data []byte) error {
	switch {
	case bytes.HasPrefix(data, []byte(`"`)):
		return json.Unmarshal(data, (*string)(t))
	case bytes.Equal(data, []byte("null")):
		*t = ""
	default:
		*t = Text(data)
	}
	return nil
}

// Encode writes a body as JSON without escaping <, > and &, which the contract's texts hold literally.
func Encode(body any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), nil
}
