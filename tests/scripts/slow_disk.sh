#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A slow and a full disk must not disturb play. disk_shim.cpp, preloaded into the server, delays each call that touches a
# recording, and plays a full disk. It also notes which thread made each call: none of ticks or sockets may.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh

instep=${INSTEP:-build/release/instep}
[ -x "$instep" ] || { fail "there is a program to test at $instep"; finish; exit; }
g++ -std=c++20 -shared -fPIC -O1 -o "$scratch/shim.so" tests/scripts/disk_shim.cpp -ldl || { fail "the shim compiles"; finish; exit; }

export DISK_SHIM_CONTROL=$scratch/control DISK_SHIM_LOG=$scratch/calls
control() { # DELAY_MS [QUOTA_BYTES]: replaced at once, so that no call reads half of it
    echo "$1 ${2:-1000000000000}" >"$scratch/control.new"
    mv "$scratch/control.new" "$scratch/control"
}
# start NAME ARGUMENT...: a server that records into the folder NAME; sets $server and $port.
start() {
    export DISK_SHIM_FOLDER=$scratch/$1
    shift
    mkdir -p "$DISK_SHIM_FOLDER"
    : >"$scratch/url"
    : >"$scratch/calls"
    LD_PRELOAD=$scratch/shim.so "$instep" serve --port 0 --recordings "$DISK_SHIM_FOLDER" "$@" >"$scratch/url" 2>"$scratch/log" &
    server=$!
    wait_for [ -s "$scratch/url" ]
    port=$(sed 's/.*://' "$scratch/url")
}
stop() { kill -TERM "$server" && wait "$server"; }
wait_for() { # COMMAND...: until it succeeds, for at most a minute
    for _ in $(seq 600); do
        "$@" && return
        sleep 0.1
    done
    return 1
}
# play ROOM...: two bots in each; their processes are in $players.
play() {
    local room
    players=()
    for room; do
        "$instep" bots bounce --room "$room" --count 2 --url "ws://127.0.0.1:$port" >"$scratch/bots-$room" 2>&1 &
        players+=($!)
    done
}
leave() { kill -INT "${players[@]}" && wait "${players[@]}"; }
get() { # PATH: the response
    exec 3<>"/dev/tcp/127.0.0.1/$port" && printf 'GET %s HTTP/1.0\r\n\r\n' "$1" >&3 && timeout 30 cat <&3
}
metric() { get /metrics | sed -n "s/^instep_$1 //p" | tr -d '\r'; }
calls() { # PATTERN AT_LEAST
    [ "$(grep -Ec -- "$1" "$scratch/calls")" -ge "$2" ]
}
says() { grep -Eq -- "$1" "$scratch/log"; }
fails() { ! "$@"; }
no_calls_of_play() {
    ! grep -E '^[a-z]+ (ticks|sockets) ' "$scratch/calls"
}
# quick PATH: answered well within one call of the slow disk; eight times while the disk is busy.
quick() {
    local before
    for _ in $(seq 8); do
        before=${EPOCHREALTIME/./}
        get "$1" | grep -q '200 OK' || return 1
        echo "$1: $(((${EPOCHREALTIME/./} - before) / 1000)) ms"
        [ $((${EPOCHREALTIME/./} - before)) -lt 1000000 ] || return 1
        sleep 0.4
    done
}
equals() { echo "$1, expected $2"; [ "$1" = "$2" ]; }

about "slow disk"
control 1500
start slow
play a b c d
expect "the disk is busy with recordings" wait_for calls '^(open|fopen) .* delayed' 4
expect "/healthz answers at once" quick /healthz
expect "/api/recordings answers at once" quick /api/recordings
expect "recordings are written" wait_for calls '^(write|fflush) .* delayed' 5
expect "no tick is lost" equals "$(metric ticks_skipped_total)" 0
expect "the players stay" equals "$(metric players)" 8
expect "bots leave as they came" leave
expect "it stops in time" stop
expect "no thread of ticks or sockets touched the disk" no_calls_of_play

about "full disk"
old=$scratch/full/20000101T000000.000Z-000001-old.instep
mkdir -p "$scratch/full"
head -c 300000 /dev/zero >"$old"
control 0 300000
DISK_SHIM_USED=300000 start full
play e f
expect "the oldest recording is deleted" wait_for fails test -e "$old"
written() { [ "$(find "$scratch/full" -name '*.instep' -size +0 | wc -l)" -eq 2 ]; }
expect "recording goes on in its place" wait_for written
control 0 0
expect "writing is tried again while the disk stays full" wait_for calls ' ENOSPC$' 4
expect "each time is logged once" equals "$(grep -c '"event":"disk_full"' "$scratch/log")" 2
expect "no recording is given up" equals "$(metric recordings_failed_total)" 0
control 0
resumed() { [ "$(metric recording_bytes_waiting)" -lt 10000 ] && calls '^write .* delayed' $((attempts + 3)); }
attempts=$(grep -c '^write .* delayed' "$scratch/calls")
expect "recording resumes when there is space again" wait_for resumed
expect "bots leave" leave
expect "it stops" stop
expect "no thread of ticks or sockets touched the full disk" no_calls_of_play
replays() {
    local file
    for file in "$scratch"/full/*.instep; do "$instep" replay "$file" || return 1; done
}
expect "the recordings have no gap" replays

finish
