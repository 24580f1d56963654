# SPDX-License-Identifier: MIT
# The room that speaks to sockets, with Boost's Asio and Beast (headers only) and OpenSSL. Few of its files include them,
# and what need not be a template is compiled once, in asio.cpp: they cost half a minute a file.
find_package(Boost 1.81 REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(Threads REQUIRED)

instep_room(server)
target_link_libraries(instep_server PRIVATE OpenSSL::SSL OpenSSL::Crypto Threads::Threads)
# Not our code: its warnings are not ours to mend.
target_include_directories(instep_server SYSTEM PRIVATE ${Boost_INCLUDE_DIRS})
target_compile_definitions(instep_server PRIVATE
    BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED
    BOOST_ASIO_DISABLE_BOOST_COROUTINE)
# Sockets are what takes time here, not what Beast computes: -O2 where it is fast, and nothing where it is checked.
set_source_files_properties(src/server/asio.cpp src/server/channel.cpp src/server/caller.cpp src/server/wire.cpp src/server/dial.cpp PROPERTIES
    COMPILE_OPTIONS $<IF:$<CONFIG:Release>,-O2,-O0>)
