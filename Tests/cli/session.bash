# Plays the steps of a transcript in one bash, in which `satchel` is the builtin at $SATCHEL_BUILTIN: session.bash IN OUT
# reads the name of a step's folder from descriptor IN, and says the exit code of its command on descriptor OUT.
# shellcheck shell=bash source=/dev/null
enable -f "$SATCHEL_BUILTIN" satchel || exit
where=$PWD home=$HOME config=$XDG_CONFIG_HOME
# Out of the way of what a step may do with low ones.
exec {steps}<&"$1" {codes}>&"$2"
while IFS= read -r -u "$steps" step; do
  . "$step/command" <"$step/stdin" >"$step/stdout" 2>"$step/stderr"
  printf '%s\n' $? >&"$codes"
  # What a step changes in the shell is not for the next one to see; what it leaves in files is.
  trap - PIPE
  unset -f satchel
  export HOME=$home XDG_CONFIG_HOME=$config
  cd "$where" || exit
done
