#!/usr/bin/env bash
# Opens the page of a real gateway in a real browser: see main.mjs. Flags are
# handed on: --only catalog.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/internal/node.sh

# browser prints the command of a Chromium, which is installed where there is
# none and Debian's package can be.
browser() {
  local name
  for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
    if [ -n "$name" ] && command -v "$name"; then return; fi
  done
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing chromium (once, some minutes)" >&2
    if { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium; } >.cache/chromium.log 2>&1; then
      command -v chromium
      return
    fi
    tail -n 5 .cache/chromium.log >&2
  fi
  echo "no Chromium was found: install it, or name its command with CHROMIUM=..." >&2
  return 1
}

bin=$PWD/.cache/bin
mkdir -p "$bin"
chromium=$(browser)
packages=$(npm_packages test/browser browser)
node=$(node_in "$packages")
go build -o "$bin/toolcrib" ./cmd/toolcrib
exec "$node" test/browser/main.mjs --packages "$packages" --chromium "$chromium" --toolcrib "$bin/toolcrib" --out .cache/browser "$@"
