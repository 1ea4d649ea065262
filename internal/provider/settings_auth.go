package provider

import (
	"net/url"
	"slices"
	"strings"

	"github.com/paimon-iac/terraform-provider-paimon/internal/rest"
	"github.com/paimon-iac/terraform-provider-paimon/internal/rest/dlf"
)

// The values of token_provider, in Paimon's own spelling.
const (
	tokenProviderBear = "bear"
	tokenProviderDLF  = "dlf"
)

// none says that there is no way to authenticate, and no source of keys.
const none = "none"

var tokenProviders = []string{tokenProviderBear, tokenProviderDLF}

// The values of dlf_token_loader, in Paimon's own spelling.
const (
	tokenLoaderFile = "local_file"
	tokenLoaderECS  = "ecs"
)

// accessKey is the source of keys that needs no loader.
const accessKey = "access_key"

var tokenLoaders = []string{tokenLoaderFile, tokenLoaderECS}

// families are the settings that belong to a way to authenticate.
var families = map[string][]string{
	tokenProviderBear: {"token", "token_file", "token_command"},
	tokenProviderDLF: {
		"dlf_access_key_id", "dlf_access_key_secret", "dlf_security_token", "dlf_token_loader", "dlf_token_path",
		"dlf_ecs_role_name", "dlf_ecs_metadata_url", "dlf_ecs_allow_imdsv1", "dlf_region", "dlf_signing_algorithm",
	},
}

// ecsSettings are for keys of an ECS instance alone.
var ecsSettings = []string{"dlf_ecs_role_name", "dlf_ecs_metadata_url", "dlf_ecs_allow_imdsv1"}

// keySettings are an access key, in this order.
var keySettings = []string{"dlf_access_key_id", "dlf_access_key_secret", "dlf_security_token"}

// alibabaVariables are the environment variables of Alibaba Cloud's own tools, each list in the order in which they count.
// They are asked after our own, and only where requests are signed for DLF.
var alibabaVariables = map[string][]string{
	"dlf_access_key_id":     {"ALIBABA_CLOUD_ACCESS_KEY_ID", "ALICLOUD_ACCESS_KEY"},
	"dlf_access_key_secret": {"ALIBABA_CLOUD_ACCESS_KEY_SECRET", "ALICLOUD_SECRET_KEY"},
	"dlf_security_token":    {"ALIBABA_CLOUD_SECURITY_TOKEN", "ALICLOUD_SECURITY_TOKEN"},
	"dlf_region":            {"ALIBABA_CLOUD_REGION", "ALIBABA_CLOUD_REGION_ID", "ALICLOUD_REGION"},
	"dlf_ecs_role_name":     {"ALIBABA_CLOUD_ECS_METADATA", "ALICLOUD_ECS_ROLE_NAME"},
}

// authenticate sets how requests prove who asks.
func (s *settings) authenticate(config *rest.Config) {
	switch s.tokenProvider() {
	case tokenProviderBear:
		s.bearer(config)
	case tokenProviderDLF:
		s.dlf(config)
	case none:
		if isDLF(config.URI) {
			s.missing("token_provider", "Nothing says how to log in", "uri is an address of Alibaba Cloud DLF, which wants every request signed. Set token_provider "+
				"to dlf, or the environment variable PAIMON_TOKEN_PROVIDER; keys may then come from ALIBABA_CLOUD_ACCESS_KEY_ID and what belongs to it.")
		}
	}
}

// isDLF says that an address is an official one of DLF.
func isDLF(uri string) bool {
	address, err := url.Parse(uri)
	if err != nil {
		return false
	}
	_, official := dlf.EndpointOf(address.Hostname())
	return official
}

// tokenProvider is token_provider, else the way whose settings are there, else nothing; empty after an error. What the block says
// counts before what the environment says, as a whole.
func (s *settings) tokenProvider() string {
	for _, from := range s.places() {
		if from.has("token_provider") {
			return s.alone(s.oneOf("token_provider", "", tokenProviders))
		}
		bear := from.among(families[tokenProviderBear])
		signed := from.among(families[tokenProviderDLF])
		switch {
		case len(bear) > 0 && len(signed) > 0:
			s.invalidf("token_provider", "%s and %s are both set, which are two ways to authenticate. Remove one, or choose with token_provider.", from.name(bear[0]), from.name(signed[0]))
			return ""
		case len(bear) > 0:
			return tokenProviderBear
		case len(signed) > 0:
			return tokenProviderDLF
		}
	}
	return none
}

// alone returns the way that was chosen, unless the block has something for another one.
func (s *settings) alone(chosen string) string {
	for _, way := range tokenProviders {
		if others := s.block().among(families[way]); chosen != "" && way != chosen && len(others) > 0 {
			s.invalidf("token_provider", "token_provider is %s, so %s has no meaning. Remove it, or set token_provider to %s.", chosen, strings.Join(others, ", "), way)
			return ""
		}
	}
	return chosen
}

