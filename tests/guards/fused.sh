#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# No library has a fused multiply-add instruction: it rounds once where other builds round twice.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about fused

x86='vfn?m(add|sub)'
arm='fn?m(add|sub)|fml[as]' # fmul, fadd and the like are fine

# fused PATTERN FILE...: prints the fused instructions in these objects, with the function that each is in.
fused() {
    local pattern=$1
    shift
    llvm-objdump-19 -d --no-show-raw-insn "$@" 2>/dev/null |
        awk -v pattern="^($pattern)" '
            /^[^ ]*:\tfile format/ { file = $1 }
            />:$/ { name = $2 }
            /^ / && $2 ~ pattern { print file " " name " " $0 }'
}

check_build() { # PRESET PATTERN
    local library found
    for library in build/"$1"/libinstep_*.a; do
        [ -e "$library" ] || { fail "build/$1 has a library to look into"; return; }
        found=$(fused "$2" "$library")
        if [ -z "$found" ]; then
            ok "no fused instruction in $library"
        else
            fail "no fused instruction in $library"
            head -n 5 <<<"$found" | sed 's/^/    /'
        fi
    done
}

# The check can fail.
echo 'double f(double a, double b, double c) { return a * b + c; }' >"$scratch/fused.cpp"
clang++-19 -O2 -mfma -ffp-contract=fast -c "$scratch/fused.cpp" -o "$scratch/x86.o"
aarch64-linux-gnu-g++ -O2 -ffp-contract=fast -c "$scratch/fused.cpp" -o "$scratch/arm.o"
expect "a fused x86 instruction would be found" test -n "$(fused "$x86" "$scratch/x86.o")"
expect "a fused ARM instruction would be found" test -n "$(fused "$arm" "$scratch/arm.o")"

check_build release "$x86"
check_build clang "$x86"
check_build proof-gcc-avx2 "$x86"
check_build proof-aarch64 "$arm"

finish
