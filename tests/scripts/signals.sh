#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SIGTERM to a campaign and to a server: both end in order, also when the signal comes twice within a second, as
# coreutils' `timeout` sends it. A request that comes later ends the program at once.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh

instep=${INSTEP:-build/release/instep}
[ -x "$instep" ] || { fail "there is a program to test at $instep"; finish; exit; }

program=
trap '[ -z "$program" ] || kill -KILL "$program" 2>/dev/null; rm -rf "$scratch"' EXIT

# until_true COMMAND...: waits until the command succeeds, for as long as the program under test runs.
until_true() {
    until "$@" 2>/dev/null; do
        kill -0 "$program" 2>/dev/null || return 1
        sleep 0.02
    done
}
says() { grep -Eq -- "$1" "$scratch/$2"; }
handles_sigterm() { # the program does, and not the shell that starts it
    [ "/proc/$program/exe" -ef "$instep" ] && ((16#$(sed -n 's/^SigCgt:\t//p' "/proc/$program/status") & 1 << 14))
}

start_campaign() { # ARGUMENT...
    "$instep" netsim orbit --campaign 100000 --threads 1 "$@" >"$scratch/stdout" 2>"$scratch/stderr" &
    program=$!
    until_true handles_sigterm
}
wait_for_end() { # sets $code
    code=0
    wait "$program" || code=$?
}
summary='(?s)orbit +[0-9]+ matches, 0 failed.*with --from [0-9]+\n$'

start_campaign --seconds 5
until_true says 'seed 1, hash' stderr
kill -TERM "$program"
wait_for_end
expect "campaign: SIGTERM prints what was played, and from where to go on" grep -Pzq "$summary" "$scratch/stdout"
expect "campaign: the exit status names the signal" test "$code" -eq 143

# While a match is in progress, so that the second signal finds the program running.
twice() {
    start_campaign --seconds 20
    kill -TERM "$program"
    sleep 0.02
    kill -TERM "$program" 2>/dev/null
    wait_for_end
    if [ "$code" -ne 143 ] || ! grep -Pzq "$summary" "$scratch/stdout"; then
        echo "exit code $code, and this on stdout:"
        cat "$scratch/stdout"
        return 1
    fi
}
twelve_times() { for _ in {1..12}; do twice || return 1; done; }
expect "campaign: two SIGTERM 20 ms apart are one request, 12 times of 12" twelve_times

start_campaign --seconds 86400
kill -TERM "$program"
until_true test -s "$scratch/stderr" # its handler says so
sleep 1.1
kill -TERM "$program"
wait_for_end
expect "campaign: a SIGTERM more than a second after the first ends at once" test "$code" -eq 143 -a ! -s "$scratch/stdout"

serve_twice() {
    : >"$scratch/url"
    "$instep" serve --port 0 >"$scratch/url" 2>"$scratch/log" &
    program=$!
    until_true test -s "$scratch/url" || return 1
    kill -TERM "$program"
    sleep 0.02
    kill -TERM "$program" 2>/dev/null
    wait_for_end
    if [ "$code" -ne 0 ] || ! says '"event":"stopped"' log; then
        echo "exit code $code, and this in the log:"
        cat "$scratch/log"
        return 1
    fi
}
serve_twelve_times() { for _ in {1..12}; do serve_twice || return 1; done; }
expect "serve: two SIGTERM 20 ms apart are one request, 12 times of 12" serve_twelve_times

finish
