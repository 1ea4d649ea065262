package provider

import (
	"bytes"
	"maps"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/paimon-iac/terraform-provider-paimon/internal/rest"
	"github.com/paimon-iac/terraform-provider-paimon/internal/rest/dlf"
)

// variables are an environment.
type variables map[string]string

// blockOf is a provider block as Terraform hands it over.
func blockOf(t *testing.T, o object) map[string]tftypes.Value {
	t.Helper()
	block := make(map[string]tftypes.Value)
	for name, attributeType := range objectType(t, servedSchemas().Provider).AttributeTypes {
		block[name] = attributeValue(attributeType, o[name])
	}
	for name := range o {
		if _, has := block[name]; !has {
			t.Fatalf("the provider has no %s", name)
		}
	}
	return block
}

// wantOneError checks that exactly the expected is refused; an empty text is for nothing.
func wantOneError(t *testing.T, diags diag.Diagnostics, text string) {
	t.Helper()
	switch {
	case text == "" && !diags.HasError():
	case text != "" && diags.ErrorsCount() == 1 && strings.Contains(diags.Errors()[0].Detail(), text):
	default:
		for _, d := range diags {
			t.Logf("%s: %s", d.Summary(), d.Detail())
		}
		t.Errorf("got %d errors, want %q", diags.ErrorsCount(), text)
	}
}

const (
	vpcURI    = "https://cn-hangzhou-vpc.dlf.aliyuncs.com"
	publicURI = "https://dlfnext.cn-hangzhou.aliyuncs.com"
)

