# SPDX-License-Identifier: MIT
# instep_add_game(NAME SOURCES tag.cpp LEVELS levels [LOOK look.js] [TITLE "Tag"] [CHRONICLES DIR])
#
# makes of a game's sources, of which each world's has INSTEP_WORLD(World):
#   NAME          the program, with every command
#   NAME_game     the worlds and levels, to link into other programs such as tests
#   NAME_page     the folder NAME-page: the engine's page with NAME's module, levels and looks
#
# LEVELS are folders of *.json. A LOOK is the decoration of a world in the page: WORLD=FILE, or FILE for the only world.
# The same sources are compiled twice: by this project, and for WebAssembly by a second configuration of it, which CMake
# starts by itself and in which this function makes NAME.wasm only (INSTEP_PAGE=OFF leaves it out).
set(INSTEP_CMAKE ${CMAKE_CURRENT_LIST_DIR} CACHE INTERNAL "")

function(instep_add_game name)
    cmake_parse_arguments(PARSE_ARGV 1 GAME "" "TITLE;CHRONICLES" "SOURCES;LEVELS;LOOK")
    if(GAME_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "instep_add_game(${name}): does not know ${GAME_UNPARSED_ARGUMENTS}; "
            "it takes SOURCES, LEVELS, LOOK, TITLE and CHRONICLES")
    endif()
    if(NOT GAME_SOURCES)
        message(FATAL_ERROR "instep_add_game(${name}): name the game's sources: SOURCES ${name}.cpp")
    endif()
    if(NOT GAME_TITLE)
        string(SUBSTRING ${name} 0 1 first)
        string(SUBSTRING ${name} 1 -1 rest)
        string(TOUPPER ${first} first)
        set(GAME_TITLE "${first}${rest}")
    endif()
    if(NOT GAME_CHRONICLES)
        set(GAME_CHRONICLES chronicles)
    endif()

    set(generated ${CMAKE_CURRENT_BINARY_DIR}/${name}-generated)
    set(levels "")
    foreach(folder IN LISTS GAME_LEVELS)
        cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
        if(NOT IS_DIRECTORY ${folder})
            message(FATAL_ERROR "instep_add_game(${name}): LEVELS ${folder} is no folder")
        endif()
        file(GLOB found CONFIGURE_DEPENDS ${folder}/*.json)
        list(APPEND levels ${found})
    endforeach()
    # The list goes through a file: a command line has a limit, and a removed level changes the file.
    list(TRANSFORM levels PREPEND "|" OUTPUT_VARIABLE lines)
    list(JOIN lines "\n" lines)
    file(CONFIGURE OUTPUT ${generated}/levels.txt CONTENT "${lines}\n" @ONLY)
    add_custom_command(OUTPUT ${generated}/levels.cpp
        COMMAND ${CMAKE_COMMAND} -D LEVELS=${generated}/levels.txt -D OUTPUT=${generated}/levels.cpp
            -P ${INSTEP_CMAKE}/embed_levels.cmake
        DEPENDS ${levels} ${INSTEP_CMAKE}/embed_levels.cmake ${generated}/levels.txt
        COMMENT "Embedding the levels of ${name}" VERBATIM)

    add_library(${name}_worlds STATIC ${GAME_SOURCES} ${generated}/levels.cpp)
    target_link_libraries(${name}_worlds PUBLIC instep::match)
    # Without errno and traps loops with square roots are vectorised. The bits are the same.
    target_compile_options(${name}_worlds PRIVATE -fno-math-errno -fno-trapping-math)
    # Objects, since nothing refers to a world: it registers itself.
    add_library(${name}_game INTERFACE)
    target_sources(${name}_game INTERFACE $<TARGET_OBJECTS:${name}_worlds>)
    target_link_libraries(${name}_game INTERFACE instep::match)

    if(WASI)
        add_executable(${name}_wasm ${INSTEP_CMAKE}/wasm_traps.cpp)
        target_link_libraries(${name}_wasm PRIVATE ${name}_game instep::browser)
        target_link_options(${name}_wasm PRIVATE
            LINKER:--whole-archive $<TARGET_FILE:instep::exports> LINKER:--no-whole-archive)
        if(TARGET instep_exports)
            add_dependencies(${name}_wasm instep_exports)
        endif()
        set_target_properties(${name}_wasm PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
        return()
    endif()
    if(NOT TARGET instep::cli)
        return()
    endif()

    set(page ${CMAKE_BINARY_DIR}/${name}-page)
    set(has_page OFF)
    set(targets ${name})
    if(INSTEP_PAGE AND INSTEP_WEB)
        find_program(INSTEP_CLANG clang++-19)
        if(INSTEP_CLANG)
            set(has_page ON)
            set(targets "${name} ${name}_page")
        else()
            message(WARNING "clang++-19 is not installed, so ${name} gets no page. To build it: apt-get install "
                "clang-19 llvm-19 lld-19 libclang-rt-19-dev-wasm32 libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 wasi-libc")
        endif()
    endif()
    configure_file(${INSTEP_CMAKE}/game_main.cpp.in ${generated}/main.cpp @ONLY)
    add_executable(${name} ${generated}/main.cpp)
    target_link_libraries(${name} PRIVATE ${name}_game instep::cli)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})

    if(NOT has_page)
        return()
    endif()
    set(wasm ${CMAKE_BINARY_DIR}/wasm)
    set(looks "")
    foreach(look IN LISTS GAME_LOOK)
        string(REGEX MATCH "^(([^=]*)=)?(.*)$" _ "${look}")
        set(world "${CMAKE_MATCH_2}")
        set(file "${CMAKE_MATCH_3}")
        cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
        list(APPEND looks "${world}=${file}")
    endforeach()
    # Always asked: the other build knows what is out of date.
    add_custom_target(${name}_page ALL
        COMMAND ${CMAKE_COMMAND} -D SOURCE=${CMAKE_SOURCE_DIR} -D BUILD=${wasm} -D TARGET=${name}_wasm
            -D TOOLCHAIN=${INSTEP_CMAKE}/wasm32-wasi.cmake "-D Instep_DIR=${Instep_DIR}" -P ${INSTEP_CMAKE}/build_wasm.cmake
        COMMAND ${CMAKE_COMMAND} -D NAME=${name} "-D TITLE=${GAME_TITLE}" -D MODULE=${wasm}/${name}.wasm -D WEB=${INSTEP_WEB}
            "-D LOOKS=${looks}" -D OUTPUT=${page} -P ${INSTEP_CMAKE}/assemble_page.cmake
        COMMENT "Building the page of ${name}" VERBATIM USES_TERMINAL)
endfunction()
