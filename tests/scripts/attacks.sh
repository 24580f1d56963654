#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Attacks on a server while bots play on it, in separate processes: attacks.mjs reports what each attack cost.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh

instep=${INSTEP:-build/release/instep}
[ -x "$instep" ] || { fail "there is a program to test at $instep"; finish; exit; }
ulimit -n "$(ulimit -Hn)"

"$instep" serve --port 0 --host here --most-connections 20000 --most-rooms-per-address 256 --handshake-ms 3000 --idle-ms 3000 --slow-ms 3000 \
    --trust-proxy 127.0.0.9 >"$scratch/url" 2>"$scratch/log" &
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
node tests/scripts/attacks.mjs "${url##*:}" $server "$instep" || failures=1
kill -INT "${bots[@]}"
bots_did_well() {
    local bot code=0
    for bot in "${bots[@]}"; do wait "$bot" || code=1; done
    [ $code -eq 0 ] || cat "$scratch"/{flail,orbit,arena,foothold}
    return $code
}
expect "the bots that played meanwhile were not disconnected" bots_did_well
stops() { kill -TERM $server && wait $server; }
expect "the server stops afterwards" stops

finish
