# SPDX-License-Identifier: MIT
# cmake -D LEVELS=list.txt -D OUTPUT=builtin_levels.cpp -P embed_levels.cmake
# Writes each level as an array of bytes: compilers limit the length of string literals.
cmake_policy(VERSION 3.25)

file(STRINGS ${LEVELS} paths)
set(keyed "")
foreach(path IN LISTS paths)
    cmake_path(GET path STEM LAST_ONLY name)
    cmake_path(GET path PARENT_PATH folder)
    cmake_path(GET folder FILENAME world)
    list(APPEND keyed "${world}/${name}|${path}") # sorts by world, then by name
endforeach()
list(SORT keyed)

set(arrays "")
set(entries "")
set(index 0)
foreach(entry IN LISTS keyed)
    string(REGEX MATCH "^([^/]*)/([^|]*)\\|(.*)$" _ "${entry}")
    set(world "${CMAKE_MATCH_1}")
    set(name "${CMAKE_MATCH_2}")
    file(READ "${CMAKE_MATCH_3}" hex HEX)
    string(REGEX REPLACE "(................................................................)" "\\1\n" hex "${hex}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    # The closing zero keeps an empty file legal C++; it is not counted.
    string(APPEND arrays "const unsigned char level_${index}[] = {\n${bytes}0};\n")
    string(APPEND entries "    {\"${world}\", \"${name}\", text(level_${index})},\n")
    math(EXPR index "${index} + 1")
endforeach()

set(table "    static const std::array<BuiltinLevel, ${index}> levels{{\n${entries}    }};\n    return levels;\n")
if(index EQUAL 0)
    set(table "    return {};\n")
    set(text "")
else()
    set(text "
template <std::size_t size>
std::string_view text(const unsigned char (&bytes)[size])
{
    return {reinterpret_cast<const char*>(bytes), size - 1};
}
")
endif()

file(WRITE ${OUTPUT} "// Generated from levels/ by cmake/embed_levels.cmake.
#include <instep/match/builtin_levels.h>

#include <array>
#include <cstddef>

namespace instep::match
{
namespace
{
${arrays}${text}}

std::span<const BuiltinLevel> builtin_levels()
{
${table}}
}
")
