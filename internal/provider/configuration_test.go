package provider

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
)

// withEnvironment serves the provider with environment variables of its own, so that tests can run in parallel.
func withEnvironment(variables map[string]string) map[string]func() (tfprotov6.ProviderServer, error) {
	return map[string]func() (tfprotov6.ProviderServer, error){
		"paimon": func() (tfprotov6.ProviderServer, error) {
			return newServer(&paimonProvider{version: "test", environment: func(name string) string { return variables[name] }}), nil
		},
	}
}

const listDatabases = "\ndata \"paimon_databases\" \"all\" {}\n"

func TestAccConfigurationComesFromAttributesThenEnvironment(t *testing.T) {
	c := startCatalog(t, salesSeed+"principals: [{name: user:admin, token: admin-token, manages: true}]\n")
	tests := map[string]struct {
		block     string
		variables map[string]string
		message   string
	}{
		"environment alone": {
			"", map[string]string{"PAIMON_URI": c.url, "PAIMON_WAREHOUSE": "demo", "PAIMON_TOKEN": "admin-token", "PAIMON_TOKEN_PROVIDER": "bear"}, "",
		},
		"attribute beats environment": {
			`uri = "` + c.url + `"` + "\ntoken = \"admin-token\"", map[string]string{"PAIMON_URI": "http://127.0.0.1:1", "PAIMON_WAREHOUSE": "demo", "PAIMON_TOKEN": "wrong"}, "",
		},
		"no address": {"", nil, `Set uri in the provider block, or the environment variable PAIMON_URI`},
		"address without scheme": {
			`uri = "paimon.example.com"`, nil, `The address must be absolute, with http or https and a host`,
		},
		"address with credentials": {`uri = "http://u:p@example.com"`, nil, `must not hold a user name or password`},
		"bear without token":       {`uri = "` + c.url + `"` + "\ntoken_provider = \"bear\"", nil, `token_provider is bear, which needs a token.`},
		"unknown token provider":   {`uri = "` + c.url + `"` + "\ntoken_provider = \"bearer\"", nil, `token_provider is "bearer". Use one of bear, dlf.`},
		"unknown token provider in the environment": {
			`uri = "` + c.url + `"`, map[string]string{"PAIMON_TOKEN_PROVIDER": "bearer"}, `PAIMON_TOKEN_PROVIDER is "bearer". Use one of bear, dlf.`,
		},
		"two ways to log in":      {`uri = "` + c.url + `"` + "\ntoken = \"t\"\ndlf_token_path = \"f\"", nil, `token and dlf_token_path are both set, which are two ways to authenticate.`},
		"DLF without keys":        {`uri = "` + c.url + `"` + "\ntoken_provider = \"dlf\"\ndlf_signing_algorithm = \"openapi\"\nwarehouse = \"demo\"", nil, `The access key is missing`},
		"DLF behind a gateway":    {`uri = "` + c.url + `"` + "\nwarehouse = \"demo\"", map[string]string{"PAIMON_DLF_TOKEN_PATH": "f"}, `127.0.0.1 is no address of DLF that tells how it wants requests signed.`},
		"missing token file":      {`uri = "` + c.url + `"` + "\ntoken_file = \"/no/such/file\"", nil, `GET /v1/config was not sent: token_file: open /no/such/file`},
		"missing certificate":     {`uri = "` + c.url + `"` + "\nca_certificate_file = \"/no/such/file\"", nil, `The file cannot be read: open /no/such/file`},
		"empty command":           {`uri = "` + c.url + `"` + "\ntoken_command = []", nil, `list must contain at least 1 elements`},
		"token with a line break": {`uri = "` + c.url + `"` + "\ntoken = \"s3cr3t\\n\"", nil, `usually needs trimspace()`},
		"reserved header":         {`uri = "` + c.url + `"` + "\nheaders = { authorization = \"x\" }", nil, `The header Authorization is set by the provider itself.`},
		"retries out of range":    {`uri = "` + c.url + `"` + "\nmax_retries = 11", nil, `max_retries is "11". It must be a whole number from 0 to 10.`},
		"half a second":           {`uri = "` + c.url + `"` + "\nrequest_timeout_seconds = 0.5", nil, `request_timeout_seconds is "0.5". It must be a whole number from 1 to 3600.`},
		"missing token file of the environment": {
			`uri = "` + c.url + `"`, map[string]string{"PAIMON_TOKEN_FILE": "missing"}, `GET /v1/config was not sent: PAIMON_TOKEN_FILE: open missing`,
		},
		"timeout in the environment": {
			`uri = "` + c.url + `"`,
			map[string]string{"PAIMON_REQUEST_TIMEOUT_SECONDS": "soon"},
			`PAIMON_REQUEST_TIMEOUT_SECONDS is "soon". It must be a whole number from 1 to 3600.`,
		},
		"wrong token": {
			`uri = "` + c.url + `"` + "\nwarehouse = \"demo\"\ntoken = \"s3cr3t-token\"", nil, `the catalog does not accept the credentials, which come from token.`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			step := resource.TestStep{Config: "provider \"paimon\" {\n" + test.block + "\n}\n" + listDatabases}
			if test.message != "" {
				step.ExpectError = wrapped(test.message)
			}
			resource.ParallelTest(t, resource.TestCase{
				ProtoV6ProviderFactories: withEnvironment(test.variables),
				Steps:                    []resource.TestStep{step},
			})
		})
	}
}

// While an address is unknown nothing is asked of any server, and the plan goes on.
func TestAccUnknownAddressAsksNobody(t *testing.T) {
	c := startCatalog(t, salesSeed)
	text := `
resource "terraform_data" "address" {
  input = "` + c.url + `"
}

provider "paimon" {
  uri       = terraform_data.address.output
  warehouse = "demo"
}

resource "paimon_permission" "p" {
  resource_type = "TABLE"
  database      = "sales"
  table         = "orders"
  access        = "SELECT"
  principal     = "role:analyst"
}
`
	asked := 0
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	t.Cleanup(elsewhere.Close)
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: withEnvironment(map[string]string{"PAIMON_URI": elsewhere.URL}),
		Steps: []resource.TestStep{
			{
				Config:             text,
				PlanOnly:           true,
				ExpectNonEmptyPlan: true,
			},
			{Config: text},
			{
				// The address of the state is unknown again: nothing is dropped from the state.
				Config:             strings.Replace(text, `input = "`, `input = "`+"", 1),
				PlanOnly:           true,
				ExpectNonEmptyPlan: false,
			},
		},
	})
	if asked > 0 {
		t.Errorf("the default address was asked %d times", asked)
	}
}
