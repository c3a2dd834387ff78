# shellcheck shell=sh
# Satchel for shell scripts: functions around the command `satchel`, for any POSIX sh. Source this file:
#
#   . /usr/local/share/satchel/satchel.sh
#
#   satchel_get VAR DOMAIN KEY [DEFAULT]   puts the value into $VAR, exactly, with the line feeds at its end
#   satchel_set DOMAIN KEY VALUE [TYPE]    stores a string, or a value of TYPE (bool, int, double, json, same, ...)
#   satchel_unset DOMAIN KEY               removes it
#   satchel_has DOMAIN KEY                 whether it has a value
#   satchel_add VAR DOMAIN KEY [N]         adds N, or 1, whoever else adds, and puts the sum into $VAR
#   satchel_each DOMAIN FUNCTION           calls FUNCTION KEY VALUE for each key, in the order they were first set
#   satchel_load DOMAIN PREFIX             puts each key into a variable $PREFIX_key, for example $PLAYER_volume
#
# They return what the command does: 0 done, 1 no (absent), 2 wrong use or type, 3 and more a failure, which is told on
# standard error (`satchel help exit-codes`). A variable stays as it was unless 0 is returned. Nothing that is stored is
# ever evaluated: a variable that would evaluate what is assigned to it (declare -i, or a reference to an element of such an
# array) takes integers only, and refuses other text with 2, and so does a reference without a target (declare -n). Attributes
# for case and width (declare -l -u -c; zsh's typeset -L -R -Z) change what is put into a variable, as with any assignment.
# A shell variable cannot hold a NUL byte: it is left out.
#
# satchel_each runs FUNCTION in this shell, from one look at the domain; where FUNCTION returns something else than 0 it
# ends and returns that. satchel_load skips keys that are no names of variables, and says so on standard error; where a
# variable refuses its text it says so too, goes on with the next key, and returns 2 at the end.
# SATCHEL_BIN is the command to run, instead of `satchel`; SATCHEL_PROGRAM the author's name, instead of the script's.
#
# In bash the functions need no new process where the builtin satchel.so is found: beside this file's folder, in
# ../../lib/bash/, or where bash looks for builtins (BASH_LOADABLES_PATH). They answer the same. The word `satchel` is then
# the builtin in the script as well. SATCHEL_BUILTIN=no does without; any other value is the path to load it from.
# Names that begin with _satchel_ belong to this file.

# Whether the builtin is there, or can be had. Not being able to load it is no error.
# shellcheck disable=SC2128,SC3028,SC3044,SC3045
_satchel_load_builtin() {
  [ -n "${BASH_VERSION:-}" ] && [ "${SATCHEL_BUILTIN:-}" != no ] || return
  [ "$(type -t satchel)" != builtin ] || return 0
  if [ -n "${SATCHEL_BUILTIN:-}" ]; then
    enable -f "$SATCHEL_BUILTIN" satchel 2>/dev/null
    return
  fi
  case $BASH_SOURCE in
    */*) enable -f "${BASH_SOURCE%/*}/../../lib/bash/satchel.so" satchel 2>/dev/null && return ;;
  esac
  enable -f satchel.so satchel 2>/dev/null
}

_satchel_has_builtin=no
! _satchel_load_builtin || _satchel_has_builtin=yes

_satchel_run() {
  # A name that begins with a dash is a login shell.
  _satchel_author=${SATCHEL_PROGRAM:-${0##*/}}
  _satchel_verb=$1
  shift
  if [ "$_satchel_has_builtin" = yes ]; then
    # shellcheck disable=SC3044
    builtin satchel "$_satchel_verb" --program="${_satchel_author:-sh}" "$@"
  else
    command "${SATCHEL_BIN:-satchel}" "$_satchel_verb" --program="${_satchel_author:-sh}" "$@"
  fi
}

# Whether $1 can be the name of a variable that a caller owns.
_satchel_is_name() {
  case $1 in
    '' | [0-9]* | *[!A-Za-z0-9_]* | _satchel_*) return 1 ;;
  esac
}

_satchel_check_name() {
  _satchel_is_name "$1" && return 0
  printf 'satchel: "%s" cannot be the name of a variable\n' "$1" >&2
  return 2
}

# Whether $1 is an integer as the shell itself would write it, so that evaluating it gives the same text.
_satchel_is_integer() {
  case ${1#-} in
    '' | *[!0-9]* | 0?*) return 1 ;;
  esac
  # More than 64 bits would be another number.
  { [ "$(($1))" = "$1" ]; } 2>/dev/null
}

# Whether the variable $1 has no attribute that the shell could tell of in this process.
# shellcheck disable=SC2016,SC2128,SC3016,SC3028,SC3044
_satchel_is_plain() {
  if [ "${BASH_VERSINFO:-0}" -ge 5 ]; then
    if [ -v "$1" ]; then
      [ ! -R "$1" ] && eval 'case ${!1@a} in "" | x) ;; *) return 1 ;; esac'
    else
      ! declare -p -- "$1" >/dev/null 2>&1
    fi
  elif [ -n "${ZSH_VERSION:-}" ]; then
    ! typeset -p "$1" >/dev/null 2>&1
  else
    # Shells without the word know one attribute, readonly, and it is seldom without a value.
    ! command -v typeset >/dev/null && eval "[ -z \"\${$1+set}\" ]"
  fi
}

