# SPDX-License-Identifier: MIT
# The modules that use sockets, with Boost's Asio and Beast (headers only) and OpenSSL. A file that includes Beast takes
# half a minute to compile, so few do, and the parts that are not templates are compiled once, in asio.cpp.
find_package(Boost 1.81 REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(Threads REQUIRED)

foreach(module server headless cluster)
    instep_module(${module})
    target_link_libraries(instep_${module} PRIVATE OpenSSL::SSL OpenSSL::Crypto Threads::Threads)
    target_include_directories(instep_${module} SYSTEM PRIVATE ${Boost_INCLUDE_DIRS}) # SYSTEM: no warnings of Boost's
    target_compile_definitions(instep_${module} PRIVATE
        BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED
        BOOST_ASIO_DISABLE_BOOST_COROUTINE)
    # Members marked GUARDED_BY are used only with their mutex held (src/server/mutex.h).
    target_compile_options(instep_${module} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>)
endforeach()
target_link_libraries(instep_cluster PRIVATE hiredis) # its parser of replies (docs/decisions/cluster.md)
target_compile_definitions(instep_server PRIVATE INSTEP_VERSION="${PROJECT_VERSION}") # for its metrics
# Time is spent in the kernel, not in Beast's code: -O2 in release builds, and no optimisation in builds that check.
set_source_files_properties(src/server/asio.cpp src/server/websocket_session.cpp src/server/http_session.cpp
    src/server/listener.cpp src/headless/connect.cpp src/cluster/redis_client.cpp PROPERTIES
    COMPILE_OPTIONS $<IF:$<CONFIG:Release>,-O2,-O0>)
