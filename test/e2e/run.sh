#!/usr/bin/env bash
# Drives real servers through the gateway with real clients: see main.go. Flags
# are handed on: --only single.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/internal/node.sh

packages=$(npm_packages test/e2e e2e)
node=$(node_in "$packages")
claude=
if found=$(npm_packages test/e2e/claude claude) && "$found/node_modules/.bin/claude" --version >/dev/null 2>&1; then
  claude=$found/node_modules/.bin/claude
fi

bin=$PWD/.cache/bin
mkdir -p "$bin"
go build -o "$bin/toolcrib" ./cmd/toolcrib
go build -o "$bin/e2e" ./test/e2e
exec "$bin/e2e" --node "$node" --packages "$packages" --claude "$claude" --toolcrib "$bin/toolcrib" "$@"
