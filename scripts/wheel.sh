#!/usr/bin/env bash
# One wheel for every CPython from 3.10 on, with libsatchel.so inside it, in build/wheel/.
. "$(dirname "$0")/lib.sh"
need_stage
wheels=$top/build/wheel
rm -rf "$wheels" bindings/python/build bindings/python/src/satchel.egg-info
SATCHEL_PREFIX=$stage python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$wheels" bindings/python
rm -rf bindings/python/build bindings/python/src/satchel.egg-info

# The tag that says on which machines it runs follows from what it needs.
shown=$(auditwheel show "$wheels"/*.whl)
tag=$(grep -oE 'manylinux_[0-9]+_[0-9]+_[a-z0-9_]+' <<<"$shown" | head -n 1)
[ -n "$tag" ] || fail "auditwheel finds no platform for it: $shown"
python -m wheel tags --remove --platform-tag "$tag" "$wheels"/*.whl >/dev/null
say "wheel: $(cd "$wheels" && ls) ($(du -h "$wheels"/*.whl | cut -f 1))"
