#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Our WebSocket against two other implementations, npm's `ws` and Python's `websockets`: each connects to the server, and proxies
# between it and bots. Either reports what our end does wrong. The page's tests do the same with Chromium.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/lib.sh
source tools/checks.sh

instep=${INSTEP:-build/release/instep}
[ -x "$instep" ] || { fail "there is a program to test at $instep"; finish; exit; }

"$instep" serve --port 0 --most-rooms-per-address 64 >"$scratch/url" 2>"$scratch/log" &
server=$!
for _ in $(seq 300); do
    [ -s "$scratch/url" ] && break
    sleep 0.1
done
port=$(sed 's/.*://' "$scratch/url")

if install_npm_peers >"$scratch/npm" 2>&1; then
    node tests/scripts/websocket_ws.mjs "$port" "$instep" "$npm_peers" || failures=1
else
    fail "npm brings ws"
    sed 's/^/    /' "$scratch/npm"
fi
# Debian's package is for Debian's Python.
/usr/bin/python3 tests/scripts/websocket_python.py "$port" "$instep" || failures=1
/usr/bin/python3 worlds/flail/tests/original_client.py "$port" "$instep" || failures=1
stops() { kill -TERM $server && wait $server; }
expect "the server stops afterwards" stops

finish
