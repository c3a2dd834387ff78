#!/usr/bin/env bash
# Writes every file in the project's style.
. "$(dirname "$0")/lib.sh"
{ printf 'Package.swift\0'; sources swift Sources Tests Examples Benchmarks; } | xargs -0 swift-format format --in-place --parallel
sources "c h" include Sources/CSatchelSystem Tests Benchmarks Examples bindings | xargs -0 -r clang-format -i
sources py Tests Benchmarks scripts Examples bindings | xargs -0 -r ruff check --quiet --fix
sources py Tests Benchmarks scripts Examples bindings | xargs -0 -r ruff format --quiet
