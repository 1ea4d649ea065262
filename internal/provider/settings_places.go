package provider

import (
	"maps"
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
	text func(attribute string) string // empty when it is not there, or is no single value
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
		text: func(attribute string) string { return textOf(s.attributes[attribute]) },
		has:  s.given,
	}
}

// given says that the provider block has a known value for an attribute.
func (s *settings) given(attribute string) bool {
	value, has := s.attributes[attribute]
	return has && value.IsFullyKnown() && !value.IsNull()
}

// textOf is a single value as the text that an environment variable would have for it.
func textOf(value tftypes.Value) string {
	if !value.IsKnown() || value.IsNull() {
		return ""
	}
	text, number, is := "", new(big.Float), false
	switch {
	case value.As(&text) == nil:
		return text
	case value.As(&number) == nil:
		return number.Text('g', -1)
	case value.As(&is) == nil:
		return strconv.FormatBool(is)
	default:
		return ""
	}
}

// variables is the environment, with a name there for each attribute; an empty one for those that have none. A variable that
// is empty counts as not set.
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

// dlfPlaces are all places for what is about DLF.
func (s *settings) dlfPlaces() []place {
	places := s.places()
	for i := range alibabaVariables["dlf_region"] { // no list is longer
		places = append(places, s.variables(func(attribute string) string {
			if names := alibabaVariables[attribute]; i < len(names) {
				return names[i]
			}
			return ""
		}))
	}
	return places
}

// find returns what the first of some places has of an attribute, and its name there; both are empty where none has it.
func find(attribute string, places []place) (text, name string) {
	for _, from := range places {
		if from.has(attribute) {
			return from.text(attribute), from.name(attribute)
		}
	}
	return "", ""
}

// text returns the attribute, else its environment variable.
func (s *settings) text(attribute string) string {
	text, _ := find(attribute, s.places())
	return text
}

// choice returns the one of some settings that exclude each other, and its place; an empty name for none. The block alone
// decides when it has one.
func (s *settings) choice(attributes ...string) (attribute string, _ place) {
	for _, from := range s.places() {
		found := from.among(attributes)
		if len(found) > 1 {
			s.invalidf(found[1], "%s and %s are both set. Only one of them can be: remove the other.", from.name(found[0]), from.name(found[1]))
		}
		if len(found) > 0 {
			return found[0], from
		}
	}
	return "", place{}
}

// pem returns a text in PEM form, or the file of it.
func (s *settings) pem(attribute string) rest.PEM {
	switch chosen, from := s.choice(attribute, attribute+"_file"); chosen {
	case "":
		return rest.PEM{}
	case attribute:
		return rest.PEM{Text: from.text(chosen)}
	default:
		return rest.PEM{File: from.text(chosen)}
	}
}

// oneOf returns the attribute, else its environment variable, else the default; nothing when that is none of the values.
func (s *settings) oneOf(attribute, byDefault string, values []string) string {
	text, name := find(attribute, s.places())
	if text == "" {
		return byDefault
	}
	if !slices.Contains(values, text) {
		s.invalidf(attribute, "%s is %q. Use one of %s.", name, text, strings.Join(values, ", "))
		return ""
	}
	return text
}

// number returns the attribute, else its environment variable, else the default.
func (s *settings) number(attribute string, byDefault, least, most int64) int64 {
	text, name := find(attribute, s.places())
	if name == "" {
		return byDefault
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || number < least || number > most {
		s.invalidf(attribute, "%s is %q. It must be a whole number from %d to %d.", name, text, least, most)
	}
	return number
}

// boolean returns the attribute, else its environment variable, else false.
func (s *settings) boolean(attribute string) bool {
	text, name := find(attribute, s.places())
	is, err := strconv.ParseBool(text)
	if name != "" && err != nil {
		s.invalidf(attribute, "%s is %q. It must be true or false.", name, text)
	}
	return is
}

// texts returns the elements of a list or set.
func (s *settings) texts(attribute string) []string {
	var elements []tftypes.Value
	if !s.given(attribute) || s.attributes[attribute].As(&elements) != nil {
		return nil
	}
	texts := make([]string, len(elements))
	for i, element := range elements {
		texts[i] = textOf(element)
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
		headers[name] = textOf(element)
	}
	return headers
}

// refuseEmpty refuses empty texts in the provider block, and says whether there are some. Whoever writes one means a value that
// got lost, a token above all, or none.
func (s *settings) refuseEmpty() bool {
	found := false
	for _, attribute := range slices.Sorted(maps.Keys(s.attributes)) {
		if s.given(attribute) && s.attributes[attribute].Type().Is(tftypes.String) && textOf(s.attributes[attribute]) == "" {
			s.invalidf(attribute, "%s is empty. Leave it out, or set it to null.", attribute)
			found = true
		}
	}
	return found
}
