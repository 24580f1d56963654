# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# How a test script reports: one line per test that begins with ok, FAIL or skip, which ./test counts. To be sourced from
# the root of the repository.

failures=0
subject=
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# about SUBJECT: what the tests from here on are about; their names begin with it.
about() { subject="$1: "; }

ok() { echo "ok $subject$*"; }

fail() {
    echo "FAIL $subject$*"
    failures=$((failures + 1))
}

skip() { echo "skip $*"; }

# expect SENTENCE COMMAND...: the command must succeed; if it does not, its output is shown.
expect() {
    local sentence=$1
    shift
    if "$@" >"$scratch/output" 2>&1; then
        ok "$sentence"
    else
        fail "$sentence"
        sed 's/^/    /' "$scratch/output"
    fi
}

# expect_refusal SENTENCE PATTERN COMMAND...: the command must fail with an exit code (a signal does not count), and print
# something that matches the pattern.
expect_refusal() {
    local sentence=$1 pattern=$2 code=0
    shift 2
    "$@" >"$scratch/output" 2>&1 || code=$?
    if [ $code -gt 0 ] && [ $code -lt 126 ] && grep -Eq -- "$pattern" "$scratch/output"; then
        ok "$sentence"
    else
        fail "$sentence (exit code $code, expected a failure and a text like: $pattern)"
        sed 's/^/    /' "$scratch/output"
    fi
}

# finish: the last line of a test script.
finish() { [ $failures -eq 0 ]; }
