package access_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/paimon-iac/terraform-provider-paimon/internal/access"
)

func TestIDsOfTheDocumentation(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]access.Identity{
		"CATALOG/CREATEDATABASE/role:catalog_user":              permission(access.Resource{Type: access.Catalog}, access.CreateDatabase, "role:catalog_user"),
		"CATALOG_ALL/SELECT/role:reader":                        permission(access.Resource{Type: access.CatalogAll}, access.Select, "role:reader"),
		"DATABASE/sales/LIST/role:reader":                       permission(access.Resource{Type: access.Database, Database: "sales"}, access.List, "role:reader"),
		"DATABASE_ALL/sales/UPDATE/role:writer":                 permission(access.Resource{Type: access.DatabaseAll, Database: "sales"}, access.Update, "role:writer"),
		"TABLE/sales/orders/SELECT/user:alice":                  permission(access.TableResource("sales", "orders"), access.Select, "user:alice"),
		"VIEW/sales/recent/DROP/user:alice":                     permission(access.Resource{Type: access.View, Database: "sales", View: "recent"}, access.Drop, "user:alice"),
		"FUNCTION/sales/mask/GRANT/user:alice":                  permission(access.Resource{Type: access.Function, Database: "sales", Function: "mask"}, access.Grant, "user:alice"),
		"COLUMN/sales/orders/SELECT/role:analyst":               access.ColumnIdentity("sales", "orders", "role:analyst"),
		"TABLE/sales/orders/ROW_FILTER/group:analysts":          access.RowFilterIdentity("sales", "orders", "group:analysts"),
		"TABLE/sales/customers/COLUMN_MASKING/email/role:suppo": access.ColumnMaskIdentity("sales", "customers", "email", "role:suppo"),

		// No part is special, and only % and / of names are escaped.
		"TABLE/null/null/SELECT/null":                       permission(access.TableResource("null", "null"), access.Select, "null"),
		"TABLE/SELECT/ROW_FILTER/SELECT/ROW_FILTER":         permission(access.TableResource("SELECT", "ROW_FILTER"), access.Select, "ROW_FILTER"),
		"TABLE/b.c@d/a b/SELECT/a@b.c":                      permission(access.TableResource("b.c@d", "a b"), access.Select, "a@b.c"),
		"TABLE/a%2Fb/50%25/SELECT/50%/x":                    permission(access.TableResource("a/b", "50%"), access.Select, "50%/x"),
		"TABLE/%252F/%2525/SELECT/%2F%25":                   permission(access.TableResource("%2F", "%25"), access.Select, "%2F%25"),
		`TABLE/or"ders/日本?é&x=y#z/SELECT/"q"`:               permission(access.TableResource(`or"ders`, "日本?é&x=y#z"), access.Select, `"q"`),
		"TABLE/a+b/c:d,e/COLUMN_MASKING/%2F%25 +.é/role:x":  access.ColumnMaskIdentity("a+b", "c:d,e", "/% +.é", "role:x"),
		"TABLE/d/t/COLUMN_MASKING/../role:x":                access.ColumnMaskIdentity("d", "t", "..", "role:x"),
		"TABLE/d/t/SELECT//leading":                         permission(access.TableResource("d", "t"), access.Select, "/leading"),
		"TABLE/d/t/SELECT/trailing/":                        permission(access.TableResource("d", "t"), access.Select, "trailing/"),
		"TABLE/d/t/SELECT///":                               permission(access.TableResource("d", "t"), access.Select, "//"),
		"TABLE/d/t/SELECT/acs:ram::1:role/analyst":          permission(access.TableResource("d", "t"), access.Select, "acs:ram::1:role/analyst"),
		"TABLE/d/t/SELECT/ spaces stay ":                    permission(access.TableResource("d", "t"), access.Select, " spaces stay "),
		"TABLE/d/t/COLUMN_MASKING/c/x%2Fy=z&principal=role": access.ColumnMaskIdentity("d", "t", "c", "x%2Fy=z&principal=role"),
		"CATALOG/ALL/x=y":                                   permission(access.Resource{Type: access.Catalog}, access.All, "x=y"),
		"TABLE/ a / b /SELECT/p":                            permission(access.TableResource(" a ", " b "), access.Select, "p"),
	} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			if got := want.ID(); got != id {
				t.Errorf("ID() = %q, want %q", got, id)
			}
			got, err := access.ParseID(id)
			if err != nil || got != want {
				t.Errorf("ParseID: got %#v, %v, want %#v", got, err, want)
			}
		})
	}
}