func TestCredentialsComeFromOnePlace(t *testing.T) {
	t.Parallel()
	dlfBlock := func(more object) object {
		block := object{"uri": publicURI, "warehouse": "w", "token_provider": "dlf"}
		maps.Copy(block, more)
		return block
	}
	signing := func(d rest.DLF) rest.Config { return rest.Config{DLF: &d} }
	keys := func(id, secret, token string) rest.Config {
		return signing(rest.DLF{Keys: dlf.Credentials{AccessKeyID: id, AccessKeySecret: secret, SecurityToken: token}})
	}
	ours := variables{"PAIMON_DLF_ACCESS_KEY_ID": "our-id", "PAIMON_DLF_ACCESS_KEY_SECRET": "our-secret", "PAIMON_DLF_SECURITY_TOKEN": "our-token"}
	alibaba := variables{"ALIBABA_CLOUD_ACCESS_KEY_ID": "ac-id", "ALIBABA_CLOUD_ACCESS_KEY_SECRET": "ac-secret", "ALIBABA_CLOUD_SECURITY_TOKEN": "ac-token"}
	alicloud := variables{"ALICLOUD_ACCESS_KEY": "al-id", "ALICLOUD_SECRET_KEY": "al-secret", "ALICLOUD_SECURITY_TOKEN": "al-token"}
	all := variables{"PAIMON_URI": publicURI, "PAIMON_WAREHOUSE": "w"}
	for _, some := range []variables{ours, alibaba, alicloud} {
		maps.Copy(all, some)
	}
	metadata := func(role, address string, allow bool) rest.Config {
		return signing(rest.DLF{Metadata: &dlf.Metadata{URL: address, Role: role, AllowTokenless: allow}})
	}

	for name, test := range map[string]struct {
		block       object
		environment variables
		want        rest.Config
		refused     string
	}{
		"none at all":                    {object{"uri": "https://h"}, alibaba, rest.Config{}, ""},
		"none at DLF":                    {object{"uri": publicURI}, alibaba, rest.Config{}, "which wants every request signed."},
		"a token":                        {object{"uri": "https://h", "token": "t"}, nil, rest.Config{Token: "t"}, ""},
		"a token file":                   {object{"uri": "https://h", "token_file": "f"}, nil, rest.Config{TokenFile: "f"}, ""},
		"a token command":                {object{"uri": "https://h", "token_command": []string{"a", "b c"}}, nil, rest.Config{TokenCommand: []string{"a", "b c"}}, ""},
		"a token of the environment":     {object{"uri": "https://h"}, variables{"PAIMON_TOKEN": "t"}, rest.Config{Token: "t"}, ""},
		"a file of the environment":      {object{"uri": "https://h"}, variables{"PAIMON_TOKEN_FILE": "f"}, rest.Config{TokenFile: "f"}, ""},
		"the block before the token":     {object{"uri": "https://h", "token_file": "f"}, variables{"PAIMON_TOKEN": "t"}, rest.Config{TokenFile: "f"}, ""},
		"the block before keys":          {object{"uri": "https://h", "token": "t"}, ours, rest.Config{Token: "t"}, ""},
		"the block before another way":   {object{"uri": "https://h", "token": "t"}, variables{"PAIMON_TOKEN_PROVIDER": "dlf"}, rest.Config{Token: "t"}, ""},
		"keys in the block before token": {object{"uri": publicURI, "warehouse": "w", "dlf_access_key_id": "i", "dlf_access_key_secret": "s"}, variables{"PAIMON_TOKEN": "t"}, keys("i", "s", ""), ""},
		"an empty token":                 {object{"uri": "https://h", "token": ""}, variables{"PAIMON_TOKEN": "t"}, rest.Config{}, "token is empty. Leave it out, or set it to null."},
		"no token":                       {object{"uri": "https://h", "token_provider": "bear"}, ours, rest.Config{}, "token_provider is bear, which needs a token."},
		"no token in the environment":    {object{"uri": "https://h"}, variables{"PAIMON_TOKEN_PROVIDER": "bear"}, rest.Config{}, "token_provider is bear, which needs a token."},
		"two tokens":                     {object{"uri": "https://h", "token": "t", "token_file": "f"}, nil, rest.Config{Token: "t"}, "token and token_file are both set."},
		"two tokens in the environment":  {object{"uri": "https://h"}, variables{"PAIMON_TOKEN": "t", "PAIMON_TOKEN_FILE": "f"}, rest.Config{Token: "t"}, "PAIMON_TOKEN and PAIMON_TOKEN_FILE are both set."},
		"two ways":                       {object{"uri": publicURI, "token": "t", "dlf_region": "r"}, nil, rest.Config{}, "token and dlf_region are both set, which are two ways to authenticate."},
		"two ways in the environment":    {object{"uri": "https://h"}, variables{"PAIMON_TOKEN": "t", "PAIMON_DLF_TOKEN_PATH": "f"}, rest.Config{}, "PAIMON_TOKEN and PAIMON_DLF_TOKEN_PATH are both set, which"},
		"another way than chosen":        {object{"uri": "https://h", "token_provider": "bear", "token": "t", "dlf_region": "r", "dlf_token_path": "f"}, nil, rest.Config{Token: "t"}, "token_provider is bear, so dlf_token_path, dlf_region has no meaning."},
		"a token for dlf":                {dlfBlock(object{"token": "t", "dlf_token_path": "f"}), nil, signing(rest.DLF{TokenFile: "f"}), "token_provider is dlf, so token has no meaning."},
		"chosen of two in the environment": {
			object{"uri": publicURI, "warehouse": "w", "token_provider": "dlf"}, variables{"PAIMON_TOKEN": "t", "PAIMON_DLF_TOKEN_PATH": "f"}, signing(rest.DLF{TokenFile: "f"}), "",
		},
		"an unknown way in the environment": {object{"uri": "https://h"}, variables{"PAIMON_TOKEN_PROVIDER": "bearer"}, rest.Config{}, `PAIMON_TOKEN_PROVIDER is "bearer". Use one of bear, dlf.`},

		"keys of the block":               {dlfBlock(object{"dlf_access_key_id": "i", "dlf_access_key_secret": "s"}), all, keys("i", "s", ""), ""},
		"keys of the block with a token":  {dlfBlock(object{"dlf_access_key_id": "i", "dlf_access_key_secret": "s", "dlf_security_token": "t"}), all, keys("i", "s", "t"), ""},
		"our keys":                        {object{}, all, keys("our-id", "our-secret", "our-token"), ""},
		"keys of Alibaba Cloud's tools":   {dlfBlock(nil), alibaba, keys("ac-id", "ac-secret", "ac-token"), ""},
		"keys of the alicloud provider":   {dlfBlock(nil), alicloud, keys("al-id", "al-secret", "al-token"), ""},
		"half a key in the block":         {dlfBlock(object{"dlf_access_key_id": "i"}), all, keys("i", "", ""), "dlf_access_key_id is set without dlf_access_key_secret."},
		"the other half in the block":     {dlfBlock(object{"dlf_access_key_secret": "s"}), all, keys("", "s", ""), "dlf_access_key_secret is set without dlf_access_key_id."},
		"half a key in our variables":     {dlfBlock(nil), variables{"PAIMON_DLF_ACCESS_KEY_SECRET": "s", "ALIBABA_CLOUD_ACCESS_KEY_ID": "i"}, keys("", "s", ""), "PAIMON_DLF_ACCESS_KEY_SECRET is set without PAIMON_DLF_ACCESS_KEY_ID."},
		"half a key in others' variables": {dlfBlock(nil), variables{"ALIBABA_CLOUD_ACCESS_KEY_ID": "i", "ALICLOUD_SECRET_KEY": "s"}, keys("i", "", ""), "ALIBABA_CLOUD_ACCESS_KEY_ID is set without ALIBABA_CLOUD_ACCESS_KEY_SECRET."},
		"no keys":                         {dlfBlock(nil), nil, keys("", "", ""), "token_provider is dlf, which needs keys."},
		"no catalog":                      {object{"uri": publicURI, "dlf_token_path": "f"}, nil, signing(rest.DLF{TokenFile: "f"}), "DLF needs the name of the catalog."},
		"a file":                          {dlfBlock(object{"dlf_token_path": "f"}), all, signing(rest.DLF{TokenFile: "f"}), ""},
		"a key file of the environment":   {dlfBlock(object{"dlf_token_loader": "local_file"}), variables{"PAIMON_DLF_TOKEN_PATH": "f"}, signing(rest.DLF{TokenFile: "f"}), ""},
		"no file":                         {dlfBlock(object{"dlf_token_loader": "local_file"}), ours, signing(rest.DLF{}), "dlf_token_loader is local_file, which needs a file."},
		"a file and keys":                 {dlfBlock(object{"dlf_token_path": "f", "dlf_security_token": "t"}), nil, signing(rest.DLF{TokenFile: "f"}), "dlf_security_token and dlf_token_path are both set, which are two sources of keys."},
		"a file and keys of the environment": {
			dlfBlock(nil), variables{"PAIMON_DLF_TOKEN_PATH": "f", "PAIMON_DLF_ACCESS_KEY_ID": "i"}, signing(rest.DLF{TokenFile: "f"}), "PAIMON_DLF_ACCESS_KEY_ID and PAIMON_DLF_TOKEN_PATH are both set",
		},
		"a file and an instance":         {dlfBlock(object{"dlf_token_path": "f", "dlf_token_loader": "ecs"}), nil, metadata("", dlf.MetadataURL, false), "dlf_token_path is set, but dlf_token_loader is ecs."},
		"keys and an instance":           {dlfBlock(object{"dlf_access_key_id": "i", "dlf_token_loader": "ecs"}), nil, metadata("", dlf.MetadataURL, false), "dlf_access_key_id and dlf_token_loader are both set"},
		"an instance":                    {dlfBlock(object{"dlf_token_loader": "ecs"}), all, metadata("", dlf.MetadataURL, false), ""},
		"an instance of the environment": {object{}, variables{"PAIMON_URI": vpcURI, "PAIMON_WAREHOUSE": "w", "PAIMON_DLF_TOKEN_LOADER": "ecs", "ALIBABA_CLOUD_ECS_METADATA": "r", "ALICLOUD_ECS_ROLE_NAME": "q", "PAIMON_DLF_ECS_ALLOW_IMDSV1": "true"}, metadata("r", dlf.MetadataURL, true), ""},
		"an instance with everything": {
			dlfBlock(object{"dlf_token_loader": "ecs", "dlf_ecs_role_name": "r", "dlf_ecs_metadata_url": "http://m/", "dlf_ecs_allow_imdsv1": true}),
			variables{"PAIMON_DLF_ECS_ROLE_NAME": "q", "PAIMON_DLF_ECS_METADATA_URL": "http://n/", "PAIMON_DLF_ECS_ALLOW_IMDSV1": "false"},
			metadata("r", "http://m/", true), "",
		},
		"a role without an instance":   {dlfBlock(object{"dlf_ecs_role_name": "r"}), ours, keys("our-id", "our-secret", "our-token"), "dlf_ecs_role_name is only for keys of an ECS instance."},
		"an address that is none":      {dlfBlock(object{"dlf_token_loader": "ecs", "dlf_ecs_metadata_url": "100.100.100.200"}), nil, metadata("", "100.100.100.200", false), "dlf_ecs_metadata_url is no address. It must be absolute, such as http://100"},
		"an unknown loader":            {dlfBlock(nil), variables{"PAIMON_DLF_TOKEN_LOADER": "file"}, keys("", "", ""), `PAIMON_DLF_TOKEN_LOADER is "file". Use one of local_file, ecs.`},
		"a wrong yes in a variable":    {dlfBlock(object{"dlf_token_loader": "ecs"}), variables{"PAIMON_DLF_ECS_ALLOW_IMDSV1": "yes"}, metadata("", dlf.MetadataURL, false), `PAIMON_DLF_ECS_ALLOW_IMDSV1 is "yes". It must be true or false.`},
		"an algorithm":                 {dlfBlock(object{"dlf_token_path": "f", "dlf_signing_algorithm": "openapi-v4"}), nil, signing(rest.DLF{TokenFile: "f", Algorithm: "openapi-v4"}), ""},
		"an algorithm of a variable":   {dlfBlock(object{"dlf_token_path": "f"}), variables{"PAIMON_DLF_SIGNING_ALGORITHM": "default"}, signing(rest.DLF{TokenFile: "f", Algorithm: "default"}), ""},
		"a token and no keys for dlf":  {object{"uri": publicURI, "warehouse": "w", "token_provider": "dlf", "token": "t"}, nil, rest.Config{}, "token_provider is dlf, so token has no meaning."},
		"a role and no keys":           {dlfBlock(object{"dlf_ecs_role_name": "r"}), nil, rest.Config{}, "dlf_ecs_role_name is only for keys of an ECS instance."},
		"an unknown way in the block":  {object{"uri": "https://h", "token_provider": "bearer", "token": "t"}, nil, rest.Config{}, `token_provider is "bearer". Use one of bear, dlf.`},
		"a wrong algorithm":            {dlfBlock(object{"dlf_token_path": "f"}), variables{"PAIMON_DLF_SIGNING_ALGORITHM": "v4"}, signing(rest.DLF{TokenFile: "f", Algorithm: "v4"}), `PAIMON_DLF_SIGNING_ALGORITHM is "v4". Use one of default, openapi, openapi-v4.`},
		"a region":                     {dlfBlock(object{"dlf_token_path": "f", "dlf_region": "r"}), variables{"PAIMON_DLF_REGION": "q"}, signing(rest.DLF{TokenFile: "f", Region: "r"}), ""},
		"a region of our variable":     {dlfBlock(object{"dlf_token_path": "f"}), variables{"PAIMON_DLF_REGION": "q", "ALIBABA_CLOUD_REGION": "p"}, signing(rest.DLF{TokenFile: "f", Region: "q"}), ""},
		"a region of others, official": {dlfBlock(object{"dlf_token_path": "f"}), variables{"ALIBABA_CLOUD_REGION": "p"}, signing(rest.DLF{TokenFile: "f"}), ""},
		"a region of others, gateway": {
			object{"uri": "https://gateway", "warehouse": "w", "dlf_token_path": "f"}, variables{"ALIBABA_CLOUD_REGION_ID": "p", "ALICLOUD_REGION": "o"}, signing(rest.DLF{TokenFile: "f", Region: "p"}), "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &settings{attributes: blockOf(t, test.block), environment: func(name string) string { return test.environment[name] }}
			got := s.config("")
			wantOneError(t, s.diags, test.refused)
			got = rest.Config{Token: got.Token, TokenFile: got.TokenFile, TokenCommand: got.TokenCommand, DLF: got.DLF}
			if test.refused == "" && !cmp.Equal(test.want, got) {
				t.Error(cmp.Diff(test.want, got))
			}
		})
	}
}

