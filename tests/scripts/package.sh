#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Debian package: what is in it, and that the server starts from it, with the settings that it brings.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about "the Debian package"

[ -x build/release/instep ] || { fail "there is a program to package at build/release/instep"; finish; exit; }
command -v dpkg-shlibdeps >/dev/null || { skip "the Debian package: dpkg-dev is not installed"; finish; exit; }
server=
trap '[ -z "$server" ] || kill -9 $server 2>/dev/null; wait 2>/dev/null; rm -rf "$scratch"' EXIT

makes() { cpack --config build/release/CPackConfig.cmake -B "$scratch/deb" >"$scratch/cpack" 2>&1 || { cat "$scratch/cpack"; return 1; }; }
expect "cpack makes it" makes
package=("$scratch"/deb/instep_*.deb)
[ -f "${package[0]}" ] || { finish; exit; }
root=$scratch/root
dpkg-deb -x "${package[0]}" "$root"
dpkg-deb -e "${package[0]}" "$scratch/control"

holds() { local file; for file; do [ -e "$root$file" ] || { echo "no $file"; find "$root" | head -n 40; return 1; }; done; }
expect "it has program, unit, settings, examples, manual and copyright" holds /usr/bin/instep \
    /usr/lib/systemd/system/instep.service /etc/default/instep /usr/share/doc/instep/examples/limits.json \
    /usr/share/doc/instep/examples/cluster.cfg /usr/share/man/man1/instep.1.gz /usr/share/doc/instep/copyright
expect "the unit is the one that is tested" cmp packaging/systemd/instep.service "$root/usr/lib/systemd/system/instep.service"
expect "nothing else is in /usr/bin, and no headers" test "$(ls "$root/usr/bin" "$root/usr")" = "$(printf '%s\n' "$root/usr:" bin lib share '' "$root/usr/bin:" instep)"
expect "the settings are kept when it is upgraded" grep -qx /etc/default/instep "$scratch/control/conffiles"
depends() { grep -q '^Depends:.*libssl3.*libstdc++6' "$scratch/control/control" || { cat "$scratch/control/control"; return 1; }; }
expect "it depends on the libraries that it uses" depends
runs() { local script; for script in postinst prerm postrm; do sh -n "$scratch/control/$script" && [ -x "$scratch/control/$script" ] || return 1; done; }
expect "its scripts are scripts" runs

# As the unit starts it, but for the paths and the port.
# shellcheck disable=SC1091 # part of the package
. "$root/etc/default/instep"
page=$root/usr/share/instep/page
if [ -d "$page" ]; then
    options=${INSTEP_OPTIONS//\/usr\/share/$root/usr/share}
else
    skip "the page in the package: tools/page has not built it"
    options=${INSTEP_OPTIONS#--page * }
fi
# shellcheck disable=SC2086 # options are words, as systemd splits them
"$root/usr/bin/instep" serve --port 0 --recordings "$scratch/recordings" --admin 0 --settings "$root/usr/share/doc/instep/examples/limits.json" \
    $options >"$scratch/out" 2>"$scratch/log" &
server=$!
url=
for _ in $(seq 300); do url=$(grep -o 'http://[^ ]*' "$scratch/out" | head -n 1); [ -z "$url" ] || break; sleep 0.1; done
answers() { curl -sf "$url/readyz" >/dev/null || { cat "$scratch/out" "$scratch/log"; return 1; }; }
expect "the server starts from it, with its settings and limits" answers
[ ! -d "$page" ] || expect "and serves its page" sh -c "curl -sf '$url/' | grep -qi '<!doctype html'"
kill -TERM $server
stops() { wait "$server"; }
expect "and stops at SIGTERM" stops
server=

if command -v lintian >/dev/null; then
    # The builder of the package is its maintainer.
    clean() { lintian --fail-on error --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog "${package[0]}" >"$scratch/lintian" 2>&1 || { cat "$scratch/lintian"; return 1; }; }
    expect "lintian finds no error" clean
fi
finish
