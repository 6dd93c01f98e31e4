#!/usr/bin/env bash
# Discovers real servers from npm and holds what is found against what they are
# known to offer: see test/internal/corpus. Flags are handed on: --only time-mcp.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/internal/node.sh

# Nothing of these packages is run while they are installed.
packages=$(npm_config_ignore_scripts=true npm_packages test/corpus corpus)
node=$(node_in "$packages")

bin=$PWD/.cache/bin
mkdir -p "$bin"
go build -o "$bin/toolcrib" ./cmd/toolcrib
go build -o "$bin/corpus" ./test/corpus
exec "$bin/corpus" --node "$node" --packages "$packages" --toolcrib "$bin/toolcrib" "$@"