func TestEverySettingHasAVariable(t *testing.T) {
	t.Parallel()
	environment := variables{
		"PAIMON_URI": "http://h/p", "PAIMON_WAREHOUSE": "w", "PAIMON_PREFIX": "p", "PAIMON_CA_CERTIFICATE": "ca", "PAIMON_CLIENT_CERTIFICATE_FILE": "cf",
		"PAIMON_CLIENT_KEY": "k", "PAIMON_INSECURE_SKIP_TLS_VERIFY": "1", "PAIMON_REQUEST_TIMEOUT_SECONDS": "7", "PAIMON_MAX_RETRIES": "0",
	}
	s := &settings{environment: func(name string) string { return environment[name] }}
	got := s.config("agent")
	want := rest.Config{
		URI: "http://h/p", Warehouse: "w", Prefix: "p", AttemptTimeout: 7e9, UserAgent: "agent",
		TLS: rest.TLS{CACertificate: rest.PEM{Text: "ca"}, ClientCertificate: rest.PEM{File: "cf"}, ClientKey: rest.PEM{Text: "k"}, SkipVerify: true},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(rest.Config{}, "Proxy")); diff != "" || s.diags.HasError() {
		t.Error(diff, s.diags)
	}
	for name := range servedSchemas().Provider.ValueType().(tftypes.Object).AttributeTypes { //nolint:forcetypeassert // every block is one
		if got := variable(name); (got == "") != (name == "headers" || name == "token_command" || name == "engines") {
			t.Errorf("%s has the variable %q", name, got)
		}
	}
}

