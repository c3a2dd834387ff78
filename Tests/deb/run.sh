#!/usr/bin/env bash
# The Debian package in a clean Debian root, without Swift and without a network: a C program, the command, the shell
# functions and the wheel run there, and removing it leaves nothing.
# What stands in single quotes is for the shell inside.
# shellcheck disable=SC2016
. "$(dirname "$0")/../../scripts/lib.sh"
passed=0 failed=0 skipped=0
finish() {
  say "$passed passed, $failed failed, $skipped skipped"
  [ $failed = 0 ]
  exit
}
skip() {
  say "skipped the Debian package: $*"
  skipped=1
  finish
}
[ "$(id -u)" = 0 ] || skip "only root can make a root for it"
unshare --mount true 2>/dev/null || skip "this machine allows no mount of its own"
command -v debootstrap >/dev/null || skip "debootstrap is missing"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

# The clean root is made once and kept as an archive; it has what the package and the wheel name as their needs.
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
archive=.deps/root-$suite.tar
if [ ! -e "$archive" ]; then
  say "making a clean root"
  mirror=$(awk '/^URIs:/{print $2; exit}' /etc/apt/sources.list.d/*.sources 2>/dev/null || true)
  timeout 500 debootstrap --variant=minbase --include=python3,python3-venv,libstdc++6 "$suite" "$work/new" ${mirror:+"$mirror"} >.deps/debootstrap.log 2>&1 || {
    tail -n 5 .deps/debootstrap.log
    skip "debootstrap cannot make a root; its words are in .deps/debootstrap.log"
  }
  tar -C "$work/new" --exclude=./dev --exclude=./proc --exclude=./sys --exclude=./var/cache/apt --exclude=./var/lib/apt/lists -cf "$archive.new" .
  mv "$archive.new" "$archive"
  rm -rf "$work/new"
fi
mkdir -p "$root/dev" "$root/proc"
tar -C "$root" -xf "$archive"

bash scripts/deb.sh
bash scripts/wheel.sh
cp build/deb/*.deb build/wheel/*.whl Examples/shell/demo.sh "$root/root/"
gcc -std=c11 -O2 Examples/c/demo.c -o "$root/root/c-demo" -I"$stage/include" -L"$stage/lib" -lsatchel

# inside COMMAND: in the root, with mounts that end with it.
inside() {
  unshare --mount bash -c 'mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && exec chroot "$1" /usr/bin/env -i \
    PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 bash -c "$2"' - "$root" "cd /root; $1" </dev/null
}
# try WORDS COMMAND
try() {
  if inside "set -e; $2" >"$work/said" 2>&1; then
    passed=$((passed + 1))
    say "ok   $1"
  else
    failed=$((failed + 1))
    say "FAIL $1"
    sed 's/^/     /' "$work/said"
  fi
}

try "there is no Swift" '! command -v swift && ! find / -xdev -name "libswift*" | grep .'
try "the package installs with what the root has" 'dpkg -i *.deb'
try "it can be checked" 'test -z "$(dpkg --verify satchel)"'
try "the command runs" 'satchel --version && satchel set org.example.deb name "a package" && [ "$(satchel get org.example.deb name)" = "a package" ]'
try "the C program runs, and the command reads what it wrote" './c-demo org.example.deb && [ "$(satchel get org.example.deb lastWriter)" = "a C program" ]'
try "the shell functions run" 'sh demo.sh org.example.deb'
try "the manual page and the completions are there" 'zcat /usr/share/man/man1/satchel.1.gz | grep -q satchel && . /usr/share/bash-completion/completions/satchel'
try "the wheel runs beside it" 'python3 -m venv here && here/bin/pip install --quiet --no-index *.whl &&
  here/bin/python -c "import satchel; s = satchel.Settings(\"org.example.deb\"); assert s[\"name\"] == \"a package\"; s[\"name\"] = \"a wheel\"" &&
  [ "$(satchel get org.example.deb name)" = "a wheel" ]'
[ ! -e "$stage/lib/bash/satchel.so" ] ||
  try "bash loads the builtin" 'enable -f satchel.so satchel 2>/dev/null || enable -f /usr/lib/bash/satchel.so satchel; satchel get -v name org.example.deb name; [ "$name" = "a wheel" ]'
try "removing it leaves nothing" 'dpkg -r satchel && ! find / -xdev \( -path /proc -o -path /root -o -path /var/lib/dpkg -o -path /var/log \) -prune -o -name "*satchel*" -print | grep .'
finish
