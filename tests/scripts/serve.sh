#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The server as a program: prints its address, bots play on it, it stops at a signal, and it speaks TLS.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh

instep=${INSTEP:-build/release/instep}
[ -x "$instep" ] || { fail "there is a program to test at $instep"; finish; exit; }

# start ARGUMENT...: a server on any port; sets $url and $server.
start() { start_by serve "$@"; }
start_by() { # COMMAND ARGUMENT...
    : >"$scratch/url"
    "$instep" "$@" --port 0 >"$scratch/url" 2>"$scratch/log" &
    server=$!
    for _ in $(seq 300); do
        [ -s "$scratch/url" ] && break
        sleep 0.1
    done
    url=$(sed 's/^http/ws/' "$scratch/url")
}
stop() { # the exit code of the server
    kill -TERM "$server"
    wait "$server"
}
says() { grep -Eq -- "$1" "$scratch/$2"; }
fails() { ! "$@"; }
bots() { "$instep" bots "$@" --url "$url" >"$scratch/bots" 2>&1; }

start
expect "it prints its address" says '^http://127\.0\.0\.1:[0-9]+$' url
expect "bots play on it" bots flail --level plain --count 4 --seconds 4
expect "bots report their connections" says '^flail/plain, 4 bots for ' bots
expect "thin bots play on it" bots orbit --thin --count 10 --seconds 3
sed 's/"name": "plain"/"name": "elsewhere"/' worlds/flail/levels/plain.json >"$scratch/elsewhere.json"
expect "bots of a level that it does not have are refused" fails bots --level "$scratch/elsewhere.json" --seconds 2
expect "they report why" says 'no level "elsewhere"' bots
expect "it stops at a signal" stop
expect "its log has an object a line" bash -c '! grep -Ev "^\{\"time\":\"[^\"]+\",\"severity\":\"(info|error)\",\"event\":\"[a-z_]+\".*\}$" "$1"' - \
    "$scratch/log"
expect "it logged that a room was opened" says '"event":"room_opened","room":"flail-1"' log
expect "it logged that it stopped" says '"event":"stopped"' log

openssl req -x509 -newkey rsa:2048 -nodes -keyout "$scratch/key.pem" -out "$scratch/chain.pem" -days 2 -subj /CN=localhost \
    >"$scratch/openssl" 2>&1
start --certificate "$scratch/chain.pem" --private-key "$scratch/key.pem"
expect "with a certificate it speaks TLS" says '^https://' url
expect "bots play over TLS" bots bounce --level box --count 2 --seconds 3
plainly() { # a request without TLS
    exec 3<>"/dev/tcp/127.0.0.1/${url##*:}" && printf 'GET /healthz HTTP/1.0\r\n\r\n' >&3 && timeout 3 grep -q ok <&3
}
expect "a client without TLS gets no answer" fails plainly
certificate_has() { # NAME
    openssl s_client -connect "${url#*//}" -servername localhost </dev/null 2>/dev/null | openssl x509 -noout -subject | grep -q "CN = $1"
}
expect "serve: it shows its certificate" certificate_has localhost
status_of() { # HOST
    python3 - "$(cat "$scratch/url")/healthz" "$1" <<'PYTHON'
import ssl, sys, urllib.error, urllib.request
context = ssl._create_unverified_context()
try:
    print(urllib.request.urlopen(urllib.request.Request(sys.argv[1], headers={"Host": sys.argv[2]}), context=context).status)
except urllib.error.HTTPError as error:
    print(error.code)
PYTHON
}
expect "serve: a name that is not in the certificate is refused" test "$(status_of play.example)" = 421
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$scratch/key.pem" -out "$scratch/chain.pem" -days 2 -subj /CN=renewed \
    -addext "subjectAltName=DNS:play.example,DNS:*.play.example" >"$scratch/openssl" 2>&1
