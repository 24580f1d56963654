# SPDX-License-Identifier: MIT
# What every target is compiled with. The core's own rules (no exceptions, no RTTI) are added in Modules.cmake.

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF) # objdump must see every instruction of the core in its library

# Two clones of the project share what ccache holds: paths below the clone are hashed as relative ones.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND PROJECT_IS_TOP_LEVEL)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()

add_library(instep_warnings INTERFACE)
target_compile_options(instep_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Wcast-qual
    -Wnon-virtual-dtor -Woverloaded-virtual -Wundef -Wunused -Werror
    -Wno-missing-field-initializers # a designated initialiser leaves the rest at its defaults, and means it
    # Where an index has 32 bits, as a pointer difference has, each one would need a cast; 64-bit builds check the rest.
    $<$<BOOL:${WASI}>:-Wno-sign-conversion>
    # clang sees through to the deprecated buffer that libstdc++ 12's own stable_sort uses.
    $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
    # g++ 12 sees overlapping copies inside std::string's operator+ (GCC bug 105651, mended in 13).
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)

add_compile_options(-fdiagnostics-color=$<IF:$<BOOL:$ENV{NO_COLOR}>,never,auto>)
