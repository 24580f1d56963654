#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# ./run, ./test, the presets and what they share: unknown arguments are refused, and missing packages are named.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about commands

expect "./test --help explains itself" ./test --help
expect "./run --help explains itself" ./run --help
expect_refusal "./test refuses an unknown flag" "knows no flag --qiuck" ./test --qiuck
expect_refusal "./test refuses an unknown stage" "knows no stage tests" ./test tests

# In a shell with nothing on its PATH there is no apt-get either.
without_apt() { bash -c 'source tools/lib.sh; PATH=/nowhere; install_packages "$@"' - "$@"; }
expect_refusal "without apt-get, missing packages are named" "Missing here, .*: some-package other-package" \
    without_apt bash:/bin/sh some-package:no-such-command other-package:/no/such/file
expect_refusal "a folder is not taken for a program of the same name" "Missing here, .*: some-package" \
    without_apt some-package:docs
expect "without apt-get, nothing is asked for if nothing is missing" without_apt bash:/bin/sh

failing_step() { bash -c 'source tools/lib.sh; step "a bad day" bash -c "echo the reason; exit 3"'; }
expect_refusal "a failing step shows its log" "the reason" failing_step
expect_refusal "a failing step says where its log is" "build/logs/a_bad_day.log" failing_step

# After ./run alone, a machine has no doctest: the preset and the benchmarks must do without.
without_doctest() { cmake --preset release -B "$scratch/without" -D CMAKE_DISABLE_FIND_PACKAGE_doctest=ON >"$scratch/configured"; }
has_target() { ninja -C "$scratch/without" -t query "$@"; }
has_no_target() { ! has_target "$@"; }
expect "without doctest, the release preset configures" without_doctest
expect "without doctest, the program and the benchmarks can be built" has_target instep instep_bench
expect "without doctest, there are no unit tests" has_no_target test_math
expect "without doctest, the reason is given" grep 'apt-get install doctest-dev' "$scratch/configured"

# The files of a unity build must not see each other's names; see cmake/unity_groups.awk.
group() { awk -v lines=1000 -f cmake/unity_groups.awk "$scratch"/unity/*/*.cpp | sed "s|$scratch/unity/||" | sort -k2 | tr '\n' ' '; }
mkdir -p "$scratch"/unity/{a,b}
printf '%s\n' 'namespace {' 'constexpr int speed = 1;' 'int twice(int x) { return 2 * x; }' '}  // namespace' >"$scratch/unity/a/first.cpp"
printf '%s\n' 'int f(int twice) { return twice; }' >"$scratch/unity/a/fits.cpp"
printf '%s\n' 'int g(int speed) { return speed; }' >"$scratch/unity/a/shadows.cpp"
printf '%s\n' 'int h() { return twice(3); }' >"$scratch/unity/a/calls.cpp"
printf '%s\n' 'int i();' >"$scratch/unity/b/elsewhere.cpp"
expect "unity: files that use another's private name are in other groups, and so are those of other folders" \
    test "$(group)" = '0 a/calls.cpp 1 a/first.cpp 0 a/fits.cpp 0 a/shadows.cpp 2 b/elsewhere.cpp '

finish
