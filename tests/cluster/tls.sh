#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A server whose cluster's Redis has TLS with a certificate of its own, a user and a password.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about "Redis with TLS and a login"

instep=${INSTEP:-build/release/instep}
[ -x "$instep" ] || { fail "there is a program to test at $instep"; finish; exit; }
processes=()
trap 'kill -9 "${processes[@]}" 2>/dev/null; wait 2>/dev/null; rm -rf "$scratch"' EXIT

port=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=redis \
    -addext subjectAltName=IP:127.0.0.1 -keyout "$scratch/key.pem" -out "$scratch/ca.pem" 2>/dev/null
echo "user default off
user instep on >right ~* &* +@all" >"$scratch/users"
redis-server --port 0 --tls-port "$port" --bind 127.0.0.1 --tls-cert-file "$scratch/ca.pem" --tls-key-file "$scratch/key.pem" \
    --tls-ca-cert-file "$scratch/ca.pem" --tls-auth-clients no --aclfile "$scratch/users" --save "" --dir "$scratch" >"$scratch/redis" &
processes+=($!)
redis() { redis-cli --tls --cacert "$scratch/ca.pem" -p "$port" --user instep --pass right --no-auth-warning "$@"; }
until redis ping 2>/dev/null | grep -q PONG; do sleep 0.05; done
echo "instep right" >"$scratch/login"
echo "instep wrong" >"$scratch/wrong"
serve() { timeout 30 "$instep" serve --port 0 --cluster "rediss://127.0.0.1:$port" "$@"; }

refused() { # TEXT ARGUMENTS...
    local text=$1
    shift
    serve "$@" >"$scratch/out" 2>&1 && return 1
    grep -q "$text" "$scratch/out" || { cat "$scratch/out"; return 1; }
}
expect "a certificate that nobody vouches for is refused" refused "certificate verify failed" --cluster-login "$scratch/login"
expect "a wrong password is refused" refused "WRONGPASS" --cluster-ca "$scratch/ca.pem" --cluster-login "$scratch/wrong"

serve --cluster-ca "$scratch/ca.pem" --cluster-login "$scratch/login" >"$scratch/server" 2>"$scratch/log" &
processes+=($!)
url=
for _ in $(seq 300); do url=$(grep -o 'http://[^ ]*' "$scratch/server" | head -n 1) && [ -n "$url" ] && break; sleep 0.1; done
opens() { curl -s "$url/api/rooms" -d '{"world": "bounce", "name": "ours"}' | grep -q '"ours"'; }
expect "with both the server starts, and opens a room" opens
has_lease() { for _ in $(seq 100); do [ -n "$(redis hget "instep:{ours}:lease" holder)" ] && return; sleep 0.1; done; return 1; }
expect "whose lease is in that Redis" has_lease
finish
