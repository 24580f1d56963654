# SPDX-License-Identifier: MIT
# instep_unite(target [TEST]): compiles the target's sources in groups (a unity build), so that a header is read once a
# group instead of once a file. That is faster from nothing, but an edit recompiles a group.
set(INSTEP_UNITY OFF CACHE STRING "Compile groups of sources: OFF, TESTS (those of the unit tests only) or ON")

function(instep_unite target)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "-generated/") # made by the build
    list(LENGTH sources count)
    if(NOT INSTEP_UNITY OR (INSTEP_UNITY STREQUAL TESTS AND NOT ARGV1 STREQUAL TEST) OR count LESS 2)
        return()
    endif()
    set(lines 3000)
    if(INSTEP_UNITY STREQUAL TESTS)
        set(lines 1500) # people edit these
    endif()
    execute_process(
        COMMAND awk -v lines=${lines} -f ${PROJECT_SOURCE_DIR}/cmake/unity_groups.awk ${sources}
        WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE groups COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[0-9]+ [^\n]+" groups "${groups}")
    foreach(line IN LISTS groups)
        string(REGEX MATCH "^([0-9]+) (.*)$" _ "${line}")
        set_source_files_properties(${CMAKE_MATCH_2} PROPERTIES UNITY_GROUP ${CMAKE_MATCH_1})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP
        UNITY_BUILD_CODE_BEFORE_INCLUDE "// NOLINTNEXTLINE(bugprone-suspicious-include)")
endfunction()
