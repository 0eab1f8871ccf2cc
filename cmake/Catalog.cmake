# From the files in a kernel's folders to its catalog: the name of a file is its registration.
#
# variants/cuda/v07_reciprocal.cu is variant v7, step reciprocal, and defines NAMESPACE::reciprocal.
# A file without a number, variants/cuda/my_idea.cu, is variant and step my_idea. A step that a model
# cannot have is a text, variants/omp/v10_shared_memory.md, whose first line says why.

if(POLICY CMP0174)
  cmake_policy(SET CMP0174 NEW)  # an empty MISSING says that nothing is
endif()

# gpp_kernel(<name> FOLDER <folder> NAMESPACE <namespace> HEADER <header>): what the models and files
# added from here on belong to. The header declares <name>_kernel(), catalog() and the problem.
macro(gpp_kernel name)
  cmake_parse_arguments(kernel "" "FOLDER;NAMESPACE;HEADER" "" ${ARGN})
  set(GPP_KERNEL ${name})
  set(GPP_CATALOG_FOLDER ${kernel_FOLDER})
  set(GPP_CATALOG_NAMESPACE ${kernel_NAMESPACE})
  set(GPP_CATALOG_HEADER ${kernel_HEADER})
  set_property(GLOBAL APPEND PROPERTY GPP_KERNELS ${name})
  set_property(GLOBAL PROPERTY GPP_KERNEL_${name} "${kernel_NAMESPACE}")
endmacro()

# gpp_kernel_sources(<file>...): sources that `gpp explain` and `gpp new` show.
function(gpp_kernel_sources)
  set_property(GLOBAL APPEND PROPERTY GPP_SOURCES ${ARGN})
endfunction()

# A variant must not define what the libraries define: it would be called in their place. Where the
# link fails for that, the library is made again at the next build.
function(gpp_check_symbols target files)
  add_custom_command(TARGET ${target} POST_BUILD VERBATIM
    COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} "-DFILES=${files}"
      -P ${CMAKE_SOURCE_DIR}/cmake/symbols.cmake)
endfunction()

# Sets <id_out> and <step_out> for the variant in <file>.
function(gpp_variant_name file id_out step_out)
  get_filename_component(stem ${file} NAME_WE)
  if(stem MATCHES "^v0*([0-9]+)_(.+)$")
    set(${id_out} v${CMAKE_MATCH_1} PARENT_SCOPE)
    set(${step_out} ${CMAKE_MATCH_2} PARENT_SCOPE)
  else()
    set(${id_out} ${stem} PARENT_SCOPE)
    set(${step_out} ${stem} PARENT_SCOPE)
  endif()
endfunction()

# Sets <out> to <text> as it stands between the quotes of a C++ string. CMake writes semicolons of a
# file's lines with a backslash.
function(gpp_quotable text out)
  string(REPLACE "\\;" ";" text "${text}")
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

function(gpp_catalog_row id step model source builds reason not_built)
  gpp_quotable("${reason}" reason)
  set_property(GLOBAL APPEND_STRING PROPERTY GPP_CATALOG_ROWS_${GPP_KERNEL}
    "      {\"${id}\", \"${step}\", \"${model}\", \"${source}\", {${builds}}, \"${reason}\", {${not_built}}},\n")
endfunction()

# Sets <answer_out> and <problem_out> to what the function of a step in a file gives and takes: "Sums"
# and "Problem" where a line "Sums reciprocal(const Problem& problem) {" begins it.
function(gpp_signature file step answer_out problem_out)
  # What the build writes is a plain one. CMake must not wait for it: it would then build before it
  # looks which files there are, and miss one that was deleted.
  string(FIND ${file} ${CMAKE_BINARY_DIR}/ in_build)
  if(in_build EQUAL 0 OR NOT EXISTS ${file})
    set(${answer_out} Sums PARENT_SCOPE)
    set(${problem_out} Problem PARENT_SCOPE)
    return()
  endif()
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} head REGEX "^[A-Za-z]+ ${step}\\(const [A-Za-z]+& [a-z_]+\\) {" LIMIT_COUNT 1)
  if(NOT head MATCHES "^([A-Za-z]+) ${step}\\(const ([A-Za-z]+)&")
    message(FATAL_ERROR "${file} does not define ${step}: a line such as "
      "'Sums ${step}(const Problem& problem) {' is missing")
  endif()
  set(${answer_out} ${CMAKE_MATCH_1} PARENT_SCOPE)
  set(${problem_out} ${CMAKE_MATCH_2} PARENT_SCOPE)
endfunction()

# Sets <out> to the declaration of the function of a step in a namespace.
function(gpp_declaration file step namespace out)
  gpp_signature(${file} ${step} answer problem)
  if(NOT answer STREQUAL "void")
    set(answer ${GPP_CATALOG_NAMESPACE}::${answer})
  endif()
  set(${out}
    "namespace ${namespace} { ${answer} ${step}(const ${GPP_CATALOG_NAMESPACE}::${problem}& problem); }\n"
    PARENT_SCOPE)
endfunction()

