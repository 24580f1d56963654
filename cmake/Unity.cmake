# SPDX-License-Identifier: MIT
# instep_unite(target): compiles the target's sources in groups (a unity build), so that a header is read once a
# group instead of once a file. That is faster from nothing, but an edit recompiles a group.
set(INSTEP_UNITY OFF CACHE STRING "Compile groups of sources of about so many lines; OFF: file by file")

function(instep_unite target)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "-generated/") # made by the build
    list(LENGTH sources count)
    if(NOT INSTEP_UNITY OR count LESS 2)
        return()
    endif()
    execute_process(
        COMMAND awk -v lines=${INSTEP_UNITY} -f ${PROJECT_SOURCE_DIR}/cmake/unity_groups.awk ${sources}
        WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE groups COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[0-9]+ [^\n]+" groups "${groups}")
    foreach(line IN LISTS groups)
        string(REGEX MATCH "^([0-9]+) (.*)$" _ "${line}")
        set_source_files_properties(${CMAKE_MATCH_2} PROPERTIES UNITY_GROUP ${CMAKE_MATCH_1})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP
        UNITY_BUILD_CODE_BEFORE_INCLUDE "// NOLINTNEXTLINE(bugprone-suspicious-include)")
endfunction()