# Whether the variable $1 takes the text $2 as it stands. Tried in a process of its own, with a sum, or with the integer itself.
_satchel_keeps_text() {
  _satchel_trial=1+1
  ! _satchel_is_integer "$2" || _satchel_trial=$2
  # shellcheck disable=SC2030,SC2031
  (eval "$1=\$_satchel_trial && [ \"\$$1\" = \"\$_satchel_trial\" ]") 2>/dev/null
}

# Puts the text $2 into the variable $1; it is the value of the key $4 in the domain $3.
_satchel_assign() {
  if _satchel_is_plain "$1" || _satchel_keeps_text "$1" "$2"; then
    eval "$1=\$2"
  else
    printf 'satchel: %s: %s: the variable cannot hold this text\n' "$3" "$4" >&2
    return 2
  fi
}

_satchel_check_count() {
  [ "$1" -ge "$3" ] && [ "$1" -le "$4" ] && return 0
  printf 'satchel: usage: %s\n' "$2" >&2
  return 2
}

# Undoes the escapes of `satchel list`; the result is in $_satchel_text. A letter at the end keeps line feeds.
_satchel_unescape() {
  _satchel_text=$1
  case $1 in
    *\\*)
      _satchel_text=$(printf '%b.' "$1")
      _satchel_text=${_satchel_text%.}
      ;;
  esac
}

# The value straight into the variable. 2 and more: the long way tells why, or does what this cannot.
_satchel_get_directly() {
  [ "$_satchel_has_builtin" = yes ] || return 3
  if [ $# -gt 3 ]; then
    _satchel_run get -v "$1" --default="$4" -- "$2" "$3" 2>/dev/null
  else
    _satchel_run get -v "$1" -- "$2" "$3" 2>/dev/null
  fi
}

satchel_get() {
  _satchel_check_count $# 'satchel_get VAR DOMAIN KEY [DEFAULT]' 3 4 || return
  _satchel_check_name "$1" || return
  _satchel_get_directly "$@" && return
  [ $? -gt 1 ] || return 1
  # The letter behind it keeps the line feeds that $(...) would take away; the command's own one goes with it.
  _satchel_text=$(
    if [ $# -gt 3 ]; then
      _satchel_run get --default="$4" -- "$2" "$3"
    else
      _satchel_run get -- "$2" "$3"
    fi
    _satchel_status=$?
    printf .
    exit "$_satchel_status"
  ) || return
  _satchel_assign "$1" "${_satchel_text%??}" "$2" "$3"
}

satchel_set() {
  _satchel_check_count $# 'satchel_set DOMAIN KEY VALUE [TYPE]' 3 4 || return
  _satchel_run set --type="${4:-string}" -- "$1" "$2" "$3"
}

satchel_unset() {
  _satchel_check_count $# 'satchel_unset DOMAIN KEY' 2 2 || return
  _satchel_run unset -- "$1" "$2"
}

satchel_has() {
  _satchel_check_count $# 'satchel_has DOMAIN KEY' 2 2 || return
  _satchel_run get -- "$1" "$2" >/dev/null
}

satchel_add() {
  _satchel_check_count $# 'satchel_add VAR DOMAIN KEY [N]' 3 4 || return
  _satchel_check_name "$1" || return
  if [ "$_satchel_has_builtin" = yes ]; then
    _satchel_run add -v "$1" -- "$2" "$3" "${4:-1}"
    return
  fi
  _satchel_text=$(_satchel_run add -- "$2" "$3" "${4:-1}") || return
  _satchel_assign "$1" "$_satchel_text" "$2" "$3"
}

satchel_each() {
  _satchel_check_count $# 'satchel_each DOMAIN FUNCTION' 2 2 || return
  _satchel_text=$(_satchel_run list -- "$1") || return
  [ -n "$_satchel_text" ] || return 0
  # The lines come through descriptor 9, so that FUNCTION has the script's own standard input.
  while IFS= read -r _satchel_line <&9; do
    _satchel_unescape "${_satchel_line%%=*}"
    _satchel_key=$_satchel_text
    _satchel_unescape "${_satchel_line#*=}"
    "$2" "$_satchel_key" "$_satchel_text" || return
  done 9<<EOF
$_satchel_text
EOF
}

satchel_load() {
  _satchel_check_count $# 'satchel_load DOMAIN PREFIX' 2 2 || return
  _satchel_check_name "$2" || return
  # In front of every name, so that no key can become PATH or IFS.
  _satchel_prefix=$2
  _satchel_domain=$1
  _satchel_loaded=0
  satchel_each "$1" _satchel_load_one || return
  return "$_satchel_loaded"
}

_satchel_load_one() {
  if _satchel_is_name "${_satchel_prefix}_$1"; then
    _satchel_assign "${_satchel_prefix}_$1" "$2" "$_satchel_domain" "$1" || _satchel_loaded=2
  else
    printf 'satchel: the key "%s" cannot be the name of a variable\n' "$1" >&2
  fi
}
