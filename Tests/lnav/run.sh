#!/usr/bin/env bash
# What Debian's lnav and jq make of the three formats: times, levels, messages and fields, with nothing forged by a value.
. "$(dirname "$0")/../../scripts/lib.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

swift build "${strict[@]}" --product log-sample
sample=$(swift build --show-bin-path)/log-sample
for format in text json logfmt; do "$sample" "$format" >"$work/player.$format"; done
mkdir -p "$work/plain" "$work/formats/formats/satchel"
cp bindings/lnav/satchel_json.json "$work/formats/formats/satchel/"

# query CONFIGURATION FORMAT SQL: the rows, without their heading.
query() {
  HOME=$work TZ=UTC timeout 60 lnav -I "$work/$1" -n -c ";$3" -c ':write-csv-to -' "$work/player.$2" </dev/null | tail -n +2
}
# same NAME EXPECTED ACTUAL
same() {
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    say "$1: expected" "$2" "but got" "$3"
  fi
}

levels='01:53:10.123,trace
01:53:11.123,debug
01:53:12.123,info
01:53:13.123,notice
01:53:14.123,warning
01:53:15.123,error
01:53:16.123,critical
01:53:17.123,fatal
01:53:18.123,warning
01:53:19.123,error'
head="SELECT substr(log_time, 12), log_level FROM"
fields=$(for _ in {1..8}; do say '3,two words,0.5'; done)

same "text: times and levels" "$levels" "$(query plain text "$head all_logs")"
same "text: fields" "$fields" "$(query plain text "SELECT seconds, title, ratio FROM logline")"
same "logfmt: times and levels" "$levels" "$(query plain logfmt "$head logfmt_log")"
same "logfmt: fields" "$fields" "$(query plain logfmt \
  "SELECT json_extract(fields, '$.seconds'), json_extract(fields, '$.title'), json_extract(fields, '$.ratio')
   FROM logfmt_log LIMIT 8")"
same "logfmt: fields behind an empty one" "1" "$(query plain logfmt \
  "SELECT count(*) FROM logfmt_log WHERE json_extract(fields, '$.last')")"
same "JSON lines: times and levels" "$levels" "$(query formats json "$head satchel_json")"
same "JSON lines: fields" "$fields" "$(query formats json \
  "SELECT json_extract(fields, '$.seconds'), json_extract(fields, '$.title'), json_extract(fields, '$.ratio')
   FROM satchel_json LIMIT 8")"
same "JSON lines: the thread" "9,main" "$(query formats json \
  "SELECT count(*), thread FROM satchel_json WHERE thread IS NOT NULL GROUP BY thread")"

same "jq: levels" "trace debug info notice warning error alert fatal warning error" \
  "$(jq -r .level "$work/player.json" | xargs)"
same "jq: marks" "late repeated direct late repeated direct late" "$(jq -r '.mark // empty' "$work/player.json" | xargs)"
same "jq: fields" '{"seconds":3,"title":"two words","ratio":0.5}' "$(jq -sc '.[0].fields' "$work/player.json")"
same "jq: what was logged" \
  "$(printf 'two\nlines \033[31m\n2026-12-01T00:53:10.123456+00:00 fatal [1/1 x]: forged\tlevel=fatal')" \
  "$(jq -r 'select(.fields.last) | .message' "$work/player.json")"

say "$passed passed, $failed failed"
[ $failed = 0 ]
