package provider

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-log/tflog"
	"golang.org/x/net/http/httpproxy"

	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
	"github.com/paimon-iac/terraform-provider-paimon/internal/rest"
)

// connection is what resources and data sources get from Configure. It lives for one walk of Terraform's graph.
type connection struct {
	// client is nil while an attribute of the provider block is unknown; nothing is asked of any server then.
	client *rest.Client
	// unknown names those attributes.
	unknown []string
	// address is where the catalog is, for messages.
	address    string
	maxRetries int
	register   *register
	planChecks string // one of planChecksValues
	engines    []predicate.Engine
	breather   time.Duration
	// unreachable says that somebody was told why the catalog cannot be reached.
	unreachable atomic.Bool
}

// checkReachable reports that the catalog cannot be asked yet by what needs it. Without Configure there is no connection at
// all; Terraform asks for nothing then that needs one.
func (c *connection) checkReachable(typeName string, diags *diag.Diagnostics) {
	if c != nil && c.client == nil {
		diags.AddError("The catalog cannot be reached yet", fmt.Sprintf(
			"%s needs the catalog now, but the provider configuration depends on values that are known only after apply: %s. Apply those first, for "+
				"example with -target.", typeName, strings.Join(c.unknown, ", ")))
	}
}

// connect turns the provider block and the environment into a client. It makes no request.
func (p *paimonProvider) connect(ctx context.Context, block map[string]tftypes.Value, unknown []string) (*connection, diag.Diagnostics) {
	connection := &connection{unknown: unknown, register: newRegister(), breather: p.breather}
	if len(unknown) > 0 {
		var diags diag.Diagnostics
		diags.AddWarning(
			"The catalog cannot be reached yet",
			fmt.Sprintf("The provider configuration depends on values that are known only after apply: %s. Until then existing permissions and "+
				"policies are taken to be as the state says, and nothing is checked against the catalog. To plan with the real catalog, apply "+
				"what these values depend on first, for example with -target.", strings.Join(unknown, ", ")),
		)
		return connection, diags
	}
	settings := &settings{attributes: block, environment: p.environment}
	config := settings.config("terraform-provider-paimon/" + p.version)
	connection.planChecks = settings.oneOf("plan_checks", planChecksError, planChecksValues)
	connection.engines = settings.engines()
	if settings.diags.HasError() {
		return connection, settings.diags
	}
	client, err := rest.New(config)
	settings.refuse(err)
	settings.warnOf(config)
	settings.log(ctx, config)
	connection.client, connection.address, connection.maxRetries = client, config.URI, config.MaxRetries
	return connection, settings.diags
}

// validate returns what is wrong with a provider block whatever the environment, files and unknown values say.
func validate(block map[string]tftypes.Value) diag.Diagnostics {
	settings := &settings{attributes: block, environment: func(string) string { return "" }, incomplete: true}
	config := settings.config("")
	settings.oneOf("plan_checks", "", planChecksValues)
	config.TLS.CACertificate.File = ""
	config.TLS.ClientCertificate, config.TLS.ClientKey = rest.PEM{}, rest.PEM{}
	if !settings.diags.HasError() {
		settings.refuse(config.Check())
	}
	return settings.diags
}

