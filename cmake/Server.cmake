# SPDX-License-Identifier: MIT
# The modules that use sockets, with Boost's Asio and Beast (headers only) and OpenSSL. Few of its files include them,
# and what need not be a template is compiled once, in asio.cpp: they cost half a minute a file.
find_package(Boost 1.81 REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(Threads REQUIRED)

foreach(module server headless)
    instep_module(${module})
    target_link_libraries(instep_${module} PRIVATE OpenSSL::SSL OpenSSL::Crypto Threads::Threads)
    target_include_directories(instep_${module} SYSTEM PRIVATE ${Boost_INCLUDE_DIRS}) # SYSTEM: no warnings of Boost's
    target_compile_definitions(instep_${module} PRIVATE
        BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED
        BOOST_ASIO_DISABLE_BOOST_COROUTINE)
endforeach()
# Sockets are what takes time here, not what Beast computes: -O2 where it is fast, and nothing where it is checked.
set_source_files_properties(src/server/asio.cpp src/server/channel.cpp src/server/caller.cpp src/server/wire.cpp src/headless/connect.cpp PROPERTIES
    COMPILE_OPTIONS $<IF:$<CONFIG:Release>,-O2,-O0>)
