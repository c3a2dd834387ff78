# A value into a variable of a bash script: through the builtin, against a new `satchel get` each time. 1,000 keys and their
# history, as for the whole process. Usage: get.bash FOLDER SATCHEL BUILTIN
# shellcheck disable=SC2034
set -eu
export XDG_CONFIG_HOME=$1
satchel=$2 rounds=100 batch=1000
enable -f "$3" satchel

json=$(for ((i = 0; i < 1000; i++)); do printf ',"section.key%d":%d' "$i" "$i"; done)
for ((i = 0; i < 11; i++)); do "$satchel" import bench.bash --format json <<<"{${json#,}}" 2>/dev/null; done
satchel get -v value bench.bash section.key500
[ "$value" = 500 ] && [ "$("$satchel" get bench.bash section.key500)" = 500 ]

# The two take turns; the median of each. Written out ten times, so that the loop itself counts for little.
ours=() theirs=()
for ((round = 0; round < rounds; round++)); do
  begin=${EPOCHREALTIME/./}
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
  middle=${EPOCHREALTIME/./}
  value=$("$satchel" get bench.bash section.key500)
  value=$("$satchel" get bench.bash section.key501)
  end=${EPOCHREALTIME/./}
  ours+=($((middle - begin))) theirs+=($((end - middle)))
done

median() { printf '%s\n' "$@" | sort -n | sed -n "$((rounds / 2))p"; }
awk -v ours="$(median "${ours[@]}")" -v theirs="$(median "${theirs[@]}")" -v batch="$batch" 'BEGIN {
  ours /= batch; theirs /= 2
  printf "bash.get\t%.4g\tus\tspawn\t%.4g\t%.2f\n", ours, theirs, theirs / ours
}'
