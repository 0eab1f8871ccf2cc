# Most of the program is never timed: records, tables, charts, commands. It is compiled with -Og, in less
# than half the time of -O3, and the headers that most of it reads are precompiled. No profiler looks at it, so it has
# no line numbers; the library that is installed keeps them.

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
    # With -Og g++ cannot tell what may be uninitialised.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Og>
      $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
    # Precompiled headers serve those whose other flags are the same.
    get_target_property(independent ${target} POSITION_INDEPENDENT_CODE)
    if(NOT independent)
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-g0>)
    endif()
    get_target_property(kind ${target} TYPE)
    get_property(first GLOBAL PROPERTY GPP_UNTIMED_HEADERS)
    if(kind STREQUAL "MODULE_LIBRARY")
      continue()
    elseif(first AND NOT independent)
      target_precompile_headers(${target} REUSE_FROM ${first})
    else()
      target_precompile_headers(${target} PRIVATE <fmt/format.h> <nlohmann/json.hpp> <algorithm> <filesystem>
        <fstream> <map> <optional> <string> <vector>)
      if(NOT independent)
        target_precompile_headers(${target} PRIVATE <CLI/CLI.hpp>)
        set_property(GLOBAL PROPERTY GPP_UNTIMED_HEADERS ${target})
      endif()
    endif()
  endforeach()
endfunction()
