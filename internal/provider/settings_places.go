package provider

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/paimon-iac/terraform-provider-paimon/internal/rest"
)

// place is where settings come from: the provider block, or environment variables.
type place struct {
	name func(attribute string) string // of the setting in this place
	text func(attribute string) string // empty when it is not there
	has  func(attribute string) bool
}

// among returns those of the attributes that the place has.
func (p place) among(attributes []string) []string {
	var found []string
	for _, attribute := range attributes {
		if p.has(attribute) {
			found = append(found, attribute)
		}
	}
	return found
}

func (s *settings) block() place {
	return place{
		name: func(attribute string) string { return attribute },
		text: func(attribute string) string {
			var text string
			if s.given(attribute) && s.attributes[attribute].Type().Is(tftypes.String) {
				_ = s.attributes[attribute].As(&text) // it is a text
			}
			return text
		},
		has: s.given,
	}
}

// given says that the provider block has a known value for an attribute.
func (s *settings) given(attribute string) bool {
	value, has := s.attributes[attribute]
	return has && value.IsFullyKnown() && !value.IsNull()
}

// variables is the environment, with a name there for each attribute.
func (s *settings) variables(name func(attribute string) string) place {
	text := func(attribute string) string { return s.environment(name(attribute)) }
	return place{name, text, func(attribute string) bool { return text(attribute) != "" }}
}

// places are the provider block and our own variables, in the order in which they count.
func (s *settings) places() []place {
	return []place{s.block(), s.variables(variable)}
}

// variable is the environment variable of an attribute. What is no single text has none.
func variable(attribute string) string {
	if slices.Contains([]string{"headers", "token_command", "engines"}, attribute) {
		return ""
	}
	return "PAIMON_" + strings.ToUpper(attribute)
}

// text returns the attribute, else its environment variable.
func (s *settings) text(name string) string {
	for _, from := range s.places() {
		if from.has(name) {
			return from.text(name)
		}
	}
	return ""
}

// choice returns the one of some settings that exclude each other. The block alone decides when it has one.
func (s *settings) choice(names ...string) (name, text string) {
	for _, from := range s.places() {
		found := from.among(names)
		if len(found) > 1 {
			s.conflictf(found[1], "%s and %s are both set. Only one of them can be: remove the other.", from.name(found[0]), from.name(found[1]))
		}
		if len(found) > 0 {
			return found[0], from.text(found[0])
		}
	}
	return "", ""
}

// pem returns a text in PEM form, or the file of it.
func (s *settings) pem(name string) rest.PEM {
	chosen, text := s.choice(name, name+"_file")
	if chosen == name {
		return rest.PEM{Text: text}
	}
	return rest.PEM{File: text}
}

// oneOf returns the attribute, else its environment variable, else the default.
func (s *settings) oneOf(name, byDefault string, values []string) string {
	text := s.text(name)
	if text == "" {
		return byDefault
	}
	if !s.given(name) && !slices.Contains(values, text) {
		s.refuseVariablef(name, "Use one of %s.", strings.Join(values, ", "))
	}
	return text
}

// number returns the attribute, else its environment variable, else the default.
func (s *settings) number(name string, byDefault, least, most int64) int64 {
	if s.given(name) {
		number := new(big.Float)
		_ = s.attributes[name].As(&number) // it is a number
		whole, _ := number.Int64()
		return whole
	}
	text := s.text(name)
	if text == "" {
		return byDefault
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || number < least || number > most {
		s.refuseVariablef(name, "It must be a whole number from %d to %d.", least, most)
	}
	return number
}

// boolean returns the attribute, else its environment variable, else false.
func (s *settings) boolean(name string) bool {
	if s.given(name) {
		var is bool
		_ = s.attributes[name].As(&is) // it is one
		return is
	}
	text := s.text(name)
	is, err := strconv.ParseBool(text)
	if text != "" && err != nil {
		s.refuseVariablef(name, "It must be true or false.")
	}
	return is
}

// texts returns the elements of a list or set.
func (s *settings) texts(name string) []string {
	var elements []tftypes.Value
	if !s.given(name) || s.attributes[name].As(&elements) != nil {
		return nil
	}
	texts := make([]string, len(elements))
	for i, element := range elements {
		_ = element.As(&texts[i]) // null stays empty
	}
	return texts
}

func (s *settings) headers() map[string]string {
	var elements map[string]tftypes.Value
	if !s.given("headers") || s.attributes["headers"].As(&elements) != nil {
		return nil
	}
	headers := make(map[string]string, len(elements))
	for name, element := range elements {
		var value string
		_ = element.As(&value) // null stays empty
		headers[name] = value
	}
	return headers
}
