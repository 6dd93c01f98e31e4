#!/usr/bin/env bash
# Sums up all files of a folder in SHA256SUMS, and signs that with an SSH key if one
# is named. SECURITY.md says how that is checked.
set -euo pipefail
cd "$1"
key=${2:-}
rm -f SHA256SUMS SHA256SUMS.sig
sha256sum -- * >.sums
mv .sums SHA256SUMS
if [ -z "$key" ]; then
  echo "not signed: name a key with KEY=~/.ssh/id_ed25519" >&2
  exit
fi
ssh-keygen -q -Y sign -n toolcrib -f "$key" SHA256SUMS
