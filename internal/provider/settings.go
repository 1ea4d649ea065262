package provider

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/paimon-iac/terraform-provider-paimon/internal/predicate"
	"github.com/paimon-iac/terraform-provider-paimon/internal/rest"
)

// tokenProviders are the values of token_provider, in Paimon's own spelling.
var tokenProviders = []string{"bear"}

// variable is the environment variable of an attribute. What is no single text has none.
func variable(attribute string) string {
	if attribute == "headers" || attribute == "engines" {
		return ""
	}
	return "PAIMON_" + strings.ToUpper(attribute)
}

// connection is what resources and data sources get from Configure. It lives for one walk of Terraform's graph.
type connection struct {
	// client is nil while an attribute of the provider block is unknown; nothing is asked of any server then.
	client *rest.Client
	// unknown names those attributes.
	unknown    []string
	register   *register
	planChecks string // one of planChecksValues
	engines    []predicate.Engine
	breather   time.Duration
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
func (p *paimonProvider) connect(m providerModel, unknown []string) (*connection, diag.Diagnostics) {
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
	settings := settings{environment: p.environment}
	config := settings.config(m, "terraform-provider-paimon/"+p.version)
	if settings.diags.HasError() {
		return connection, settings.diags
	}
	client, err := rest.New(config)
	if err != nil {
		settings.refuse(err)
	}
	connection.client = client
	connection.planChecks = settings.oneOf("plan_checks", m.PlanChecks, planChecksError, planChecksValues)
	connection.engines = enginesOf(m.Engines)
	return connection, settings.diags
}

// unknownAttributes lists the attributes of an object that are unknown, or hold something unknown, in alphabetical order.
func unknownAttributes(object tftypes.Value) []string {
	var values map[string]tftypes.Value
	if err := object.As(&values); err != nil {
		return nil
	}
	var names []string
	for name, value := range values {
		if !value.IsFullyKnown() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// settings reads attributes with their environment variables and collects what is wrong with them.
type settings struct {
	environment func(name string) string
	diags       diag.Diagnostics
}

func (s *settings) config(m providerModel, userAgent string) rest.Config {
	config := rest.Config{
		URI:            s.text("uri", m.URI),
		Warehouse:      s.text("warehouse", m.Warehouse),
		Prefix:         s.text("prefix", m.Prefix),
		Token:          s.text("token", m.Token),
		Headers:        stringMap(m.Headers),
		AttemptTimeout: time.Duration(s.number("request_timeout_seconds", m.RequestTimeoutSeconds, 30, 1, 3600)) * time.Second,
		MaxRetries:     int(s.number("max_retries", m.MaxRetries, 5, 0, 10)),
		UserAgent:      userAgent,
	}
	if config.URI == "" {
		s.diags.AddAttributeError(path.Root("uri"), "The address of the catalog is missing",
			"Set uri in the provider block, or the environment variable PAIMON_URI, to the base address of the Paimon REST catalog.")
	}
	if s.oneOf("token_provider", m.TokenProvider, "", tokenProviders) == "bear" && config.Token == "" {
		s.diags.AddAttributeError(path.Root("token"), "The bearer token is missing",
			"token_provider is bear, which needs a token. Set token, or the environment variable PAIMON_TOKEN.")
	}
	return config
}

// text returns the attribute, else its environment variable.
func (s *settings) text(name string, value types.String) string {
	if !value.IsNull() {
		return value.ValueString()
	}
	return s.environment(variable(name))
}

// oneOf returns the attribute, else its environment variable, else the default.
func (s *settings) oneOf(name string, value types.String, byDefault string, values []string) string {
	text := s.text(name, value)
	if text == "" {
		return byDefault
	}
	if !slices.Contains(values, text) {
		s.diags.AddAttributeError(path.Root(name), "Invalid environment variable",
			fmt.Sprintf("%s is %q. Use one of %s.", variable(name), text, strings.Join(values, ", ")))
	}
	return text
}

// number returns the attribute, else its environment variable, else the default.
func (s *settings) number(name string, value types.Int64, byDefault, least, most int64) int64 {
	if !value.IsNull() {
		return value.ValueInt64()
	}
	text := s.environment(variable(name))
	if text == "" {
		return byDefault
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || number < least || number > most {
		s.diags.AddAttributeError(path.Root(name), "Invalid environment variable",
			fmt.Sprintf("%s is %q. It must be a whole number from %d to %d.", variable(name), text, least, most))
	}
	return number
}

// refuse reports the settings that the client refuses, each at its attribute.
func (s *settings) refuse(err error) {
	for _, err := range flatten(err) {
		var setting *rest.ConfigError
		if !errors.As(err, &setting) {
			s.diags.AddError("The catalog cannot be reached", err.Error())
			continue
		}
		detail := setting.Text
		if name := variable(setting.Setting); name != "" {
			detail += fmt.Sprintf(" (It comes from %s or from the environment variable %s.)", setting.Setting, name)
		}
		s.diags.AddAttributeError(path.Root(setting.Setting), "Invalid provider configuration", detail)
	}
}

// flatten returns the errors that were joined into err.
func flatten(err error) []error {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		return joined.Unwrap()
	}
	return []error{err}
}
