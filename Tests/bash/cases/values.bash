# Every awkward value, in a variable, an array and an associative array, beside what the command prints of it.
# shellcheck shell=bash disable=SC2016,SC2030,SC2031,SC2034,SC2123,SC2154 source=../check.bash
. "${BASH_SOURCE[0]%/*}/../check.bash"

number=0
while IFS=' ' read -r type json; do
  [ "$type" != '#' ] || continue
  number=$((number + 1)) key=k$number
  satchel set values "$key" --type json -- "$json"
  expect "$json is stored" 0 $?
  satchel set nested "$key.array" --type json -- "[$json,$json]"
  satchel set nested "$key.map" --type json -- "{\"x\":$json,\"y\":[]}"

  # The letter keeps the line feeds; a NUL would be lost here, and is told from its JSON.
  printed=$(program get values "$key" 2>/dev/null; code=$?; printf .; exit $code)
  code=$? printed=${printed%??} before=before
  value=$before array=("$before") map=before
  unset map
  declare -A map=([only]=$before)
  satchel get -v value values "$key" 2>/dev/null
  got=$?
  satchel get -a array nested "$key.array" 2>/dev/null
  got_array=$?
  satchel get -A map nested "$key.map" 2>/dev/null
  got_map=$?
  if [[ $type == string && $json == *'\u0000'* ]]; then
    expect "$json is refused" "2 2 2" "$got $got_array $got_map"
    expect "$json leaves the variables" "before before before" "$value ${array[*]} ${map[*]}"
  elif [ $code != 0 ]; then
    expect "$json has no text" "$code before" "$got $value"
    expect "$json is shown as JSON" "$json $json" "${array[*]}"
  else
    expect "$json is answered" "0 0 0" "$got $got_array $got_map"
    expect "$json in a variable" "$printed" "$value"
    expect "$json in an array" "2 $printed $printed" "${#array[@]} ${array[0]} ${array[1]}"
    expect "$json in an associative array" "2 $printed []" "${#map[@]} ${map[x]} ${map[y]}"
  fi
done <"$SATCHEL_VALUES"
expect "enough values" yes "$([ $number -gt 80 ] && echo yes)"

satchel list -a keys values
expect "keys in order" "$(program list values --keys)" "$(printf '%s\n' "${keys[@]}")"
declare -A all=([only]=before)
satchel list -A all values 2>/dev/null
expect "a NUL stops the whole" "2 before" "$? ${all[*]}"
for key in "${keys[@]}"; do
  [[ $(satchel get --json values "$key") != *'\u0000'* ]] || satchel unset values "$key"
done
satchel list -A all -a keys values
expect "keys and values at once" 0 $?
wrong=0
for key in "${keys[@]}"; do
  text=$(program list values --prefix "$key" | sed -n "s/^$key=//p" && printf .)
  text=${text%??}
  [ "$(printf '%b.' "$text")" = "${all[$key]}." ] || wrong=$((wrong + 1))
done
expect "values of a listing" "0 ${#keys[@]}" "$wrong ${#all[@]}"
satchel export -v json values
expect "the whole as JSON" "$(program export values)" "$json"
finish
