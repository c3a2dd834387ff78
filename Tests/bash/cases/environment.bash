# What a command that starts anew would notice: other folders, other variables, files that come and go.
# shellcheck shell=bash disable=SC2016,SC2030,SC2031,SC2034,SC2123,SC2154 source=../check.bash
. "${BASH_SOURCE[0]%/*}/../check.bash"

satchel set d k first
export XDG_CONFIG_HOME=$PWD/second
satchel get d k
expect "another folder" 1 $?
satchel set d k second
expect "there as well" "second second" "$(satchel get d k) $(program get d k)"
expect "for one command" first "$(XDG_CONFIG_HOME=$PWD/config satchel get d k)"
XDG_CONFIG_HOME=$PWD/config satchel get d k -v value
expect "for one command, in a variable" "first second" "$value $(satchel get d k)"
unset XDG_CONFIG_HOME
export HOME=$PWD/home
mkdir "$HOME"
satchel set d k home
expect "HOME" "home home" "$(satchel get d k) $(ls "$HOME/.config/satchel/d.satchel" >/dev/null && program get d k)"
HOME=$PWD/missing
expect "a missing home" "$(program get d k 2>&1; echo $?)" "$(satchel get d k 2>&1; echo $?)"
HOME=$PWD/home
expect "home again" home "$(satchel get d k)"
export -n HOME
expect "HOME is not exported" "$(program get d k 2>&1; echo $?)" "$(satchel get d k 2>&1; echo $?)"
export HOME

# Folders relative to where the shell is.
mkdir one two
cd one || exit
satchel set d k one --directory here
cd ../two || exit
satchel get d k --directory here
expect "relative folders" 1 $?
satchel set d k two --directory here
cd ../one || exit
expect "each its own" one "$(satchel get d k --directory here)"
satchel compact d --directory here
satchel set d k more --directory here
cd ../two || exit
expect "unharmed" "two more" "$(program get d k --directory here) $(program get d k --directory ../one/here)"
cd .. || exit

# The file goes, comes back, is put in place.
export XDG_CONFIG_HOME=$PWD/files
satchel set d k v
satchel get d k >/dev/null
mv files/satchel/d.satchel aside
satchel get d k
expect "removed" 1 $?
satchel set d k anew
expect "made anew" anew "$(program get d k)"
mv aside files/satchel/d.satchel
expect "put back" v "$(satchel get d k)"
program set d k other
expect "what others write" other "$(satchel get d k)"
program compact d
program set d k compacted
satchel get d k -v value
expect "behind a compaction" compacted "$value"

# More domains than are kept open.
for number in {1..40}; do satchel set "many$number" k "$number"; done
sum=0
for number in {1..40}; do
  satchel get "many$number" k -v value
  sum=$((sum + value))
done
expect "many domains" 820 $sum

# The author.
satchel set author k v
expect "the script is the author" environment.bash "$(satchel list author --long | awk '{print $6}')"
SATCHEL_PROGRAM=somebody
satchel set author k w
echo '{"i": 1}' | satchel import author --format json 2>/dev/null
expect "or who it says" "somebody somebody" "$(satchel list author --long | awk '{print $6}' | xargs)"
satchel set author k x --type same
expect "also where the command does it" somebody "$(satchel list author --long | awk 'NR == 1 {print $6}')"
satchel set author k w --program else
expect "or the flag" else "$(satchel list author --long | awk 'NR == 1 {print $6}')"

# Without the command the rest is told.
expect "no command" "127 satchel: the command satchel is not in PATH; SATCHEL_BIN says where it is" \
  "$(unset SATCHEL_BIN; PATH=/usr/bin:/bin; satchel doctor 2>&1 | { read -r line; echo "127 $line"; })"
expect "its own words without the command" v "$(PATH=/nowhere; SATCHEL_BIN=; satchel set d k v && satchel get d k)"
finish
