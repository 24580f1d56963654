#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# ./run, ./test and what they share: they refuse what they don't know, and name what they lack.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh

expect "./test --help explains itself" ./test --help
expect "./run --help explains itself" ./run --help
expect_refusal "./test refuses an unknown flag" "knows no flag --qiuck" ./test --qiuck
expect_refusal "./test refuses an unknown stage" "knows no stage tests" ./test tests

# In a shell with nothing on its PATH there is no apt-get either.
without_apt() { bash -c 'source tools/lib.sh; PATH=/nowhere; install_packages "$@"' - "$@"; }
expect_refusal "without apt-get, what is missing is named" "Missing here, .*: some-package other-package" \
    without_apt bash:/bin/sh some-package:no-such-command other-package:/no/such/file
expect_refusal "a folder is not taken for the program of its name" "Missing here, .*: some-package" \
    without_apt some-package:docs
expect "without apt-get, nothing is asked for if all is there" without_apt bash:/bin/sh

failing_step() { bash -c 'source tools/lib.sh; step "a bad day" bash -c "echo the reason; exit 3"'; }
expect_refusal "a failing step shows its log" "the reason" failing_step
expect_refusal "a failing step says where its log is" "build/logs/a_bad_day.log" failing_step

finish
