package dlf

import (
	"encoding/json"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// vector is a request whose signature is known: from the tests of Paimon's own clients, or from running their signers.
type vector struct {
	Name      string    `json:"name"`
	Algorithm Algorithm `json:"algorithm"`
	Region    string    `json:"region"`
	Key       struct {
		ID     string `json:"id"`
		Secret string `json:"secret"`
		Token  string `json:"token"`
	} `json:"key"`
	Time    time.Time `json:"time"`
	Nonce   string    `json:"nonce"`
	Request struct {
		Method string            `json:"method"`
		Host   string            `json:"host"`
		Path   string            `json:"path"`
		Query  map[string]string `json:"query"`
		Body   *string           `json:"body"`
		Action string            `json:"action"`
	} `json:"request"`
	Headers map[string]string `json:"headers"`
}

func TestSignaturesAreThoseOfPaimonsOwnClients(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/signatures.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) != 17 {
		t.Errorf("%d vectors", len(vectors))
	}
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			r := Request{Method: v.Request.Method, Host: v.Request.Host, Path: v.Request.Path, Query: url.Values{}, Action: v.Request.Action}
			for name, value := range v.Request.Query {
				r.Query.Set(name, value)
			}
			if v.Request.Body != nil {
				r.Body = []byte(*v.Request.Body)
			}
			key := Credentials{AccessKeyID: v.Key.ID, AccessKeySecret: v.Key.Secret, SecurityToken: v.Key.Token}
			elsewhere := v.Time.In(time.FixedZone("", -10*3600))
			got := Signer{v.Algorithm, v.Region}.Sign(r, key, elsewhere, v.Nonce)
			if diff := cmp.Diff(v.Headers, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAPathThatIsNoFormIsSignedAsItIs(t *testing.T) {
	t.Parallel()
	if got := unescape("/v1/100%"); got != "/v1/100%" {
		t.Errorf("got %s", got)
	}
}
