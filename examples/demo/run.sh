#!/usr/bin/env bash
# Shows the provider at work, from an empty catalog to an empty catalog, and leaves nothing behind.
#
#   examples/demo/run.sh        (or: make demo)
#
# It needs Go, and takes terraform or tofu from PATH; where there is neither it builds OpenTofu, once. What it applies
# are the resource examples of the documentation as they are, against a dev catalog on a free port of this machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

work=$(mktemp -d "${TMPDIR:-/tmp}/paimon-demo.XXXXXX")
log=$work/log
catalog=

cleanup() {
  status=$?
  trap - EXIT
  if [[ -n $catalog ]]; then
    kill "$catalog" 2>/dev/null || true
    wait "$catalog" 2>/dev/null || true
  fi
  rm -rf "$work"
  exit "$status"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Settings for other catalogs and other configurations must not find their way in here.
for name in ${!PAIMON_@} ${!TF_@}; do
  unset "$name"
done
export CHECKPOINT_DISABLE=1 TF_IN_AUTOMATION=1

number=0
say() { printf '   %s\n' "$@"; }
indent() { sed 's/^/   /'; }

# step TITLE COMMAND… runs the command with its output in the log, and prints how long it took. What runs in an if, as
# here, is not subject to `set -e`: the commands chain with && themselves.
step() {
  number=$((number + 1))
  printf '\n%d. %s ' "$number" "$1"
  shift
  local TIMEFORMAT='(%1R s)'
  if ! { time "$@" >"$log" 2>&1; } 2>"$work/time"; then
    printf '\n\nThis step failed. The end of its output:\n\n' >&2
    tail -n 40 "$log" >&2
    exit 1
  fi
  cat "$work/time"
}

# cli runs Terraform or OpenTofu in the configuration of the demo.
cli() { "$cli" -chdir="$work/config" "$1" -no-color "${@:2}"; }

plan() { cli plan -input=false -out="$work/plan"; }

# apply does what the last plan says.
apply() { cli apply -input=false "$work/plan"; }

plan_and_apply() { plan && apply; }

destroy() {
  cli plan -destroy -input=false -out="$work/plan" && apply
}

# output prints one output value.
output() {
  printf '   %s = ' "$1"
  cli output "$1" | sed '2,$s/^/   /'
}

# planned prints one line for each resource in the plan: what happens, the import ID, the address.
planned() {
  awk '
    /^  # .* (will|must) be / {
      address = $2
      sign = "?"
      if (/will be created/) sign = "+"
      if (/will be updated/) sign = "~"
      if (/will be destroyed/) sign = "-"
      if (/will be imported/) sign = "<"
      if (/must be replaced/) sign = "-/+"
    }
    address != "" && $0 ~ /^ +[-+~]? *id +=/ {
      split($0, part, "\"")
      printf "%-3s %-61s %s\n", sign, part[2], address
      address = ""
    }
  ' "$log" | sort -k 2 | indent
}

# block ADDRESS prints one resource of the plan as a reviewer sees it.
block() {
  awk -v address="$1" '
    $1 == "#" && $2 == address { found = 1 }
    found && /^$/ { exit }
    found { print " " $0 }
  ' "$log"
}

# line PATTERN prints the lines of the log that match, and fails when there is none: the demo must not show less than
# it says.
line() {
  if ! grep -E "$1" "$log" | indent; then
    printf '\nExpected "%s" in:\n\n' "$1" >&2
    tail -n 40 "$log" >&2
    exit 1
  fi
}

# missing PATTERN fails when a line of the log matches.
missing() {
  if grep -E "$1" "$log" >&2; then
    printf '\nThis was not expected.\n' >&2
    exit 1
  fi
}

build() {
  go build -o "$work/bin/" . ./tools/devcatalog
}

start_catalog() {
  "$work/bin/devcatalog" --listen 127.0.0.1:0 --seed examples/demo/seed.yaml >"$work/url" &
  catalog=$!
  until [[ -s $work/url ]]; do
    kill -0 "$catalog" 2>/dev/null || return # It said in the log why it ended.
    sleep 0.1
  done
  PAIMON_URI=$(<"$work/url")
  export PAIMON_URI PAIMON_WAREHOUSE=demo PAIMON_TOKEN=admin-token TF_VAR_alice_token=alice-token
}

