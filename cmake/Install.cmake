# SPDX-License-Identifier: MIT
# cmake --install build/release --prefix DIR, then find_package(Instep COMPONENTS match) and link instep::match.
# A game takes the modules it wants; each brings the modules it depends on.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(NOT INSTEP_MODULES)
    return()
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Instep)
list(TRANSFORM INSTEP_MODULES PREPEND instep_ OUTPUT_VARIABLE targets)
install(TARGETS ${targets} EXPORT InstepTargets)
foreach(module IN LISTS INSTEP_MODULES)
    if(module STREQUAL worlds)
        set(folder worlds)
    else()
        set(folder src/${module})
    endif()
    install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/instep/${module} FILES_MATCHING PATTERN "*.h")
endforeach()
install(EXPORT InstepTargets NAMESPACE instep:: DESTINATION ${package_folder})
configure_package_config_file(cmake/InstepConfig.cmake.in ${PROJECT_BINARY_DIR}/InstepConfig.cmake
    INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/InstepConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/InstepConfig.cmake ${PROJECT_BINARY_DIR}/InstepConfigVersion.cmake
    DESTINATION ${package_folder})

if(TARGET instep)
    install(TARGETS instep)
endif()
