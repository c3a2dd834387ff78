#!/usr/bin/env bash
# Installs what `make ship` left in build/ship/ below DESTDIR/PREFIX; with --remove, takes away what any release has put there,
# without a build.
# LIBDIR is where libraries go below PREFIX, such as lib/x86_64-linux-gnu (default: lib).
. "$(dirname "$0")/lib.sh"
prefix=${PREFIX:-/usr/local}
case $prefix in /*) ;; *) fail "PREFIX must be an absolute path: $prefix" ;; esac
root=${DESTDIR:-}$prefix
libdir=${LIBDIR:-lib}

if [ "${1:-}" = --remove ]; then
  lib=$root/$libdir
  rm -f "$root/bin/satchel" "$root"/include/satchel.h "$root"/include/satchel/*.h "$lib"/libsatchel.so{,.[0-9]*} \
    "$lib/pkgconfig/satchel.pc" "$root/lib/bash/satchel.so" "$root/share/satchel/satchel.sh" "$root/share/man/man1/satchel.1" \
    "$root/share/bash-completion/completions/satchel" "$root/share/zsh/site-functions/_satchel"
  rmdir "$root/include/satchel" "$root/share/satchel" "$root/lib/bash" 2>/dev/null || true
  [ -n "${DESTDIR:-}" ] || [ "$(id -u)" != 0 ] || ldconfig 2>/dev/null || true
  say "removed satchel from $root"
  exit 0
fi
need_stage

# Every file and link of build/ship/, as a path below PREFIX; the pkg-config file is made here.
files() { (cd "$stage" && find . ! -type d -printf '%P\n' | sort); }

# Where one of them goes: bash looks for its own in lib/bash, wherever libraries are.
place() {
  case $1 in
    lib/bash/*) printf '%s\n' "$1" ;;
    lib/*) printf '%s\n' "$libdir/${1#lib/}" ;;
    *) printf '%s\n' "$1" ;;
  esac
}

files | while read -r file; do
  target=$root/$(place "$file")
  mkdir -p "$(dirname "$target")"
  if [ -L "$stage/$file" ]; then
    ln -sfn "$(readlink "$stage/$file")" "$target"
  else
    mode=644
    [ ! -x "$stage/$file" ] || mode=755
    # A new file in the old one's place: programs that have the old one mapped keep it.
    install -m "$mode" "$stage/$file" "$target.new"
    mv -f "$target.new" "$target"
  fi
done
mkdir -p "$root/$libdir/pkgconfig"
# Relative to the file itself, so that the whole tree may be moved.
cat >"$root/$libdir/pkgconfig/satchel.pc" <<END
prefix=\${pcfiledir}/..$(sed 's,[^/]\+,..,g; s,^,/,' <<<"$libdir")
libdir=\${prefix}/$libdir
includedir=\${prefix}/include

Name: satchel
Description: Settings for every program on a Linux machine, shared live between processes and languages
Version: $version
Libs: -L\${libdir} -lsatchel
Cflags: -I\${includedir}
END
[ -n "${DESTDIR:-}" ] || [ "$(id -u)" != 0 ] || ldconfig 2>/dev/null || true
say "installed satchel $version below $root"
