# Makes a kernel's catalog from the files in its folders. A file's name registers its variant.
#
# variants/cuda/v07_reciprocal.cu is variant v7, step reciprocal, and defines NAMESPACE::reciprocal.
# A file without a number, variants/cuda/my_idea.cu, is variant and step my_idea. A step that a model
# cannot have is a text, variants/omp/v10_shared_memory.md, whose first line says why.
#
# A file may hold a family of variants: a function template with one explicit instantiation each.
# "template void sweep<20>(const Arrays&);" in examples/stream/omp/sweep.cpp makes sweep_20.

# gpp_kernel(<name> FOLDER <folder> NAMESPACE <namespace> HEADER <header>): the kernel of all models
# and files added after this call. The header declares catalog(), built() and the problem.
macro(gpp_kernel name)
  cmake_parse_arguments(kernel "" "FOLDER;NAMESPACE;HEADER" "" ${ARGN})
  set(GPP_KERNEL ${name})
  set(GPP_CATALOG_FOLDER ${kernel_FOLDER})
  set(GPP_CATALOG_NAMESPACE ${kernel_NAMESPACE})
  set(GPP_CATALOG_HEADER ${kernel_HEADER})
endmacro()

# gpp_kernel_sources(<file>...): sources that `gpp explain` and `gpp new` show.
function(gpp_kernel_sources)
  set_property(GLOBAL APPEND PROPERTY GPP_SOURCES_${GPP_KERNEL} ${ARGN})
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

# Sets <out> to <text>, escaped for a C++ string literal. CMake escapes semicolons in the lines of a
# file with a backslash.
function(gpp_quotable text out)
  string(REPLACE "\\;" ";" text "${text}")
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

function(gpp_catalog_row id step model source builds reason not_built operations)
  gpp_quotable("${reason}" reason)
  gpp_quotable("${operations}" operations)
  set_property(GLOBAL APPEND_STRING PROPERTY GPP_CATALOG_ROWS_${GPP_KERNEL}
    "      {\"${id}\", \"${step}\", \"${model}\", \"${source}\", {${builds}}, \"${reason}\", {${not_built}},\n       \"${operations}\"},\n")
endfunction()

# Files in the build folder are not read here. If CMake depended on them, it would build them before
# it searches for files, and would miss a deleted file.
function(gpp_is_readable file out)
  string(FIND ${file} ${CMAKE_BINARY_DIR}/ in_build)
  set(${out} FALSE PARENT_SCOPE)
  if(NOT in_build EQUAL 0 AND EXISTS ${file})
    set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()

# Sets <out> to the members of a file's family, such as 20;24, or to nothing for one variant.
function(gpp_members file out)
  set(members "")
  gpp_is_readable(${file} readable)
  if(readable)
    gpp_variant_name(${file} id step)
    file(STRINGS ${file} lines REGEX "^template [A-Za-z]+ ${step}<[0-9]+>\\(")
    foreach(line IN LISTS lines)
      string(REGEX MATCH "<([0-9]+)>" matched "${line}")
      list(APPEND members ${CMAKE_MATCH_1})
    endforeach()
  endif()
  set(${out} "${members}" PARENT_SCOPE)
endfunction()

# Sets <out> to the variants of a file, each as "<id>|<step>|<function>|<member>".
function(gpp_variants_in file out)
  gpp_variant_name(${file} id step)
  gpp_members(${file} members)
  set(variants "")
  foreach(member IN LISTS members)
    list(APPEND variants "${id}_${member}|${step}_${member}|${step}<${member}>|${member}")
  endforeach()
  if(NOT members)
    set(variants "${id}|${step}|${step}|")
  endif()
  set(${out} "${variants}" PARENT_SCOPE)
endfunction()

# Sets <out> to the content of the line "// Operations: 2 N fp32 per element; 4 bytes." of a file,
# without the full stop. In a family, "2 N" means two times the member's number.
function(gpp_operations file member out)
  set(said "")
  gpp_is_readable(${file} readable)
  if(readable)
    file(STRINGS ${file} line REGEX "^// Operations: " LIMIT_COUNT 1)
    string(REGEX REPLACE "^// Operations: (.*[^. \r])[. \r]*$" "\\1" said "${line}")
    if(member AND said MATCHES "^([0-9]+) N (.*)$")
      set(rest "${CMAKE_MATCH_2}")
      math(EXPR number "${CMAKE_MATCH_1} * ${member}")
      set(said "${number} ${rest}")
    endif()
  endif()
  set(${out} "${said}" PARENT_SCOPE)
endfunction()

