#!/usr/bin/env bash
# What users meet after `make install`: the files, pkg-config, C programs built with it, a Swift package elsewhere that
# depends on this one, moving the whole tree, and taking it away again.
. "$(dirname "$0")/../../scripts/lib.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
# try WORDS COMMAND...
try() {
  local words=$1
  shift
  if "$@" >"$scratch/said" 2>&1; then
    passed=$((passed + 1))
    say "ok   $words"
  else
    failed=$((failed + 1))
    say "FAIL $words"
    sed 's/^/     /' "$scratch/said"
  fi
}

destination=$scratch/destination prefix=/opt/somewhere
root=$destination$prefix
installed=(lib/libsatchel.so "lib/$soname" "lib/libsatchel.so.$version" lib/pkgconfig/satchel.pc include/satchel.h
  include/satchel/base.h include/satchel/settings.h include/satchel/value.h bin/satchel share/man/man1/satchel.1
  lib/bash/satchel.so share/satchel/satchel.sh share/bash-completion/completions/satchel share/zsh/site-functions/_satchel)
all_there() { local file; for file in "${installed[@]}"; do [ -s "$root/$file" ] || { say "missing: $file"; return 1; }; done; }
modes_right() { [ -z "$(find "$root" -type f \( ! -perm -a=r -o -perm /022 \) -print | tee /dev/stderr)" ]; }
nothing_else() { [ "$(cd "$scratch" && find . -type f | grep -cv -e '^./destination/' -e '^./said$')" = 0 ]; }

try "installs below DESTDIR and PREFIX" env DESTDIR="$destination" PREFIX=$prefix bash scripts/install.sh
try "every file is there" all_there
try "everybody can read them, only the owner can write them" modes_right
try "nothing was written elsewhere" nothing_else
try "installs again over itself" env DESTDIR="$destination" PREFIX=$prefix bash scripts/install.sh
try "leaves no half-written file" test -z "$(find "$root" -name '*.new')"

# The tree may be moved: the pkg-config file speaks of where it stands.
mv "$root" "$scratch/moved"
moved=$scratch/moved
export PKG_CONFIG_PATH=$moved/lib/pkgconfig LD_LIBRARY_PATH=$moved/lib PATH="$moved/bin:$PATH"
export XDG_CONFIG_HOME=$scratch/config
mkdir "$XDG_CONFIG_HOME"
try "pkg-config finds it and knows its version" pkg-config --exact-version="$version" satchel
try "the command says its version" bash -c "satchel --version | grep -F '$version'"
mapfile -t flags < <(pkg-config --cflags --libs satchel | xargs -n 1)

outputs() { # outputs NAME WORDS ARGUMENTS...
  local name=$1 words=$2
  shift 2
  "$scratch/$name" "$@" | tee /dev/stderr | grep -qF -- "$words"
}
for source in Examples/c/*.c; do
  name=$(basename "$source" .c)
  try "compiles $source" gcc -std=c11 -Wall -Wextra -Werror -o "$scratch/$name" "$source" "${flags[@]}"
  try "runs $source" "$scratch/$name" org.example.install 0
done
try "the C example writes what the command reads" outputs moved/bin/satchel "a C program" get org.example.install lastWriter
try "the C example reads what the command wrote" satchel set org.example.install lastWriter "the command"
try "... in its output" outputs demo '"the command"' org.example.install
try "the shell example runs" sh Examples/shell/demo.sh org.example.install
# Found by the path of its library alone, and by satchel.sh beside which it stands.
builtin() { env -u LD_LIBRARY_PATH -u SATCHEL_BUILTIN bash -euc "$1; satchel get -v value org.example.install lastWriter; [ \"\$value\" = 'a shell script' ]"; }
try "bash loads the builtin from where it was installed" builtin "enable -f '$moved/lib/bash/satchel.so' satchel"
try "... by BASH_LOADABLES_PATH" builtin "BASH_LOADABLES_PATH='$moved/lib/bash'; enable -f satchel.so satchel"
try "... and through satchel.sh" builtin "BASH_LOADABLES_PATH=; . '$moved/share/satchel/satchel.sh'; [ \$(type -t satchel) = builtin ]"
try "C++ links too" bash -c "printf '#include <satchel.h>\nint main() { return satchel_version_number() == SATCHEL_VERSION_NUMBER ? 0 : 1; }\n' |
  g++ -std=c++11 -Wall -Wextra -Werror -x c++ - -o '$scratch/plus' $(printf ' %q' "${flags[@]}") && '$scratch/plus'"
try "the library can be opened at run time, and closed" bash -c "printf '#include <dlfcn.h>\nint main(void) { for (int i = 0; i < 3; i++) { void *library = dlopen(\"$soname\", RTLD_NOW | RTLD_LOCAL); if (!library || !dlsym(library, \"satchel_version\") || dlclose(library)) return 1; } return 0; }\n' |
  gcc -x c - -o '$scratch/opened' && '$scratch/opened'"

# A Swift package somewhere else that depends on this one by its path. Its build shares the demo's folder, so that the
# library is compiled once for both.
elsewhere() {
  cp -r Examples/swift "$scratch/elsewhere" && rm -rf "$scratch/elsewhere/.build" &&
    sed -i "s|path: \"../..\"|path: \"$top\"|" "$scratch/elsewhere/Package.swift" &&
    swift build --package-path "$scratch/elsewhere" --scratch-path .build/examples
}
try "a Swift package elsewhere builds against this one" elsewhere
cp .build/examples/debug/swift-demo "$scratch/swift-demo" 2>/dev/null || true
try "... and reads what the shell wrote" outputs swift-demo "a shell script" org.example.install

mkdir -p "$(dirname "$root")"
mv "$moved" "$root"
# From a checkout in which nothing was ever built, and of another release; what is somebody else's stays.
mkdir "$scratch/bare"
cp -r scripts include "$scratch/bare/"
touch "$root/lib/libsatchel.so.0.0.9" "$root/lib/libsatchel-other.so" "$root/share/man/man1/other.1"
try "uninstalls without a build" env DESTDIR="$destination" PREFIX=$prefix bash "$scratch/bare/scripts/install.sh" --remove
try "... building nothing" test ! -e "$scratch/bare/build"
left() { [ "$(cd "$root" && find . ! -type d | sort | xargs)" = "./lib/libsatchel-other.so ./share/man/man1/other.1" ]; }
try "nothing of it is left" left
try "uninstalls nothing at all" env DESTDIR="$destination" PREFIX=$prefix bash "$scratch/bare/scripts/install.sh" --remove
try "installs elsewhere" env LIBDIR=lib/here DESTDIR="$destination" PREFIX=/usr bash scripts/install.sh
try "... and uninstalls there" env LIBDIR=lib/here DESTDIR="$destination" PREFIX=/usr bash "$scratch/bare/scripts/install.sh" --remove
try "... all of it" test -z "$(find "$destination/usr" ! -type d)"

say "$passed passed, $failed failed"
[ $failed = 0 ]
