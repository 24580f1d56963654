#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Attacks on a server while bots play on it, in separate processes: attacks.mjs reports what each attack cost. Its numbers are
# those of the faults that were once found from outside:
#   1 desync reports over new connections   2 tokens and broken connections   3 a slow disk   4 joins without end   5 ghost seats
#   6 tokens for something else   7 forged addresses   8 long answers   9 DNS rebinding   10 costly replication   11 opening rooms
# What of 11 cannot be seen from outside has its tests in tests/server (names, seeds, recordings, ends) and signals.sh.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh

instep=${INSTEP:-build/release/instep}
[ -x "$instep" ] || { fail "there is a program to test at $instep"; finish; exit; }
flood=${FLOOD:-$(dirname "$instep")/tests/report_flood}
[ -x "$flood" ] || { fail "there is a program that floods a room with reports at $flood"; finish; exit; }
g++ -std=c++20 -shared -fPIC -O1 -o "$scratch/shim.so" tests/scripts/disk_shim.cpp -ldl || { fail "the shim compiles"; finish; exit; }
ulimit -n "$(ulimit -Hn)"

# start ARGUMENT...: a server with eight bots in each of four rooms. What is in $before comes before the program.
before=()
secret=
start() {
    : >"$scratch/url"
    "${before[@]}" "$instep" serve --port 0 --host here "$@" >"$scratch/url" 2>"$scratch/log" &
    server=$!
    for _ in $(seq 300); do
        [ -s "$scratch/url" ] && break
        sleep 0.1
    done
    url=$(cat "$scratch/url")
    bots=()
    for world in flail orbit arena foothold; do
        "$instep" bots $world --count 8 --thin --url "${url/http/ws}" ${secret:+--room $world --secret "$secret"} >"$scratch/$world" 2>&1 &
        bots+=($!)
    done
    sleep 2
}
attack() { node tests/scripts/attacks.mjs "${url##*:}" "$server" "$instep" "$@" || failures=1; }
bots_did_well() {
    local bot code=0
    kill -INT "${bots[@]}"
    for bot in "${bots[@]}"; do wait "$bot" || code=1; done
    [ $code -eq 0 ] || cat "$scratch"/{flail,orbit,arena,foothold}
    return $code
}
stops() { kill -TERM $server && wait $server; }

mkdir "$scratch/recordings"
echo "0 1000000000000" >"$scratch/control"
before=(env LD_PRELOAD="$scratch/shim.so" DISK_SHIM_CONTROL="$scratch/control" DISK_SHIM_FOLDER="$scratch/recordings" DISK_SHIM_LOG="$scratch/calls")
# 1,000 messages: a busy machine may keep the server from reading for seconds, and foothold's bots send 125 a second meanwhile.
start --most-connections 20000 --most-rooms-per-address 256 --handshake-ms 3000 --idle-ms 3000 --slow-ms 3000 --empty-room-ms 2000 \
    --messages-per-second 1000 --trust-proxy 127.0.0.9 --recordings "$scratch/recordings"
attack open "$scratch/control"
expect "the bots that played meanwhile were not disconnected" bots_did_well
expect "the server stops afterwards" stops
only_disk_threads() { ! grep -E '^[a-z]+ (ticks|sockets) ' "$scratch/calls"; }
expect "no thread of ticks or sockets touched the disk" only_disk_threads
before=()

# A room must hold without the limits on an address, since an attacker may have many.
start --upgrades-per-second 100000 --hellos-per-second 100000 --most-connections-per-address 4096 --handshake-ms 60000
attack reports "$flood"
expect "the bots that played beside a flood of reports were not disconnected" bots_did_well
expect "the server stops after a flood of reports" stops

secret=$scratch/secret
echo "one $(printf '0123456789abcdef%.0s' 1 2 3 4)" >"$secret"
old=$("$instep" token --secret "$secret" --player stranger-0123456789 --room theirs --world bounce --level box)
sleep 1.1 # a clock of the service that is a second ahead is allowed
start --secret "$secret" --idle-ms 60000
attack tokens "$secret" "$old"
expect "the bots that played with tokens were not disconnected" bots_did_well
expect "the server with tokens stops" stops

finish
