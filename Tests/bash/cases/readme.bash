# What the README shows.
# shellcheck shell=bash disable=SC2154 source=../check.bash
. "${BASH_SOURCE[0]%/*}/../check.bash"
enable -d satchel
satchel set org.example.player volume 0.5 --type double
export BASH_LOADABLES_PATH=${SATCHEL_BUILTIN%/*}
awk '/^```/ {inside = $0 == "```bash"; next} inside' "${BASH_SOURCE[0]%/*}/../../../README.md" >example
# shellcheck source=/dev/null
. ./example >printed
expect "the example" "0 0.5 after 1" "$? $(cat printed)"
expect "it used the builtin" builtin "$(type -t satchel)"
expect "volume" 0.5 "$volume"
finish
