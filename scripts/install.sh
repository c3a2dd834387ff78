#!/usr/bin/env bash
# Installs what `make ship` left in build/ship/ below DESTDIR/PREFIX; with --remove, takes the same files away again.
. "$(dirname "$0")/lib.sh"
prefix=${PREFIX:-/usr/local}
case $prefix in /*) ;; *) fail "PREFIX must be an absolute path: $prefix" ;; esac
root=${DESTDIR:-}$prefix
need_stage

# Every file and link of build/ship/, as a path below PREFIX; the pkg-config file is made here.
files() { (cd "$stage" && find . ! -type d -printf '%P\n' | sort); }

if [ "${1:-}" = --remove ]; then
  files | while read -r file; do rm -f "$root/$file"; done
  rm -f "$root/lib/pkgconfig/satchel.pc"
  rmdir "$root/include/satchel" "$root/share/satchel" 2>/dev/null || true
  say "removed satchel $version from $root"
  exit 0
fi

files | while read -r file; do
  mkdir -p "$root/$(dirname "$file")"
  if [ -L "$stage/$file" ]; then
    ln -sfn "$(readlink "$stage/$file")" "$root/$file"
  else
    mode=644
    [ ! -x "$stage/$file" ] || mode=755
    # A new file in the old one's place: programs that have the old one mapped keep it.
    install -m "$mode" "$stage/$file" "$root/$file.new"
    mv -f "$root/$file.new" "$root/$file"
  fi
done
mkdir -p "$root/lib/pkgconfig"
# Relative to the file itself, so that the whole tree may be moved.
cat >"$root/lib/pkgconfig/satchel.pc" <<END
prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: satchel
Description: Settings for every program on a Linux machine, shared live between processes and languages
Version: $version
Libs: -L\${libdir} -lsatchel
Cflags: -I\${includedir}
END
[ -n "${DESTDIR:-}" ] || [ "$(id -u)" != 0 ] || ldconfig 2>/dev/null || true
say "installed satchel $version below $root"
