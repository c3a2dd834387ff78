# Keys that mean something to a shell.
# shellcheck shell=bash disable=SC2016,SC2030,SC2031,SC2034,SC2123,SC2154 source=../check.bash
. "${BASH_SOURCE[0]%/*}/../check.bash"
odd=(a '@' '*' 'a b' ' ' '$(touch evaluated)' '`touch evaluated`' '$HOME' 'x]' '[0]' 'x]=y' 'a=b' "it's" 'say "hi"' 'back\slash' "\\" '-v' '-A'
  '--' $'line\nfeed' $'tab\t' $'\001' $'\177' $'caf\u00e9' $'cafe\u0301' '🧳' '!' '~' '0' '-1' 'a[$(touch evaluated)]')

for key in "${odd[@]}"; do satchel set odd -- "$key" "<$key>" || expect "set $key" 0 $?; done
for key in "${odd[@]}"; do
  value=
  satchel get -v value -- odd "$key"
  expect "get $key" "<$key>" "$value"
done
satchel list -a keys -A values odd
expect "the listing" 0 $?
expect "the keys" "$(printf '%q ' "${odd[@]}")" "$(printf '%q ' "${keys[@]}")"
expect "as many values" "${#odd[@]}" "${#values[@]}"
# Neither @ nor * can be asked for alone.
wrong=0 found=0
for key in "${!values[@]}"; do
  found=$((found + 1))
  [[ $key == [@*] ]] || [ "${values[$key]}" = "<$key>" ] || wrong=$((wrong + 1))
done
expect "the values" "${#odd[@]} 0" "$found $wrong"

# The same keys in a dictionary.
satchel export -v json odd
satchel set one whole --type json -- "$json"
declare -A inner=()
satchel get -A inner one whole
expect "a dictionary" "0 ${#odd[@]}" "$? ${#inner[@]}"
expect "its keys" "$(printf '%q\n' "${odd[@]}" | sort)" "$(printf '%q\n' "${!inner[@]}" | sort)"
expect "its last value" '<a[$(touch evaluated)]>' "${inner['a[$(touch evaluated)]']}"
expect "nothing was evaluated" '' "$(ls evaluated 2>/dev/null)"
satchel set one empty --type json '{"": 1}'
errors=$(satchel get -A inner one empty 2>&1)
expect "an empty key" "2 satchel: one: empty: one of its keys is empty, which no associative array can hold" "$? $errors"

satchel domains -a names
expect "the domains" "odd one" "${names[*]}"
satchel list -a some --prefix a odd
expect "keys that begin with a" "$(program list odd --keys --prefix a | wc -l)" "${#some[@]}"
satchel list -a none --prefix nothing odd
expect "no keys" "0 0" "$? ${#none[@]}"
finish