# gpp_add_model(<model> SOURCES <file>... [BUILDS <device>:<namespace>:<runtime>...] [MISSING <why>]
#   [NOT_BUILT <device>:<why>...] [LOADED <library>])
# Lists each source as a variant of the model. A build says: on this kind of device, the function
# lies in this namespace and runs under what gpp::<runtime>() returns. MISSING: not built, and why.
# NOT_BUILT: built, but not for this kind of device, and why. LOADED: they lie in a library of that name,
# which gpp_loaded_library adds.
function(gpp_add_model model)
  # PARSE_ARGV, because reasons may hold semicolons.
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MISSING;LOADED" "SOURCES;BUILDS;NOT_BUILT")
  set(sources ${arg_SOURCES})
  list(FILTER sources EXCLUDE REGEX "\\.md$")
  gpp_kernel_sources(${sources})
  foreach(file IN LISTS arg_SOURCES)
    gpp_variant_name(${file} id step)
    file(RELATIVE_PATH source ${CMAKE_SOURCE_DIR} ${file})
    set(builds "")
    set(missing "${arg_MISSING}")
    if(file MATCHES "\\.md$")
      file(STRINGS ${file} missing LIMIT_COUNT 1)
    endif()
    set(not_built "")
    if(NOT missing)
      foreach(lacking IN LISTS arg_NOT_BUILT)
        string(REGEX MATCH "^([a-z]+):(.+)$" matched "${lacking}")
        set(kind ${CMAKE_MATCH_1})
        gpp_quotable("${CMAKE_MATCH_2}" why)
        string(APPEND not_built "{\"${kind}\", \"${why}\"}, ")
      endforeach()
      foreach(build IN LISTS arg_BUILDS)
        string(REGEX MATCH "^([a-z]+):(.+):([a-z_]+)$" matched ${build})
        set(device ${CMAKE_MATCH_1})
        set(function ${CMAKE_MATCH_2}::${step})
        set(runtime ${CMAKE_MATCH_3})
        set(call "call_of(${function})")
        set(declarations GPP_CATALOG_DECLARATIONS_${GPP_KERNEL})
        gpp_declaration(${file} ${step} ${CMAKE_MATCH_2} declaration)
        if(arg_LOADED)
          set(declarations GPP_LOADED_DECLARATIONS_${arg_LOADED})
          set_property(GLOBAL APPEND_STRING PROPERTY GPP_LOADED_ROWS_${arg_LOADED}
            "      {\"${step}\", gpp::call_of(${function})},\n")
          set(call "gpp::loaded_call(\"lib${arg_LOADED}.so\", \"${step}\")")
        endif()
        set_property(GLOBAL APPEND_STRING PROPERTY ${declarations} "${declaration}")
        string(APPEND builds "{\"${device}\", ${call}, &gpp::${runtime}()}, ")
      endforeach()
    endif()
    gpp_catalog_row(${id} ${step} ${model} ${source} "${builds}" "${missing}" "${not_built}")
  endforeach()
endfunction()

# gpp_loaded_library(<name> SOURCES <file>... LIBRARIES <target>...): the library of the variants that
# gpp_add_model was told to be LOADED from it. It lies beside the program.
function(gpp_loaded_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  get_property(GPP_LOADED_ROWS GLOBAL PROPERTY GPP_LOADED_ROWS_${name})
  get_property(GPP_LOADED_DECLARATIONS GLOBAL PROPERTY GPP_LOADED_DECLARATIONS_${name})
  set(table ${CMAKE_CURRENT_BINARY_DIR}/${name}_table.cpp)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/loaded.cpp.in ${table} @ONLY)
  add_library(${name} MODULE ${arg_SOURCES} ${table})
  target_link_libraries(${name} PRIVATE gpp_flags ${arg_LIBRARIES} nlohmann_json::nlohmann_json fmt::fmt)
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
    CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden)
endfunction()

# Writes the catalog of the kernel into <file>; call after every model has been added.
function(gpp_write_catalog file)
  get_property(GPP_CATALOG_ROWS GLOBAL PROPERTY GPP_CATALOG_ROWS_${GPP_KERNEL})
  get_property(GPP_CATALOG_DECLARATIONS GLOBAL PROPERTY GPP_CATALOG_DECLARATIONS_${GPP_KERNEL})
  configure_file(${CMAKE_SOURCE_DIR}/cmake/catalog.cpp.in ${file} @ONLY)
endfunction()

# Writes the list of all kernels into <file>, in the order in which they were added.
function(gpp_write_kernels file)
  get_property(kernels GLOBAL PROPERTY GPP_KERNELS)
  set(GPP_KERNEL_DECLARATIONS "")
  set(GPP_KERNEL_ROWS "")
  foreach(name IN LISTS kernels)
    get_property(namespace GLOBAL PROPERTY GPP_KERNEL_${name})
    string(APPEND GPP_KERNEL_DECLARATIONS
      "namespace ${namespace} { const gpp::Kernel& ${name}_kernel(); }\n")
    string(APPEND GPP_KERNEL_ROWS "      &${namespace}::${name}_kernel(),\n")
  endforeach()
  configure_file(${CMAKE_SOURCE_DIR}/cmake/kernels.cpp.in ${file} @ONLY)
endfunction()
