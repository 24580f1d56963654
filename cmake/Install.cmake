# SPDX-License-Identifier: MIT
# tools/install PREFIX installs all of it: the native build, the WebAssembly build beside it, and the page. A game then
# says find_package(Instep) and instep_add_game; a program of its own, find_package(Instep COMPONENTS rigid) and links
# instep::rigid. Only the public headers (src/*.h) and what they include are installed.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Instep)
list(TRANSFORM INSTEP_MODULES PREPEND instep_ OUTPUT_VARIABLE targets)
if(WASI)
    list(APPEND targets instep_exports)
    install(TARGETS ${targets} EXPORT InstepTargets ARCHIVE DESTINATION lib/instep/wasm32)
    install(EXPORT InstepTargets NAMESPACE instep:: DESTINATION lib/instep/wasm32)
    return()
endif()
install(TARGETS ${targets} EXPORT InstepTargets)
install(EXPORT InstepTargets NAMESPACE instep:: DESTINATION ${package_folder})

# The headers that a header includes, and theirs.
function(instep_included header found)
    if(header IN_LIST ${found})
        return()
    endif()
    list(APPEND ${found} ${header})
    file(STRINGS ${PROJECT_SOURCE_DIR}/src/${header} lines REGEX "^#include <instep/")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^#include <instep/([^>]*)>.*" "\\1" other "${line}")
        instep_included(${other} ${found})
    endforeach()
    set(${found} ${${found}} PARENT_SCOPE)
endfunction()
set(public_headers "")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/world.h src/rigid.h src/match.h src/net.h src/game.h)
foreach(header world.h rigid.h match.h net.h game.h cli/game.h)
    instep_included(${header} public_headers)
endforeach()
foreach(header IN LISTS public_headers)
    cmake_path(GET header PARENT_PATH folder)
    install(FILES src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/instep/${folder})
endforeach()

configure_package_config_file(cmake/InstepConfig.cmake.in ${PROJECT_BINARY_DIR}/InstepConfig.cmake
    INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/InstepConfigVersion.cmake COMPATIBILITY SameMinorVersion
    ARCH_INDEPENDENT) # the same package has the libraries for WebAssembly
install(FILES ${PROJECT_BINARY_DIR}/InstepConfig.cmake ${PROJECT_BINARY_DIR}/InstepConfigVersion.cmake
    cmake/InstepGame.cmake cmake/assemble_page.cmake cmake/build_wasm.cmake cmake/embed_levels.cmake
    cmake/game_main.cpp.in cmake/strip_types.mjs cmake/wasm32-wasi.cmake cmake/wasm_traps.cpp
    DESTINATION ${package_folder})
install(FILES tests/chronicle/produce.js DESTINATION share/instep)
install(DIRECTORY templates DESTINATION share/instep USE_SOURCE_PERMISSIONS)
install(DIRECTORY build/web DESTINATION share/instep OPTIONAL)
install(DIRECTORY build/page/ DESTINATION share/instep/instep-page OPTIONAL)
if(TARGET instep)
    install(TARGETS instep)
endif()
