package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/paimon-iac/terraform-provider-paimon/internal/devcatalog"
	"github.com/paimon-iac/terraform-provider-paimon/internal/wire"
)

// factories serve the provider inside the test process.
func factories() map[string]func() (tfprotov6.ProviderServer, error) {
	return map[string]func() (tfprotov6.ProviderServer, error){
		"paimon": func() (tfprotov6.ProviderServer, error) { return newServer(newProvider("test")), nil },
	}
}

// applySteps drives a real CLI through the steps, in parallel with other tests.
func applySteps(t *testing.T, steps []resource.TestStep) {
	t.Helper()
	resource.ParallelTest(t, resource.TestCase{ProtoV6ProviderFactories: factories(), Steps: steps})
}

// salesSeed is a catalog whose tables take policies, apart from sales.plain.
const salesSeed = `
warehouse: demo
databases:
  - name: sales
    tables:
      - name: orders
        options: {query-auth.enabled: "true"}
        columns:
          - {name: order_id, type: BIGINT NOT NULL}
          - {name: region, type: STRING, comment: where it was sold}
          - {name: amount, type: "DECIMAL(10, 2)"}
          - {name: tags, type: {type: ARRAY, element: STRING}}
        primary_keys: [order_id]
      - name: customers
        options: {query-auth.enabled: "true"}
        columns:
          - {name: id, type: BIGINT NOT NULL}
          - {name: email, type: STRING}
          - {name: phone, type: STRING}
          - {name: age, type: INT}
      - name: plain
        columns: [{name: id, type: INT}]
    views: [{name: recent, query: "SELECT * FROM orders"}]
    functions: [{name: mask_email}]
  - name: hr
`

// catalog is a dev catalog behind a loopback address, with a record of what was asked of it.
type catalog struct {
	t      *testing.T
	url    string
	record *recorder
	// environment is what the provider finds in its environment, for tests over the protocol.
	environment map[string]string
	// breather is the provider's, for such tests; 0 is one that makes them fast.
	breather time.Duration
}

// startCatalog starts a catalog that ends with the test.
func startCatalog(t *testing.T, seedText string, options ...func(*devcatalog.Config)) *catalog {
	t.Helper()
	seed, err := devcatalog.ParseSeed([]byte(seedText))
	if err != nil {
		t.Fatal(err)
	}
	config := devcatalog.Config{Seed: seed}
	for _, option := range options {
		option(&config)
	}
	dev, err := devcatalog.New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	record := &recorder{next: dev.Handler()}
	server := httptest.NewServer(record)
	t.Cleanup(func() {
		server.Close()
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	})
	return &catalog{t: t, url: server.URL, record: record}
}

// at sets the catalog's clock.
func at(clock *clock) func(*devcatalog.Config) {
	return func(c *devcatalog.Config) { c.Clock = clock.now }
}

// config is a configuration with the provider block in front.
func (c *catalog) config(text string) string {
	return fmt.Sprintf("provider \"paimon\" {\n  uri       = %q\n  warehouse = \"demo\"\n}\n\n%s", c.url, text)
}

// post sends a management or catalog request past Terraform.
func (c *catalog) post(operation wire.Operation, names []string, body string) {
	c.t.Helper()
	c.do(operation, names, nil, body)
}

// permissions lists the permissions on a resource, as the catalog spells them.
func (c *catalog) permissions(query url.Values) []string {
	c.t.Helper()
	var page wire.PermissionPage
	c.get(wire.ListPermissions, nil, query, &page)
	return rows(page.Permissions)
}

// policies lists the policies on a table of the database sales.
func (c *catalog) policies(table string) []string {
	c.t.Helper()
	var page wire.PolicyPage
	c.get(wire.ListPolicies, []string{"sales", table}, nil, &page)
	return rows(page.Policies)
}

func rows(raw []json.RawMessage) []string {
	texts := make([]string, len(raw))
	for i, row := range raw {
		texts[i] = string(row)
	}
	return texts
}

func (c *catalog) get(operation wire.Operation, names []string, query url.Values, result any) {
	c.t.Helper()
	if err := json.Unmarshal(c.do(operation, names, query, ""), result); err != nil {
		c.t.Fatal(err)
	}
}

func (c *catalog) do(operation wire.Operation, names []string, query url.Values, body string) []byte {
	c.t.Helper()
	address := c.url + operation.URLPath("demo", names...) + "?" + query.Encode()
	request, err := http.NewRequestWithContext(context.Background(), operation.Method, address, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		c.t.Fatalf("%s %s: %s: %s", operation.Method, address, response.Status, answer)
	}
	return answer
}

// onOrders is the query of a listing on the table sales.orders.
func onOrders(resourceType string) url.Values {
	return url.Values{wire.ParamResourceType: {resourceType}, wire.ParamDatabase: {"sales"}, wire.ParamTable: {"orders"}}
}
