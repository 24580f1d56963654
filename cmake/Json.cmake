# SPDX-License-Identifier: MIT
# nlohmann-json is used by src/state/json.cpp alone. It lives in /usr/include, which a cross build must never search
# (it would find the host's libc there), so the build tree holds a link to that one folder.
if(NOT TARGET instep_state)
    return()
endif()

find_path(NLOHMANN_JSON_PARENT nlohmann/json.hpp PATHS /usr/include /usr/local/include
    REQUIRED NO_CMAKE_FIND_ROOT_PATH)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/third_party)
file(CREATE_LINK ${NLOHMANN_JSON_PARENT}/nlohmann ${PROJECT_BINARY_DIR}/third_party/nlohmann SYMBOLIC)

set_source_files_properties(${PROJECT_SOURCE_DIR}/src/state/json.cpp PROPERTIES
    COMPILE_OPTIONS "-isystem;${PROJECT_BINARY_DIR}/third_party")