// unknownAttributes lists the attributes of an object that are unknown, or hold something unknown, in alphabetical order.
func unknownAttributes(object tftypes.Value) []string {
	var names []string
	for name, value := range attributesOf(object) {
		if !value.IsFullyKnown() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// attributesOf are the attributes of an object by name; none of what is no object.
func attributesOf(object tftypes.Value) map[string]tftypes.Value {
	var attributes map[string]tftypes.Value
	if object.As(&attributes) != nil {
		return nil
	}
	return attributes
}

// settings reads attributes with their environment variables and collects what is wrong with them.
type settings struct {
	attributes  map[string]tftypes.Value
	environment func(name string) string
	// incomplete says that more may be set than can be seen, so that nothing is missing.
	incomplete bool
	diags      diag.Diagnostics
}

func (s *settings) config(userAgent string) rest.Config {
	if s.refuseEmpty() {
		return rest.Config{}
	}
	config := rest.Config{
		URI:       s.text("uri"),
		Warehouse: s.text("warehouse"),
		Prefix:    s.text("prefix"),
		Headers:   s.headers(),
		TLS: rest.TLS{
			CACertificate:     s.pem("ca_certificate"),
			ClientCertificate: s.pem("client_certificate"),
			ClientKey:         s.pem("client_key"),
			SkipVerify:        s.boolean("insecure_skip_tls_verify"),
		},
		AttemptTimeout: time.Duration(s.number("request_timeout_seconds", 30, 1, 3600)) * time.Second,
		MaxRetries:     int(s.number("max_retries", 5, 0, 10)),
		UserAgent:      userAgent,
		// For the benchmark alone, which measures what sharing gains.
		Unshared: s.environment("PAIMON_UNSHARED") != "",
	}
	if config.URI == "" {
		s.missing("uri", "The address of the catalog is missing",
			"Set uri in the provider block, or the environment variable PAIMON_URI, to the base address of the Paimon REST catalog.")
	}
	config.Proxy = s.proxy(config.URI)
	s.authenticate(&config)
	return config
}

// log tells how the catalog is reached and where that was said, without any value that could be a secret.
func (s *settings) log(ctx context.Context, config rest.Config) {
	_, authority := find("ca_certificate", s.places())
	_, authorityFile := find("ca_certificate_file", s.places())
	_, uri := find("uri", s.places())
	tflog.Debug(ctx, "Paimon REST catalog", map[string]any{
		"uri":            config.URI,
		"uri_from":       uri,
		"warehouse":      config.Warehouse,
		"credentials":    cmp.Or(config.Source, "none"),
		"proxy":          cmp.Or(config.ProxyAddress(), "none"),
		"ca_certificate": cmp.Or(authority, authorityFile, "none"),
	})
}

// warnOf warns of connections that others can read or change.
func (s *settings) warnOf(config rest.Config) {
	if config.TLS.SkipVerify {
		s.diags.AddAttributeWarning(path.Root("insecure_skip_tls_verify"), "Certificates are not checked",
			"insecure_skip_tls_verify is true, so any server is taken for the catalog, and whoever is between the two can read and change everything, "+
				"credentials too. Set ca_certificate or ca_certificate_file in its place.")
	}
	address, err := url.Parse(config.URI)
	hasToken := config.Token != "" || config.TokenFile != "" || len(config.TokenCommand) > 0
	if err == nil && address.Scheme == "http" && hasToken && !isLoopback(address.Hostname()) {
		s.diags.AddAttributeWarning(path.Root("uri"), "The token can be read on its way",
			"uri begins with http://, so the bearer token is sent to "+address.Host+" without encryption. Use https:// where the catalog has it.")
	}
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// engines are the readers in use; the default ones where nobody says.
func (s *settings) engines() []predicate.Engine {
	if !s.given("engines") {
		return predicate.DefaultEngines()
	}
	var engines []predicate.Engine
	for _, name := range s.texts("engines") {
		engines = append(engines, predicate.Engine(name))
	}
	slices.Sort(engines)
	return engines
}

// proxy is what the variables that all programs read say. One that cannot be read would be passed over in silence.
func (s *settings) proxy(uri string) func(*url.URL) (*url.URL, error) {
	either := func(name string) string { return cmp.Or(s.environment(name), s.environment(strings.ToLower(name))) }
	scheme, _, _ := strings.Cut(strings.ToUpper(uri), "://")
	if address := either(scheme + "_PROXY"); address != "" && !isProxy(address) {
		s.diags.AddError("Invalid environment variable", scheme+"_PROXY is no address of a proxy, such as http://proxy.example.com:3128.")
	}
	config := httpproxy.Config{HTTPProxy: either("HTTP_PROXY"), HTTPSProxy: either("HTTPS_PROXY"), NoProxy: either("NO_PROXY")}
	return config.ProxyFunc()
}

// isProxy says that a text is an address as other programs take it in these variables, where http:// may be left out.
func isProxy(text string) bool {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	address, err := url.Parse(text)
	return err == nil && address.Hostname() != "" && strings.Trim(address.Path, "/") == "" &&
		slices.Contains([]string{"http", "https", "socks5", "socks5h"}, address.Scheme)
}

// missing reports a setting that is nowhere.
func (s *settings) missing(name, summary, detail string) {
	if !s.incomplete {
		s.errorAt(name, summary, detail)
	}
}

// invalidf reports a setting that cannot be used, or not with others.
func (s *settings) invalidf(name, format string, arguments ...any) {
	s.errorAt(name, "Invalid provider configuration", fmt.Sprintf(format, arguments...))
}

// errorAt reports an error at an attribute. Terraform shows the line of the configuration there, so an error about a secret is
// one of the whole block.
func (s *settings) errorAt(name, summary, detail string) {
	if providerSchema().Attributes[name].IsSensitive() {
		s.diags.AddError(summary, detail)
		return
	}
	s.diags.AddAttributeError(path.Root(name), summary, detail)
}

// refuse reports the settings that the client refuses, each at its attribute. Where more may be set than can be seen, only
// what the block itself has counts.
func (s *settings) refuse(err error) {
	for _, err := range flatten(err) {
		var setting *rest.ConfigError
		switch {
		case !errors.As(err, &setting):
			s.diags.AddError("The catalog cannot be reached", err.Error())
			continue
		case s.incomplete && !s.given(setting.Setting):
			continue
		}
		detail := setting.Text
		if _, name := find(setting.Setting, s.dlfPlaces()); name != "" {
			detail = name + ": " + detail
		}
		s.errorAt(setting.Setting, "Invalid provider configuration", detail)
	}
}

// flatten returns the errors that were joined into err.
func flatten(err error) []error {
	if err == nil {
		return nil
	}
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		return joined.Unwrap()
	}
	return []error{err}
}
