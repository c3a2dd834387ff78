# A value from a variable of a bash script: through the builtin, against a new `git config` each time.
# Usage: set.bash FOLDER SATCHEL BUILTIN
. "${BASH_SOURCE%/*}/bench.bash"
value=0

# Written out ten times, so that the loop itself counts for little.
ours() {
  local i
  value=$((value + 1))
  for ((i = 0; i < batch; i += 10)); do
    satchel set bench.bash section.key500 "$value"
    satchel set bench.bash section.key501 "$value"
    satchel set bench.bash section.key502 "$value"
    satchel set bench.bash section.key503 "$value"
    satchel set bench.bash section.key504 "$value"
    satchel set bench.bash section.key505 "$value"
    satchel set bench.bash section.key506 "$value"
    satchel set bench.bash section.key507 "$value"
    satchel set bench.bash section.key508 "$value"
    satchel set bench.bash section.key509 "$value"
  done
}

theirs() {
  git config --file "$file" section.key500 "$value"
  git config --file "$file" section.key501 "$value"
}

take_turns bash.set ours theirs
[ "$("$2" get bench.bash section.key509)" = "$value" ] && [ "$(git config --file "$file" --get section.key501)" = "$value" ]
