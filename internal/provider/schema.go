package provider

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/paimon-iac/terraform-provider-paimon/internal/rest/dlf"
)

// providerSchema is the provider block. Every attribute is optional, so that the environment can give it.
func providerSchema() schema.Schema {
	attributes := make(map[string]schema.Attribute)
	for _, group := range []map[string]schema.Attribute{
		catalogAttributes(), bearerAttributes(), dlfAttributes(), tlsAttributes(), requestAttributes(), planAttributes(),
	} {
		maps.Copy(attributes, group)
	}
	return schema.Schema{
		MarkdownDescription: "Manages access in an Apache Paimon REST catalog as code: who may do what on which catalog, database, table, " +
			"view, function or column, which rows they see, and how columns are masked.",
		Attributes: attributes,
	}
}

func catalogAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"uri": schema.StringAttribute{
			MarkdownDescription: "The base address of the REST catalog, `http` or `https`; a path in it is kept in front of `/v1`. " +
				"May also be given by the environment variable `PAIMON_URI`. One of the two is required.",
			Optional: true,
		},
		"warehouse": schema.StringAttribute{
			MarkdownDescription: "The name of the catalog that the server is asked for when the provider connects. Many servers need it, Alibaba Cloud " +
				"DLF always. May also be given by `PAIMON_WAREHOUSE`.",
			Optional: true,
		},
		"prefix": schema.StringAttribute{
			MarkdownDescription: "The catalog's segment in request paths. The server names it when the provider connects, so it is rarely set; " +
				"a prefix that the server overrides wins over this one. May also be given by `PAIMON_PREFIX`.",
			Optional: true,
		},
		"token_provider": schema.StringAttribute{
			MarkdownDescription: "How requests are authenticated. `bear` sends a bearer token: `token`, `token_file` or `token_command`. `dlf` signs requests " +
				"for Alibaba Cloud DLF, with the keys that the `dlf_` arguments lead to. Leave it out for a catalog that asks for no credentials; where " +
				"arguments of one kind are set, that kind is assumed. May also be given by `PAIMON_TOKEN_PROVIDER`.",
			Optional: true,
		},
	}
}

func bearerAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"token": schema.StringAttribute{
			MarkdownDescription: "The bearer token. It is never written to state, logs or errors. Only one of `token`, `token_file` and " +
				"`token_command` can be set. May also be given by `PAIMON_TOKEN`.",
			Optional:  true,
			Sensitive: true,
		},
		"token_file": schema.StringAttribute{
			MarkdownDescription: "A file that holds the bearer token, for tokens that something else renews while Terraform runs. It is read for every " +
				"request, and read again when the server refuses the token. May also be given by `PAIMON_TOKEN_FILE`.",
			Optional: true,
		},
		"token_command": schema.ListAttribute{
			MarkdownDescription: "A program and its arguments that print the bearer token. It is started without a shell, has 30 seconds, and runs when " +
				"the first token is needed and again when the server refuses one. What it prints is never shown or logged. There is no environment variable " +
				"for it.",
			ElementType: types.StringType,
			Optional:    true,
			Validators:  []validator.List{listvalidator.SizeAtLeast(1)},
		},
		"headers": schema.MapAttribute{
			MarkdownDescription: "Headers that are sent with every request, for gateways that need them. Headers that the provider sets itself, such as " +
				"`Authorization`, are refused. There is no environment variable for them.",
			ElementType: types.StringType,
			Optional:    true,
			Sensitive:   true,
		},
	}
}

func dlfAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"dlf_access_key_id": schema.StringAttribute{
			MarkdownDescription: "The ID of an Alibaba Cloud access key. ID, secret and security token are always taken from one place together: the " +
				"provider block, else `PAIMON_DLF_ACCESS_KEY_ID`, else `ALIBABA_CLOUD_ACCESS_KEY_ID`, else `ALICLOUD_ACCESS_KEY` and the variables that " +
				"belong to it.",
			Optional:  true,
			Sensitive: true,
		},
		"dlf_access_key_secret": schema.StringAttribute{
			MarkdownDescription: "The secret of the access key. It is never written to state, logs or errors. May also be given by " +
				"`PAIMON_DLF_ACCESS_KEY_SECRET`, `ALIBABA_CLOUD_ACCESS_KEY_SECRET` or `ALICLOUD_SECRET_KEY`.",
			Optional:  true,
			Sensitive: true,
		},
		"dlf_security_token": schema.StringAttribute{
			MarkdownDescription: "The STS token of a temporary access key. It is not renewed: for runs that may outlive it use `dlf_token_path` or " +
				"`dlf_token_loader`. May also be given by `PAIMON_DLF_SECURITY_TOKEN`, `ALIBABA_CLOUD_SECURITY_TOKEN` or `ALICLOUD_SECURITY_TOKEN`.",
			Optional:  true,
			Sensitive: true,
		},
		"dlf_token_loader": schema.StringAttribute{
			MarkdownDescription: "Where temporary access keys come from: `local_file`, the file of `dlf_token_path`, or `ecs`, the RAM role of the ECS " +
				"instance. May also be given by `PAIMON_DLF_TOKEN_LOADER`.",
			Optional: true,
		},
		"dlf_token_path": schema.StringAttribute{
			MarkdownDescription: "A file that holds a temporary access key and is kept fresh by something else: a JSON object with `AccessKeyId`, " +
				"`AccessKeySecret`, `SecurityToken` and `Expiration`. It is read for every request; while it cannot be read, the last key is used until " +
				"it ends. Implies `dlf_token_loader = \"local_file\"`. May also be given by `PAIMON_DLF_TOKEN_PATH`.",
			Optional: true,
		},
		"dlf_ecs_role_name": schema.StringAttribute{
			MarkdownDescription: "The RAM role whose keys are used with `dlf_token_loader = \"ecs\"`. When it is not set, the instance is asked for it. May " +
				"also be given by `PAIMON_DLF_ECS_ROLE_NAME`, `ALIBABA_CLOUD_ECS_METADATA` or `ALICLOUD_ECS_ROLE_NAME`.",
			Optional: true,
		},
		"dlf_ecs_metadata_url": schema.StringAttribute{
			MarkdownDescription: "Where the ECS instance has the keys of its role, with `dlf_token_loader = \"ecs\"`; `" + dlf.MetadataURL + "` when it is not " +
				"set. It is never asked through a proxy. May also be given by `PAIMON_DLF_ECS_METADATA_URL`.",
			Optional: true,
		},
		"dlf_ecs_allow_imdsv1": schema.BoolAttribute{
			MarkdownDescription: "Whether to get keys from the ECS instance without a session token where its metadata service has none, as its first " +
				"version did. Anything on the instance that can be made to send a request could get them then. `false` when it is not set. May also be given " +
				"by `PAIMON_DLF_ECS_ALLOW_IMDSV1`.",
			Optional: true,
		},
		"dlf_region": schema.StringAttribute{
			MarkdownDescription: "The region of the catalog, such as `cn-hangzhou`, which is part of the signature; `openapi` does not need it. An official " +
				"address of DLF tells it; for any other address it must be set. May also be given by `PAIMON_DLF_REGION`, and for addresses that do not tell " +
				"it by `ALIBABA_CLOUD_REGION`, `ALIBABA_CLOUD_REGION_ID` or `ALICLOUD_REGION`.",
			Optional: true,
		},
		"dlf_signing_algorithm": schema.StringAttribute{
			MarkdownDescription: "How requests are signed: `default`, as addresses inside a VPC expect, `openapi`, as public addresses do, or `openapi-v4`, " +
				"its successor. An official address of DLF tells which of the first two; for any other address it must be set. May also be given by " +
				"`PAIMON_DLF_SIGNING_ALGORITHM`.",
			Optional: true,
		},
	}
}

func tlsAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"ca_certificate": schema.StringAttribute{
			MarkdownDescription: "Certificates of private authorities in PEM form, trusted beside those of the system. Only one of `ca_certificate` and " +
				"`ca_certificate_file` can be set. May also be given by `PAIMON_CA_CERTIFICATE`.",
			Optional: true,
		},
		"ca_certificate_file": schema.StringAttribute{
			MarkdownDescription: "A file with what `ca_certificate` takes. May also be given by `PAIMON_CA_CERTIFICATE_FILE`.",
			Optional:            true,
		},
		"client_certificate": schema.StringAttribute{
			MarkdownDescription: "The certificate with which the provider proves who it is, in PEM form, for servers that ask for one. Only one of " +
				"`client_certificate` and `client_certificate_file` can be set, and the key belongs to it. May also be given by `PAIMON_CLIENT_CERTIFICATE`.",
			Optional: true,
		},
		"client_certificate_file": schema.StringAttribute{
			MarkdownDescription: "A file with what `client_certificate` takes. May also be given by `PAIMON_CLIENT_CERTIFICATE_FILE`.",
			Optional:            true,
		},
		"client_key": schema.StringAttribute{
			MarkdownDescription: "The key of the client certificate in PEM form, without a passphrase. Only one of `client_key` and `client_key_file` can be " +
				"set. May also be given by `PAIMON_CLIENT_KEY`.",
			Optional:  true,
			Sensitive: true,
		},
		"client_key_file": schema.StringAttribute{
			MarkdownDescription: "A file with what `client_key` takes. May also be given by `PAIMON_CLIENT_KEY_FILE`.",
			Optional:            true,
		},
		"insecure_skip_tls_verify": schema.BoolAttribute{
			MarkdownDescription: "Whether any server is taken for the catalog, whatever certificate it has. Whoever is between the two can then read and " +
				"change everything, credentials too, so every run warns of it, and it cannot be used with DLF; `ca_certificate` is the way to a private " +
				"authority. `false` when it is not set. May also be given by `PAIMON_INSECURE_SKIP_TLS_VERIFY`.",
			Optional: true,
		},
	}
}

func requestAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"request_timeout_seconds": schema.NumberAttribute{
			MarkdownDescription: "How many seconds one attempt of a request may take, from connecting to the last byte of the answer; 1 to 3600, and 30 " +
				"when it is not set. A request with all its attempts and waits ends within five minutes. May also be given by `PAIMON_REQUEST_TIMEOUT_SECONDS`.",
			Optional: true,
		},
		"max_retries": schema.NumberAttribute{
			MarkdownDescription: "How often a request is tried again when the server is overloaded (429, 503) or the connection breaks; 0 to 10, and 5 when " +
				"it is not set. `Retry-After` is honoured up to a minute. May also be given by `PAIMON_MAX_RETRIES`.",
			Optional: true,
		},
	}
}

func planAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"plan_checks": schema.StringAttribute{
			MarkdownDescription: "What a plan says when a policy or column permission that is created or changed does not fit the table's present columns, types " +
				"or options: `error` (the default), `warning`, for tables that change in the same apply, or `off`. It does not soften what the text " +
				"alone decides, nor the check of a policy that is replaced, since its old definition is dropped first. May also be given by " +
				"`PAIMON_PLAN_CHECKS`.",
			Optional: true,
		},
		"engines": schema.SetAttribute{
			MarkdownDescription: "The readers that are in use: " + engineList() + ". Readers differ in which policies they understand. A plan warns when one " +
				"of these would refuse a policy that is created or changed, let rows or raw values through, or answer differently. When it is not set, " +
				"`java-2.0` and `pypaimon-2.1` are assumed; an empty set warns of none. There is no environment variable for it.",
			ElementType: types.StringType,
			Optional:    true,
			Validators:  []validator.Set{setvalidator.ValueStringsAre(stringvalidator.OneOf(engineNames()...))},
		},
	}
}