kill -HUP "$server"
renewed() { for _ in $(seq 100); do certificate_has renewed && return; sleep 0.1; done; return 1; }
expect "serve: SIGHUP reads a renewed certificate" renewed
expect "serve: a name of the new certificate is accepted" test "$(status_of play.example)$(status_of eu.play.example)" = 200200
expect "serve: other names are still refused" test "$(status_of b.a.play.example)$(status_of play.example.evil.example)" = 421421
expect "it stops with TLS too" stop

refuses() { # SENTENCE PATTERN ARGUMENT...
    local sentence=$1 pattern=$2
    shift 2
    expect_refusal "$sentence" "$pattern" timeout 20 "$instep" "$@"
}
echo '{"most-rooms": 0}' >"$scratch/wrong.json"
echo '{"most-rooms": 3}' >"$scratch/right.json"
refuses "a wrong settings file is refused" 'most-rooms: expected a whole number from 1' serve --settings "$scratch/wrong.json"
refuses "a wrong limit is refused" '--most-rooms: expected a whole number from 1' serve --most-rooms none
refuses "a wrong address is refused" 'expected an address to listen at' serve --address nowhere
refuses "a certificate without its key is refused" 'both a certificate and its private key' serve --certificate x
refuses "bots without a world are refused" 'which world' bots
refuses "bots with a wrong address are refused" 'expected an address like ws://' bots flail --url nowhere
refuses "a wrong proxy is refused" '--trust-proxy: expected up to 64 networks like' serve --trust-proxy 10.0.0.0/33
refuses "PROXY headers without a trusted proxy are refused" '--proxy-protocol needs --trust-proxy' serve --proxy-protocol
refuses "a wrong admin port is refused" '--admin: expected \[HOST:\]PORT' serve --port 0 --admin nowhere:1
refuses "an admin port beyond loopback needs a token" '--admin: 0\.0\.0\.0 .* needs a token' serve --port 0 --admin 0.0.0.0:0
INSTEP_MOST_ROOMS=many refuses "a wrong variable is refused" 'INSTEP_MOST_ROOMS: expected' serve
start --settings "$scratch/right.json"
expect "settings may come from a file" bots bounce --count 1 --seconds 1.5
expect "that server stops as well" stop

# --- recordings and tokens ------------------------------------------------------------------------------------------

