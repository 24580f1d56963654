#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Attacks on a server while bots play on it, in separate processes: attacks.mjs reports what each attack cost.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh

instep=${INSTEP:-build/release/instep}
[ -x "$instep" ] || { fail "there is a program to test at $instep"; finish; exit; }
flood=${FLOOD:-$(dirname "$instep")/tests/report_flood}
[ -x "$flood" ] || { fail "there is a program that floods a room with reports at $flood"; finish; exit; }
ulimit -n "$(ulimit -Hn)"

# start ARGUMENT...: a server with eight bots in each of four rooms.
start() {
    : >"$scratch/url"
    "$instep" serve --port 0 --host here "$@" >"$scratch/url" 2>"$scratch/log" &
    server=$!
    for _ in $(seq 300); do
        [ -s "$scratch/url" ] && break
        sleep 0.1
    done
    url=$(cat "$scratch/url")
    bots=()
    for world in flail orbit arena foothold; do
        "$instep" bots $world --count 8 --thin --url "${url/http/ws}" >"$scratch/$world" 2>&1 &
        bots+=($!)
    done
    sleep 2
}
bots_did_well() {
    local bot code=0
    kill -INT "${bots[@]}"
    for bot in "${bots[@]}"; do wait "$bot" || code=1; done
    [ $code -eq 0 ] || cat "$scratch"/{flail,orbit,arena,foothold}
    return $code
}
stops() { kill -TERM $server && wait $server; }

start --most-connections 20000 --most-rooms-per-address 256 --handshake-ms 3000 --idle-ms 3000 --slow-ms 3000 --trust-proxy 127.0.0.9
node tests/scripts/attacks.mjs "${url##*:}" $server "$instep" || failures=1
expect "the bots that played meanwhile were not disconnected" bots_did_well
expect "the server stops afterwards" stops

# A room must hold without the limits on an address, since an attacker may have many.
start --upgrades-per-second 100000 --hellos-per-second 100000
node tests/scripts/attacks.mjs "${url##*:}" $server "$instep" "$flood" || failures=1
expect "the bots that played beside a flood of reports were not disconnected" bots_did_well
expect "the server stops after a flood of reports" stops

finish
