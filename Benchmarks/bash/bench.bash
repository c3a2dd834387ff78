# What the drivers share: 1,000 keys with their history in a domain, the same keys in a file of git's, and two functions taking
# turns. Source it with: FOLDER SATCHEL BUILTIN
# shellcheck shell=bash
set -eu
export XDG_CONFIG_HOME=$1
file=$1/gitconfig
rounds=100 batch=1000 spawns=2
enable -f "$3" satchel

json=$(for ((i = 0; i < 1000; i++)); do printf ',"section.key%d":%d' "$i" "$i"; done)
for ((i = 0; i < 11; i++)); do "$2" import bench.bash --format json <<<"{${json#,}}" 2>/dev/null; done
{ echo '[section]'; for ((i = 0; i < 1000; i++)); do printf '\tkey%d = %d\n' "$i" "$i"; done; } >"$file"

median() { printf '%s\n' "$@" | sort -n | sed -n "$((rounds / 2))p"; }

# take_turns NAME OURS THEIRS: functions that do it $batch and $spawns times; the median of each.
take_turns() {
  local round begin middle end ours=() theirs=()
  for ((round = 0; round < rounds; round++)); do
    begin=${EPOCHREALTIME/./}
    "$2"
    middle=${EPOCHREALTIME/./}
    "$3"
    end=${EPOCHREALTIME/./}
    ours+=($((middle - begin))) theirs+=($((end - middle)))
  done
  awk -v name="$1" -v ours="$(median "${ours[@]}")" -v theirs="$(median "${theirs[@]}")" -v batch=$batch -v spawns=$spawns 'BEGIN {
    ours /= batch; theirs /= spawns
    printf "%s\t%.4g\tus\tgit-config\t%.4g\t%.2f\n", name, ours, theirs, theirs / ours
  }'
}
