#!/usr/bin/env bash
# Builds what is released into a folder, for every system: the binaries, what each is
# made of (CycloneDX), the sums of all, and with a key the signature of the sums.
#
#   test/release/build.sh OUT "linux/amd64 darwin/arm64 ..." [KEY]
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$1 systems=$2 key=${3:-}

rm -rf "$out"
mkdir -p "$out"
go build -o "$out/.sbom" ./test/sbom
for system in $systems; do
  os=${system%/*} arch=${system#*/}
  name=toolcrib-$os-$arch
  if [ "$os" = windows ]; then name=$name.exe; fi
  echo "build $name"
  GOOS=$os GOARCH=$arch CGO_ENABLED=0 go build -trimpath -ldflags=-s -o "$out/$name" ./cmd/toolcrib
  "$out/.sbom" "$out/$name" >"$out/$name.cdx.json"
done
rm "$out/.sbom"
test/release/sign.sh "$out" "$key"
