# Embeds files byte by byte in a library or a program.
#
# embed_files(<target> <name> NAMESPACE <namespace> TYPE <type> HEADER <header> BASE <folder>
#   FILES <file>...)
# adds to <target> the function std::span<const TYPE> NAMESPACE::<name>(), which HEADER declares.
# It returns each file as {path relative to BASE, bytes}. The assembler reads the files, so any size
# and any byte is allowed. A changed file is read again.
set(EMBED_TEMPLATE ${CMAKE_CURRENT_LIST_DIR}/embedded.cpp.in)

function(embed_files target name)
  cmake_parse_arguments(arg "" "NAMESPACE;TYPE;HEADER;BASE" "FILES" ${ARGN})
  set(EMBED_NAME ${name})
  set(EMBED_NAMESPACE ${arg_NAMESPACE})
  set(EMBED_TYPE ${arg_TYPE})
  set(EMBED_HEADER ${arg_HEADER})
  set(EMBED_BYTES "")
  set(EMBED_ROWS "")
  set(number 0)
  foreach(file IN LISTS arg_FILES)
    file(RELATIVE_PATH path ${arg_BASE} ${file})
    set(symbol ${target}_embedded_${name}_${number})
    string(APPEND EMBED_BYTES "EMBED(${symbol}, \"${file}\")\n")
    string(APPEND EMBED_ROWS "      {\"${path}\", EMBEDDED(${symbol})},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp)
  configure_file(${EMBED_TEMPLATE} ${source} @ONLY)
  set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES
    OBJECT_DEPENDS "${arg_FILES}" SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE ${source})
endfunction()
