#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# packaging/haproxy/cluster.cfg with a real haproxy, Redis and three servers: players come in by the front door, a server is
# killed, and they play on.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about "haproxy before a cluster"

instep=${INSTEP:-build/release/instep}
[ -x "$instep" ] || { fail "there is a program to test at $instep"; finish; exit; }
haproxy=$(command -v haproxy || echo /usr/sbin/haproxy)
[ -x "$haproxy" ] || { skip "haproxy before a cluster: haproxy is not installed"; finish; exit; }

processes=()
trap 'kill -9 "${processes[@]}" 2>/dev/null; wait 2>/dev/null; rm -rf "$scratch"' EXIT

# Ports that are free now, in place of the example's.
read -r -a ports < <(python3 -c '
import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(8)]
print(*(s.getsockname()[1] for s in sockets))')
redis=${ports[0]} door=${ports[1]}
text=$(sed "s/:8080/:$door/; s/maxconn .*/maxconn 200/" packaging/haproxy/cluster.cfg)
for i in 0 1 2; do
    text=$(sed "s/:808$((i + 1))\$/:${ports[2 + i]}/; s/:908$((i + 1))/:${ports[5 + i]}/" <<<"$text")
done
printf '%s\n' "$text" >"$scratch/haproxy.cfg"
expect "the example is valid" "$haproxy" -c -f packaging/haproxy/cluster.cfg

redis-server --port "$redis" --bind 127.0.0.1 --save "" --appendonly yes --dir "$scratch" >/dev/null &
processes+=($!)
until redis-cli -p "$redis" ping >/dev/null 2>&1; do sleep 0.05; done
servers=()
for i in 0 1 2; do
    "$instep" serve --port "${ports[5 + i]}" --public-address "ws://127.0.0.1:${ports[2 + i]}" --cluster "redis://127.0.0.1:$redis" \
        --trust-proxy 127.0.0.1 --proxy-protocol >"$scratch/server$i" 2>"$scratch/server$i.log" &
    processes+=($!)
    servers+=($!)
done
"$haproxy" -f "$scratch/haproxy.cfg" -db >"$scratch/haproxy.log" 2>&1 &
processes+=($!)

get() { # PORT PATH: the whole response
    exec 3<>"/dev/tcp/127.0.0.1/$1" && printf 'GET %s HTTP/1.0\r\nHost: localhost\r\n\r\n' "$2" >&3 && timeout 10 cat <&3
}
within() { # SECONDS COMMAND...
    local until=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $until ] || { cat "$scratch"/*.log | tail -n 20; return 1; }
        sleep 0.1
    done
}
all_answer() { for port in "$door" "${ports[@]:2:3}"; do [[ "$(get "$port" /readyz)" = HTTP/*" 200 "* ]] || return 1; done; }
expect "each server answers at its own port, and the front door" within 30 all_answer

"$instep" bots creature --level garden --room ours --count 3 --url "ws://127.0.0.1:$door" --also "ws://127.0.0.1:$door" \
    --trace "$scratch/received" >"$scratch/bots" 2>&1 &
bots=$!
processes+=("$bots")
plays() { [[ "$(get "$door" /api/rooms/ours)" = *'"players":3'* ]]; }
expect "players come in by the front door, whichever server has their room" within 30 plays

owner() { redis-cli -p "$redis" hget "instep:{ours}:lease" address | sed 's/.*://'; }
tick() { redis-cli -p "$redis" hget "instep:{ours}:lease" tick; }
before=$(owner)
for i in 0 1 2; do [ "${ports[2 + i]}" != "$before" ] || kill -9 "${servers[i]}"; done
goes_on() { [ "$(owner)" != "$before" ] && plays; }
expect "after kill -9 of their server the room goes on at another one" within 30 goes_on
last=$(tick)
plays_on() { [ "$(tick)" -gt $((last + 60)) ]; }
expect "and is played on" within 30 plays_on
kill -INT "$bots"
wait "$bots" 2>/dev/null
same_players() { # a client keeps its slot, and all three received ticks after the kill
    awk -v last="$last" '{ if (!($1 in slot)) slot[$1] = $2; if (slot[$1] != $2) exit 1; if ($4 > last) after[$1] = 1 }
        END { n = 0; for (c in after) n++; exit n == 3 ? 0 : 1 }' "$scratch/received" || { tail -n 5 "$scratch/received" "$scratch/bots"; return 1; }
}
expect "with the same players, who came back by the front door" same_players
finish
