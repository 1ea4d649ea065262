package rest

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/paimon-iac/terraform-provider-paimon/internal/rest/dlf"
)

// DLF says how requests to Alibaba Cloud DLF are signed. The keys are Keys, else those of Metadata, else those of TokenFile.
type DLF struct {
	// Region and Algorithm are told by an official address when they are empty.
	Region    string
	Algorithm string
	// Keys stay for the whole run.
	Keys dlf.Credentials
	// Metadata gets them from the ECS instance.
	Metadata *dlf.Metadata
	// TokenFile holds them as JSON, and is kept fresh by somebody else.
	TokenFile string
}

const (
	// renewBefore is how long before its end a temporary key of a role is replaced; the next one is there by then.
	renewBefore = time.Hour
	// largestSkew is how far apart two clocks may be before that is told when a signature is refused. Services of Alibaba
	// Cloud take signatures of the last quarter of an hour; what DLF takes is not written down.
	largestSkew = 5 * time.Minute
)

// accessKey signs.
type accessKey struct {
	dlf.Credentials

	signer dlf.Signer
}

func (k accessKey) authorize(attempt *http.Request, r request) {
	signed := k.signer.Sign(dlf.Request{
		Method: attempt.Method,
		Host:   attempt.Host,
		// A gateway takes the base address's own path off, and the catalog sees the rest.
		Path:   r.path,
		Query:  r.query,
		Body:   r.content,
		Action: r.operation.Action,
	}, k.Credentials, time.Now(), rand.Text())
	for name, value := range signed {
		attempt.Header.Set(name, value)
	}
	if r.content == nil {
		// net/http repeats a request without a body by itself when a kept connection breaks, with the nonce that the server
		// has seen already. It does not repeat what it cannot read twice.
		attempt.Body, attempt.GetBody = io.NopCloser(strings.NewReader("")), nil
	}
}

func (k accessKey) secrets() []string {
	// The ID is none: it says which key a server speaks of.
	if k.SecurityToken == "" {
		return []string{k.AccessKeySecret}
	}
	return []string{k.AccessKeySecret, k.SecurityToken}
}

func (k accessKey) expiration() time.Time { return k.Expiration }

// signer is how the catalog at a host wants requests signed.
func (d DLF) signer(host string) dlf.Signer {
	endpoint, _ := dlf.EndpointOf(host)
	return dlf.Signer{Algorithm: cmp.Or(dlf.Algorithm(d.Algorithm), endpoint.Algorithm), Region: cmp.Or(d.Region, endpoint.Region)}
}

// credentials are where the keys come from.
func (d DLF) credentials(setting string, signer dlf.Signer) *credentials {
	sign := func(keys dlf.Credentials) credential { return accessKey{keys, signer} }
	switch {
	case d.Keys.AccessKeyID != "":
		return fixed(sign(d.Keys))
	case d.Metadata != nil:
		return &credentials{
			setting: setting,
			load: retried(func(ctx context.Context) (credential, error) {
				keys, err := d.Metadata.Credentials(ctx)
				switch {
				case errors.Is(err, dlf.ErrTokenless):
					err = fmt.Errorf("%w; where there is only the older service without them, set dlf_ecs_allow_imdsv1 = true", err)
				case errors.Is(err, dlf.ErrNoRole):
					err = fmt.Errorf("%w (dlf_ecs_role_name)", err)
				}
				return sign(keys), err
			}),
			lasts: func(c credential) time.Duration {
				if c.expiration().IsZero() {
					return forever
				}
				return max(time.Until(c.expiration())-renewBefore, nextLook)
			},
		}
	default:
		return &credentials{
			setting: setting,
			load: retried(func(context.Context) (credential, error) {
				keys, err := dlf.ReadTokenFile(d.TokenFile)
				return sign(keys), fileError(d.TokenFile, err)
			}),
			lasts: func(credential) time.Duration { return 0 },
		}
	}
}

// check returns what cannot be used.
func (d DLF) check(base *url.URL) []error {
	var errs []error
	signer := d.signer(base.Hostname())
	if signer.Algorithm == "" {
		errs = append(errs, &ConfigError{"dlf_signing_algorithm", fmt.Sprintf("%s is no address of DLF that tells how it wants requests signed. Set dlf_signing_algorithm: "+
			"default for a gateway in front of an address inside a VPC, openapi or openapi-v4 for a public one.", base.Hostname())})
	}
	if signer.Region == "" && signer.Algorithm.NeedsRegion() {
		errs = append(errs, &ConfigError{"dlf_region", fmt.Sprintf("%s is no address of DLF that tells its region, which is part of every signature but openapi's. "+
			"Set dlf_region.", base.Hostname())})
	}
	if endpoint, _ := dlf.EndpointOf(base.Hostname()); endpoint.Public && base.Scheme != "https" {
		errs = append(errs, &ConfigError{"uri", "The public addresses of DLF answer https only. Write https:// in front."})
	}
	for _, text := range []struct{ setting, value string }{
		{"dlf_access_key_id", d.Keys.AccessKeyID},
		{"dlf_access_key_secret", d.Keys.AccessKeySecret},
		{"dlf_security_token", d.Keys.SecurityToken},
	} {
		if !isCleanText(text.value) {
			errs = append(errs, &ConfigError{text.setting, uncleanText})
		}
	}
	return errs
}

// skewHint tells of clocks that are far apart, since a signature is good for a short time.
func skewHint(got *answer) string {
	date, err := http.ParseTime(got.header.Get("Date"))
	if err != nil || got.status != http.StatusUnauthorized && got.status != http.StatusForbidden {
		return ""
	}
	skew, direction := time.Until(date), "behind"
	if skew < 0 {
		skew, direction = -skew, "ahead of"
	}
	if skew <= largestSkew {
		return ""
	}
	return fmt.Sprintf("the clock of this machine is %s %s the server's, and a signature is good for a short time only: set the clock",
		skew.Round(time.Minute), direction)
}

// uncleanText is what is wrong with a text that isCleanText refuses.
const uncleanText = "The text has blanks around it, a line break or another control character. Remove it; a text read from a file usually needs trimspace()."

// isCleanText says that a text can be a credential as it is.
func isCleanText(text string) bool {
	return httpguts.ValidHeaderFieldValue(text) && strings.TrimSpace(text) == text
}
