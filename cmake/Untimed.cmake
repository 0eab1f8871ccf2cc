# Most of the program is never timed: records, tables, charts, commands. It is compiled with -Og, in less
# than half the time of -O3, and the headers that most of it reads are precompiled. No profiler looks at it, so it has
# no line numbers; the library that is installed keeps them.
#
# <CLI/CLI.hpp> is not among the headers: with it every unit, empty or not, compiles for two seconds more, because
# what its inline functions need of templates is made for each.
set(GPP_UNTIMED_HEADERS <fmt/format.h> <nlohmann/json.hpp> <algorithm> <filesystem> <fstream> <map> <optional> <string>
  <vector>)

# gpp_precompiled(<group> <target>...): these read the headers precompiled. Those of a group have the same
# optimisation: with another than its precompiled headers have, g++ 12 crashes. They have no line numbers, so that one
# file serves them all.
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

# gpp_untimed(<target>...): sources of these that are timed all the same name their own optimisation, and
# SKIP_PRECOMPILE_HEADERS.
function(gpp_untimed)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    return()
  endif()
  foreach(target IN LISTS ARGN)
    if(NOT TARGET ${target})
      continue()
    endif()
    # With -Og g++ cannot tell what may be uninitialised. It collects its garbage later than by itself, which saves a
    # tenth of its time and takes 150 MB more. Functions have sections of their own for cmake/First.cmake.
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-Og -ffunction-sections -fdata-sections>
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
