#!/usr/bin/env bash
# What is installed: libsatchel.so with the Swift runtime inside it and nothing exported but the list in abi/symbols.txt,
# and the command as one static program. Both are built in a scratch path of their own, because their linker flags would
# break test bundles. The bash builtin beside them uses the library. The result is checked, and stands in build/ship/ as it will stand below PREFIX.
. "$(dirname "$0")/lib.sh"

mkdir -p .build
map=.build/satchel.map
bash scripts/version-script.sh >"$map.new"
cmp -s "$map.new" "$map" || { mv "$map.new" "$map"; rm -f .build/ship/release/libsatchel.so; }
rm -f "$map.new"

export SATCHEL_SHIP=1
# No run path: the library finds nothing beside itself that it needs.
scratch=(--scratch-path .build/ship -c release --disable-local-rpath)
swift build "${scratch[@]}" "${strict[@]}" --product satchel
swift build "${scratch[@]}" "${strict[@]}" --product satchel-cli
binaries=$(swift build "${scratch[@]}" --show-bin-path)

# Built beside and swapped in, so that programs that run from build/ship/ keep the file they have.
fresh=$stage.new
rm -rf "$fresh"
mkdir -p "$fresh/lib" "$fresh/bin" "$fresh/share/man/man1" "$fresh/share/satchel" \
  "$fresh/share/bash-completion/completions" "$fresh/share/zsh/site-functions"
strip --strip-unneeded -o "$fresh/lib/libsatchel.so.$version" "$binaries/libsatchel.so"
chmod 644 "$fresh/lib/libsatchel.so.$version"
ln -s "libsatchel.so.$version" "$fresh/lib/$soname"
ln -s "$soname" "$fresh/lib/libsatchel.so"
strip -o "$fresh/bin/satchel" "$binaries/satchel-cli"
cp -r include "$fresh/include"
rm -f "$fresh/include/module.modulemap"
[ ! -e bindings/shell/satchel.sh ] || cp bindings/shell/satchel.sh "$fresh/share/satchel/"
bash scripts/builtin.sh "$fresh"
"$fresh/bin/satchel" help --man >"$fresh/share/man/man1/satchel.1"
"$fresh/bin/satchel" help --completion bash >"$fresh/share/bash-completion/completions/satchel"
"$fresh/bin/satchel" help --completion zsh >"$fresh/share/zsh/site-functions/_satchel"
rm -rf "$stage"
mv "$fresh" "$stage"

bash scripts/check-exports.sh
bash scripts/check-ship.sh