func TestTheBlockDecidesBetweenTextAndFile(t *testing.T) {
	t.Parallel()
	environment := variables{"PAIMON_CA_CERTIFICATE": "text", "PAIMON_CLIENT_KEY": "text", "PAIMON_CLIENT_KEY_FILE": "file"}
	s := &settings{
		attributes:  blockOf(t, object{"uri": "https://h", "ca_certificate_file": "ours", "client_certificate": "text"}),
		environment: func(name string) string { return environment[name] },
	}
	got := s.config("").TLS
	if got.CACertificate != (rest.PEM{File: "ours"}) || got.ClientCertificate != (rest.PEM{Text: "text"}) {
		t.Errorf("got %+v", got)
	}
	wantOneError(t, s.diags, "PAIMON_CLIENT_KEY and PAIMON_CLIENT_KEY_FILE are both set.")
}

func TestAProviderBlockIsRefusedForWhatItAloneDecides(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		block   object
		refused string // empty for nothing
	}{
		"nothing":                           {object{}, ""},
		"everything in the environment":     {object{"token_provider": "bear", "dlf_token_path": nil}, ""},
		"a wrong address":                   {object{"uri": "h"}, "The address must be absolute"},
		"a token with a line break":         {object{"token": "s3cr3t\n"}, "usually needs trimspace()"},
		"a header of our own":               {object{"uri": "https://h", "headers": map[string]tftypes.Value{"date": tftypes.NewValue(tftypes.String, "x")}}, "The header Date is set by the provider itself."},
		"two tokens":                        {object{"token_file": "f", "token_command": []string{"c"}}, "token_file and token_command are both set."},
		"two tokens, one unknown":           {object{"token": unknown, "token_file": "f"}, ""},
		"two ways":                          {object{"token": "t", "dlf_access_key_id": "i", "dlf_access_key_secret": "s"}, "which are two ways to authenticate."},
		"two ways, one unknown":             {object{"token": "t", "dlf_access_key_id": unknown}, ""},
		"another way than chosen":           {object{"token_provider": "dlf", "token": "t"}, "token_provider is dlf, so token has no meaning."},
		"an unknown choice":                 {object{"token_provider": unknown, "token": "t"}, ""},
		"half a key":                        {object{"dlf_access_key_id": "i"}, "dlf_access_key_id is set without dlf_access_key_secret."},
		"half a key, the other unknown":     {object{"dlf_access_key_id": "i", "dlf_access_key_secret": unknown}, ""},
		"two sources of keys":               {object{"dlf_token_path": "f", "dlf_token_loader": "ecs"}, "dlf_token_path is set, but dlf_token_loader is ecs."},
		"a role for keys":                   {object{"dlf_access_key_id": "i", "dlf_access_key_secret": "s", "dlf_ecs_role_name": "r"}, "is only for keys of an ECS instance"},
		"a role, the rest may follow":       {object{"dlf_ecs_role_name": "r"}, ""},
		"a gateway, the rest may follow":    {object{"uri": "https://h", "token_provider": "dlf"}, ""},
		"public DLF without TLS":            {object{"uri": "http://dlfnext.cn-hangzhou.aliyuncs.com", "token_provider": "dlf"}, "answer https only"},
		"DLF unchecked":                     {object{"uri": publicURI, "token_provider": "dlf", "insecure_skip_tls_verify": true}, "Remove insecure_skip_tls_verify"},
		"any other unchecked":               {object{"uri": "https://h", "insecure_skip_tls_verify": true}, ""},
		"text and file":                     {object{"ca_certificate": "c", "ca_certificate_file": "f"}, "ca_certificate and ca_certificate_file are both set."},
		"no certificate":                    {object{"uri": "https://h", "ca_certificate": "c"}, "There is no certificate that can be read."},
		"an unknown choice of checks":       {object{"plan_checks": "on"}, `plan_checks is "on". Use one of error, warning, off.`},
		"an unknown loader":                 {object{"dlf_token_loader": "file"}, `dlf_token_loader is "file". Use one of local_file, ecs.`},
		"too many retries":                  {object{"max_retries": 11}, `max_retries is "11". It must be a whole number from 0 to 10.`},
		"half a second":                     {object{"request_timeout_seconds": 0.5}, `request_timeout_seconds is "0.5". It must be a whole number from 1 to 3600.`},
		"as many seconds as are allowed":    {object{"request_timeout_seconds": 3600}, ""},
		"the base address with a version":   {object{"uri": "https://h/v1"}, "uri: The address must end before /v1"},
		"neither algorithm nor region yet":  {object{"uri": "https://h", "dlf_token_path": "f"}, ""},
		"a file that is not there yet":      {object{"uri": "https://h", "ca_certificate_file": "/no/such/file"}, ""},
		"a certificate, its key may follow": {object{"uri": "https://h", "client_certificate": "c"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			diags := validate(blockOf(t, test.block))
			wantOneError(t, diags, test.refused)
			for _, d := range diags {
				if strings.Contains(d.Summary()+d.Detail(), "s3cr3t") {
					t.Errorf("a secret is in %s", d.Detail())
				}
			}
		})
	}
}

