package dlf

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/net/http/httpguts"
)

// largestToken bounds a token document, whose parts are a few kilobytes at most.
const largestToken = 64 << 10

// The members of a token document, which a token file and the metadata service of ECS have alike.
const (
	memberID         = "AccessKeyId"
	memberSecret     = "AccessKeySecret"
	memberToken      = "SecurityToken"
	memberExpiration = "Expiration"
)

// ParseToken reads a token document. Names are case-sensitive and others are ignored. No error shows anything of the
// document.
func ParseToken(document []byte) (Credentials, error) {
	var members map[string]json.RawMessage
	if json.Unmarshal(document, &members) != nil {
		return Credentials{}, errors.New("the content is not a JSON object")
	}
	texts := make(map[string]string)
	for _, name := range []string{memberID, memberSecret, memberToken, memberExpiration} {
		var text *string
		if raw, has := members[name]; has && json.Unmarshal(raw, &text) != nil {
			return Credentials{}, fmt.Errorf("%s is not a text", name)
		}
		if text == nil {
			continue
		}
		if !httpguts.ValidHeaderFieldValue(*text) {
			return Credentials{}, fmt.Errorf("%s has a line break or another control character", name)
		}
		texts[name] = *text
	}
	for _, name := range []string{memberID, memberSecret} {
		if texts[name] == "" {
			return Credentials{}, fmt.Errorf("%s is missing", name)
		}
	}
	c := Credentials{AccessKeyID: texts[memberID], AccessKeySecret: texts[memberSecret], SecurityToken: texts[memberToken]}
	if text := texts[memberExpiration]; text != "" {
		expiration, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return Credentials{}, fmt.Errorf("%s is not a time such as 2027-01-31T00:00:00Z", memberExpiration)
		}
		c.Expiration = expiration.UTC()
	}
	return c, nil
}

// ReadTokenFile reads a token document from a file.
func ReadTokenFile(name string) (Credentials, error) {
	document, err := os.ReadFile(name)
	if err != nil {
		return Credentials{}, err
	}
	if len(document) > largestToken {
		return Credentials{}, fmt.Errorf("%s is larger than %d KiB", name, largestToken>>10)
	}
	c, err := ParseToken(document)
	if err != nil {
		return Credentials{}, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}
