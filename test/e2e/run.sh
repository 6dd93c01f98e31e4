#!/usr/bin/env bash
# Drives real servers through the gateway with real clients: see main.go. Flags
# are handed on: --only single.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/internal/node.sh

packages=$(npm_packages test/e2e e2e)
node=$(node_in "$packages")

# agent NAME prints an agent's command, nothing where it cannot be installed.
agent() {
  local found command
  found=$(npm_packages "test/e2e/$1" "$1") || return 0
  command=$found/node_modules/.bin/$1
  if PATH=$(dirname "$node"):$PATH "$command" --version >/dev/null 2>&1; then echo "$command"; fi
}
claude=$(agent claude)
codex=$(agent codex)

bin=$PWD/.cache/bin
mkdir -p "$bin"
go build -o "$bin/toolcrib" ./cmd/toolcrib
go build -o "$bin/e2e" ./test/e2e
exec "$bin/e2e" --node "$node" --packages "$packages" --claude "$claude" --codex "$codex" --toolcrib "$bin/toolcrib" "$@"
