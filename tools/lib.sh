# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What ./run, ./test and the tools share: installing missing packages, and reporting what runs. To be sourced from the
# root of the repository.

export LC_ALL=C.UTF-8
logs=build/logs
mkdir -p "$logs"

# package:probe: the package is installed if the probe, a command or an absolute path, exists.
packages_to_run=(
    g++:g++
    cmake:cmake
    ninja-build:ninja
    ccache:ccache
    libcli11-dev:/usr/include/CLI/CLI.hpp
    libboost1.81-dev:/usr/include/boost/beast.hpp
    libssl-dev:/usr/include/openssl/ssl.h
    libhiredis-dev:/usr/include/hiredis/read.h
)
# What the release build with its tests needs.
# shellcheck disable=SC2034 # used by ./test
packages_to_build=("${packages_to_run[@]}" doctest-dev:/usr/include/doctest/doctest.h)
# The other engines that bench/ compares with.
# shellcheck disable=SC2034 # used by bench/run
packages_to_bench=(
    libbox2d-dev:/usr/include/box2d/box2d.h
    libchipmunk-dev:/usr/include/chipmunk/chipmunk.h
)
wasm32=/usr/lib/wasm32-wasi
clang_runtime=/usr/lib/llvm-19/lib/clang/19/lib
packages_for_page=(
    clang-19:clang++-19
    llvm-19:llvm-ar-19
    lld-19:wasm-ld-19
    libclang-rt-19-dev-wasm32:"$clang_runtime/wasi/libclang_rt.builtins-wasm32.a"
    libc++-19-dev-wasm32:"$wasm32/libc++.a"
    libc++abi-19-dev-wasm32:"$wasm32/libc++abi.a"
    wasi-libc:"$wasm32/libc.a"
    nodejs:node
    npm:npm
)
# shellcheck disable=SC2034 # used by ./test
packages_to_test=(
    "${packages_to_build[@]}"
    "${packages_for_page[@]}"
    clang-format-19:clang-format-19
    clang-tidy-19:clang-tidy-19
    libclang-rt-19-dev:"$clang_runtime/linux"
    g++-aarch64-linux-gnu:aarch64-linux-gnu-g++
    qemu-user:qemu-aarch64
    chromium:chromium
    openssl:openssl
    python3:/usr/bin/python3
    python3-websockets:/usr/lib/python3/dist-packages/websockets/__init__.py
    libjavascriptcoregtk-4.0-bin:jsc
    libmozjs-102-dev:js102
    haproxy:/usr/sbin/haproxy
    spin:spin
    redis-server:redis-server
    systemd:systemd-analyze
    dpkg-dev:dpkg-shlibdeps
    file:file
    python3-yaml:/usr/lib/python3/dist-packages/yaml/__init__.py
    shellcheck:shellcheck
)

say() { printf '%s\n' "$*" >&2; }

die() {
    say "$*"
    exit 1
}

show_log() { # what failed, and the end without what ctest says of tests that passed
    say "--- what failed, and the last lines of $1 ---"
    grep -E '^FAIL |\*\*\*(Failed|Timeout|Exception)' "$1" | head -n 20 >&2
    grep -vE '^ +Start +[0-9]+:| Passed +[0-9.]+ sec$' "$1" | cut -c1-300 | tail -n 30 >&2
    say "--- the whole log: $1 ---"
}

# step WHAT COMMAND...: runs the command with its output in a log, says what runs and how long it took, and on failure
# shows the end of the log. Returns the command's exit code. The time is added to $build_seconds or $run_seconds.
build_seconds=0 run_seconds=0
step() {
    local what=$1 start=$SECONDS ticker='' code=0
    shift
    step_log=$logs/${what//[^a-zA-Z0-9.-]/_}.log
    if [ -t 2 ]; then
        (
            sleep 1
            while printf '\r%s ... %d s ' "$what" $((SECONDS - start)) >&2; do sleep 1; done
        ) &
        ticker=$!
    else
        say "$what ..."
    fi
    "$@" >"$step_log" 2>&1 || code=$?
    if [ -n "$ticker" ]; then
        kill "$ticker" 2>/dev/null
        wait "$ticker" 2>/dev/null
        printf '\r\033[K' >&2
    fi
    local took=$((SECONDS - start))
    case $what in
    build* | configure* | compile* | link* | install* | apt-get*) build_seconds=$((build_seconds + took)) ;;
    *) run_seconds=$((run_seconds + took)) ;;
    esac
    if [ $code -ne 0 ]; then
        say "$what: FAILED after $took s"
        show_log "$step_log"
    elif [ $took -gt 0 ] || [ -z "$ticker" ]; then
        say "$what: done in $took s"
    fi
    return $code
}

# missing PACKAGE:PROBE...: prints the packages whose probe does not exist.
missing() {
    local entry probe
    for entry; do
        probe=${entry#*:}
        case $probe in
        /*) [ -e "$probe" ] ;;
        *) command -v "$probe" >/dev/null ;;
        esac || printf '%s ' "${entry%%:*}"
    done
}

# install_packages PACKAGE:PROBE...: installs the missing ones, or names them and exits.
install_packages() {
    local needed as_root=()
    read -ra needed <<<"$(missing "$@")"
    [ ${#needed[@]} -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null; then
        say "Instep is built from Debian 12's packages, and this machine has no apt-get to install them."
        say "Missing here, under Debian's names: ${needed[*]}"
        die "Install these by other means, then start again."
    fi
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null ||
            die "Not root, and no sudo here. As root, run: apt-get install --no-install-recommends ${needed[*]}"
        as_root=(sudo)
    fi
    say "installing: ${needed[*]}"
    [ -n "${package_lists_are_new:-}" ] ||
        step "apt-get update" "${as_root[@]}" apt-get -q -o DPkg::Lock::Timeout=300 update || exit 1
    package_lists_are_new=yes
    step "apt-get install" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${needed[@]}" || exit 1
    read -ra needed <<<"$(missing "$@")"
    [ ${#needed[@]} -eq 0 ] || die "Installed, and yet not found where expected: ${needed[*]}"
}

# build PRESET [TARGET...]: configures, and builds the targets, or all.
build() {
    local preset=$1 targets=("${@:2}")
    [ ${#targets[@]} -gt 0 ] || targets=(all)
    step "configure $preset" cmake --preset "$preset" &&
        step "build $preset ${targets[*]}" cmake --build "build/$preset" --target "${targets[@]}"
}

# The npm packages of bench/package-lock.json: other engines, wire formats and a WebSocket, to compare and test with.
npm_peers=build/bench/npm/node_modules
install_npm_peers() {
    mkdir -p build/bench/npm
    cmp -s bench/package-lock.json build/bench/npm/package-lock.json && [ -e $npm_peers ] && return
    cp bench/package.json bench/package-lock.json build/bench/npm/
    # Not `npm ci`: it refuses a lock that leaves out what other platforms would be given.
    (cd build/bench/npm && npm install --no-save --no-audit --no-fund --ignore-scripts) || { rm -rf $npm_peers; return 1; }
}
