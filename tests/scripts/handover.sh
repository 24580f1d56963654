#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rolling restarts: servers stop by SIGTERM one after the other, each handing its rooms to the next, while bots play in
# them over real sockets. No player may be lost, no room may stand still for 250 ms, and the matches must go on hash by hash.
#   tests/scripts/handover.sh [ROOMS BOTS RESTARTS WORLD PREDICTING]      6 6 3 orbit in ./test; 40 16 10 arena 1 is the full size
# PREDICTING of a room's bots predict, and count corrections (all, if it is not given); the others send inputs and read
# no state, so that two cores can play them.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh

instep=${INSTEP:-build/release/instep}
rooms=${1:-6}
bots=${2:-6}
restarts=${3:-3}
world=${4:-orbit}
predicting=${5:-$bots}
players=$((rooms * bots))
[ -x "$instep" ] || { fail "there is a program to test at $instep"; finish; exit; }
ulimit -n "$(ulimit -Hn)"

started=()
trap '[ ${#started[@]} -eq 0 ] || kill -KILL "${started[@]}" 2>/dev/null; rm -rf "$scratch"' EXIT
# Two places that servers take in turn, as two units of systemd would: public and admin ports.
read -r -a ports < <(python3 -c 'import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(4)]
print(*(s.getsockname()[1] for s in sockets))')

# start NUMBER: the server of that number in its place; sets $server.
start() {
    local place=$(($1 % 2)) other=$((($1 + 1) % 2))
    "$instep" serve --port "${ports[$place]}" --admin "${ports[$((2 + place))]}" \
        --successor "http://127.0.0.1:${ports[$((2 + other))]}" --recordings "$scratch/recordings-$1" \
        --most-connections-per-address 100000 --upgrades-per-second 10000 --hellos-per-second 10000 \
        --most-rooms 1000 --most-rooms-per-address 1000 >"$scratch/url-$1" 2>"$scratch/log-$1" &
    server=$!
    started+=("$server")
    wait_for [ -s "$scratch/url-$1" ]
}
wait_for() { # COMMAND...: until it succeeds, for at most a minute
    for _ in $(seq 600); do
        "$@" && return
        sleep 0.1
    done
    return 1
}
metric() { # SERVER NAME
    exec 3<>"/dev/tcp/127.0.0.1/${ports[$((2 + $1 % 2))]}" &&
        printf 'GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3 && timeout 30 cat <&3 | sed -n "s/^instep_$2 //p" | tr -d '\r'
}
at_least() { # SERVER NAME NUMBER
    local value
    value=$(metric "$1" "$2")
    [ "${value:-0}" -ge "$3" ]
}
equals() { echo "$1, expected $2"; [ "$1" = "$2" ]; }

about "hand-over, $rooms rooms of $bots in $world"
start 0
clients=()
join() { # ROOM FILE SEED OPTIONS... Players' keys follow from the seed
    "$instep" bots "$world" --room "room-$1" --seed "$3" --url "ws://127.0.0.1:${ports[0]}" "${@:4}" >"$scratch/$2-$1" 2>&1 &
    clients+=($!)
}
for room in $(seq "$rooms"); do
    join "$room" bots "$room" --count "$predicting"
    [ "$predicting" = "$bots" ] || join "$room" thin $((1000 + room)) --count $((bots - predicting)) --thin
done
started+=("${clients[@]}")
expect "all bots join" wait_for at_least 0 joins_total "$players"
sleep 2
for number in $(seq "$restarts"); do
    before=$server
    start "$number"
    skipped=$(metric $((number - 1)) ticks_skipped_total)
    kill -TERM "$before"
    expect "restart $number: every player comes to the successor" wait_for at_least "$number" resumes_total "$players"
    expect "restart $number: the old server exits with 0" wait "$before"
    expect "restart $number: no tick was skipped before it" equals "$skipped" 0
    sleep 2.5 # corrections of the move are counted for 2 s
done
expect "every room is at the last server" equals "$(metric "$restarts" rooms)" "$rooms"
expect "every player is there" equals "$(metric "$restarts" players)" "$players"
leave() {
    local client code=0
    kill -INT "${clients[@]}"
    for client in "${clients[@]}"; do wait "$client" || code=1; done
    cat "$scratch"/bots-* "$scratch"/thin-* 2>/dev/null
    return $code
}
expect "no bot was disconnected, refused or out of step" leave
kill -INT "$server"
expect "the last server exits with 0" wait "$server"

expect "the servers' logs and recordings are one history" python3 tests/scripts/handover.py "$instep" "$scratch" "$rooms" "$restarts" "$bots"
sed 's/^/    /' "$scratch/output"
started=()

finish
