#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The clang build must refuse code that uses shared data without its mutex: each lock of a file is removed in turn.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh

check() { clang++-19 -std=c++23 -Iinclude -fsyntax-only -Wthread-safety -Werror "$1"; }

# without_lock FILE LINE: a copy of the file that lacks that line.
without_lock() {
    sed "$2d" "$1" >"$scratch/changed.cpp"
    check "$scratch/changed.cpp"
}

for file in src/server/{log,token}.cpp; do # those that compile fast
    expect "$file: compiles with its locks" check "$file"
    mapfile -t lines < <(grep -n 'const LockGuard ' "$file" | cut -d: -f1)
    for line in "${lines[@]}"; do
        expect_refusal "$file: does not compile without the lock in line $line" 'Wthread-safety' without_lock "$file" "$line"
    done
done
# The analysis knows nothing of the standard mutex.
only_annotated() {
    ! grep -rnE 'std::(recursive_|shared_|timed_)?(mutex|lock_guard|unique_lock|scoped_lock)' src/server src/headless \
        --include='*.cpp' --include='*.h' --exclude=mutex.h
}
expect "server and headless use no mutex but the annotated one" only_annotated

finish