# Sets <answer_out> and <problem_out> to the result and argument type of a step's function: "Sums"
# and "Problem" for a line "Sums reciprocal(const Problem& problem) {". The linker checks them
# later; this check reports a missing function earlier and more clearly.
function(gpp_signature file step answer_out problem_out)
  gpp_is_readable(${file} readable)
  if(NOT readable)
    set(${answer_out} Sums PARENT_SCOPE)
    set(${problem_out} Problem PARENT_SCOPE)
    return()
  endif()
  file(STRINGS ${file} head REGEX "^[A-Za-z]+ ${step}\\(const [A-Za-z]+& [a-z_]+\\) {" LIMIT_COUNT 1)
  if(NOT head MATCHES "^([A-Za-z]+) ${step}\\(const ([A-Za-z]+)&")
    message(FATAL_ERROR "${file} does not define ${step}: a line such as "
      "'Sums ${step}(const Problem& problem) {' is missing")
  endif()
  set(${answer_out} ${CMAKE_MATCH_1} PARENT_SCOPE)
  set(${problem_out} ${CMAKE_MATCH_2} PARENT_SCOPE)
endfunction()

# Sets <out> to the declaration of a file's function or function family in a namespace.
function(gpp_declaration file namespace out)
  gpp_variant_name(${file} id step)
  gpp_signature(${file} ${step} answer problem)
  if(NOT answer STREQUAL "void")
    set(answer ${GPP_CATALOG_NAMESPACE}::${answer})
  endif()
  gpp_members(${file} members)
  set(template "")
  if(members)
    set(template "template <int> ")
  endif()
  set(${out}
    "namespace ${namespace} { ${template}${answer} ${step}(const ${GPP_CATALOG_NAMESPACE}::${problem}& problem); }\n"
    PARENT_SCOPE)
endfunction()

# Adds the recipe for compiling plug-ins of this model (harness/variant.h). Device code
# of OpenMP can only be linked into programs.
function(gpp_add_recipe model build missing options links)
  string(REGEX MATCH "^([a-z]+):(.+):([a-z_]+)$" matched ${build})
  set(kind ${CMAKE_MATCH_1})
  set(namespace ${CMAKE_MATCH_2})
  set(runtime "&gpp::${CMAKE_MATCH_3}()")
  set(key GPP_RECIPE_${GPP_KERNEL}_${model}_${kind})
  get_property(known GLOBAL PROPERTY ${key})
  if(known OR CMAKE_MATCH_3 STREQUAL "omp_gpu_runtime")
    return()
  endif()
  set_property(GLOBAL PROPERTY ${key} TRUE)
  set(is_cuda false)
  if(CMAKE_MATCH_3 STREQUAL "cuda_runtime")
    set(is_cuda true)
  endif()
  if(missing)
    set(runtime nullptr)
  endif()
  foreach(text IN ITEMS missing options links)
    gpp_quotable("${${text}}" ${text})
  endforeach()
  set_property(GLOBAL APPEND_STRING PROPERTY GPP_RECIPES_${GPP_KERNEL}
    "      {\"${model}\", \"${kind}\", \"${namespace}\", ${runtime}, ${is_cuda},\n       \"${options}\", \"${links}\", \"${missing}\"},\n")
endfunction()

