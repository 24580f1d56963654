#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Our WebSocket against two that others wrote, npm's `ws` and Python's `websockets`: each is asked to talk to the server, and to
# stand between it and bots, in both of which whatever one end does wrong the other end says. Chromium is asked by the page's tests.
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
# Debian's own Python is the one that Debian's package is for.
/usr/bin/python3 tests/scripts/websocket_python.py "$port" "$instep" || failures=1
stops() { kill -TERM $server && wait $server; }
expect "the server stops afterwards as ever" stops

finish
