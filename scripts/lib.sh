# Shared by the scripts beside it; source it, do not run it.
# shellcheck shell=bash
#
# Every script runs from the top of the checkout, in one locale, with the tools of .deps/venv first in PATH.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
top=$PWD
export LC_ALL=C.UTF-8
[ ! -d .deps/venv/bin ] || export PATH="$top/.deps/venv/bin:$PATH"

# The release, as the header says it, so that it is written in one place.
# shellcheck disable=SC2034
version=$(awk '/^#define SATCHEL_VERSION_(MAJOR|MINOR|PATCH) /{printf "%s%s", dot, $3; dot = "."}' include/satchel/base.h)
soname=libsatchel.so.0
# Where `make ship` leaves what `make install` copies.
stage=$top/build/ship

# Warnings are errors in every build that a script makes.
# shellcheck disable=SC2034
strict=(-Xswiftc -warnings-as-errors -Xcc -Werror)

say() { printf '%s\n' "$*"; }
fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# The toolchain that `swift` belongs to: its clang, its static libraries.
toolchain_bin() { dirname "$(readlink -f "$(command -v swift)")"; }

# What an absent ship build means for the scripts that use one.
need_stage() { [ -e "$stage/lib/$soname" ] || bash scripts/ship.sh; }

# A wheel of the library in build/ship/ and of bindings/python/ as they are now.
need_wheel() {
  local wheel
  need_stage
  wheel=$(compgen -G "$top/build/wheel/*.whl") || wheel=
  if [ -z "$wheel" ] || find "$stage/lib" bindings/python/{src,native,setup.py,pyproject.toml} -type f -newer "$wheel" | grep -q .; then
    bash scripts/wheel.sh
  fi
}

# python_with_wheel FOLDER ARGUMENTS...: makes a Python environment that has the wheel; the arguments are for pip.
python_with_wheel() {
  local folder=$1
  shift
  need_wheel && python3 -m venv "$folder" || return
  "$folder/bin/pip" install --quiet --disable-pip-version-check build/wheel/*.whl "$@"
}

# Files of the project that end in one of the given extensions, below the given folders, ignoring what builds leave behind.
# sources "swift" Sources Tests   (folders that do not exist yet are skipped)
sources() {
  local extensions=$1 folder names=() present=()
  shift
  for extension in $extensions; do names+=(-o -name "*.$extension"); done
  for folder in "$@"; do [ ! -e "$folder" ] || present+=("$folder"); done
  [ ${#present[@]} -gt 0 ] || return 0
  find "${present[@]}" \( -name .build -o -name build -o -name __pycache__ \) -prune -o -type f \( "${names[@]:1}" \) -print0 | sort -z
}
