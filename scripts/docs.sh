#!/usr/bin/env bash
# The reference in build/docs: the manual page as HTML and text, the guides of docs/, the headers of C, whose comments are its
# reference, pages of the Python package, and the Swift modules as DocC archives (open one with `docc preview`, or serve
# build/docs from any web server).
. "$(dirname "$0")/lib.sh"
need_stage
out=build/docs
rm -rf "$out"
mkdir -p "$out/man"
cp docs/*.md "$out/"
cp -r "$stage/include" "$out/include"
mandoc -T html "$stage/share/man/man1/satchel.1" >"$out/man/satchel.1.html"
mandoc -T utf8 "$stage/share/man/man1/satchel.1" | sed 's/.\x08//g' >"$out/man/satchel.1.txt"

# _native has what Settings inherits.
need_wheel
packages=.build/docs/python
rm -rf "$packages"
python -m pip install --quiet --disable-pip-version-check --no-deps --target "$packages" build/wheel/*.whl
PYTHONPATH=$packages pdoc --no-show-source --output-directory "$out/python" satchel satchel._native

# The symbol graphs of the modules that Swift users import, from a debug build in a scratch path of its own.
graphs=.build/docs/graphs
mkdir -p "$graphs"
swift build --scratch-path .build/docs --target SatchelFoundation -Xswiftc -emit-symbol-graph \
  -Xswiftc -emit-extension-block-symbols -Xswiftc -emit-symbol-graph-dir -Xswiftc "$top/$graphs"
for module in SatchelCollections SatchelValues SatchelSettings SatchelFoundation; do
  mkdir -p "$graphs.$module"
  cp "$graphs/$module".symbols.json "$graphs/$module@"*.symbols.json "$graphs.$module/" 2>/dev/null || true
  docc convert --additional-symbol-graph-dir "$graphs.$module" --fallback-display-name "$module" \
    --fallback-bundle-identifier "org.satchel.$module" --output-dir "$out/$module.doccarchive" >/dev/null
done
say "docs: $(find "$out" -type f | wc -l) files in $out"
