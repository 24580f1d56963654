# SPDX-License-Identifier: MIT
# worlds/<world>/levels/<name>.json are compiled into instep_match: the program is one file, and a browser needs no second
# download. src/match/builtin_levels.h declares what the generated source defines.
if(NOT EXISTS ${PROJECT_SOURCE_DIR}/src/match/builtin_levels.h)
    return()
endif()

file(GLOB levels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/worlds/*/levels/*.json)
set(generated ${PROJECT_BINARY_DIR}/generated/builtin_levels.cpp)
set(script ${PROJECT_SOURCE_DIR}/cmake/embed_levels.cmake)
# The list goes through a file: a command line has a limit, and a removed level changes the file.
list(TRANSFORM levels REPLACE "^.*/([^/]*)/levels/[^/]*$" "\\1|\\0" OUTPUT_VARIABLE lines)
list(JOIN lines "\n" lines)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/levels.txt CONTENT "${lines}\n" @ONLY)
add_custom_command(OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -D LEVELS=${PROJECT_BINARY_DIR}/generated/levels.txt -D OUTPUT=${generated} -P ${script}
    DEPENDS ${levels} ${script} ${PROJECT_BINARY_DIR}/generated/levels.txt
    COMMENT "Embedding levels" VERBATIM)
target_sources(instep_match PRIVATE ${generated})
