# Which variables are written, and that a failure leaves them alone.
# shellcheck shell=bash disable=SC2016,SC2317,SC2030,SC2031,SC2034,SC2123,SC2154 source=../check.bash
. "${BASH_SOURCE[0]%/*}/../check.bash"
satchel set d k v
satchel set d n 7 --type int
satchel set d list --type json '[1,2]'
satchel set d map --type json '{"x":1}'
satchel set d code 'a[$(touch evaluated)]'

# said COMMAND...: its exit code and what it said.
said() {
  local words code
  words=$("$@" 2>&1)
  code=$?
  printf '%d %s' $code "$words"
}

for name in '' 1x 'x y' 'x[0]' 'x[$(touch evaluated)]' 'x;touch evaluated' é x=y; do
  expect "the name <$name>" "2 satchel: \"$name\" cannot be the name of a variable" "$(said satchel get d k -v "$name")"
done
readonly fixed=1
readonly -a fixed_array=(1)
expect "readonly" "2 satchel: the variable fixed is readonly" "$(said satchel get d k -v fixed)"
expect "readonly, before it adds" "2 satchel: the variable fixed is readonly" "$(said satchel add d n -v fixed)"
satchel get d n -v n
expect "nothing was added" 7 "$n"
expect "readonly array" "2 satchel: the variable fixed_array is readonly" "$(said satchel get d list -a fixed_array)"
expect "not assignable" "2 satchel: the variable GROUPS cannot be assigned" "$(said satchel get d list -a GROUPS)"
declare -a indexed=(1)
declare -A named=([a]=1)
expect "indexed, not named" "2 satchel: the variable indexed is an indexed array" "$(said satchel get d map -A indexed)"
expect "named, not indexed" "2 satchel: the variable named is an associative array" "$(said satchel get d list -a named)"
declare -i integer=5
expect "an integer" "2 satchel: d: code: the variable holds integers only" "$(said satchel get d code -v integer)"
satchel get d code -v integer 2>/dev/null
expect "the integer stays" 5 "$integer"
satchel get d n -v integer
expect "an integer for an integer" 7 "$integer"
declare -ai integers=()
satchel set d codes --type json '["a[$(touch evaluated)]"]'
satchel get d codes -a integers
expect "an array of integers holds the text" 'a[$(touch evaluated)]' "${integers[0]}"
declare -n element='integers[0]' entry='numbers[k]'
declare -Ai numbers=([k]=5)
expect "an element of integers" "2 satchel: d: code: the variable holds integers only" "$(said satchel get d code -v element)"
expect "an entry of integers" "2 satchel: d: code: the variable holds integers only" "$(said satchel get d code -v entry)"
satchel get d n -v entry
expect "an integer for an entry" 7 "${numbers[k]}"
declare -n plain='long[1]'
long=(a b)
satchel get d code -v plain
expect "an element of text" 'a[$(touch evaluated)]' "${long[1]}"
behind() { integer=x satchel get d code -v integer; }
expect "an integer behind another" "2 satchel: d: code: the variable holds integers only" "$(said behind)"
integers_of() {
  local -i inside
  satchel get d code -v inside
}
expect "a local integer" "2 satchel: d: code: the variable holds integers only" "$(said integers_of)"
declare -n nowhere further=nowhere
for variable in nowhere further; do
  expect "a reference without a target, $variable" "2 satchel: the variable $variable is a reference that names no other variable" \
    "$(said satchel get d code -v $variable)"
  satchel get d code -v $variable 2>/dev/null
  expect "$variable stays" '' "$nowhere"
  satchel get d list -a $variable 2>/dev/null
  expect "an array for $variable" "2 declare -n nowhere" "$? $(declare -p nowhere)"
done
itself() {
  local -n integer=integer 2>/dev/null
  satchel get d code -v integer
}
expect "a reference to itself" "2 satchel: the variable integer is a reference that names no other variable" "$(said itself | tail -n 1)"
around() {
  local -n other=integer
  between
}
between() {
  local -n integer=other
  satchel get d code -v integer
}
expect "a reference round to itself" "2 satchel: the variable integer is a reference that names no other variable" "$(said around 2>&1 | tail -n 1)"
satchel set d large 18446744073709551615 --type uint
expect "more than an integer holds" "2 satchel: d: large: the variable holds integers only" "$(said satchel get d large -v integer)"
for variable in RANDOM SECONDS OPTIND LINENO HISTSIZE TMOUT FUNCNEST BASH_COMPAT; do
  (satchel get d code -v $variable) 2>/dev/null
done
expect "nothing was evaluated" '' "$(ls evaluated 2>/dev/null)"

value=before
for words in 'd none' 'none k' 'd map --type int' '.d k' 'd k --type itn' 'd'; do
  # shellcheck disable=SC2086
  satchel get $words -v value 2>/dev/null
  expect "left alone by $words" before "$value"
done
satchel get d none -v value --default 'a  b'
expect "a default" "0 a  b" "$? $value"
satchel get d n --json -v value
expect "as JSON" 7 "$value"
satchel get d n --type double -v value
expect "as a double" 7.0 "$value"
expect "not a dictionary" "2 satchel: d: list: is not a dictionary" "$(said satchel get d list -A value)"
expect "not an array" "2 satchel: d: k: is not an array" "$(said satchel get d k -a value)"
expect "both" "2 satchel: get: -v, -a and -A exclude each other" "$(said satchel get d k -a value -v value | head -n 1)"
expect "no name" "2 satchel: get: -v needs the name of a variable" "$(said satchel get d k -v | head -n 1)"
expect "a format of the command's" "2 satchel: export: this cannot be put into a variable" \
  "$(satchel set e k v; said satchel export e --format env -v value | head -n 1)"
expect "a flag of another verb" "2 satchel: set: there is no flag -v" "$(said satchel set d k -v x | head -n 1)"
satchel set d k -- -v
satchel get d k -v value
expect "-v behind --" -v "$value"

scope() {
  local inside
  satchel get d n -v inside
  expect "a local variable" 7 "$inside"
  satchel get d n -v outside
}
scope
expect "no local leaks" "unset 7" "${inside-unset} $outside"
declare -n reference=target
satchel get d n -v reference
expect "a reference" 7 "$target"
scalar=text
satchel get d list -a scalar
expect "a scalar becomes an array" "1 2" "${scalar[*]}"
satchel get d list -a fresh
expect "a new array" "1 2" "${fresh[*]}"
long=({1..100})
satchel get d list -a long
expect "an array is replaced" 2 "${#long[@]}"
(
  satchel set d path "$PATH:/nowhere"
  satchel get d path -v PATH
  expect "PATH takes effect" "${PATH##*:}" /nowhere
  exit $failed
)
expect "PATH" 0 $?
finish
