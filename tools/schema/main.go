// Command schema prints the provider's schemas in the form of `terraform providers schema -json`. The documentation is
// generated from it without any Terraform, and with what an older one does not ask for: identities and lists.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/paimon-iac/terraform-provider-paimon/internal/provider"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "schema:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer) error {
	schema, err := providerSchema(ctx, providerserver.NewProtocol6(provider.New("dev"))())
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document{
		FormatVersion: "1.0",
		// The documentation generator looks for the bare name.
		Providers: map[string]providerDocument{"paimon": schema},
	})
}

func providerSchema(ctx context.Context, server tfprotov6.ProviderServer) (providerDocument, error) {
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err == nil {
		err = failure(schemas.Diagnostics)
	}
	if err != nil {
		return providerDocument{}, fmt.Errorf("read the schemas: %w", err)
	}
	identities, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err == nil {
		err = failure(identities.Diagnostics)
	}
	if err != nil {
		return providerDocument{}, fmt.Errorf("read the identities: %w", err)
	}
	return providerDocument{
		Provider:      newSchema(schemas.Provider),
		Resources:     each(schemas.ResourceSchemas, newSchema),
		DataSources:   each(schemas.DataSourceSchemas, newSchema),
		Functions:     each(schemas.Functions, newFunction),
		Identities:    each(identities.IdentitySchemas, newIdentity),
		ListResources: each(schemas.ListResourceSchemas, newSchema),
	}, nil
}

// failure joins the errors that a provider answers with.
func failure(diagnostics []*tfprotov6.Diagnostic) error {
	var errs []error
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			errs = append(errs, errors.New(strings.TrimSpace(d.Summary+": "+d.Detail)))
		}
	}
	return errors.Join(errs...)
}
