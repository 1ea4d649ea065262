package provider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

// identityAttribute is one attribute of a resource identity. It has the name of the resource's attribute.
type identityAttribute struct {
	name        string
	description string
	optional    bool
	field       func(*access.Identity) *string
}

// of returns the attribute's value in an identity.
func (a identityAttribute) of(id *access.Identity) string {
	return *a.field(id)
}

// The identity attributes. Descriptions have no markup: they are shown by commands, too.
var (
	identityResourceType = identityAttribute{
		"resource_type", "The type of the resource, such as TABLE.", false,
		func(i *access.Identity) *string { return (*string)(&i.Resource.Type) },
	}
	identityDatabase = identityAttribute{
		"database", "The name of the database.", false,
		func(i *access.Identity) *string { return &i.Resource.Database },
	}
	identityTable = identityAttribute{
		"table", "The name of the table.", false,
		func(i *access.Identity) *string { return &i.Resource.Table },
	}
	identityView = identityAttribute{
		"view", "The name of the view.", false,
		func(i *access.Identity) *string { return &i.Resource.View },
	}
	identityFunction = identityAttribute{
		"function", "The name of the function.", false,
		func(i *access.Identity) *string { return &i.Resource.Function },
	}
	identityAccess = identityAttribute{
		"access", "The access, such as SELECT.", false,
		func(i *access.Identity) *string { return (*string)(&i.Access) },
	}
	identityColumn = identityAttribute{
		"on_column", "The name of the masked column.", false,
		func(i *access.Identity) *string { return &i.Column },
	}
	identityPrincipal = identityAttribute{
		"principal", "The principal, as the catalog knows it.", false,
		func(i *access.Identity) *string { return &i.Principal },
	}
)

// optionalForImport is the attribute where some types lack it.
func (a identityAttribute) optionalForImport() identityAttribute {
	a.optional = true
	return a
}

// kindIdentity is what is fixed in the identities of a kind.
func kindIdentity(kind access.Kind) access.Identity {
	switch kind {
	case access.KindColumnPermission:
		return access.ColumnIdentity("", "", "")
	case access.KindRowFilter:
		return access.RowFilterIdentity("", "", "")
	case access.KindColumnMask:
		return access.ColumnMaskIdentity("", "", "", "")
	default:
		return access.Identity{}
	}
}

// resourceNames says which resource manages which kind.
var resourceNames = map[access.Kind]string{
	access.KindPermission:       "paimon_permission",
	access.KindColumnPermission: "paimon_column_permission",
	access.KindRowFilter:        "paimon_row_filter_policy",
	access.KindColumnMask:       "paimon_column_mask_policy",
}

// setIdentity writes an identity, in one piece: the framework rebuilds the whole object for each attribute that is set, which
// is a good part of what a read costs. Terraform before 1.12 does not ask for one, but the framework checks all the same.
func (r *core[M, R]) setIdentity(ctx context.Context, target *tfsdk.ResourceIdentity, id access.Identity) {
	if target == nil {
		return
	}
	attributes := make(map[string]tftypes.Value, len(r.identity))
	for _, a := range r.identity {
		var text any // nil for null
		if value := a.of(&id); value != "" {
			text = value
		}
		attributes[a.name] = tftypes.NewValue(tftypes.String, text)
	}
	target.Raw = tftypes.NewValue(target.Schema.Type().TerraformType(ctx), attributes)
}

// importedIdentity reads what an import names, and makes sure that it belongs to this resource.
func (r *core[M, R]) importedIdentity(ctx context.Context, req resource.ImportStateRequest) (access.Identity, diag.Diagnostics) {
	var diags diag.Diagnostics
	if req.ID == "" && req.Identity != nil && !req.Identity.Raw.IsNull() {
		id := kindIdentity(r.kind)
		for _, a := range r.identity {
			var value types.String
			diags.Append(req.Identity.GetAttribute(ctx, path.Root(a.name), &value)...)
			if value.ValueString() != "" {
				*a.field(&id) = value.ValueString()
			}
		}
		if err := id.Check().Err(); err != nil {
			diags.AddError("Invalid import identity", err.Error())
		} else if id.Kind() != r.kind {
			diags.AddError("Wrong resource for this import", r.belongsTo(id))
		}
		return id, diags
	}
	id, err := access.ParseID(req.ID)
	switch {
	case err != nil:
		diags.AddError("Invalid import ID", fmt.Sprintf("%q cannot be imported: %s.\n\nThe import ID of %s has the form %s, such as %s. "+
			"In names, %% is written %%25 and / is written %%2F; the principal is written as it is.", req.ID, strings.TrimSuffix(err.Error(), "."), r.typeName, idForms[r.kind].form, idForms[r.kind].example))
	case id.Kind() != r.kind:
		diags.AddError("Wrong resource for this import", r.belongsTo(id))
	}
	return id, diags
}

func (r *core[M, R]) belongsTo(id access.Identity) string {
	return fmt.Sprintf("%q is not managed by %s but by %s. Import it there.", id.ID(), r.typeName, resourceNames[id.Kind()])
}

// idForms shows the import IDs of each kind.
var idForms = map[access.Kind]struct{ form, example string }{
	access.KindPermission:       {"TYPE/[database/][table, view or function/]ACCESS/principal", "TABLE/sales/orders/SELECT/role:analyst"},
	access.KindColumnPermission: {"COLUMN/database/table/SELECT/principal", "COLUMN/sales/orders/SELECT/role:analyst"},
	access.KindRowFilter:        {"TABLE/database/table/ROW_FILTER/principal", "TABLE/sales/orders/ROW_FILTER/role:analyst"},
	access.KindColumnMask:       {"TABLE/database/table/COLUMN_MASKING/column/principal", "TABLE/sales/customers/COLUMN_MASKING/email/role:support"},
}
