#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Servers behind a real haproxy, which names its clients in PROXY headers (versions 1 and 2) or in X-Forwarded-For. Clients
# use different addresses of the loopback network; haproxy connects from 127.0.0.9, the one that the servers trust.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about proxy

instep=${INSTEP:-build/release/instep}
[ -x "$instep" ] || { fail "there is a program to test at $instep"; finish; exit; }
haproxy=$(command -v haproxy || echo /usr/sbin/haproxy)
[ -x "$haproxy" ] || { skip "proxy: haproxy is not installed"; finish; exit; }

processes=()
trap 'kill "${processes[@]}" 2>/dev/null; wait; rm -rf "$scratch"' EXIT

# start NAME ARGUMENT...: a server; sets $port and $admin.
start() {
    local name=$1
    shift
    "$instep" serve --port 0 --admin 0 --trust-proxy 127.0.0.9 "$@" >"$scratch/$name" 2>"$scratch/$name.log" &
    processes+=($!)
    for _ in $(seq 300); do
        [ -s "$scratch/$name" ] && break
        sleep 0.1
    done
    port=$(sed 's/.*://' "$scratch/$name")
    admin=$(sed -n 's/.*"event":"listening".*"admin_port":\([0-9]*\).*/\1/p' "$scratch/$name.log")
}
start headers --proxy-protocol
headers=$port headers_admin=$admin
start forwarded
forwarded=$port forwarded_admin=$admin

# Ports that are free now. The kernel hands out others first, so they stay free for a while.
read -r v1 v2 xff < <(node -e '
    const net = require("net"), servers = [1, 2, 3].map(() => net.createServer().listen(0, "127.0.0.1"));
    Promise.all(servers.map(s => new Promise(done => s.on("listening", done)))).then(() => {
        console.log(servers.map(s => s.address().port).join(" "));
        servers.forEach(s => s.close());
    });')
cat >"$scratch/haproxy.cfg" <<TEXT
global
    maxconn 200
defaults
    timeout connect 5s
    timeout client 60s
    timeout server 60s
    timeout tunnel 60s
listen v1
    mode tcp
    bind 127.0.0.1:$v1
    server instep 127.0.0.1:$headers source 127.0.0.9 send-proxy
listen v2
    mode tcp
    bind 127.0.0.1:$v2
    server instep 127.0.0.1:$headers source 127.0.0.9 send-proxy-v2 check inter 500ms
listen xff
    mode http
    option forwardfor
    bind 127.0.0.1:$xff
    server instep 127.0.0.1:$forwarded source 127.0.0.9
TEXT
"$haproxy" -f "$scratch/haproxy.cfg" -db >"$scratch/haproxy.log" 2>&1 &
processes+=($!)

# ask FROM PORT METHOD TARGET [BODY [BYTES BEFORE]] [HEADER: VALUE]: prints the status and the body.
cat >"$scratch/ask.mjs" <<'TEXT'
import net from "node:net";
const [from, port, method, target, body = "", before = "", header = ""] = process.argv.slice(2);
const socket = net.connect({ host: "127.0.0.1", port: Number(port), localAddress: from });
let all = "";
socket.setTimeout(20_000, () => socket.destroy());
socket.on("data", part => (all += part)).on("error", error => console.log(error.message)).on("close", () => {
    console.log((all.match(/^HTTP\/1.1 (\d+)/) ?? [, "none"])[1], all.slice(all.indexOf("\r\n\r\n") + 4).trim());
});
socket.write(before.replaceAll("\\r\\n", "\r\n") + `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n` +
    (header && header + "\r\n") + `Connection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
TEXT
ask() { node "$scratch/ask.mjs" "$@"; }
answers() { # STATUS ARGUMENT...
    local status=$1
    shift
    ask "$@" | tee "$scratch/answer"
    grep -q "^$status " "$scratch/answer"
}
for _ in $(seq 100); do
    [[ $(ask 127.0.0.2 "$v1" GET /livez) == "200 ok" ]] && break
    sleep 0.1
done

for way in v1 v2 xff; do
    admin=$headers_admin
    [ $way != xff ] || admin=$forwarded_admin
    expect "$way: a request is answered" answers 200 127.0.0.2 ${!way} GET /livez
    "$instep" bots flail --level plain --room $way --count 2 --seconds 8 --url "ws://127.0.0.1:${!way}" >"$scratch/bots" 2>&1 &
    bots=$!
    shows_address() { # the bots', not haproxy's
        for _ in $(seq 100); do
            ask 127.0.0.1 "$admin" GET "/admin/rooms/$way" >"$scratch/room"
            ! grep -q '"slot":.*"slot":.*"address":"127.0.0.1"' "$scratch/room" || return 0
            sleep 0.1
        done
        cat "$scratch/room" "$scratch/bots"
        return 1
    }
    expect "$way: bots play, and the room has their own address" shows_address
    played() { wait "$bots" || { cat "$scratch/bots"; return 1; }; }
    expect "$way: the bots played on to their end" played
    expect "$way: a ban of one client" answers 200 127.0.0.1 "$admin" POST /admin/ban '{"address": "127.0.0.2", "seconds": 600}'
    expect "$way: the ban refuses that client" answers 403 127.0.0.2 ${!way} GET /livez
    expect "$way: the ban does not refuse other clients of the proxy" answers 200 127.0.0.3 ${!way} GET /livez
    ask 127.0.0.1 "$admin" POST /admin/unban '{"address": "127.0.0.2"}' >"$scratch/unban"
done

expect "haproxy's health check (LOCAL) is answered, so its server is up" answers 200 127.0.0.4 "$v2" GET /livez
expect "from another address a PROXY header is refused" \
    answers 400 127.0.0.2 "$headers" GET /livez "" 'PROXY TCP4 127.0.0.3 127.0.0.1 1 2\r\n'
expect "from a trusted proxy a connection without one is refused" answers 400 127.0.0.9 "$headers" GET /livez
ban() { ask 127.0.0.1 "$forwarded_admin" POST /admin/ban '{"address": "127.0.0.2", "seconds": 600}'; }
expect "a ban again" ban
expect "from another address X-Forwarded-For does not hide the client" \
    answers 403 127.0.0.2 "$forwarded" GET /livez "" "" "X-Forwarded-For: 127.0.0.3"
expect "nor does it accuse another" answers 200 127.0.0.3 "$forwarded" GET /livez "" "" "X-Forwarded-For: 127.0.0.2"
expect "a client of the proxy cannot hide behind an address that it forged" \
    answers 403 127.0.0.2 "$xff" GET /livez "" "" "X-Forwarded-For: 127.0.0.3"
finish
