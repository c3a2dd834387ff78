# A value into a variable of a bash script: through the builtin, against a new `git config` each time.
# Usage: get.bash FOLDER SATCHEL BUILTIN
. "${BASH_SOURCE%/*}/bench.bash"

# Written out ten times, so that the loop itself counts for little.
ours() {
  local i
  for ((i = 0; i < batch; i += 10)); do
    satchel get -v value bench.bash section.key500
    satchel get -v value bench.bash section.key501
    satchel get -v value bench.bash section.key502
    satchel get -v value bench.bash section.key503
    satchel get -v value bench.bash section.key504
    satchel get -v value bench.bash section.key505
    satchel get -v value bench.bash section.key506
    satchel get -v value bench.bash section.key507
    satchel get -v value bench.bash section.key508
    satchel get -v value bench.bash section.key509
  done
}

theirs() {
  value=$(git config --file "$file" --get section.key500)
  value=$(git config --file "$file" --get section.key501)
}

satchel get -v value bench.bash section.key501
theirs_first=$(git config --file "$file" --get section.key501)
[ "$value" = 501 ] && [ "$theirs_first" = 501 ]
take_turns bash.get ours theirs
