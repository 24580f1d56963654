# SPDX-License-Identifier: MIT
# What a game's module for a page needs besides the modules: the exports of src/browser/module, and traps in place of
# what would print.
add_library(instep_wasm_traps STATIC ${PROJECT_SOURCE_DIR}/cmake/wasm_traps.cpp)
set_target_properties(instep_wasm_traps PROPERTIES EXPORT_NAME wasm_traps)
add_library(instep::wasm_traps ALIAS instep_wasm_traps)

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/browser/module/*.cpp)
add_library(instep_exports STATIC ${sources})
set_target_properties(instep_exports PROPERTIES EXPORT_NAME exports)
add_library(instep::exports ALIAS instep_exports)
set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS -Oz)
target_link_libraries(instep_exports PRIVATE $<BUILD_INTERFACE:instep_warnings> PUBLIC instep::browser)
