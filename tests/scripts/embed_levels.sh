#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Levels are compiled in byte for byte, whatever is in the files.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about "embedded levels"

mkdir -p "$scratch"/levels/{zig,alpha}
printf '{"a": "\\"quoted\\" \\\\ ??/ )\\" $ ; [[ ]] ünï"}\r\n\t' >"$scratch/levels/alpha/awkward.json"
printf '\000\001\377\200' >"$scratch/levels/alpha/binary.json"
: >"$scratch/levels/zig/empty.json"
LC_ALL=C awk 'BEGIN { srand(1); for (i = 0; i < 300000; ++i) printf "%c", int(rand() * 256) }' >"$scratch/levels/zig/large.json"

printf '%s\n' "$scratch"/levels/*/*.json | sed -E 's#^.*/([a-z]+)/[^/]*$#\1|&#' | sort -r >"$scratch/levels.txt"
cat >"$scratch/main.cpp" <<'CPP'
#include <cstdio>
#include <instep/match/builtin_levels.h>
#include <string>

int main(int, char** arguments) {
    for (const auto& level : instep::match::builtin_levels()) {
        const std::string name = std::string(level.world) + "/" + std::string(level.name);
        std::puts(name.c_str());
        std::FILE* file = std::fopen((std::string(arguments[1]) + "/" + name + ".out").c_str(), "wb");
        std::fwrite(level.json.data(), 1, level.json.size(), file);
        std::fclose(file);
    }
}
CPP

embed() { cmake -D "LEVELS=$1" -D "OUTPUT=$scratch/embedded.cpp" -P cmake/embed_levels.cmake; }
compile() { "$1" -std=c++23 -Wall -Wextra -Wpedantic -Werror -Iinclude "$scratch/main.cpp" "$scratch/embedded.cpp" \
    build/release/libinstep_{match,contract,state,math}.a -o "$scratch/main"; }

expect "levels are embedded" embed "$scratch/levels.txt"
for compiler in g++ clang++-19; do
    expect "the embedded levels compile with $compiler" compile $compiler
    expect "levels are sorted by world, then by name" \
        diff <("$scratch/main" "$scratch/levels") <(printf '%s\n' alpha/awkward alpha/binary zig/empty zig/large)
    for level in "$scratch"/levels/*/*.json; do
        expect "$(basename "$level" .json) survives embedding" cmp "$level" "${level%.json}.out"
    done
done

: >"$scratch/none.txt"
expect "an empty list of levels is embedded" embed "$scratch/none.txt"
expect "an empty list of levels compiles" compile g++
expect "an empty list of levels stays empty" test -z "$("$scratch/main" "$scratch/levels")"

finish
