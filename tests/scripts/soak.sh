#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A server on which 400 players come and go must not grow in memory or descriptors.
#   tests/scripts/soak.sh [SECONDS]      60 in ./test; an hour is 3600
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh

instep=${INSTEP:-build/release/instep}
seconds=${1:-60}
most_growth=8000 # kB between a third of the time and its end; pools, buffers and the allocator have their size by then
[ -x "$instep" ] || { fail "there is a program to test at $instep"; finish; exit; }
ulimit -n "$(ulimit -Hn)"

"$instep" serve --port 0 --most-connections-per-address 1000 --most-rooms-per-address 256 --empty-room-ms 2000 --resume-ms 2000 \
    --upgrades-per-second 1000 --hellos-per-second 1000 \
    --recordings "$scratch/recordings" --recordings-mb 16 >"$scratch/url" 2>"$scratch/log" &
server=$!
for _ in $(seq 300); do
    [ -s "$scratch/url" ] && break
    sleep 0.1
done
memory() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' /proc/$server/status; }
descriptors() { find /proc/$server/fd -mindepth 1 | wc -l; }
url=$(sed 's/^http/ws/' "$scratch/url")
"$instep" bots flail --count 1 --seconds 1 --url "$url" >"$scratch/first" 2>&1 # memory for the first room is never freed
sleep 4
at_rest=$(descriptors)

bots=()
for world in flail arena; do
    "$instep" bots $world --thin --count 200 --stay 10 --seconds "$seconds" --url "$url" >"$scratch/$world" 2>&1 &
    bots+=($!)
done
sleep $((seconds / 3))
early=$(memory)
sleep $((seconds / 2))
late=$(memory)
grown=$((late - early))
stay() { [ $grown -lt $most_growth ]; }
expect "400 players that come and go for $seconds s: memory went from $early to $late kB, of $most_growth more" stay
left_well() {
    local bot code=0
    for bot in "${bots[@]}"; do wait "$bot" || code=1; done
    [ $code -eq 0 ] || cat "$scratch/flail" "$scratch/arena"
    return $code
}
expect "no player was refused, disconnected or sent a malformed message" left_well
closed() {
    local open=
    for _ in $(seq 100); do
        open=$(descriptors)
        [ "$open" -le "$at_rest" ] && return
        sleep 0.2
    done
    echo "$open descriptors are open, $at_rest were before the players came"
    return 1
}
expect "the descriptors of players that left are closed" closed
stops() { kill -TERM $server && wait $server; }
expect "the server stops afterwards" stops

finish
