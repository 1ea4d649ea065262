#!/usr/bin/env bash
# Prints the path of a development tool, and builds it first when it is not in the cache.
#
#   tools/build-tool.sh lint|docs|tofu
#
# The tool is the one `tool` line of the module in that folder: versions are pinned there and stay out of the
# provider's own go.mod. `go tool` would link again on every change of the build cache, half a minute for OpenTofu;
# a binary kept under the hash of what it is made from is built once and serves every checkout.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/${1:?usage: tools/build-tool.sh lint|docs|tofu}"

cache=${PAIMON_TOOLS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/terraform-provider-paimon}
hash=$({ go version; cat go.mod go.sum; } | git hash-object --stdin)
name=$(sed -n 's|^tool .*/||p' go.mod)
tool=$cache/$1-${hash:0:12}/$name

if [[ ! -x $tool ]]; then
  echo "building $name into ${tool%/*} (once)" >&2
  mkdir -p "${tool%/*}"
  # Built beside its place and renamed, so that nobody ever starts half a binary.
  fresh=$(mktemp "$tool.XXXXXX")
  trap 'rm -f "$fresh"' EXIT
  # OpenTofu calls itself "-dev" unless told that this is released source; the other tools have no such variable.
  CGO_ENABLED=0 go build -trimpath -buildvcs=false \
    -ldflags='-s -w -X github.com/opentofu/opentofu/version.dev=no' -o "$fresh" tool >&2
  mv "$fresh" "$tool"
fi
echo "$tool"
