# SPDX-License-Identifier: MIT
# cpack --config build/release/CPackConfig.cmake: a Debian package of the server: program, page (if tools/page has built
# it), unit file and example settings. `cmake --install` installs for games of your own instead (Install.cmake).
include(GNUInstallDirs)

set(doc share/doc/instep)
install(TARGETS instep RUNTIME DESTINATION bin COMPONENT server EXCLUDE_FROM_ALL)
install(DIRECTORY build/page/ DESTINATION share/instep/page COMPONENT server EXCLUDE_FROM_ALL OPTIONAL)
install(FILES packaging/systemd/instep.service DESTINATION lib/systemd/system COMPONENT server EXCLUDE_FROM_ALL)
install(FILES packaging/debian/default DESTINATION /etc/default RENAME instep COMPONENT server EXCLUDE_FROM_ALL)
install(FILES packaging/debian/limits.json packaging/haproxy/cluster.cfg DESTINATION ${doc}/examples
    COMPONENT server EXCLUDE_FROM_ALL)
install(FILES packaging/debian/copyright DESTINATION ${doc} COMPONENT server EXCLUDE_FROM_ALL)
# Debian wants these two compressed.
foreach(file packaging/debian/changelog packaging/debian/instep.1)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    cmake_path(GET file FILENAME name)
    execute_process(COMMAND gzip -9nc ${PROJECT_SOURCE_DIR}/${file} OUTPUT_FILE ${PROJECT_BINARY_DIR}/${name}.gz)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${doc} COMPONENT server EXCLUDE_FROM_ALL)
install(FILES ${PROJECT_BINARY_DIR}/instep.1.gz DESTINATION share/man/man1 COMPONENT server EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME instep)
set(CPACK_PACKAGE_VENDOR Instep)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL server)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_SERVER_PACKAGE_NAME instep)
set(CPACK_DEBIAN_SERVER_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "Instep contributors <instep@example.org>")
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_SERVER_PACKAGE_SUGGESTS "redis-server, haproxy")
set(CPACK_COMPONENT_SERVER_DESCRIPTION "server of deterministic 2D multiplayer games
Runs rooms of games whose physics is the same bit for bit in the server and
in the browser. It serves its page too. Several servers share their rooms
through Redis: a match goes on when its server dies.")
set(CPACK_DEBIAN_SERVER_PACKAGE_CONTROL_EXTRA
    ${PROJECT_SOURCE_DIR}/packaging/debian/conffiles ${PROJECT_SOURCE_DIR}/packaging/debian/postinst
    ${PROJECT_SOURCE_DIR}/packaging/debian/prerm ${PROJECT_SOURCE_DIR}/packaging/debian/postrm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
