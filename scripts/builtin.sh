#!/usr/bin/env bash
# builtin.sh STAGE: builds the bash builtin into STAGE/lib/bash/satchel.so, against STAGE/lib and the headers beside the sources.
# It finds the library relative to itself, in build/ship/ as below any PREFIX, and in Debian's LIBDIR.
. "$(dirname "$0")/lib.sh"
stage=$1
mkdir -p "$stage/lib/bash"
options=(-std=gnu11 -O2 -fPIC -fvisibility=hidden -Wall -Wextra -Werror -DHAVE_CONFIG_H -DSHELL -DLOADABLE_BUILTIN)
# Debian's bash-builtins. Warnings in bash's headers are not ours.
for folder in /usr/include/bash /usr/include/bash/include /usr/include/bash/builtins; do options+=(-isystem "$folder"); done
# bash itself has what is left undefined; the library must have all the rest.
gcc "${options[@]}" -Iinclude -shared -o "$stage/lib/bash/satchel.so" bindings/shell/builtin/*.c \
  -L"$stage/lib" -lsatchel "-Wl,-rpath,\$ORIGIN/..:\$ORIGIN/../$(gcc -print-multiarch),--as-needed"
strip --strip-unneeded "$stage/lib/bash/satchel.so"
chmod 644 "$stage/lib/bash/satchel.so"
