#!/usr/bin/env bash
# Style and types, each by its own tool. The last line counts the tools that had nothing to say.
. "$(dirname "$0")/lib.sh"
passed=0 failed=0
# check NAME COMMAND...: the NUL-separated files on stdin go to the command; no files, nothing to say.
check() {
  local name=$1 files
  shift
  mapfile -d '' -t files
  if [ ${#files[@]} = 0 ] || "$@" "${files[@]}"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    say "lint: $name found fault"
  fi
}

swift_files() { printf 'Package.swift\0'; sources swift Sources Tests Examples Benchmarks; }
c_files() { sources "c h" include Sources/CSatchelSystem Tests Benchmarks Examples bindings; }
python_files() { sources py Tests Benchmarks scripts Examples bindings; }
shell_files() { printf '.ci/run\0'; sources "sh bash" scripts Tests Benchmarks Examples bindings; }

# Names of C functions are as C has them; in everything else both files say the same.
same_swift_style() { sed 's/\("AlwaysUseLowerCamelCase": \)true/\1false/' "$1" | cmp - "$2"; }
check "the two .swift-format" same_swift_style < <(printf '.swift-format\0Sources/SatchelABI/.swift-format\0')
check swift-format swift-format lint --strict --parallel < <(swift_files)
check clang-format clang-format --dry-run -Werror < <(c_files)
check "ruff check" ruff check --quiet < <(python_files)
check "ruff format" ruff format --check --quiet < <(python_files)
# One file at a time: they are programs, each with a main of its own.
export MYPYPATH=bindings/python/src
mypy_each() { local status=0; for file; do mypy --strict --no-error-summary --cache-dir .build/mypy "$file" || status=1; done; return $status; }
check mypy mypy_each < <(python_files)
check shellcheck shellcheck < <(shell_files)

say "$passed passed, $failed failed"
[ $failed = 0 ]