func TestConnectionsThatOthersCanReadAreWarnedOf(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		block   object
		warning string // empty for none
	}{
		"unchecked":           {object{"uri": "https://h", "insecure_skip_tls_verify": true}, "Certificates are not checked"},
		"checked":             {object{"uri": "https://h", "insecure_skip_tls_verify": false, "token": "t"}, ""},
		"a readable token":    {object{"uri": "http://catalog.example.com", "token_file": "f"}, "The token can be read on its way"},
		"no token":            {object{"uri": "http://catalog.example.com"}, ""},
		"on the same machine": {object{"uri": "http://127.0.0.1:8765", "token": "t"}, ""},
		"on localhost":        {object{"uri": "http://localhost:8765", "token": "t"}, ""},
		"inside a VPC":        {object{"uri": "http://cn-hangzhou-vpc.dlf.aliyuncs.com", "warehouse": "w", "dlf_token_path": "f"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &paimonProvider{environment: func(string) string { return "" }}
			c, diags := p.connect(t.Context(), blockOf(t, test.block), nil)
			wantOneError(t, diags, "")
			if c.client == nil || diags.WarningsCount() != min(len(test.warning), 1) || test.warning != "" && diags.Warnings()[0].Summary() != test.warning {
				t.Errorf("got %v", diags)
			}
		})
	}
}

