# SPDX-License-Identifier: MIT
# instep_module(name) makes instep_<name> (alias instep::<name>) out of src/<name>, linked to the modules made so far.

set(instep_core_modules math state motion rigid contract match codec record present net browser)
set(INSTEP_MODULES "") # the modules made so far, lowest layer first
# Code that reads files, makes setups and tables or writes text runs once a match, and a view or a bot once a frame: in
# WebAssembly, which is downloaded, it is optimised for size.
set(instep_reading_sources
    "/(decimal|defaults|field|json.*|level|recording|script|chronicle|setup|scene|plan|body_def|hull|parity|import_.*|original_.*|registry|ground_build|layout_description|match_image|level_reference|describe|view|bot|world)\\.cpp$")

function(instep_module name)
    set(folder ${PROJECT_SOURCE_DIR}/src/${name})
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
    file(GLOB headers CONFIGURE_DEPENDS ${folder}/*.h)
    if(NOT sources AND NOT headers)
        return()
    endif()

    set(target instep_${name})
    if(sources)
        add_library(${target} STATIC ${sources} ${headers})
        set(scope PUBLIC)
        target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:instep_warnings>)
        if(name IN_LIST instep_core_modules)
            # Without errno and traps g++ vectorises loops with square roots and selections. The bits are the same.
            target_compile_options(${target} PRIVATE -fno-exceptions -fno-rtti -fno-math-errno -fno-trapping-math)
        endif()
        if(WASI)
            list(FILTER sources INCLUDE REGEX ${instep_reading_sources})
            set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS -Oz)
        endif()
        instep_unite(${target})
    else()
        add_library(${target} INTERFACE)
        set(scope INTERFACE)
    endif()
    add_library(instep::${name} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})

    target_compile_features(${target} ${scope} cxx_std_23)
    # Public, since inline functions must have the same bits in every program that includes them. Without errno a square
    # root is one instruction, with the same bits.
    target_compile_options(${target} ${scope} -ffp-contract=off -fno-math-errno)
    target_include_directories(${target} ${scope}
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
    foreach(above IN LISTS INSTEP_MODULES)
        target_link_libraries(${target} ${scope} instep::${above})
    endforeach()
    set(INSTEP_MODULES ${INSTEP_MODULES} ${name} PARENT_SCOPE)
endfunction()

# Everything above, for programs and tests. Filled once the modules are known.
add_library(instep_all_modules INTERFACE)
cmake_language(DEFER CALL instep_fill_all_modules)
function(instep_fill_all_modules)
    foreach(module IN LISTS INSTEP_MODULES)
        target_link_libraries(instep_all_modules INTERFACE instep::${module})
    endforeach()
endfunction()
