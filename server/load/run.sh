#!/bin/sh
# Measures the server with wrk: an empty endpoint, verify-and-answer without storing, and the full
# path; on the embedded store, and on PostgreSQL if MAILROOM_LOAD_POSTGRES holds a JDBC URL.
#   server/load/run.sh [seconds] [connections]     default: 20 seconds each, 64 connections
#   server/load/run.sh heap                        heap after a collection at 100,000 and 1,000,000
# Needs wrk, curl and openssl, and nothing on port 18181. ROUNDS=3 repeats the three in turn.
# Events are about 200 repositories, and handled in order for each; ENTITIES=0 sends events that are
# about nothing in particular, and handled in no order.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
port=18181
url=http://127.0.0.1:$port
secret=load-secret-of-github
server=

stop() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=
  fi
}
finish() {
  stop
  rm -rf "$work"
}
trap finish EXIT INT TERM

"$root/mailroom" --version >/dev/null

# About 1 KiB each, like small pushes.
filler=$(head -c 900 /dev/zero | tr '\0' x)
repository=1
while [ $repository -le 200 ]; do
  about="\"repository\":{\"id\":$repository,\"full_name\":\"sample/$repository\"}"
  [ "${ENTITIES:-200}" != 0 ] || about="\"number\":$repository"
  body="{\"ref\":\"refs/heads/main\",$about,\"commits\":[\"$filler\"]}"
  signature=$(printf %s "$body" | openssl dgst -sha256 -hmac "$secret" -hex | sed 's/^.* //')
  echo "sha256=$signature $body"
  repository=$((repository + 1))
done >"$work/samples"

serve() {
  (cd "$work" && exec java ${MAILROOM_JAVA_OPTIONS:--Xmx256m} -jar "$root/server/target/mailroom.jar" \
    serve --config "$work/mailroom.yaml" >"$work/log" 2>&1) &
  server=$!
  tries=0
  until curl -sf "$url/health/ready" >/dev/null; do
    tries=$((tries + 1))
    if [ $tries -gt 300 ] || ! kill -0 "$server" 2>/dev/null; then
      cat "$work/log" >&2
      exit 1
    fi
    sleep 0.2
  done
}

configure() {
  cat >"$work/mailroom.yaml" <<EOF
listen: {port: $port}
diagnostics: true
store: {url: "$1", migrate: yes}
sources: {github: {provider: github, secret: $secret, targets: [nothing]}}
targets: {nothing: {type: log}}
log: {level: warn}
EOF
}

# wrk in a line: requests per second, p99 in milliseconds, requests, errors
drive() {
  wrk -t2 -c"$3" -d"$2"s --latency -s "$here/github.lua" "$url$1" -- "$work/samples" |
    sed -n 's/^RESULT //p'
}

measure() {
  configure "$2"
  serve
  # Until next to nothing is compiled any more.
  drive /diagnostics/empty 5 "$4" >/dev/null
  drive /diagnostics/verify/github 10 "$4" >/dev/null
  drive /webhooks/github 30 "$4" >/dev/null
  round=1
  while [ $round -le "${ROUNDS:-1}" ]; do
    empty=$(drive /diagnostics/empty "$3" "$4")
    verify=$(drive /diagnostics/verify/github "$3" "$4")
    full=$(drive /webhooks/github "$3" "$4")
    echo "$empty $verify $full" | awk -v name="$1" '{
      printf "%-10s empty %8.0f/s p99 %7.2f ms | verify %8.0f/s p99 %7.2f ms | full %8.0f/s p99 %7.2f ms", name, $1, $2, $5, $6, $9, $10
      printf " | verify/empty %.2f full/verify %.2f | errors %d %d %d\n", $5/$1, $9/$5, $4, $8, $12 }'
    round=$((round + 1))
  done
  stop
}

heap() {
  curl -s -X POST "$url/diagnostics/collect" >/dev/null
  curl -s -X POST "$url/diagnostics/collect" | sed 's/[^0-9]//g'
}

# Sends requests until this many were answered since the start.
until_answered() {
  while [ "$total" -lt "$1" ]; do
    set -- "$1" $(drive /webhooks/github 10 64)
    total=$((total + $4))
  done
}

if [ "${1:-}" = heap ]; then
  configure "${MAILROOM_LOAD_POSTGRES:-jdbc:sqlite:data/mailroom.db}"
  serve
  total=0
  until_answered 100000
  first=$(heap)
  echo "after $total requests: $first bytes"
  until_answered 1000000
  second=$(heap)
  echo "after $total requests: $second bytes"
  awk -v a="$first" -v b="$second" 'BEGIN { printf "ratio %.3f\n", b / a }'
  exit 0
fi

measure sqlite jdbc:sqlite:data/mailroom.db "${1:-20}" "${2:-64}"
if [ -n "${MAILROOM_LOAD_POSTGRES:-}" ]; then
  measure postgresql "$MAILROOM_LOAD_POSTGRES" "${1:-20}" "${2:-64}"
fi