func TestProxiesComeFromTheEnvironment(t *testing.T) {
	t.Parallel()
	environment := variables{"https_proxy": "http://secure:1", "HTTP_PROXY": "http://open:2", "NO_PROXY": "inside.example.com,.internal"}
	s := &settings{environment: func(name string) string { return environment[name] }}
	proxy := s.proxy("")
	for address, want := range map[string]string{
		"https://catalog.example.com": "http://secure:1",
		"http://catalog.example.com":  "http://open:2",
		"https://inside.example.com":  "",
		"https://catalog.internal":    "",
		"https://127.0.0.1":           "",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		got, err := proxy(u)
		if err != nil || got == nil != (want == "") || got != nil && got.String() != want {
			t.Errorf("%s: got %v, %v", address, got, err)
		}
	}
}

func TestEveryTextOfTheBlockIsRefusedWhenItIsEmpty(t *testing.T) {
	t.Parallel()
	for name, attributeType := range objectType(t, servedSchemas().Provider).AttributeTypes {
		if attributeType.Is(tftypes.String) {
			wantOneError(t, validate(blockOf(t, object{name: ""})), name+" is empty. Leave it out, or set it to null.")
		}
	}
}

// Terraform shows the line of the configuration that an error is about.
func TestNoErrorPointsAtASecret(t *testing.T) {
	t.Parallel()
	for _, block := range []object{
		{"token": ""},
		{"token": "t", "dlf_region": "r"},
		{"token": "t", "token_provider": "dlf"},
		{"token_file": "f", "token": "t"},
		{"token": " t"},
		{"uri": publicURI, "dlf_access_key_id": "i", "dlf_access_key_secret": "s\n"},
		{"dlf_access_key_secret": "s"},
		{"dlf_token_path": "f", "dlf_security_token": "s"},
		{"uri": "https://h", "headers": map[string]tftypes.Value{"date": tftypes.NewValue(tftypes.String, "x")}},
	} {
		diags := validate(blockOf(t, block))
		if !diags.HasError() {
			t.Errorf("%v is not refused", block)
		}
		for _, d := range diags {
			if located, ok := d.(diag.DiagnosticWithPath); ok && providerSchema().Attributes[located.Path().String()].IsSensitive() {
				t.Errorf("%v: %s", located.Path(), d.Detail())
			}
		}
	}
}

