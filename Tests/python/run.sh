#!/usr/bin/env bash
# The wheel, in a fresh environment of every Python of this machine, on a path without Swift: its tests, its examples, its
# types, and that it needs nothing but itself; and the transcripts of the command through it.
. "$(dirname "$0")/../../scripts/lib.sh"
bash scripts/wheel.sh
wheel=$(echo build/wheel/*.whl)
work=$(mktemp -d)
chmod 755 "$work" # the transcripts have an ordinary user
trap 'rm -rf "$work"' EXIT
tools=$top/.deps/venv/bin
export SATCHEL_LIB=${SATCHEL_LIB:-$stage/lib} SATCHEL_BIN=${SATCHEL_BIN:-$stage/bin/satchel} SATCHEL_VALUES=$top/Tests/values.txt
passed=0 failed=0 skipped=0

# check WHAT COMMAND...
check() {
  local what=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); say "FAIL $what"; fi
}

# number WORD: what pytest's last line, in $summary, says of it.
number() { grep -oE "[0-9]+ $1" <<<"$summary" | cut -d ' ' -f 1 || true; }

# tests PYTHON ARGUMENTS...: pytest there, counted.
tests() {
  local status=0 output summary count
  output=$(cd "$work" && "$@" -m pytest -q -p no:cacheprovider -W error "${asked[@]}" 2>&1) || status=$?
  summary=$(grep -E '(passed|failed|error).* in ' <<<"$output" | tail -n 1) || true
  for word in passed failed error skipped; do
    count=$(number "$word")
    case $word in
      passed) passed=$((passed + ${count:-0})) ;;
      skipped) skipped=$((skipped + ${count:-0})) ;;
      *) failed=$((failed + ${count:-0})) ;;
    esac
  done
  [ $status = 0 ] && return
  [ -n "$(number failed)$(number error)" ] || failed=$((failed + 1))
  say "$output"
}

needs_only_itself() {
  local needed
  (cd "$work" && rm -rf unpacked && python -m zipfile -e "$top/$wheel" unpacked)
  needed=$(readelf -dW "$work"/unpacked/satchel/*.so* | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u)
  ! grep -vE '^(libc\.so\.6|libm\.so\.6|libstdc\+\+\.so\.6|libgcc_s\.so\.1|ld-linux.*|libsatchel\.so\.0)$' <<<"$needed" &&
    readelf -dW "$work"/unpacked/satchel/_native*.so | grep -qE 'Library runpath: .[$]ORIGIN.$'
}

is_abi3() { [[ $wheel == *-cp310-abi3-manylinux_*.whl ]]; }

check "the name of the wheel: $wheel" is_abi3
check "the wheel needs more than itself" needs_only_itself

# Those of the system, of pyenv, and in PATH, where a name may be one of pyenv's that stands for no Python at present.
pythons() {
  local root=${PYENV_ROOT:-}
  [ -n "$root" ] || root=$(pyenv root 2>/dev/null) || root=
  compgen -G '/usr/bin/python3.[0-9]*' || true
  [ -z "$root" ] || compgen -G "$root/versions/*/bin/python3.[0-9]*" || true
  type -ap python3.{10..29} || true
}

# One of each version.
tried=()
for python in $(pythons | grep -E 'python3\.[1-9][0-9]$'); do
  version=${python##*python}
  if [ -e "$work/$version" ] || ! "$python" -c '' 2>/dev/null; then continue; fi
  "$python" -c 'import ensurepip, venv' 2>/dev/null || { say "skipped $python: it has no venv"; skipped=$((skipped + 1)); continue; }
  tried+=("$python")
  "$python" -m venv "$work/$version"
  inside=$work/$version/bin/python
  "$inside" -m pip install --quiet --disable-pip-version-check "$wheel" -r <(grep '^pytest=' scripts/requirements.txt)
  asked=("$top/bindings/python/tests")
  PATH=/usr/bin:/bin tests "$inside"
  # The examples of the docstrings, each with a home of its own as well.
  asked=(-p conftest --doctest-modules --pyargs satchel)
  PATH=/usr/bin:/bin tests env PYTHONPATH="$top/bindings/python/tests" "$inside"
done
say "tried: ${tried[*]}"

# Not those that are about the command line itself: its words, help, completions and streams.
transcripts() {
  local status=0 output counts good bad left
  output=$(python3 Tests/cli/transcripts.py "--python=$1" add doctor domains environment export get import keys list permissions \
    set unset values waiting 2>&1) || status=$?
  counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' <<<"$output" | tail -n 1) || counts="0 passed, 1 failed, 0 skipped"
  IFS=' ' read -r good _ bad _ left _ <<<"$counts"
  if [ "$status" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
  passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + left))
  say "${output%$'\n'*}"
}
transcripts "$work/${tried[0]##*python}/bin/python"

# stubtest imports what it checks.
"$tools/python" -m venv --system-site-packages "$work/stubtest"
"$work/stubtest/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps "$wheel"
site=$(echo "$tools"/../lib/python3*/site-packages)
stubs() { (cd "$work" && MYPYPATH='' PYTHONPATH=$site "$work/stubtest/bin/python" -m mypy.stubtest satchel); }
check stubtest stubs

say "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
