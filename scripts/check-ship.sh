#!/usr/bin/env bash
# What build/ship/ promises: one library that needs nothing but the C and C++ run-time libraries, one static command.
. "$(dirname "$0")/lib.sh"
library=$stage/lib/libsatchel.so.$version
command=$stage/bin/satchel
problems=0
problem() {
  printf 'ship: %s\n' "$*" >&2
  problems=$((problems + 1))
}

dynamic=$(readelf -dW "$library")
grep -qF "Library soname: [$soname]" <<<"$dynamic" || problem "the soname is not $soname"
needed=$(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' <<<"$dynamic")
while read -r name; do
  case $name in
    libc.so.6 | libm.so.6 | libstdc++.so.6 | libgcc_s.so.1 | ld-linux*.so.*) ;;
    *) problem "libsatchel.so needs $name" ;;
  esac
done <<<"$needed"
! grep -qE '\((RPATH|RUNPATH|TEXTREL)\)' <<<"$dynamic" || problem "libsatchel.so has a run path or text relocations"
grep -q NODELETE <<<"$dynamic" || problem "libsatchel.so can be unloaded; the Swift runtime cannot"

! grep -q INTERP < <(readelf -lW "$command") || problem "the command is not static"
"$command" --version >/dev/null || problem "the command does not run"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
said=$(echo '{"a": {}}' | "$command" import check --format json --directory "$scratch" 2>&1) ||
  problem "the command cannot import: $said"
# A folder that the Swift runtime would look into: Sources/CSatchelSystem/startup.c stands in the place of what does.
! grep -qaF libexec "$library" "$command" || problem "the Swift runtime looks for its backtracer as it starts"

# The builtin: the library and libc, found from wherever both stand, and nothing of it in the way of other builtins' names.
builtin=$stage/lib/bash/satchel.so
dynamic=$(readelf -dW "$builtin")
while read -r name; do
  case $name in "$soname" | libc.so.6 | libm.so.6) ;; *) problem "the builtin needs $name" ;; esac
done < <(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' <<<"$dynamic")
# shellcheck disable=SC2016
grep -qF 'Library runpath: [$ORIGIN/..:$ORIGIN/../' <<<"$dynamic" || problem "the builtin does not look for the library in its parent folder"
exports=$(nm -D --defined-only "$builtin" | awk '{print $3}' | sort | xargs)
[ "$exports" = "satchel_builtin_load satchel_builtin_unload satchel_struct" ] || problem "the builtin exports $exports"
# shellcheck disable=SC2016
env -u LD_LIBRARY_PATH bash -c 'enable -f "$1" satchel && [ "$(type -t satchel)" = builtin ] && enable -d satchel' bash "$builtin" ||
  problem "bash cannot load and unload the builtin"

# Foundation would make the library nine times as large and its start nine times as slow.
foundation=$(grep -rlE '^[[:space:]]*(@[A-Za-z_]+[[:space:]]+|public[[:space:]]+|internal[[:space:]]+|private[[:space:]]+)*import[[:space:]]+(struct |class |func |enum )?Foundation' Sources \
  --include='*.swift' | grep -v '^Sources/SatchelFoundation/' || true)
[ -z "$foundation" ] || problem "Foundation is imported outside SatchelFoundation: $foundation"
! grep -qaF FoundationEssentials "$library" "$command" || problem "Foundation is linked in"

# What the command wrote about itself can be read by those it is for.
mandoc -T lint -W error "$stage/share/man/man1/satchel.1" >&2 || problem "the man page has errors"
bash -n "$stage/share/bash-completion/completions/satchel" || problem "the completion for bash does not parse"
! command -v zsh >/dev/null || zsh -n "$stage/share/zsh/site-functions/_satchel" || problem "the completion for zsh does not parse"

[ $problems = 0 ] || fail "$problems problems"
glibc=$(nm -D --undefined-only "$library" | grep -oE 'GLIBC_[0-9.]+' | sort -Vu | tail -n 1)
size() { awk -v bytes="$(stat -c %s "$1")" 'BEGIN{printf "%.1f MB", bytes / 1e6}'; }
say "ship: libsatchel.so.$version $(size "$library"), needs $(tr '\n' ' ' <<<"$needed")($glibc); satchel $(size "$command"), static"
