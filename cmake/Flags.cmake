# SPDX-License-Identifier: MIT
# The flags of every target. Modules.cmake adds those of the core (no exceptions, no RTTI).

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF) # objdump must see every instruction of the core in its library

# Clones of the project share ccache results: paths below the clone are hashed as relative paths.
# CCACHE_DEPEND: a miss costs no extra run of the preprocessor.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND PROJECT_IS_TOP_LEVEL)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 ${CCACHE})
endif()

add_library(instep_warnings INTERFACE)
target_compile_options(instep_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Wcast-qual
    -Wnon-virtual-dtor -Woverloaded-virtual -Wundef -Wunused -Werror
    -Wno-missing-field-initializers # a designated initialiser leaves the other members at their defaults
    # With 32-bit pointers each index would need a cast; the 64-bit builds check conversions.
    $<$<BOOL:${WASI}>:-Wno-sign-conversion>
    # clang warns of the deprecated buffer in libstdc++ 12's stable_sort.
    $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
    # g++ 12 warns of overlapping copies in std::string's operator+ (GCC bug 105651, fixed in 13).
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
    # In a group of files (Unity.cmake), a local name may shadow one from a header that another file includes; g++ takes
    # a file of the group for a header; and it warns by what it optimises, which varies with the grouping.
    $<$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>:-Wno-shadow>
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wno-subobject-linkage$<SEMICOLON>-Wno-error>)

add_compile_options(-fdiagnostics-color=$<IF:$<BOOL:$ENV{NO_COLOR}>,never,auto>)
