package rest

import (
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
	secrets := []string{k.AccessKeyID, k.AccessKeySecret}
	if k.SecurityToken != "" {
		secrets = append(secrets, k.SecurityToken)
	}
	return secrets
}

func (k accessKey) expiration() time.Time { return k.Expiration }

// signer is how the catalog at a host wants requests signed.
func (d DLF) signer(host string) (dlf.Signer, error) {
	endpoint, _ := dlf.EndpointOf(host)
	s := dlf.Signer{Algorithm: dlf.Algorithm(d.Algorithm), Region: d.Region}
	if s.Algorithm == "" {
		s.Algorithm = endpoint.Algorithm
	}
	if s.Region == "" {
		s.Region = endpoint.Region
	}
	switch {
	case s.Algorithm == "":
		return s, &ConfigError{"dlf_signing_algorithm", fmt.Sprintf("%s is no address of DLF that tells how it wants requests signed. Set dlf_signing_algorithm: "+
			"default for a gateway in front of an address inside a VPC, openapi or openapi-v4 for a public one.", host)}
	case s.Region == "" && s.Algorithm.NeedsRegion():
		return s, &ConfigError{"dlf_region", fmt.Sprintf("%s is no address of DLF that tells its region, which is part of the signature. Set dlf_region.", host)}
	}
	return s, nil
}

// credentials are where the keys come from.
func (d DLF) credentials(signer dlf.Signer) *credentials {
	sign := func(keys dlf.Credentials) credential { return accessKey{keys, signer} }
	switch {
	case d.Keys.AccessKeyID != "":
		return fixed(sign(d.Keys))
	case d.Metadata != nil:
		return &credentials{
			setting: "dlf_token_loader",
			load: retried(func(ctx context.Context) (credential, error) {
				keys, err := d.Metadata.Credentials(ctx)
				if errors.Is(err, dlf.ErrTokenless) {
					return nil, fmt.Errorf("%w; where there is only the older service without them, set dlf_ecs_allow_imdsv1 = true", err)
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
			setting: "dlf_token_path",
			load: retried(func(context.Context) (credential, error) {
				keys, err := dlf.ReadTokenFile(d.TokenFile)
				return sign(keys), err
			}),
			lasts: func(credential) time.Duration { return 0 },
		}
	}
}

// check returns what cannot be used.
func (d DLF) check(base *url.URL) []error {
	var errs []error
	if _, err := d.signer(base.Hostname()); err != nil {
		errs = append(errs, err)
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
