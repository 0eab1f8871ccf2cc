# From the files in variants/ to the catalog: the name of a file is its registration.
#
# variants/cuda/v07_reciprocal.cu is variant v7, step reciprocal, and defines NAMESPACE::reciprocal.
# A file without a number, variants/cuda/my_idea.cu, is variant and step my_idea. A step that a model
# cannot have is a text, variants/omp/v10_shared_memory.md, whose first line says why.

if(POLICY CMP0174)
  cmake_policy(SET CMP0174 NEW)  # an empty MISSING says that nothing is
endif()

define_property(GLOBAL PROPERTY GPP_CATALOG_ROWS BRIEF_DOCS "C++ initialisers of the catalog")
define_property(GLOBAL PROPERTY GPP_CATALOG_DECLARATIONS BRIEF_DOCS "C++ declarations it needs")

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

function(gpp_catalog_row id step model source builds reason not_built)
  set_property(GLOBAL APPEND_STRING PROPERTY GPP_CATALOG_ROWS
    "      {\"${id}\", \"${step}\", \"${model}\", \"${source}\", {${builds}}, \"${reason}\", {${not_built}}},\n")
endfunction()

# gpp_add_model(<model> SOURCES <file>... [BUILDS <device>:<namespace>:<runtime>...] [MISSING <why>]
#   [NOT_BUILT <device>:<why>...])
# Lists each source as a variant of the model. A build says: on this kind of device, the function
# lies in this namespace and runs under what gpp::<runtime>() returns. MISSING: not built, and why.
# NOT_BUILT: built, but not for this kind of device, and why.
function(gpp_add_model model)
  # PARSE_ARGV, because reasons may hold semicolons.
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MISSING" "SOURCES;BUILDS;NOT_BUILT")
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
        string(APPEND not_built "{\"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\"}, ")
      endforeach()
      foreach(build IN LISTS arg_BUILDS)
        string(REGEX MATCH "^([a-z]+):(.+):([a-z_]+)$" matched ${build})
        string(APPEND builds
          "{\"${CMAKE_MATCH_1}\", ${CMAKE_MATCH_2}::${step}, &${CMAKE_MATCH_3}()}, ")
        set_property(GLOBAL APPEND_STRING PROPERTY GPP_CATALOG_DECLARATIONS
          "namespace ${CMAKE_MATCH_2} { gpp::Sums ${step}(const gpp::Problem& problem); }\n")
      endforeach()
    endif()
    gpp_catalog_row(${id} ${step} ${model} ${source} "${builds}" "${missing}" "${not_built}")
  endforeach()
endfunction()

# Writes the catalog into <file>; call after every model has been added.
function(gpp_write_catalog file)
  get_property(GPP_CATALOG_ROWS GLOBAL PROPERTY GPP_CATALOG_ROWS)
  get_property(GPP_CATALOG_DECLARATIONS GLOBAL PROPERTY GPP_CATALOG_DECLARATIONS)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/catalog.cpp.in ${file} @ONLY)
endfunction()
