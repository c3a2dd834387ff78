#!/usr/bin/env bash
# Installs what building and testing need beyond Swift, gcc, make and python3. Quick and quiet when nothing is missing.
. "$(dirname "$0")/lib.sh"

# package=proof: the package is missing where its proof (a command, or a file) is.
packages="
  ca-certificates=/etc/ssl/certs/ca-certificates.crt
  gcc=gcc g++=g++ libc6-dev=/usr/include/stdio.h binutils=readelf
  git=git pkg-config=pkg-config shellcheck=shellcheck mandoc=mandoc
  strace=strace sqlite3=sqlite3 spin=spin zsh=zsh dash=dash lnav=lnav jq=jq
  bash-builtins=/usr/include/bash/builtins.h acl=setfacl attr=setfattr util-linux=unshare procps=ps
  debootstrap=debootstrap dpkg-dev=dpkg-shlibdeps tzdata=/usr/share/zoneinfo/Europe/London
  libpython3-dev=/usr/include/python3*/Python.h
  liblmdb-dev=/usr/include/lmdb.h libsqlite3-dev=/usr/include/sqlite3.h
  uthash-dev=/usr/include/uthash.h libglib2.0-dev=/usr/include/glib-2.0/glib.h
"

# Python tools, in an environment of their own.
requirements=scripts/requirements.txt

python=python3
stamp=.deps/stamp
mark=$(cat scripts/deps.sh "$requirements" | cksum)
[ "$(cat "$stamp" 2>/dev/null)" != "$mark" ] || [ ! -x .deps/venv/bin/ruff ] || exit 0

command -v swift >/dev/null || fail "Swift 6.3 or newer is needed: install it from https://www.swift.org/install/linux/ and put it in PATH"
command -v python3 >/dev/null || packages="$packages python3=python3"
# Debian's python3 leaves venv to a package of its own; another python3 that comes first in PATH brings it along.
"$python" -c 'import ensurepip, venv' 2>/dev/null || packages="$packages python3-venv=/nonexistent"

missing=()
for entry in $packages; do
  proof=${entry#*=}
  case $proof in
    /*) compgen -G "$proof" >/dev/null || missing+=("${entry%%=*}") ;;
    *) command -v "$proof" >/dev/null || missing+=("${entry%%=*}") ;;
  esac
done

if [ ${#missing[@]} -gt 0 ]; then
  command -v apt-get >/dev/null || fail "missing, and there is no apt-get to install it: ${missing[*]}"
  [ "$(id -u)" = 0 ] || fail "missing; as root, run: apt-get install ${missing[*]}"
  say "deps: installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  mkdir -p .deps
  {
    apt-get update -q
    apt-get install -q -y --no-install-recommends "${missing[@]}"
  } >.deps/apt.log 2>&1 || {
    tail -n 20 .deps/apt.log >&2
    fail "apt-get failed; its words are in .deps/apt.log"
  }
fi

say "deps: Python tools into .deps/venv"
[ -x .deps/venv/bin/python ] || "$python" -m venv .deps/venv
.deps/venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$requirements"
say "$mark" >"$stamp"
