#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The processes of packaging/docker/compose.yaml without Docker: each service has an address of its own on the loopback
# network instead of a container, and the ports stay as they are.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about "the compose file, without Docker"

instep=${INSTEP:-build/release/instep}
[ -x "$instep" ] || { fail "there is a program to test at $instep"; finish; exit; }
haproxy=$(command -v haproxy || echo /usr/sbin/haproxy)
[ -x "$haproxy" ] || { skip "the compose file: haproxy is not installed"; finish; exit; }
processes=()
trap 'kill -9 "${processes[@]}" 2>/dev/null; wait 2>/dev/null; rm -rf "$scratch"' EXIT

# One line for each service: its name, and the words of its command.
python3 - "$scratch" "$instep" "$haproxy" >"$scratch/commands" <<'END'
import random, shlex, sys, yaml
scratch, instep, haproxy = sys.argv[1:]
with open("packaging/docker/compose.yaml") as file:
    services = yaml.safe_load(file)["services"]
network = f"127.{random.randrange(1, 255)}.{random.randrange(1, 255)}."
address = {name: network + str(i + 1) for i, name in enumerate(services)}
with open("packaging/docker/haproxy.cfg") as file:
    config = file.read().replace("bind :", f"bind {address['haproxy']}:").replace("maxconn 20000", "maxconn 200")
for name in services:
    config = config.replace(f" {name}:8080", f" {address[name]}:8080")
with open(f"{scratch}/haproxy.cfg", "w") as file:
    file.write(config)
for name, service in services.items():
    words = service["command"]
    if name == "redis":
        words = words + ["--bind", address[name], "--dir", scratch, "--save", ""]
    elif name == "haproxy":
        words = [haproxy, "-f", f"{scratch}/haproxy.cfg", "-db"]
    else:  # after the entry point of the image
        words = [instep, "serve", "--address", address[name]] + [
            word.replace("redis://redis", "redis://" + address["redis"]).replace("localhost:", address["haproxy"] + ":")
            .replace("10.0.0.0/8", "127.0.0.0/8") for word in words]
    print(name, shlex.join(words))
with open(f"{scratch}/door", "w") as file:
    file.write(address["haproxy"])
END
services=() declare -A pid
while read -r name command; do
    bash -c "exec $command" >"$scratch/$name.out" 2>"$scratch/$name.log" &
    pid[$name]=$!
    processes+=($!)
    services+=("$name")
    [ "$name" != redis ] || sleep 0.3
done <"$scratch/commands"
expect "it has Redis, three servers and haproxy" test "${services[*]}" = "redis server-a server-b server-c haproxy"

door=$(cat "$scratch/door")
within() { # SECONDS COMMAND...
    local until=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $until ] || { tail -n 8 "$scratch"/*.log; return 1; }
        sleep 0.1
    done
}
all_answer() { for port in 8080 8081 8082 8083; do curl -sf "http://$door:$port/readyz" >/dev/null || return 1; done; }
expect "the front door and each server's own port answer" within 30 all_answer
curl -s "http://$door:8081/api/rooms" -d '{"world": "bounce", "name": "ours"}' >/dev/null
is_known() { curl -sf "http://$door:$1/api/rooms/ours" >/dev/null; }
expect "a room of one server is known to another" within 30 is_known 8083
kill -9 "${pid[server-a]}"
goes_on() { is_known 8080 && ! curl -s "http://$door:8081/readyz" | grep -q ok && [ "$(redis-cli -h "${door%.*}.1" hget "instep:{ours}:lease" epoch)" -gt 1 ]; }
expect "after kill -9 the room is at another server, and the front door knows it" within 30 goes_on
finish
