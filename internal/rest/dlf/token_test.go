package dlf

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestATokenDocumentIsRead(t *testing.T) {
	t.Parallel()
	end := time.Date(2027, 1, 31, 8, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		document string
		want     Credentials
		failure  string // empty when it can be read
	}{
		"everything": {
			`{"AccessKeyId":"id","AccessKeySecret":"s3cr3t","SecurityToken":"t0ken","Expiration":"2027-01-31T08:00:00Z","Code":"Success","n":1}`,
			Credentials{"id", "s3cr3t", "t0ken", end},
			"",
		},
		"an offset":        {`{"AccessKeyId":"id","AccessKeySecret":"s3cr3t","Expiration":"2027-01-31T16:00:00.0+08:00"}`, Credentials{"id", "s3cr3t", "", end}, ""},
		"a key that lasts": {`{"AccessKeyId":"id","AccessKeySecret":"s3cr3t"}`, Credentials{"id", "s3cr3t", "", time.Time{}}, ""},
		"nulls":            {`{"AccessKeyId":"id","AccessKeySecret":"s3cr3t","SecurityToken":null,"Expiration":null}`, Credentials{"id", "s3cr3t", "", time.Time{}}, ""},
		"another case":     {`{"accessKeyId":"id","AccessKeySecret":"s3cr3t"}`, Credentials{}, "AccessKeyId is missing"},
		"no secret":        {`{"AccessKeyId":"s3cr3t"}`, Credentials{}, "AccessKeySecret is missing"},
		"null secret":      {`{"AccessKeyId":"s3cr3t","AccessKeySecret":null}`, Credentials{}, "AccessKeySecret is missing"},
		"empty id":         {`{"AccessKeyId":"","AccessKeySecret":"s3cr3t"}`, Credentials{}, "AccessKeyId is missing"},
		"a number":         {`{"AccessKeyId":"id","AccessKeySecret":53}`, Credentials{}, "AccessKeySecret is not a text"},
		"a line break":     {`{"AccessKeyId":"id","AccessKeySecret":"s3cr3t","SecurityToken":"s3cr3t\n"}`, Credentials{}, "SecurityToken has a line break"},
		"no time":          {`{"AccessKeyId":"id","AccessKeySecret":"s3cr3t","Expiration":"s3cr3t"}`, Credentials{}, "Expiration is not a time such as"},
		"half":             {`{"AccessKeyId":"s3cr3t","Acc`, Credentials{}, "not a JSON object"},
		"a list":           {`["s3cr3t"]`, Credentials{}, "not a JSON object"},
		"null":             {`null`, Credentials{}, "AccessKeyId is missing"},
		"nothing":          {"", Credentials{}, "not a JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseToken([]byte(test.document))
			if test.failure == "" && (err != nil || got != test.want) {
				t.Errorf("got %+v, %v", got, err)
			}
			if test.failure != "" && (err == nil || !strings.Contains(err.Error(), test.failure) || strings.Contains(err.Error(), "s3cr3t")) {
				t.Errorf("got %v, want %q", err, test.failure)
			}
		})
	}
}

func TestATokenFileThatCannotBeUsedIsNamed(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, content := range map[string]string{"broken": `{"AccessKeyId":"s3cr3t"`, "large": strings.Repeat(" ", largestToken+1), "missing": ""} {
		path := filepath.Join(folder, name)
		if content != "" {
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := ReadTokenFile(path); err == nil || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzParseToken(f *testing.F) {
	f.Add(`{"AccessKeyId":"id","AccessKeySecret":"secret","SecurityToken":"token","Expiration":"2027-01-31T08:00:00Z"}`)
	f.Add(`{"AccessKeyId":"id","AccessKeySecret":"a\u000ab"}`)
	f.Add(`{"AccessKeyId":"id","AccessKeySecret":"b","Expiration":"0000-00-00"}`)
	f.Add(`null`)
	f.Fuzz(func(t *testing.T, document string) {
		c, err := ParseToken([]byte(document))
		if (err == nil) != (c.AccessKeyID != "" && c.AccessKeySecret != "") {
			t.Errorf("%+v, %v", c, err)
		}
		if strings.ContainsAny(c.AccessKeyID+c.AccessKeySecret+c.SecurityToken, "\r\n\x00") {
			t.Errorf("%+v breaks a header", c)
		}
	})
}