func TestRefusalsNameWhereASettingComesFrom(t *testing.T) {
	t.Parallel()
	keys := variables{"ALIBABA_CLOUD_ACCESS_KEY_ID": "i", "ALIBABA_CLOUD_ACCESS_KEY_SECRET": "s\n"}
	for name, test := range map[string]struct {
		block       object
		environment variables
		detail      string // the beginning
	}{
		"the block":       {object{"uri": "h"}, variables{"PAIMON_URI": "https://h"}, "uri: The address must be absolute"},
		"a variable":      {object{}, variables{"PAIMON_URI": "h"}, "PAIMON_URI: The address must be absolute"},
		"another's":       {object{"uri": publicURI, "warehouse": "w", "token_provider": "dlf"}, keys, "ALIBABA_CLOUD_ACCESS_KEY_SECRET: The text has"},
		"a missing value": {object{"uri": "https://h", "warehouse": "w", "dlf_token_path": "f", "dlf_region": "r"}, nil, "h is no address of DLF"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &paimonProvider{environment: func(name string) string { return test.environment[name] }}
			_, diags := p.connect(t.Context(), blockOf(t, test.block), nil)
			wantOneError(t, diags, test.detail)
			if diags.HasError() && !strings.HasPrefix(diags.Errors()[0].Detail(), test.detail) {
				t.Errorf("got %s", diags.Errors()[0].Detail())
			}
		})
	}
}