start --recordings "$scratch/matches"
expect "bots play to be recorded" bots flail --level plain --count 3 --seconds 6
stop
recording=$(echo "$scratch"/matches/*.instep)
replay() { "$instep" replay "$recording" "$@" >"$scratch/replay" 2>&1; }
expect "the match plays again" replay
expect "every hash is as recorded" says '^hash [0-9a-f]{16}; all hashes are as recorded$' replay
expect "any tick can be shown" replay --tick 60 --state -
expect "the state is that tick's" says '^\{"tick":60,"hash":"[0-9a-f]{16}"' replay
expect "bots can play on from there" replay --tick 60 --resume 100
expect "they play on from that tick" says '^played on by bots to tick 160: hash ' replay
expect "a tick that was not played is refused" fails replay --tick 1000000
start_by replay "$recording" --tick 60 --serve
expect "a live room opens from that tick" says '"event":"room_opened","room":"replay".*"tick":60' log
world=$(sed -n 's/.*"room_opened".*"world":"\([a-z]*\)".*/\1/p' "$scratch/log")
level=$(sed -n 's/.*"room_opened".*"level":"\([a-z]*\)".*/\1/p' "$scratch/log")
expect "people join it" bots "$world" --level "$level" --room replay --count 2 --seconds 3
expect "they all played in that room" fails says '"room_opened","room":"'"$world"'-' log
expect "it stops at a signal too" stop
printf 'x' | dd of="$recording" bs=1 seek=200 conv=notrunc 2>/dev/null
expect "a changed byte is found" fails replay
refuses "a file that is not a recording is refused" 'is no recording of a match' replay README.md

echo "one $(openssl rand -hex 32)" >"$scratch/secret"
echo "one short" >"$scratch/short"
openssl rand -hex 32 >"$scratch/bare"
refuses "a short secret is refused" 'at least 32 characters' serve --secret "$scratch/short"
refuses "a secret without an id is refused" "expected a key's id and its secret" serve --secret "$scratch/bare"
start --secret "$scratch/secret" --audience here
expect "without a token bots are refused" fails bots bounce --count 1 --seconds 2
expect "they receive the reason" says '4401 token_required: ' bots
token() { # ROOM OPTION...
    local room=$1
    shift
    "$instep" token --secret "$scratch/secret" --audience here --room "$room" --world bounce --player ann-0123456789ab "$@"
}
# part N TOKEN: the N-th part of a token, decoded.
part() { python3 -c 'import base64, sys; print(base64.urlsafe_b64decode(sys.argv[2].split(".")[int(sys.argv[1])] + "==").decode())' "$@"; }
expect "a token is made" bash -c '[[ $1 == *"\"kid\":\"one\""* ]]' - "$(part 0 "$(token ours)")"
claims=$(part 1 "$(token ours --role watch --level box --replication relay)")
for claim in '"aud":"here"' '"sub":"ann-0123456789ab"' '"role":"watch"' '"room":"ours"' '"world":"bounce"' '"level":"box"' '"replication":"relay"'; do
    expect "its claims have $claim" grep -Fq -- "$claim" <<<"$claims"
done
refuses "a token for an impossible room name is refused" 'expected 1 to 64 letters' \
    token --secret "$scratch/secret" --room a.b --world bounce --player ann-0123456789ab
refuses "a token of a key that the file does not have is refused" 'has no key "two"' \
    token --secret "$scratch/secret" --key two --room ours --world bounce --player ann-0123456789ab

# --- SIGHUP: new secrets and a new certificate, while a match goes on -----------------------------------------------

# opens TOKEN: whether the token lets its player open a room; `answer` has the response.
opens() {
    python3 - "$(cat "$scratch/url")" "$1" >"$scratch/answer" 2>&1 <<'PYTHON'
import sys, urllib.error, urllib.request
try:
    urllib.request.urlopen(sys.argv[1] + "/api/rooms?token=" + sys.argv[2], b'{"world": "bounce"}')
except urllib.error.HTTPError as error:
    sys.exit(error.read().decode())
PYTHON
}
until_log() { for _ in $(seq 300); do says "$1" log && return; sleep 0.1; done; return 1; }
reload() { # EVENT
    : >"$scratch/log"
    kill -HUP "$server" && until_log "\"event\":\"$1\""
}
expect "serve: a token of its key is accepted" opens "$(token ours)"
echo "two $(openssl rand -hex 32)" >"$scratch/second"
"$instep" bots bounce --level box --secret "$scratch/secret" --audience here --room theirs --count 2 --url "$url" >"$scratch/bots" 2>&1 &
bots=$!
until_log '"room_opened","room":"theirs"'
cat "$scratch/second" >>"$scratch/secret"
expect "serve: SIGHUP reads the secrets again" reload reloaded
expect "serve: a token of the new key is accepted" opens "$(token second --key two)"
expect "serve: a token of the old key is still accepted" opens "$(token third --key one)"
old=$(token fourth --key one)
cp "$scratch/second" "$scratch/secret"
expect "serve: SIGHUP removes a key" reload reloaded
expect "serve: its tokens are refused from then on" fails opens "$old"
expect "serve: the refusal says why" says 'names a key that this server does not have' answer
echo nonsense >"$scratch/secret"
expect "serve: a file that cannot be read is reported" reload reload_failed
cp "$scratch/second" "$scratch/secret"
expect "serve: the keys before it stay" opens "$(token fifth)"
kill -INT "$bots"
bots_end() { wait "$bots" || { cat "$scratch/bots"; return 1; }; }
expect "serve: bots played through all of it" bots_end
used=$(token sixth)
expect "serve: a token opens a room once" opens "$used"
expect "serve: it is refused the second time" fails opens "$used"
expect "that server stops too" stop
start --secret "$scratch/secret" --audience here
expect "serve: a used token is refused after a restart" fails opens "$used"
expect "serve: the refusal says that it is older than the process" says 'issued before this server started' answer
expect "serve: a new one is accepted" opens "$(token sixth)"
stop

finish
