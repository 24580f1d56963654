#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# packaging/systemd/instep.service: systemd reads it without complaint, its sandbox is tight, and its command serves.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about systemd

instep=${INSTEP:-build/release/instep}
unit=packaging/systemd/instep.service
[ -x "$instep" ] || { fail "there is a program to test at $instep"; finish; exit; }

# The unit as it would be with this program installed.
sed "s|/usr/bin/instep|$(realpath "$instep")|" $unit >"$scratch/instep.service"
cp "$scratch/instep.service" "$scratch/instep@.service"
command_line=$(sed -n 's/^ExecStart=//p' $unit)
serves() { # what the unit runs, with a folder for %S and free ports
    local words server
    command_line=${command_line//%S/$scratch/state}
    command_line=${command_line//%i/}
    command_line=${command_line/'${INSTEP_ADMIN_PORT}'/0}
    read -ra words <<<"${command_line/\$INSTEP_OPTIONS/--port 0}"
    mkdir -p "$scratch/state"
    "$instep" "${words[@]:1}" >"$scratch/url" 2>"$scratch/log" &
    server=$!
    for _ in $(seq 300); do
        [ -s "$scratch/url" ] && break
        sleep 0.1
    done
    kill -TERM $server
    wait $server && grep '^http://' "$scratch/url" && grep '"event":"listening".*"admin_port":[1-9]' "$scratch/log"
}

for line in ProtectSystem=strict DynamicUser=yes LimitRTPRIO=1 NoNewPrivileges=yes CapabilityBoundingSet=; do
    expect "the unit says $line" grep -x "$line" $unit
done
expect "the unit's command serves, and stops at SIGTERM" serves
if command -v systemd-analyze >/dev/null; then
    verified() { [ -z "$(systemd-analyze verify "$scratch/$1" 2>&1)" ]; }
    expect "systemd-analyze verify finds nothing" verified instep.service
    expect "systemd-analyze verify finds nothing in an instance of it" verified instep@blue.service
    expect "systemd-analyze security: the exposure is at most 1.5 of 10" \
        systemd-analyze security --offline=yes --threshold=15 --no-pager "$scratch/instep.service"
else
    skip "systemd: systemd-analyze is not installed"
fi
finish