// oddTexts are what names and principals may hold, and what careless escaping trips over.
var oddTexts = []string{
	"plain", "a b", " lead", "trail ", "a/b", "/a", "a/", "/", "//", "%", "100%", "%25", "%2F", "%2f", "%%", "%252F", "a+b", "a%20b",
	"é", "e\u0301", "日本", "🦀", "a:b", "a@b", "a.b", "...", `"q"`, `'q'`, "`q`", `\`, "null", "a=b", "a&b=c", "a?b#c", "a;b", "a,b", "-",
	"TABLE", "SELECT", "ROW_FILTER", "COLUMN_MASKING", "\u00a0", "\ttab", "line\nfeed", "a~b*c", "${x}", "<b>",
}

// identities yields one identity of every shape with a text in every free place.
func identities(text string) []access.Identity {
	name := strings.ReplaceAll(text, "$", "§") // a table's $ names a branch or a system table
	return []access.Identity{
		permission(access.Resource{Type: access.Catalog}, access.All, text),
		permission(access.Resource{Type: access.CatalogAll}, access.List, text),
		permission(access.Resource{Type: access.Database, Database: text}, access.List, text),
		permission(access.Resource{Type: access.DatabaseAll, Database: text}, access.Select, "p"),
		permission(access.TableResource(text, "t"), access.Select, "p"),
		permission(access.TableResource("d", name), access.Select, "p"),
		permission(access.TableResource(text, name), access.Select, text),
		permission(access.Resource{Type: access.View, Database: text, View: name}, access.Select, text),
		permission(access.Resource{Type: access.Function, Database: text, Function: name}, access.Select, text),
		access.ColumnIdentity(text, name, text),
		access.RowFilterIdentity(text, name, text),
		access.ColumnMaskIdentity("d", "t", text, "p"),
		access.ColumnMaskIdentity(text, name, text, text),
	}
}

func TestIDsRoundTripAndAreDifferentForDifferentIdentities(t *testing.T) {
	t.Parallel()
	seen := map[string]access.Identity{}
	for _, text := range oddTexts {
		for _, identity := range identities(text) {
			id := identity.ID()
			if other, taken := seen[id]; taken && other != identity {
				t.Errorf("%#v and %#v share the ID %q", identity, other, id)
			}
			seen[id] = identity
			got, err := access.ParseID(id)
			if err != nil || got != identity {
				t.Errorf("%q: got %#v, %v, want %#v", id, got, err, identity)
			}
		}
	}
}

// queryForm writes an identity as the Apache provider does.
func queryForm(i access.Identity) string {
	values := url.Values{"principal": {i.Principal}}
	for _, l := range i.Resource.Type.Locators() {
		values.Set(string(l), i.Resource.Locator(l))
	}
	switch i.Access {
	case access.RowFilter:
	case access.ColumnMasking:
		values.Set("column", i.Column)
	default:
		values.Set("resource_type", string(i.Resource.Type))
		values.Set("access", string(i.Access))
	}
	return values.Encode()
}

func TestTheQueryFormNamesTheSameIdentities(t *testing.T) {
	t.Parallel()
	for _, text := range oddTexts {
		for _, identity := range identities(text) {
			id := queryForm(identity)
			got, err := access.ParseID(id)
			if err != nil || got != identity {
				t.Errorf("%q: got %#v, %v, want %#v", id, got, err, identity)
			}
		}
	}
}

func TestTheQueryFormIsReadInAnyOrderAndDecodedOnce(t *testing.T) {
	t.Parallel()
	table := permission(access.TableResource("sales", "orders"), access.Select, "role:analyst")
	for id, want := range map[string]access.Identity{
		"resource_type=TABLE&database=sales&table=orders&access=SELECT&principal=role%3Aanalyst": table,
		"principal=role:analyst&access=SELECT&table=orders&database=sales&resource_type=TABLE":   table,
		"access=SELECT&database=sales&principal=role%3Aanalyst&resource_type=TABLE&table=orders": table,

		"resource_type=CATALOG&access=ALL&principal=p":                                          permission(access.Resource{Type: access.Catalog}, access.All, "p"),
		"resource_type=COLUMN&database=sales&table=orders&access=SELECT&principal=p":            access.ColumnIdentity("sales", "orders", "p"),
		"table=orders&principal=p&database=sales":                                               access.RowFilterIdentity("sales", "orders", "p"),
		"principal=p&column=email&table=orders&database=sales":                                  access.ColumnMaskIdentity("sales", "orders", "email", "p"),
		"database=a+b&table=a%2Bb&principal=a%252Fb":                                            access.RowFilterIdentity("a b", "a+b", "a%2Fb"),
		"database=a%2Fb&table=t&principal=/x/":                                                  access.RowFilterIdentity("a/b", "t", "/x/"),
		"database=d&table=t&principal=a=b":                                                      access.RowFilterIdentity("d", "t", "a=b"),
		"&database=d&&table=t&principal=p&":                                                     access.RowFilterIdentity("d", "t", "p"),
		"resource_type=VIEW&database=d&view=v&access=GRANT&principal=%F0%9F%A6%80":              permission(access.Resource{Type: access.View, Database: "d", View: "v"}, access.Grant, "🦀"),
		"resource_type=FUNCTION&database=d&function=f&access=SELECT&principal=acs%3Aram%2Fx%25": permission(access.Resource{Type: access.Function, Database: "d", Function: "f"}, access.Select, "acs:ram/x%"),
	} {
		got, err := access.ParseID(id)
		if err != nil || got != want {
			t.Errorf("%q: got %#v, %v, want %#v", id, got, err, want)
		}
	}
}

func TestEscapesMayBeLowerCase(t *testing.T) {
	t.Parallel()
	got, err := access.ParseID("TABLE/a%2fb/t/COLUMN_MASKING/c%2fd/p%2fq")
	if want := access.ColumnMaskIdentity("a/b", "t", "c/d", "p%2fq"); err != nil || got != want {
		t.Errorf("got %#v, %v, want %#v", got, err, want)
	}
}

func TestBadIDsAreRefusedWithTheRemedy(t *testing.T) {
	t.Parallel()
	const (
		anyForm  = ": write <resource type>/<names>/<access>/<principal>, such as TABLE/sales/orders/SELECT/role:analyst"
		form     = ": write TABLE/<database>/<table>/<access>/<principal>"
		maskForm = ": write TABLE/<database>/<table>/COLUMN_MASKING/<column>/<principal>"
		types    = " is not a resource type. Use one of CATALOG, CATALOG_ALL, DATABASE, DATABASE_ALL, TABLE, COLUMN, VIEW and FUNCTION, in upper case."
		accesses = " is not an access of resource type TABLE. Use one of ALL, SELECT, UPDATE, ALTER, DROP and GRANT."
		longer   = "principal: The principal is 129 UTF-16 code units long; at most 128 are allowed. Use the shorter name that the catalog knows."
		blank    = `principal: The principal must not be blank. Write it as the catalog knows it, such as "role:analyst".`
	)
	for id, want := range map[string]string{
		"":                                 "the resource type is empty" + anyForm,
		" ":                                "the resource type is empty" + anyForm,
		"/TABLE/d/t/SELECT/p":              "the resource type is empty" + anyForm,
		"table/d/t/SELECT/p":               `resource_type: "table"` + types,
		" TABLE/d/t/SELECT/p":              `resource_type: " TABLE"` + types,
		"role:analyst":                     `resource_type: "role:analyst"` + types,
		"TABLE":                            "the database name is missing" + form,
		"TABLE/":                           "the database name is empty" + form,
		"TABLE/d":                          "the table name is missing" + form,
		"TABLE/d//SELECT/p":                "the table name is empty" + form,
		"TABLE/ /t/SELECT/p":               "the database name is empty" + form,
		"TABLE/d/\x01/SELECT/p":            "the table name is empty" + form,
		"TABLE/d/t":                        "the access is missing" + form,
		"TABLE/d/t//p":                     "the access is empty" + form,
		"TABLE/d/t/SELECT":                 "the principal is missing" + form,
		"TABLE/d/t/SELECT/":                "the principal is empty" + form,
		"TABLE/d/t/SELECT/ \t":             "the principal is empty" + form,
		"CATALOG":                          "the access is missing: write CATALOG/<access>/<principal>",
		"FUNCTION/d/f/SELECT":              "the principal is missing: write FUNCTION/<database>/<function>/<access>/<principal>",
		"TABLE/d/t/COLUMN_MASKING":         "the column is missing" + maskForm,
		"TABLE/d/t/COLUMN_MASKING//p":      "the column is empty" + maskForm,
		"TABLE/d/t/COLUMN_MASKING/c":       "the principal is missing" + maskForm,
		"TABLE/d/t/COLUMN_MASKING/c/":      "the principal is empty" + maskForm,
		"TABLE/50%/t/SELECT/p":             `the database name "50%" has a % that is not %25 or %2F: write it as "50%25"`,
		"TABLE/d/a%2Fb%20c/SELECT/p":       `the table name "a%2Fb%20c" has a % that is not %25 or %2F: write it as "a%2Fb%2520c"`,
		"TABLE/d/%2/SELECT/p":              `the table name "%2" has a % that is not %25 or %2F: write it as "%252"`,
		"TABLE/d/t/COLUMN_MASKING/%/p":     `the column "%" has a % that is not %25 or %2F: write it as "%25"`,
		"TABLE/d/t/select/p":               `access: "select"` + accesses,
		"TABLE/d/t/ SELECT/p":              `access: " SELECT"` + accesses,
		"TABLE/d/t/row_filter/p":           `access: "row_filter"` + accesses,
		"TABLE/d/t/extra/SELECT/p":         `access: "extra"` + accesses,
		"COLUMN/d/t/ROW_FILTER/p":          "a policy hangs on a table: write TABLE/…/ROW_FILTER/…",
		"DATABASE/d/COLUMN_MASKING/c/p":    "a policy hangs on a table: write TABLE/…/COLUMN_MASKING/…",
		"TABLE/../t/SELECT/p":              `database: ".." cannot be used as a name: it is removed from the path of a request. Rename the database.`,
		"TABLE/d/t$branch_b/SELECT/p":      `table: "t$branch_b" names a branch or system table, which has no access of its own. Use the table itself, "t".`,
		"TABLE/d/t$files/ROW_FILTER/p":     `table: "t$files" names a branch or system table, which has no access of its own. Use the table itself, "t".`,
		"TABLE/d/t/SELECT/p\xff":           "the ID is not UTF-8: write its names in UTF-8",
		"database=d&table=t&principal=%FF": "the ID is not UTF-8: write its names in UTF-8",

		"TABLE/d/t/SELECT/" + strings.Repeat("x", 129): longer,

		"resource_type=TABLE&database=d&access=SELECT&principal=p":                    "the key table is missing: expected resource_type, database, table, access and principal",
		"resource_type=TABLE&database=d&table=t&principal=p":                          "the key access is missing: expected resource_type, database, table, access and principal",
		"resource_type=TABLE&database=d&table=t&access=SELECT":                        "the key principal is missing: expected resource_type, database, table, access and principal",
		"resource_type=TABLE&database=d&table=t&view=v&function=f&access=S&principal": "the key function does not belong here: expected resource_type, database, table, access and principal",
		"resource_type=DATABASE&database=d&table=t&access=LIST&principal=p":           "the key table does not belong here: expected resource_type, database, access and principal",
		"resource_type=TABLE&database=d&table=t&access=SELECT&principal=":             blank,
		"resource_type=TABLE&database=d&table=+&access=SELECT&principal=p":            "table: A resource of type TABLE needs a table name, and it must not be blank. Set table.",
		"resource_type=table&database=d&table=t&access=SELECT&principal=p":            `resource_type: "table"` + types,
		"resource_type=TABLE&database=d&table=t&access=select&principal=p":            `access: "select"` + accesses,
		"resource_type=TABLE&database=d&database=e&table=t&access=SELECT&principal=p": "the key database is given twice: remove one",
		"database=d&table=t&access=SELECT&principal=p":                                "the key resource_type is missing: expected resource_type, access and principal",
		"resource_type=TABLE&database=d&table=t&access=ROW_FILTER&principal=p": "a policy has no resource_type and access in the query form:" +
			" write database=…&table=…&principal=…, and column=… for a mask",
		"database=d&table=t&column=&principal=p": "on_column: A column mask needs the column that it masks. Set on_column.",
		"database=d&column=c&principal=p":        "the key table is missing: expected database, table, column and principal",
		"database=d&table=t":                     "the key principal is missing: expected database, table and principal",
		"database=d&table=t&principal=p&b=1&a=1": "the key a does not belong here: expected database, table and principal",
		"database=..&table=t&principal=p":        `database: ".." cannot be used as a name: it is removed from the path of a request. Rename the database.`,
		"=":                                      "the key database is missing: expected database, table and principal",
		"database=d&table=t&principal=100%":      `the query form is not encoded as a URL query, with % as %25 and & as %26: invalid URL escape "%"`,
		"database=d;table=t&table=t&principal=p": "the query form is not encoded as a URL query, with % as %25 and & as %26: invalid semicolon separator in query",
	} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			got, err := access.ParseID(id)
			if err == nil || err.Error() != want {
				t.Errorf("got %v\nwant %s", err, want)
			}
			if got != (access.Identity{}) {
				t.Errorf("got %#v with the error, want nothing", got)
			}
		})
	}
}

func FuzzParseID(f *testing.F) {
	for _, text := range oddTexts {
		for _, identity := range identities(text) {
			f.Add(identity.ID())
		}
	}
	f.Add(queryForm(access.ColumnMaskIdentity("d/%", "t", "c", "p")))
	f.Add(queryForm(permission(access.Resource{Type: access.View, Database: "d", View: "v"}, access.Select, "p")))
	f.Add("TABLE/a%2fb/t/SELECT//p")
	f.Fuzz(func(t *testing.T, id string) {
		identity, err := access.ParseID(id)
		if err != nil {
			return
		}
		if problems := identity.Check(); len(problems) != 0 {
			t.Errorf("%q was read in spite of %v", id, problems)
		}
		path := identity.ID()
		again, err := access.ParseID(path)
		if err != nil || again != identity {
			t.Errorf("%q is %#v, whose ID %q is %#v, %v", id, identity, path, again, err)
		}
		if fixed := again.ID(); fixed != path {
			t.Errorf("%q became %q and then %q", id, path, fixed)
		}
		if query, err := access.ParseID(queryForm(identity)); err != nil || query != identity {
			t.Errorf("%q is %#v, and %#v, %v in the query form", id, identity, query, err)
		}
	})
}

// FuzzIdentity asks the other way round: whatever passes Check has an ID that names it and nothing else.
func FuzzIdentity(f *testing.F) {
	for _, text := range oddTexts {
		for _, i := range identities(text) {
			f.Add(string(i.Resource.Type), i.Resource.Database, i.Resource.Table, i.Resource.View, i.Resource.Function, string(i.Access), i.Column, i.Principal)
		}
	}
	f.Fuzz(func(t *testing.T, kind, database, table, view, function, given, column, principal string) {
		identity := access.Identity{
			Resource:  access.Resource{Type: access.ResourceType(kind), Database: database, Table: table, View: view, Function: function},
			Access:    access.Access(given),
			Column:    column,
			Principal: principal,
		}
		id, text := identity.ID(), identity.String() // neither may panic, whatever a server lists
		if identity.Check().Err() != nil || strings.ToValidUTF8(id, "") != id {
			return
		}
		if got, err := access.ParseID(id); err != nil || got != identity {
			t.Errorf("%s: %#v has the ID %q, which is %#v, %v", text, identity, id, got, err)
		}
	})
}
