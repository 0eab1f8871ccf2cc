# A kernel's variants: a model's sources become object files, which programs of the kernel link whole, and there each
# variant registers itself (runtimes/registration.h). CMake reads no source.
include(${CMAKE_SOURCE_DIR}/roofline/cmake/Embed.cmake)

# gpp_kernel(<name> FOLDER <folder> NAMESPACE <namespace> HEADER <header> LIBRARY <target>): the kernel of all models added
# after this call. The header declares catalog() and built(); variants need the library. Makes the target <name>_variants.
macro(gpp_kernel name)
  cmake_parse_arguments(GPP_KERNEL "" "FOLDER;NAMESPACE;HEADER;LIBRARY" "" ${ARGN})
  set(GPP_KERNEL ${name})
  add_library(${name}_variants INTERFACE)
  target_link_libraries(${name}_variants INTERFACE ${GPP_KERNEL_LIBRARY})
endmacro()

# gpp_model(<model> <kind> <runtime> NAMESPACE <namespace> SOURCES <file>... [MISSING <why>] [OPTIONS <option>...]
#   [LIBRARIES <target>...] [LINKED_ONLY] [LAST])
# Compiles a model's sources for a kind of device; gpp::<runtime>() runs them. MISSING is the reason why this machine
# cannot compile them. Plug-ins are compiled with the same options, unless device code can be LINKED_ONLY. The catalog has
# the models in the order of these calls, with those that are LAST after all others.
function(gpp_model model kind runtime)
  # PARSE_ARGV is used because reasons may contain semicolons.
  cmake_parse_arguments(PARSE_ARGV 3 arg "LINKED_ONLY;LAST" "NAMESPACE;MISSING" "SOURCES;OPTIONS;LIBRARIES")
  string(COMPARE EQUAL "${runtime}" cuda_runtime is_cuda)
  string(COMPARE EQUAL "${arg_LINKED_ONLY}" FALSE is_loadable)
  set(address nullptr)
  if(NOT arg_MISSING)
    set(address "&gpp::${runtime}()")
    set(objects ${GPP_KERNEL}_${model}_${kind})
    gpp_variant_objects(${objects} ${kind} ${arg_SOURCES})
    target_compile_options(${objects} PRIVATE ${arg_OPTIONS})
    target_link_libraries(${objects} PRIVATE ${GPP_KERNEL_LIBRARY} ${arg_LIBRARIES})
    gpp_link_whole(${objects} ${arg_LIBRARIES})
    foreach(library IN LISTS arg_LIBRARIES)  # those of cmake/Libraries.cmake
      list(APPEND arg_OPTIONS ${${library}_INCLUDE})
    endforeach()
    string(REGEX REPLACE "(^|;)/" "\\1-I/" arg_OPTIONS "${arg_OPTIONS}")
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY GPP_RECIPES_${GPP_KERNEL}_${arg_LAST}
    "      {\"${model}\", \"${kind}\", \"${arg_NAMESPACE}\", ${address}, ${is_cuda}, ${is_loadable},\n       R\"(${arg_OPTIONS})\", R\"(${arg_MISSING})\"},\n")
endfunction()

# gpp_variant_objects(<target> <kind> <file>...): an object library whose variants register for that kind of device.
function(gpp_variant_objects target kind)
  add_library(${target} OBJECT ${ARGN})
  target_compile_definitions(${target} PRIVATE GPP_KIND="${kind}")
endfunction()

# gpp_link_whole(<target> [<library>...]): programs of the kernel link these objects, and the libraries that they call.
function(gpp_link_whole target)
  list(TRANSFORM ARGN REPLACE "^(.+)$" "$<LINK_ONLY:\\1>")
  target_link_libraries(${GPP_KERNEL}_variants INTERFACE $<TARGET_OBJECTS:${target}> ${ARGN})
  add_dependencies(${GPP_KERNEL}_variants ${target})  # Make knows objects of other folders by this alone
endfunction()

# gpp_embed(<target> <name> BASE <folder> FILES <file>...): adds the function gpp::embedded::<name>() to <target>.
# harness/program/embedded.h must declare it.
function(gpp_embed target name)
  embed_files(${target} ${name} NAMESPACE gpp::embedded TYPE File HEADER harness/program/embedded.h ${ARGN})
endfunction()

# gpp_write_catalog(<target> SOURCES <file>... LESSONS <file>...): makes the kernel's catalog in the target, with the texts
# that it shows. Call it after every model has been added.
function(gpp_write_catalog target)
  cmake_parse_arguments(arg "" "" "SOURCES;LESSONS" ${ARGN})
  get_property(GPP_RECIPES GLOBAL PROPERTY GPP_RECIPES_${GPP_KERNEL}_FALSE)
  get_property(GPP_LAST_RECIPES GLOBAL PROPERTY GPP_RECIPES_${GPP_KERNEL}_TRUE)
  set(catalog ${CMAKE_CURRENT_BINARY_DIR}/${GPP_KERNEL}_catalog.cpp)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/catalog.cpp.in ${catalog} @ONLY)
  target_sources(${target} PRIVATE ${catalog})
  target_link_libraries(${target} PUBLIC ${GPP_KERNEL}_variants)
  list(SORT arg_SOURCES)
  gpp_embed(${target} ${GPP_KERNEL}_sources BASE ${CMAKE_SOURCE_DIR} FILES ${arg_SOURCES})
  gpp_embed(${target} ${GPP_KERNEL}_lessons BASE ${CMAKE_SOURCE_DIR} FILES ${arg_LESSONS})
endfunction()
