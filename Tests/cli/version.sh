#!/bin/sh
# What `satchel --version` has to print, from include/satchel/base.h.
awk '/^#define SATCHEL_VERSION_(MAJOR|MINOR|PATCH) /{printf "%s%s", dot, $3; dot = "."}' "$1" | sed 's/.*/satchel &\n/'
