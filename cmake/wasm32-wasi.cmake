# SPDX-License-Identifier: MIT
# WebAssembly with Debian's clang-19, wasi-libc and libc++, and no emscripten. The modules import nothing: the host
# calls `_initialize` once and then the exports.
set(WASI TRUE)
set(CMAKE_SYSTEM_NAME Generic) # this CMake knows no WASI platform
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
set(CMAKE_EXECUTABLE_SUFFIX_CXX .wasm)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# -O3 is no part of CMAKE_CXX_FLAGS_RELEASE, which CMake also gives to the linker: with -O on the link line the driver
# runs any wasm-opt that it finds.
set(CMAKE_CXX_FLAGS_RELEASE "-DNDEBUG" CACHE STRING "")
add_compile_options(-O3 -msimd128 -fno-exceptions -fno-rtti)
add_link_options(-mexec-model=reactor
    LINKER:--no-entry LINKER:--strip-all LINKER:--gc-sections LINKER:-z,stack-size=1048576 LINKER:--stack-first)
