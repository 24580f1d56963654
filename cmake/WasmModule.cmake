# SPDX-License-Identifier: MIT
# instep.wasm: the core, the netcode and every world for a page, with the exports of src/browser/module. The determinism
# proof runs the chronicles in this module, so it proves what ships.
add_library(instep_wasm_traps STATIC ${PROJECT_SOURCE_DIR}/cmake/wasm_traps.cpp)
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/browser/module/*.cpp)
add_executable(instep_wasm ${sources})
set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS -Oz)
target_link_libraries(instep_wasm PRIVATE instep_warnings instep_wasm_traps instep_all_modules)
set_target_properties(instep_wasm PROPERTIES OUTPUT_NAME instep RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
