#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks every interleaving of the journal's protocol (journal.pml) with spin, and that the model finds the fault of each
# mutant. With an argument the match has that many ticks: 3 take half a minute, and more are for a patient reader.
set -u
ticks=${1:-2}
model=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/journal.pml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0

# explore [DEFINE]: compiles the model and searches all of it, or until a law breaks.
explore() {
    rm -f ./*.log pan
    spin ${1:+-D"$1"} -DTICKS="$ticks" -a "$model" >spin.log 2>&1 &&
        gcc -O1 -w -DSAFETY -DCOLLAPSE -DMEMLIM=4096 -DVECTORSZ=2048 -o pan pan.c 2>cc.log && ./pan -m1000000 >pan.log 2>&1
}

verdict() { # GOOD TEXT
    if [ "$1" = yes ]; then echo "ok $2"; else echo "FAIL $2"; tail -n 40 ./*.log; bad=1; fi
}

explore
complete=no
grep -q 'errors: 0' pan.log && ! grep -qE 'max search depth too small|Search not completed|aborting' pan.log && complete=yes
verdict $complete "journal: no tick has two versions in any of $(sed -n 's/ *\([0-9.e+]*\) states, stored.*/\1/p' pan.log) states"
for mutant in NO_EPOCH EARLY LOSSY; do
    explore $mutant
    found=no
    grep -q 'assertion violated' pan.log && found=yes
    verdict $found "journal: the model finds the fault of $mutant"
done
exit $bad