# add copies example files into the configuration, resource.tf of a type as TYPE-resource.tf. Each example stands for
# itself, so several read the same table; a data source that the configuration has already is left out.
add() {
  local file
  for file in "$@"; do
    cat "$work"/config/*.tf | awk '
      /^data / { there = ($0 in seen); if (NR == FNR) seen[$0] }
      NR > FNR { if (!there) print; if (/^}/) there = 0 }
    ' - "$file" >"$work/copy"
    mv "$work/copy" "$work/config/$(basename "$(dirname "$file")")-$(basename "$file")"
  done
}

# The override points to the build, so no registry is asked and no init is needed.
configure() {
  mkdir "$work/config"
  cp examples/demo/demo.tf "$work/config"
  cat >"$work/cli.tfrc" <<END
provider_installation {
  dev_overrides {
    "paimon-iac/paimon" = "$work/bin"
  }
  direct {}
}
END
  export TF_CLI_CONFIG_FILE=$work/cli.tfrc
}

cli=$(command -v terraform || command -v tofu || true)
if [[ -z $cli ]]; then
  echo 'Neither terraform nor tofu is on PATH. OpenTofu is built, which takes some minutes the first time.'
  cli=$(tools/build-tool.sh tofu)
fi
configure
echo "The demo of terraform-provider-paimon, with $("$cli" version | sed -n 1p)"

step 'Build the provider and the dev catalog (some minutes the first time)' build

step 'Start the dev catalog with the data of a small company' start_catalog
say "$PAIMON_URI, seeded with examples/demo/seed.yaml"

add examples/resources/*/resource*.tf
step "Plan the documentation's examples of resources" plan
planned
line '^Plan: '
say '' 'One of them as a reviewer sees it in the pull request:' ''
block paimon_row_filter_policy.eu_orders

step 'Apply the plan' apply
line '^Apply complete!'

step 'Plan again: what the catalog holds is what the configuration says' plan
line '^No changes\.'

# A copy is changed, the way a colleague would in a branch.
sed -i.before "s/region = 'EU'/region IN ('EU', 'UK')/" "$work/config/paimon_permission-resource_after_policies.tf"
sed -i.before 's/2030-01-01/2031-01-01/' "$work/config/paimon_permission-resource.tf"
step 'Plan a change: more regions for the analysts, another year for the auditor' plan
planned
line '^Plan: '
say '' 'The policy, before and after, as SQL and as the JSON that the catalog stores:' ''
block paimon_row_filter_policy.eu_orders

step 'Apply the change' apply
line '^Apply complete!'

add examples/data-sources/*/data-source*.tf
step 'List what the catalog holds, and ask what Alice gets, with the data source examples' plan_and_apply
for name in databases sales_tables customer_policies email_masks who_may_do_what_on_employees; do
  output "$name"
done
missing 'Check block assertion failed'
say '' 'The check of paimon_query_auth holds: Alice, an analyst, gets her rows only, and no notes.'
say 'Carol has ALL on hr.employees: somebody gave it to her by hand, and no configuration knew.'

cp examples/demo/import.tf "$work/config"
step 'Plan to import that permission' plan
planned
line '^Plan: 1 to import, 0 to add, 0 to change, 0 to destroy'

step 'Import it' apply
line '^Apply complete! Resources: 1 imported'

step 'Plan again' plan
line '^No changes\.'

step 'Destroy everything' destroy
line '^Apply complete!'

rm "$work"/config/paimon_*.tf "$work/config/import.tf"
add examples/data-sources/paimon_p*/data-source*.tf
step 'List again: nothing is left' plan_and_apply
for name in customer_policies who_may_do_what_on_employees; do
  output "$name"
done

printf '\nDone in %d s. The catalog is stopped and %s is removed.\n' "$SECONDS" "$work"
