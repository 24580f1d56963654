#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The WebAssembly module imports nothing, so that any engine can run it, and is small enough to download. The limit is for
# the compressed size, since web servers compress.
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh
about wasm

module=build/wasm/instep.wasm
budget=380000 # bytes, compressed: every world with all levels, the netcode and what the page calls

imports() {
    node -e '
        const module = new WebAssembly.Module(require("fs").readFileSync(process.argv[1]));
        const imports = WebAssembly.Module.imports(module).map(i => i.module + "." + i.name);
        console.log(imports.join("\n"));
        process.exit(imports.length ? 1 : 0);' "$1"
}
small() {
    local size
    size=$(gzip -9c "$1" | wc -c)
    echo "$size bytes, of $budget; $(stat -c %s "$1") before compression"
    [ "$size" -le $budget ]
}

expect "$module imports nothing" imports $module
expect "$module is at most $budget bytes compressed" small $module

# The check can fail.
printf '#include <cstdio>\n__attribute__((export_name("f"))) void f() { std::puts("x"); }\n' >"$scratch/loud.cpp"
clang++-19 --target=wasm32-wasi -mexec-model=reactor -fno-exceptions -Wl,--no-entry "$scratch/loud.cpp" -o "$scratch/loud.wasm"
expect_refusal "a module that prints would be refused" wasi_snapshot_preview1 imports "$scratch/loud.wasm"

finish
