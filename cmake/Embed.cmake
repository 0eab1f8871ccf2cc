# Files that become part of the program, byte by byte.
#
# gpp_embed(<target> <name> BASE <folder> FILES <file>...)
# adds to <target> the function gpp::embedded::<name>(), to be declared in harness/program/embedded.h. It
# lists the files, with paths relative to BASE. The assembler reads them, so size does not matter and
# any byte may occur; a file that changes is read again.
function(gpp_embed target name)
  cmake_parse_arguments(arg "" "BASE" "FILES" ${ARGN})
  set(GPP_EMBED_NAME ${name})
  set(GPP_EMBED_BYTES "")
  set(GPP_EMBED_ROWS "")
  set(number 0)
  foreach(file IN LISTS arg_FILES)
    file(RELATIVE_PATH path ${arg_BASE} ${file})
    string(APPEND GPP_EMBED_BYTES "GPP_EMBED(gpp_embedded_${name}_${number}, \"${file}\")\n")
    string(APPEND GPP_EMBED_ROWS "      {\"${path}\", GPP_EMBEDDED(gpp_embedded_${name}_${number})},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/embedded.cpp.in ${source} @ONLY)
  set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES
    OBJECT_DEPENDS "${arg_FILES}")
  target_sources(${target} PRIVATE ${source})
endfunction()
