#!/usr/bin/env bash
# A Debian package of what `make ship` built, in build/deb/. Debian's own tools work out what it needs and put it together.
. "$(dirname "$0")/lib.sh"
need_stage
architecture=$(dpkg --print-architecture)
multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
folder=$top/build/deb
tree=$folder/tree
rm -rf "$folder"
mkdir -p "$tree/DEBIAN" "$folder/debian"

DESTDIR=$tree PREFIX=/usr LIBDIR=lib/$multiarch bash scripts/install.sh >/dev/null
gzip -9n "$tree"/usr/share/man/man1/*.1
mv "$tree/usr/share/zsh/site-functions" "$tree/usr/share/zsh/vendor-completions"
docs=$tree/usr/share/doc/satchel
mkdir -p "$docs"
{
  printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: satchel\n\nFiles: *\n'
  sed -n 's/^Copyright (c) /Copyright: /p' LICENSE
  printf 'License: Expat\n'
  sed -n '/^Permission is hereby/,$p' LICENSE | sed 's/^$/./; s/^/ /'
} >"$docs/copyright"
maintainer='The Satchel developers <satchel@example.org>'
date=$(date -R -d "@$(git log -1 --format=%ct)")
printf 'satchel (%s) unstable; urgency=medium\n\n  * Release %s.\n\n -- %s  %s\n' "$version" "$version" "$maintainer" "$date" |
  gzip -9n >"$docs/changelog.gz"

# What the library and the command need of other packages, as Debian records it.
printf 'Source: satchel\nMaintainer: %s\n\nPackage: satchel\nArchitecture: any\n' "$maintainer" >"$folder/debian/control"
needs=$(cd "$folder" && dpkg-shlibdeps -O --ignore-missing-info -l"$tree/usr/lib/$multiarch" \
  "tree/usr/lib/$multiarch/libsatchel.so.$version" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
[ -n "$needs" ] || fail "dpkg-shlibdeps found nothing that the library needs"
cat >"$tree/DEBIAN/control" <<END
Package: satchel
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN "$tree" | cut -f 1)
Depends: $needs
Suggests: bash-completion
Section: utils
Priority: optional
Description: settings that every program and language shares
 Typed settings in one file a domain, open at once to C, Swift, Python and the
 shell: exact from any number of processes, and safe against kill -9. Without
 a daemon. This package has the command, the library with its headers, the
 functions for shell scripts, the builtin for bash, manual page and completions.
END
printf 'libsatchel 0 satchel\n' >"$tree/DEBIAN/shlibs"
printf 'activate-noawait ldconfig\n' >"$tree/DEBIAN/triggers"
(cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
find "$tree" -type d -exec chmod 755 {} +
chmod 644 "$tree"/DEBIAN/*

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) dpkg-deb --root-owner-group --build "$tree" "$folder" >/dev/null
rm -rf "$tree" "$folder/debian"
package=$(echo "$folder"/*.deb)
say "deb: $(basename "$package") ($(du -h "$package" | cut -f 1)), needs $needs"
