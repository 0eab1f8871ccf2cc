# Most of the program is never timed: records, tables, charts, commands. It is compiled with -Og,
# which takes less than half the time of -O3, and with precompiled headers. It has no line numbers,
# because no profiler looks at it. The installed library keeps its line numbers.
#
# <CLI/CLI.hpp> is not precompiled. It would add two seconds to every file, because its inline
# functions instantiate templates in each one.
set(GPP_UNTIMED_HEADERS <fmt/format.h> <nlohmann/json.hpp> <algorithm> <filesystem> <fstream> <map> <optional> <string>
  <vector>)

# gpp_precompiled(<group> <target>...): these targets use precompiled headers. All targets of a
# group need the same optimisation level, because g++ 12 crashes on mixed levels. They have no line
# numbers, so one header file serves them all.
function(gpp_precompiled group)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    return()
  endif()
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-g0>)
    get_property(first GLOBAL PROPERTY GPP_HEADERS_OF_${group})
    if(first)
      target_precompile_headers(${target} REUSE_FROM ${first})
    else()
      target_precompile_headers(${target} PRIVATE ${GPP_UNTIMED_HEADERS})
      set_property(GLOBAL PROPERTY GPP_HEADERS_OF_${group} ${target})
    endif()
  endforeach()
endfunction()

# gpp_untimed(<target>...): compiles these targets for fast builds. A source that is timed
# nevertheless sets its own optimisation and SKIP_PRECOMPILE_HEADERS.
function(gpp_untimed)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    return()
  endif()
  foreach(target IN LISTS ARGN)
    if(NOT TARGET ${target})
      continue()
    endif()
    # With -Og, g++ cannot tell uninitialised variables. A larger garbage collector heap saves a
    # tenth of its time for 150 MB.
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-Og>
      $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized --param=ggc-min-heapsize=400000>)
    get_target_property(independent ${target} POSITION_INDEPENDENT_CODE)
    get_target_property(kind ${target} TYPE)
    if(NOT independent)
      gpp_precompiled(untimed ${target})
    elseif(NOT kind STREQUAL "MODULE_LIBRARY")
      target_precompile_headers(${target} PRIVATE ${GPP_UNTIMED_HEADERS})
    endif()
  endforeach()
endfunction()