# gpp_add_model(<model> SOURCES <file>... [BUILDS <device>:<namespace>:<runtime>...] [MISSING <why>]
#   [NOT_BUILT <device>:<why>...] [LOADED <library>]
#   [HOST_OPTIONS <option>...] [GPU_OPTIONS <option>...] [LINKS <argument>...])
# Lists each source as a variant of the model. BUILDS names, for each kind of device, the functions'
# namespace and their runtime, gpp::<runtime>(). MISSING is the reason why the model is not built,
# NOT_BUILT why it is not built for one kind of device. LOADED names the library that holds the
# variants; gpp_loaded_library adds it. Plug-ins of the model are compiled with the options of all
# sources and those given here.
function(gpp_add_model model)
  # PARSE_ARGV is used because reasons may contain semicolons.
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MISSING;LOADED"
    "SOURCES;BUILDS;NOT_BUILT;HOST_OPTIONS;GPU_OPTIONS;LINKS")
  set(sources ${arg_SOURCES})
  list(FILTER sources EXCLUDE REGEX "\\.md$")
  gpp_kernel_sources(${sources})
  set(declarations GPP_CATALOG_DECLARATIONS_${GPP_KERNEL})
  if(arg_LOADED)
    set(declarations GPP_LOADED_DECLARATIONS_${arg_LOADED})
  endif()
  foreach(build IN LISTS arg_BUILDS)
    string(REGEX MATCH "^([a-z]+):(.+):([a-z_]+)$" matched ${build})
    if(CMAKE_MATCH_1 STREQUAL "host")
      set(options "${arg_HOST_OPTIONS}")
    else()
      set(options "${arg_GPU_OPTIONS}")
    endif()
    gpp_add_recipe(${model} ${build} "${arg_MISSING}" "${options}" "${arg_LINKS}")
  endforeach()
  set(not_built "")
  foreach(lacking IN LISTS arg_NOT_BUILT)
    string(REGEX MATCH "^([a-z]+):(.+)$" matched "${lacking}")
    set(kind ${CMAKE_MATCH_1})
    gpp_quotable("${CMAKE_MATCH_2}" why)
    string(APPEND not_built "{\"${kind}\", \"${why}\"}, ")
  endforeach()
  foreach(file IN LISTS arg_SOURCES)
    file(RELATIVE_PATH source ${CMAKE_SOURCE_DIR} ${file})
    set(missing "${arg_MISSING}")
    if(file MATCHES "\\.md$")
      file(STRINGS ${file} missing LIMIT_COUNT 1)
    endif()
    gpp_variants_in(${file} variants)
    foreach(variant IN LISTS variants)
      string(REGEX MATCH "^(.*)[|](.*)[|](.*)[|](.*)$" matched "${variant}")
      set(id ${CMAKE_MATCH_1})
      set(step ${CMAKE_MATCH_2})
      set(function ${CMAKE_MATCH_3})
      gpp_operations(${file} "${CMAKE_MATCH_4}" operations)
      if(missing)
        gpp_catalog_row(${id} ${step} ${model} ${source} "" "${missing}" "" "${operations}")
        continue()
      endif()
      set(builds "")
      foreach(build IN LISTS arg_BUILDS)
        string(REGEX MATCH "^([a-z]+):(.+):([a-z_]+)$" matched ${build})
        set(device ${CMAKE_MATCH_1})
        set(namespace ${CMAKE_MATCH_2})
        set(runtime ${CMAKE_MATCH_3})
        set(call "gpp::call_of(${namespace}::${function})")
        if(arg_LOADED)
          set_property(GLOBAL APPEND_STRING PROPERTY GPP_LOADED_ROWS_${arg_LOADED}
            "      {\"${step}\", ${call}},\n")
          set(call "gpp::loaded_call(\"lib${arg_LOADED}.so\", \"${step}\")")
        endif()
        string(APPEND builds "{\"${device}\", ${call}, &gpp::${runtime}()}, ")
      endforeach()
      gpp_catalog_row(${id} ${step} ${model} ${source} "${builds}" "" "${not_built}" "${operations}")
    endforeach()
    if(NOT missing)
      foreach(build IN LISTS arg_BUILDS)
        string(REGEX MATCH "^[a-z]+:(.+):[a-z_]+$" matched ${build})
        gpp_declaration(${file} ${CMAKE_MATCH_1} declaration)
        set_property(GLOBAL APPEND_STRING PROPERTY ${declarations} "${declaration}")
      endforeach()
    endif()
  endforeach()
endfunction()

# gpp_loaded_library(<name> SOURCES <file>... LIBRARIES <target>...): builds the library that
# gpp_add_model names as LOADED. It lies beside the program.
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
  gpp_install_library(${name})
endfunction()

# gpp_write_catalog(<file> [<target> <lesson>...]): writes the kernel's catalog, and embeds its sources
# and lessons in the target that compiles it. Call it after every model has been added.
function(gpp_write_catalog file)
  get_property(GPP_CATALOG_ROWS GLOBAL PROPERTY GPP_CATALOG_ROWS_${GPP_KERNEL})
  get_property(GPP_CATALOG_DECLARATIONS GLOBAL PROPERTY GPP_CATALOG_DECLARATIONS_${GPP_KERNEL})
  get_property(GPP_RECIPES GLOBAL PROPERTY GPP_RECIPES_${GPP_KERNEL})
  configure_file(${CMAKE_SOURCE_DIR}/cmake/catalog.cpp.in ${file} @ONLY)
  if(ARGC EQUAL 1)
    return()
  endif()
  list(POP_FRONT ARGN target)
  get_property(sources GLOBAL PROPERTY GPP_SOURCES_${GPP_KERNEL})
  list(REMOVE_DUPLICATES sources)
  list(SORT sources)
  gpp_embed(${target} ${GPP_KERNEL}_sources BASE ${CMAKE_SOURCE_DIR} FILES ${sources})
  gpp_embed(${target} ${GPP_KERNEL}_lessons BASE ${CMAKE_SOURCE_DIR} FILES ${ARGN})
endfunction()
