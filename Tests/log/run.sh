#!/usr/bin/env bash
# What a log promises when those who write to it, and who lead it, die, stand still, fork, or have no room: the short run, under a
# minute. torture.sh beside it is the long one.
here=$(dirname "$0")
. "$here/../crash/compile.sh"
