#!/usr/bin/env bash
# Runs the protocol's conformance suite against the gateway and its client:
# see main.go. Flags are handed on: --only stdio, --scenario NAME.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/internal/node.sh

packages=$(npm_packages test/conformance conformance)
node=$(node_in "$packages")

bin=$PWD/.cache/bin
mkdir -p "$bin"
go build -o "$bin/toolcrib" ./cmd/toolcrib
go build -o "$bin/everything-server" github.com/modelcontextprotocol/go-sdk/conformance/everything-server
go build -o "$bin/conformance" ./test/conformance
exec "$bin/conformance" --node "$node" --suite "$packages/node_modules/@modelcontextprotocol/conformance" \
  --toolcrib "$bin/toolcrib" --server "$bin/everything-server" "$@"