// bearer sets the one bearer token that is there.
func (s *settings) bearer(config *rest.Config) {
	name, from := s.choice(families[tokenProviderBear]...)
	switch name {
	case "token":
		config.Token = from.text(name)
	case "token_file":
		config.TokenFile = from.text(name)
	case "token_command":
		config.TokenCommand = s.texts(name)
	default:
		s.missing("token", "The bearer token is missing", "token_provider is bear, which needs a token. Set token, token_file or token_command, or the "+
			"environment variable PAIMON_TOKEN or PAIMON_TOKEN_FILE.")
		return
	}
	config.Source = from.name(name)
}

// dlf sets how requests are signed.
func (s *settings) dlf(config *rest.Config) {
	config.DLF = &rest.DLF{
		Region:    s.region(config.URI),
		Algorithm: s.oneOf("dlf_signing_algorithm", "", dlf.Algorithms()),
	}
	if config.Warehouse == "" {
		s.missing("warehouse", "The catalog is missing", "DLF needs the name of the catalog. Set warehouse, or the environment variable PAIMON_WAREHOUSE.")
	}
	source, from := s.keySource()
	if extra := s.block().among(ecsSettings); len(extra) > 0 && source != "" && source != tokenLoaderECS {
		s.invalidf(extra[0], "%s is only for keys of an ECS instance. Set dlf_token_loader to %s, or remove it.", strings.Join(extra, ", "), tokenLoaderECS)
		return
	}
	switch source {
	case tokenLoaderECS:
		role, _ := find("dlf_ecs_role_name", s.dlfPlaces())
		config.DLF.Metadata = &dlf.Metadata{URL: s.metadataURL(), Role: role, AllowTokenless: s.boolean("dlf_ecs_allow_imdsv1")}
		config.Source = from.name("dlf_token_loader")
	case tokenLoaderFile:
		config.DLF.TokenFile, config.Source = find("dlf_token_path", s.places())
		if config.DLF.TokenFile == "" {
			s.missing("dlf_token_path", "The token file is missing", "dlf_token_loader is local_file, which needs a file. Set dlf_token_path, or the environment "+
				"variable PAIMON_DLF_TOKEN_PATH.")
		}
	case accessKey:
		config.DLF.Keys = s.keys(from)
		config.Source = from.name(keySettings[0])
	case none:
		s.missing(keySettings[0], "The access key is missing", "token_provider is dlf, which needs keys. Set dlf_access_key_id and dlf_access_key_secret, "+
			"dlf_token_path, or dlf_token_loader, or the environment variables of these.")
	}
}

// keySource is dlf_token_loader, else what the first place has that names a source of keys, else nothing; empty after an error, and
// where there may be one that cannot be seen.
func (s *settings) keySource() (string, place) {
	for _, from := range s.dlfPlaces() {
		key, loaders := from.among(keySettings), from.among([]string{"dlf_token_path", "dlf_token_loader"})
		loader := from.text("dlf_token_loader")
		switch {
		case len(key) > 0 && len(loaders) > 0:
			s.invalidf(loaders[0], "%s and %s are both set, which are two sources of keys. Remove one.", from.name(key[0]), from.name(loaders[0]))
			return "", from
		case len(loaders) > 1 && loader == tokenLoaderECS:
			s.invalidf(loaders[0], "%s is set, but %s is %s. Remove one of the two.", from.name(loaders[0]), from.name(loaders[1]), loader)
			return "", from
		case loader != "":
			return s.oneOf("dlf_token_loader", "", tokenLoaders), from
		case len(loaders) > 0:
			return tokenLoaderFile, from
		case len(key) > 0:
			return accessKey, from
		}
	}
	if s.incomplete {
		return "", place{}
	}
	return none, place{}
}

// keys is the access key of a place. Parts of two places never make a key: a token belongs to one secret, and a secret to one ID.
func (s *settings) keys(from place) dlf.Credentials {
	for _, part := range keySettings[:2] {
		if value := s.attributes[part]; !from.has(part) && value.IsFullyKnown() {
			given := from.name(from.among(keySettings)[0])
			s.invalidf(part, "%s is set without %s. The parts of an access key come from one place together.", given, from.name(part))
		}
	}
	return dlf.Credentials{AccessKeyID: from.text(keySettings[0]), AccessKeySecret: from.text(keySettings[1]), SecurityToken: from.text(keySettings[2])}
}

// region is dlf_region. The variables of other tools may be about anything, so they do not count against the address.
func (s *settings) region(uri string) string {
	places := s.dlfPlaces()
	if isDLF(uri) {
		places = s.places()
	}
	region, _ := find("dlf_region", places)
	return region
}

func (s *settings) metadataURL() string {
	text, name := find("dlf_ecs_metadata_url", s.places())
	if name == "" {
		return dlf.MetadataURL
	}
	if address, err := url.Parse(text); err != nil || address.Host == "" || !slices.Contains([]string{"http", "https"}, address.Scheme) {
		s.invalidf("dlf_ecs_metadata_url", "%s is no address. It must be absolute, such as %s.", name, dlf.MetadataURL)
	}
	return text
}
