# Variants compiled a second time, so that they tell their memory accesses and their basic blocks:
# build/libgpp_traced.so, which the program loads when it counts on a host (roofline/trace/trace.h).

# Without OpenMP the pragmas mean nothing and all runs on one thread, in order: the caches are one core's,
# and counts are the same every time. cmake/traced.cpp.in answers the few questions that remain.
# Both compilers call functions of the thread sanitizer at accesses and one of the coverage sanitizer at
# blocks; roofline/trace/trace.cpp defines them. Calls keep a compiler from making vectors itself.
set(GPP_TRACED_FLAGS -O3 -fsanitize=thread -fsanitize-coverage=trace-pc -fvisibility=hidden
  -fno-tree-vectorize -w)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND GPP_TRACED_FLAGS --param tsan-instrument-func-entry-exit=0
    -include ${CMAKE_SOURCE_DIR}/roofline/trace/copies.h -fno-builtin-memcpy -fno-builtin-memmove
    -fno-builtin-memset -fno-tree-loop-distribute-patterns)
else()
  list(APPEND GPP_TRACED_FLAGS -mllvm -tsan-instrument-func-entry-exit=0)
endif()

# gpp_trace(<model> SOURCES <file>... NAMESPACE <namespace> OPTIONS <option>...): these variants of the
# kernel's model, too.
function(gpp_trace model)
  cmake_parse_arguments(arg "" "NAMESPACE" "SOURCES;OPTIONS" ${ARGN})
  foreach(file IN LISTS arg_SOURCES)
    gpp_declaration(${file} ${arg_NAMESPACE} declaration)
    set_property(GLOBAL APPEND_STRING PROPERTY GPP_TRACED_DECLARATIONS
      "#include \"${GPP_CATALOG_HEADER}\"\n${declaration}")
    gpp_variants_in(${file} variants)
    foreach(variant IN LISTS variants)
      string(REGEX MATCH "^.*[|](.*)[|](.*)[|].*$" matched "${variant}")
      set_property(GLOBAL APPEND_STRING PROPERTY GPP_TRACED_ROWS
        "      {\"${GPP_KERNEL}\", \"${CMAKE_MATCH_1}\", \"${model}\", gpp::call_of(${arg_NAMESPACE}::${CMAKE_MATCH_2})},\n")
    endforeach()
    set_property(GLOBAL APPEND PROPERTY GPP_TRACED_SOURCES ${file})
    list(REMOVE_ITEM arg_OPTIONS ${OpenMP_CXX_FLAGS})
    set_property(GLOBAL PROPERTY GPP_TRACED_OPTIONS_${file} "${arg_OPTIONS}")
  endforeach()
endfunction()

# Adds the library, with all that was named; nothing where the program has sanitizers of its own.
function(gpp_add_traced target)
  if(GPP_SANITIZE OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    return()
  endif()
  get_property(sources GLOBAL PROPERTY GPP_TRACED_SOURCES)
  get_property(GPP_TRACED_ROWS GLOBAL PROPERTY GPP_TRACED_ROWS)
  get_property(GPP_TRACED_DECLARATIONS GLOBAL PROPERTY GPP_TRACED_DECLARATIONS)
  set(table ${CMAKE_CURRENT_BINARY_DIR}/traced_variants.cpp)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/traced.cpp.in ${table} @ONLY)
  foreach(file IN LISTS sources)
    get_property(options GLOBAL PROPERTY GPP_TRACED_OPTIONS_${file})
    set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${options};${GPP_TRACED_FLAGS}")
  endforeach()
  set(tracer ${CMAKE_SOURCE_DIR}/roofline/trace/trace.cpp)
  add_library(${target} SHARED ${sources} ${table} ${tracer})
  set_source_files_properties(${table} ${tracer} PROPERTIES COMPILE_OPTIONS -fvisibility=hidden)
  target_link_libraries(${target} PRIVATE gpp_flags nlohmann_json::nlohmann_json CLI11::CLI11 fmt::fmt)
  # What a variant of one's own asks of OpenMP beside that is answered by its library.
  target_link_options(${target} PRIVATE ${OpenMP_CXX_FLAGS} -Wl,-Bsymbolic)
  set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  gpp_install_library(${target})
endfunction()