func TestAllVariablesThatAreWrongAreNamedAtOnce(t *testing.T) {
	t.Parallel()
	environment := variables{
		"PAIMON_URI": "https://h", "PAIMON_PLAN_CHECKS": "on", "PAIMON_MAX_RETRIES": "many", "PAIMON_REQUEST_TIMEOUT_SECONDS": "0.5",
		"PAIMON_INSECURE_SKIP_TLS_VERIFY": "ja", "HTTPS_PROXY": "http:/proxy:3128", "HTTP_PROXY": "not for https://",
	}
	p := &paimonProvider{environment: func(name string) string { return environment[name] }}
	_, diags := p.connect(t.Context(), blockOf(t, object{}), nil)
	var details []string
	for _, d := range diags {
		details = append(details, d.Detail())
	}
	text := strings.Join(details, "\n")
	for _, name := range []string{"PAIMON_PLAN_CHECKS", "PAIMON_MAX_RETRIES", "PAIMON_REQUEST_TIMEOUT_SECONDS", "PAIMON_INSECURE_SKIP_TLS_VERIFY", "HTTPS_PROXY"} {
		if !strings.Contains(text, name+" is ") {
			t.Errorf("%s is not in %s", name, text)
		}
	}
	if len(diags) != 5 {
		t.Errorf("got %s", text)
	}
}

func TestAddressesOfProxiesAreReadAsOtherProgramsDo(t *testing.T) {
	t.Parallel()
	for text, is := range map[string]bool{
		"http://proxy:3128": true, "proxy:3128": true, "proxy": true, "https://user:passw0rd@proxy/": true, "socks5://proxy:1080": true,
		"http//proxy:3128": false, "http:/proxy:3128": false, "ftp://proxy": false, "://proxy": false, "http://": false, "http://pro xy": false,
	} {
		if isProxy(text) != is {
			t.Errorf("%s: %v", text, !is)
		}
	}
}

func TestTheLogTellsHowTheCatalogIsReached(t *testing.T) {
	t.Parallel()
	atDLF := func(more object) object {
		block := object{"uri": publicURI, "warehouse": "w"}
		maps.Copy(block, more)
		return block
	}
	for name, test := range map[string]struct {
		block             object
		environment       variables
		from, uri, uriVia string
	}{
		"the block":   {object{"uri": "https://h", "token": "s3cr3t"}, nil, "token", "https://h", "uri"},
		"variables":   {object{}, variables{"PAIMON_URI": "https://h", "PAIMON_TOKEN_FILE": "f"}, "PAIMON_TOKEN_FILE", "https://h", "PAIMON_URI"},
		"others'":     {atDLF(object{"token_provider": "dlf"}), variables{"ALICLOUD_ACCESS_KEY": "i", "ALICLOUD_SECRET_KEY": "s3cr3t"}, "ALICLOUD_ACCESS_KEY", publicURI, "uri"},
		"an instance": {atDLF(object{"dlf_token_loader": "ecs"}), nil, "dlf_token_loader", publicURI, "uri"},
		"a key file":  {atDLF(nil), variables{"PAIMON_DLF_TOKEN_PATH": "f"}, "PAIMON_DLF_TOKEN_PATH", publicURI, "uri"},
		"a command":   {object{"uri": "https://h", "token_command": []string{"echo", "s3cr3t"}}, nil, "token_command", "https://h", "uri"},
		"none":        {object{"uri": "https://h"}, nil, "none", "https://h", "uri"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var output bytes.Buffer
			environment := variables{"HTTPS_PROXY": "http://" + "user:s3cr3t@proxy:1"}
			maps.Copy(environment, test.environment)
			p := &paimonProvider{environment: func(name string) string { return environment[name] }}
			_, diags := p.connect(tflogtest.RootLogger(t.Context(), &output), blockOf(t, test.block), nil)
			wantOneError(t, diags, "")
			if strings.Contains(output.String(), "s3cr3t") {
				t.Errorf("a secret is in %s", output.String())
			}
			lines, err := tflogtest.MultilineJSONDecode(&output)
			if err != nil || len(lines) != 1 {
				t.Fatalf("got %v, %v", lines, err)
			}
			for name, value := range map[string]string{"credentials": test.from, "uri": test.uri, "uri_from": test.uriVia, "proxy": "http://proxy:1", "ca_certificate": "none"} {
				if lines[0][name] != value {
					t.Errorf("%s: %v, want %v", name, lines[0][name], value)
				}
			}
		})
	}
}
