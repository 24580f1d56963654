# SPDX-License-Identifier: MIT
# cmake -D SOURCE= -D BUILD= -D TARGET= -D TOOLCHAIN= -D Instep_DIR= -P build_wasm.cmake
# Configures a project for WebAssembly, once, and builds a target of it.
if(NOT EXISTS ${BUILD}/build.ninja)
    execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${BUILD} -D CMAKE_TOOLCHAIN_FILE=${TOOLCHAIN}
        -D CMAKE_BUILD_TYPE=Release -D Instep_DIR=${Instep_DIR} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target ${TARGET} -- --quiet COMMAND_ERROR_IS_FATAL ANY)
