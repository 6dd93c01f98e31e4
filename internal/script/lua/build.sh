#!/bin/sh
# Builds lua.wasm: PUC-Lua from Debian's source package, with work counted (fuel.h),
# and the bridge to the host. The same sources and tools give the same bytes.
#
# Needs Debian 12's clang-14, lld-14, wasi-libc and libclang-rt-14-dev-wasm32.
# LUA_TARBALL may name the source archive, else it is fetched from where apt gets
# its packages.
set -eu

version=5.4.9
sum=2335b6c582a52654f94612bf10d2f4672805d05329aa6568b1d8cd9e5c6fb8e6
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for tool in clang-14 wasm-ld-14; do
	command -v "$tool" >/dev/null || {
		echo "$tool is missing: apt-get install clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32" >&2
		exit 1
	}
done

archive=${LUA_TARBALL:-$work/lua.tar.gz}
if [ -z "${LUA_TARBALL:-}" ]; then
	mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep '/debian/$' | sort -u | head -n 1)
	curl -fsSL -o "$archive" "${mirror}pool/main/l/lua5.4/lua5.4_$version.orig.tar.gz"
fi
echo "$sum  $archive" | sha256sum -c --quiet -
tar -C "$work" -xzf "$archive"
cd "$work/lua-$version/src"

# replace FILE PATTERN TEXT: the pattern must be there, or the build would be another.
replace() {
	grep -q "$2" "$1" || { echo "$1 has no line $2" >&2; exit 1; }
	sed -i "s/$2.*/$3/" "$1"
}

# Every jump back, call and return of the virtual machine burns fuel.
replace lvm.c '^#define updatetrap(ci)' '#define updatetrap(ci) (trap = ci->u.l.trap, fuel_burn(FUEL_STEP))'
replace lvm.c '^  trap = L->hookmask;' '  trap = L->hookmask; fuel_burn(FUEL_STEP);'
# So does every step of a pattern.
replace lstrlib.c '^  if (l_unlikely(ms->matchdepth-- == 0))' '  fuel_burn(FUEL_STEP); if (l_unlikely(ms->matchdepth-- == 0))'
# Whole numbers become text without snprintf.
sed -i '/^#define lua_integer2str/,+1d' luaconf.h
echo '#define lua_integer2str(s,sz,n) fuel_itoa((s), (long long)(n))' >>lobject.h
# JSON's null counts as false, as a script that tests a field expects.
replace lobject.h '^#define l_isfalse(o)' '#define l_isfalse(o) (ttisfalse(o) || ttisnil(o) || (ttislightuserdata(o) \&\& pvalue(o) == NULL))'

mkdir shim
echo 'typedef int jmp_buf[1];' >shim/setjmp.h
echo 'typedef int sig_atomic_t;' >shim/signal.h

flags="--target=wasm32-wasi --sysroot=/usr -isystem /usr/include/wasm32-wasi -O2 -Wall -Wno-unused-value -Wno-dangling-else -Wno-unused-variable -Wno-unused-but-set-variable
	-ftls-model=local-exec -mbulk-memory -msign-ext -mnontrapping-fptoint -ffile-prefix-map=$work=. -ffile-prefix-map=$here=.
	-DNDEBUG -DLUA_COMPAT_5_3 -Ishim -I. -I$here -include $here/fuel.h"

compile() { # FILE EXTRA...: one object beside the others
	file=$1
	shift
	clang-14 $flags "$@" -c "$file" -o "$(basename "$file" .c).o"
}

for part in lapi lauxlib lbaselib lcode lcorolib lctype ldebug ldo lfunc lgc llex lmathlib lmem lobject \
	lopcodes loslib lparser lstate lstring lstrlib ltable ltablib ltm lundump ldump lutf8lib lzio; do
	compile $part.c -include "$here/loops.h"
done
compile lvm.c -DFUEL_NO_GOTO -include "$here/loops.h"
for part in blob calls fault json_read json_write vm; do
	compile "$here/$part.c" -include "$here/loops.h"
done
clang-14 --target=wasm32-wasi -O2 -c "$here/nowasi.c" -o nowasi.o

wasm-ld-14 --no-entry --stack-first -z stack-size=262144 --export=__stack_pointer --strip-all --gc-sections \
	-o "$here/lua.wasm" /usr/lib/wasm32-wasi/crt1-reactor.o ./*.o -L/usr/lib/wasm32-wasi -lm -lc \
	"$(clang-14 -print-resource-dir)/lib/wasi/libclang_rt.builtins-wasm32.a"

cd "$here"
sha256sum lua.wasm >lua.wasm.sha256
chmod 644 lua.wasm
