#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The wire format on paper: a second reader, in Python, follows docs/wire-format.md. It decodes sessions that the real
# encoder has just written, and compares every value with what the real decoder made of them. Another build than the
# release one: CAPTURE=path/to/wire_capture tests/scripts/wire_format.sh
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh

capture=${CAPTURE:-build/release/tests/wire_capture}
[ -x "$capture" ] || { fail "wire format: there is a program that captures sessions at $capture"; finish; exit; }
export PYTHONDONTWRITEBYTECODE=1

# reads WORLD LEVEL LINK MODE LOSS [SNAPSHOTS]: captures a session and compares all of it.
reads() {
    "$capture" "$@" >"$scratch/session.json" || { fail "wire format: a session of $* is captured"; return; }
    expect "wire format: an independent reader decodes $1/$2, $3 link, $4 mode, loss $5${6:+, after $6 snapshots}" \
        python3 tests/wire/check.py "$scratch/session.json"
}

expect "wire format: page and reader have the same constants" python3 tests/wire/check.py --page docs/wire-format.md
reads bounce box ordered snapshots 0
reads bounce box ordered relay 0
reads bounce box datagram relay 0.05
reads arena load ordered snapshots 0
reads arena load datagram snapshots 0.1
reads flail plain ordered snapshots 0
reads orbit belt datagram snapshots 0.05
reads foothold town ordered snapshots 0
reads creature garden ordered relay 0
reads creature garden ordered snapshots 0
reads bounce box datagram snapshots 0.05
reads bounce box datagram snapshots 0.05 65525 # numbers pass 65535, and deltas have only their low 16 bits

# A check that cannot fail proves nothing: each constant of the reader, changed alone, must make that session unreadable.
python3 tests/wire/check.py --mutations "$scratch/session.json" || failures=$((failures + 1))
finish
